import BotConfig
import BotCore
import Values

/// `pokyh.reminders`: the reminders that the members of a class set for each other.
struct RemindersProvider: Provider {
    let account: PokyhAccount
    let student: String?

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let user = try await account.user(at: request.now)
        if user.isGuardian {
            throw .unavailable("\(account.wire.place): reminders are not available to guardian accounts.")
        }
        guard let classID = user.classID else {
            throw .unavailable("\(account.wire.place) is in no class; join one with its code in the POKYH app.")
        }
        let route = PokyhRoutes.reminders(ofClass: PercentEncoding.encoded(classID))
        guard let list = try await account.document(route, asking: "reminders", at: request.now).list else {
            throw .permanent("\(account.wire.place): the answer holds no list of reminders.")
        }
        let records = list.map { reminder($0, request.zone) }
        return Snapshot(
            records: records.compactMap { $0 },
            unreadable: records.count { $0 == nil },
            era: classID,
            student: Student(id: user.id, name: student ?? user.name)
        )
    }

    private func reminder(_ entry: Value, _ zone: Zone) -> Record? {
        guard let id = entry["id"].string, !id.isEmpty, let due = entry["remindAt"].instant else { return nil }
        let reading = zone.reading(at: due)
        return Record(
            key: id,
            type: Self.record.name,
            fields: [
                "id": .string(id), "title": .string(entry["title"].line), "body": .string(entry["body"].prose),
                "remind_at": .timestamp(due), "date": .string(reading.date.description),
                "time": .string(reading.time.description),
                "author": .string(entry["createdByName"].line),
            ],
            worldKey: "\(account.wire.base)/reminder/\(id)"
        )
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        difference.changes.compactMap { change in
            switch change.kind {
            case .added, .entered: change.occurrence("reminder.added")
            case .changed: change.occurrence("reminder.changed")
            case .removed: Self.isArchived(change.old, at: context.now) ? nil : change.occurrence("reminder.removed")
            case .renumbered: nil
            }
        }
    }

    /// The backend takes reminders off the list when they are a day old; nobody deleted those.
    private static func isArchived(_ record: Record?, at now: Timestamp) -> Bool {
        record?.fields["remind_at"]?.timestamp.map { $0 + .days(1) <= now } ?? false
    }

    private static let record = RecordShape(
        "reminder",
        "A reminder of a class.",
        fields: [
            FieldShape("id", .string, "the reminder's id"),
            FieldShape("title", .string, "its title"),
            FieldShape("body", .string, "its text; may be empty"),
            FieldShape("remind_at", .timestamp, "when it is due"),
            FieldShape("date", .string, "the day it is due, `2026-11-30`"),
            FieldShape("time", .string, "the local time it is due, `17:00`"),
            FieldShape("author", .string, "the user name of who set it"),
        ]
    )

    private static let upcoming = RecordShape(
        "reminders_next",
        "The reminders still to come.",
        fields: [
            FieldShape("reminders", .list(.record(record)), "at most 20, the next one first"),
            FieldShape("is_empty", .bool, "whether there is none"),
        ]
    )

    static let schema = SourceSchema(
        records: [record],
        events: [
            EventDeclaration(
                "reminder.added",
                of: "reminder",
                "A new reminder.",
                expiry: .field("remind_at"),
                opposite: "reminder.removed"
            ),
            EventDeclaration("reminder.changed", of: "reminder", "A reminder changed.", expiry: .field("remind_at")),
            EventDeclaration(
                "reminder.removed",
                of: "reminder",
                "A reminder was deleted before it was due.",
                opposite: "reminder.added"
            ),
        ],
        queries: [
            QueryDeclaration("reminders.next", result: upcoming, "The reminders still to come, the next one first.") {
                records,
                context in
                let coming = records.filter { ($0.fields["remind_at"]?.timestamp ?? context.now) > context.now }
                    .sorted { ($0.due, $0.key) < ($1.due, $1.key) }
                return [
                    "reminders": .list(coming.prefix(20).map { .map($0.fields) }), "is_empty": .bool(coming.isEmpty),
                ]
            }
        ],
        uncomparedFields: ["reminder.id", "reminder.date", "reminder.time", "reminder.author"]
    )
}

extension Record {
    fileprivate var due: Timestamp { fields["remind_at"]?.timestamp ?? Timestamp(seconds: 0) }
}
