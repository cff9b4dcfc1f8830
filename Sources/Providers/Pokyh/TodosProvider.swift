import BotConfig
import BotCore
import Values

/// `pokyh.todos`: the user's own list of things to do.
struct TodosProvider: Provider {
    let account: PokyhAccount
    let student: String?

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let user = try await account.user(at: request.now)
        let route = PokyhRoutes.todos(of: PercentEncoding.encoded(user.name))
        guard let list = try await account.document(route, asking: "to-dos", at: request.now).list else {
            throw .permanent("\(account.wire.place): the answer holds no list of to-dos.")
        }
        let records = list.map { todo($0, request.zone) }
        return Snapshot(
            records: records.compactMap { $0 },
            unreadable: records.count { $0 == nil },
            era: user.id,
            student: Student(id: user.id, name: student ?? user.name)
        )
    }

    /// `notifiedAt`, `archivedAt` and `doneAt` change by themselves and are left out.
    private func todo(_ entry: Value, _ zone: Zone) -> Record? {
        guard let id = entry["id"].string, !id.isEmpty, let done = entry["done"].bool else { return nil }
        var fields: ValueMap = [
            "id": .string(id), "title": .string(entry["title"].line), "details": .string(entry["details"].prose),
            "done": .bool(done),
            "due_date": "",
        ]
        if let due = entry["dueAt"].instant {
            fields["due_at"] = .timestamp(due)
            fields["due_date"] = .string(zone.date(at: due).description)
        }
        return Record(key: id, type: Self.record.name, fields: fields)
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        difference.changes.compactMap { change in
            switch change.kind {
            case .added, .entered: change.occurrence("todo.added")
            case .changed: change.occurrence(Self.becameDone(change) ? "todo.done" : "todo.changed")
            case .removed: Self.isArchived(change.old, at: context.now) ? nil : change.occurrence("todo.removed")
            case .renumbered: nil
            }
        }
    }

    private static func becameDone(_ change: Change) -> Bool {
        change.old?.fields["done"] == false && change.new?.fields["done"] == true
    }

    /// The backend takes to-dos off the list a day after they were done or due; nobody deleted those.
    private static func isArchived(_ record: Record?, at now: Timestamp) -> Bool {
        record?.fields["done"] == true || (record?.fields["due_at"]?.timestamp.map { $0 + .days(1) <= now } ?? false)
    }

    private static let record = RecordShape(
        "todo",
        "Something the user wants to do.",
        fields: [
            FieldShape("id", .string, "the to-do's id"),
            FieldShape("title", .string, "what is to be done"),
            FieldShape("details", .string, "more about it; may be empty"),
            FieldShape("done", .bool, "whether it is done"),
            FieldShape("due_at", .timestamp, optional: true, "when it is due"),
            FieldShape("due_date", .string, "the day it is due, `2026-12-01`; empty if none is set"),
        ]
    )

    private static let due = RecordShape(
        "todos_due",
        "What is still to be done.",
        fields: [
            FieldShape("todos", .list(.record(record)), "at most 50: those with a time first, in order of it"),
            FieldShape("overdue", .list(.record(record)), "those of them whose time has passed"),
            FieldShape("is_empty", .bool, "whether there is none"),
        ]
    )

    static let schema = SourceSchema(
        records: [record],
        events: [
            EventDeclaration("todo.added", of: "todo", "A new to-do.", opposite: "todo.removed"),
            EventDeclaration("todo.changed", of: "todo", "A to-do was edited, or is to be done after all."),
            EventDeclaration("todo.done", of: "todo", "A to-do was done."),
            EventDeclaration(
                "todo.removed",
                of: "todo",
                "A to-do was deleted before it was done.",
                opposite: "todo.added"
            ),
        ],
        queries: [
            QueryDeclaration("todos.due", result: due, "What is still to be done, what is due first.") {
                dueAnswer($0, $1)
            }
        ],
        uncomparedFields: ["todo.id", "todo.due_date"],
        offWhen: ["todo.done": [true]]
    )

    private static func dueAnswer(_ records: [Record], _ context: QueryContext) -> ValueMap {
        func time(_ record: Record) -> Timestamp? { record.fields["due_at"]?.timestamp }
        let open = records.filter { $0.fields["done"] == false }.sorted { one, other in
            switch (time(one), time(other)) {
            case (let first?, let second?): (first, one.key) < (second, other.key)
            case (nil, nil): one.key < other.key
            case (let first, _): first != nil
            }
        }
        let overdue = open.filter { time($0).map { $0 <= context.now } ?? false }
        return [
            "todos": .list(open.prefix(50).map { .map($0.fields) }),
            "overdue": .list(overdue.prefix(50).map { .map($0.fields) }),
            "is_empty": .bool(open.isEmpty),
        ]
    }
}
