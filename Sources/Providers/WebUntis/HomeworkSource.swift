import BotConfig
import BotCore
import Values

/// `webuntis.homework`: what is to be done for school.
enum HomeworkSource {
    /// The days asked for, before and after today. What was set earlier falls out of the list by age.
    private static let daysBack = 21
    private static let daysAhead = 42

    @Sendable static func ask(_ question: ListQuestion) async throws(PluginError) -> ListSource.Reading {
        let year = question.year
        let first = max(year.first, question.request.today.adding(days: -daysBack))
        let last = min(year.last, question.request.today.adding(days: daysAhead))
        guard first <= last else { return ListSource.Reading([]) { _ in nil } }
        let query = [("startDate", first.compact), ("endDate", last.compact)]
        let document = try await question.document(WebUntisRoutes.homework, query, asking: "homework")
        let data = document["data"]
        let list = try question.list(data["homeworks"], of: "homework", in: document)
        let tables = Tables(data)
        let own = list.filter {
            question.profile.concerns(question.student, named: tables.students[$0["id"].label] ?? [])
        }
        return ListSource.Reading(own) { record($0, tables, question.student) }
    }

    /// The answer's parallel lists, by id.
    private struct Tables {
        /// The students of each piece of homework; a guardian gets all children's in one list.
        var students: [String: [String]] = [:]
        var teachers: [String: String] = [:]
        var subjects: [String: String] = [:]
        var teacherNames: [String: String] = [:]

        init(_ data: Value) {
            for teacher in data["teachers"].list ?? [] { teacherNames[teacher["id"].label] = teacher["name"].label }
            for lesson in data["lessons"].list ?? [] {
                subjects[lesson["id"].label] = lesson["subject"].names.joined(separator: ", ")
            }
            for entry in data["records"].list ?? [] {
                students[entry["homeworkId"].label, default: []] += (entry["elementIds"].list ?? []).map(\.label)
                teachers[entry["homeworkId"].label] = teacherNames[entry["teacherId"].label]
            }
        }
    }

    private static func record(_ entry: Value, _ tables: Tables, _ student: Student) -> Record? {
        guard entry.map != nil, let due = entry["dueDate"].day ?? entry["date"].day else { return nil }
        let number = entry["id"].label
        var fields: ValueMap = [
            "date": .string(entry["date"].day?.description ?? ""), "due_date": .string(due.description),
            "subject": .string(tables.subjects[entry["lessonId"].label] ?? ""),
            "teacher": .string(tables.teachers[number] ?? ""),
            "text": .string(entry["text"].prose), "remark": .string(entry["remark"].prose),
            "completed": .bool(entry["completed"].truth ?? false),
            "has_attachments": .bool(entry["attachments"].list?.isEmpty == false),
        ]
        let id = entry.name(orContent: ["date", "subject", "text"].map { fields[$0]?.string ?? "" })
        fields["id"] = .string(id)
        return Record(key: "\(student.id)/\(id)", type: record.name, fields: fields)
    }

    @Sendable static func tell(_ change: Change, _ context: InterpretationContext) -> String? {
        switch change.kind {
        case .added, .entered: "homework.added"
        case .changed: "homework.changed"
        case .removed: isOutdated(change.old, in: context) ? nil : "homework.removed"
        case .renumbered: nil
        }
    }

    /// Homework that was due, or set too long ago to be in the list still, was not deleted by anybody.
    private static func isOutdated(_ record: Record?, in context: InterpretationContext) -> Bool {
        let today = context.zone.date(at: context.now)
        let oldest = today.adding(days: -daysBack)
        return (record?.text("due_date") ?? "") < today.description || (record?.text("date") ?? "") < oldest.description
    }

    static let record = RecordShape(
        "homework",
        "A piece of homework.",
        fields: [
            FieldShape("id", .string, "its id in WebUntis"),
            FieldShape("date", .string, "the day it was set, `2026-11-27`; empty if not told"),
            FieldShape("due_date", .string, "the day it is due"),
            FieldShape("subject", .string, "the subject"),
            FieldShape("teacher", .string, "the teacher"),
            FieldShape("text", .string, "what is to be done"),
            FieldShape("remark", .string, "the teacher's remark"),
            FieldShape("completed", .bool, "whether the student has ticked it off"),
            FieldShape("has_attachments", .bool, "whether files come with it"),
        ]
    )

    private static let due = RecordShape(
        "homework_due",
        "The homework still to be done.",
        fields: [
            FieldShape("homework", .list(.record(record)), "from today on, what is due first"),
            FieldShape("tomorrow", .list(.record(record)), "what is due tomorrow"),
            FieldShape("is_empty", .bool, "whether there is none"),
        ]
    )

    static let schema = SourceSchema(
        records: [record],
        events: [
            EventDeclaration("homework.added", of: "homework", "New homework.", opposite: "homework.removed"),
            EventDeclaration("homework.changed", of: "homework", "Homework has another text or another day."),
            EventDeclaration(
                "homework.removed",
                of: "homework",
                "Homework was deleted before it was due.",
                opposite: "homework.added"
            ),
        ],
        queries: [
            QueryDeclaration("homework.due", result: due, "The homework still to be done, what is due first.") {
                records,
                context in
                let today = context.today.description
                let tomorrow = context.today.adding(days: 1).description
                let open = records.filter { $0.fields["completed"] == false && $0.text("due_date") >= today }
                    .sorted { ($0.text("due_date"), $0.key) < ($1.text("due_date"), $1.key) }
                return [
                    "homework": .list(open.map { .map($0.fields) }),
                    "tomorrow": .list(open.filter { $0.text("due_date") == tomorrow }.map { .map($0.fields) }),
                    "is_empty": .bool(open.isEmpty),
                ]
            }
        ],
        uncomparedFields: ["homework.id", "homework.completed", "homework.teacher", "homework.date"],
        offWhen: ["homework.completed": [true]]
    )
}
