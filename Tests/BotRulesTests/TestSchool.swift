import BotCore
import BotEngine
import BotRules
import Values

/// A small installation to try rules on: a timetable, grades, a canteen and reminders, with shapes like those of the real providers.
enum TestSchool {
    static let rome = Zone("Europe/Rome") ?? .utc

    static let lesson = RecordShape(
        "lesson",
        "A lesson.",
        fields: [
            FieldShape("id", .string), FieldShape("date", .string), FieldShape("start", .timestamp),
            FieldShape("end", .timestamp), FieldShape("subject", .string), FieldShape("teachers", .list(.string)),
            FieldShape("teacher", .string), FieldShape("room", .string), FieldShape("classes", .list(.string)),
            FieldShape("text", .string),
            FieldShape("state", .string, oneOf: ["planned", "changed", "moved", "cancelled"]),
            FieldShape("info", .string, optional: true),
            FieldShape("new_start", .timestamp, optional: true), FieldShape("merged", .int),
        ]
    )
    static let grade = RecordShape(
        "grade",
        "A grade.",
        fields: [
            FieldShape("id", .string), FieldShape("date", .string), FieldShape("kind", .string),
            FieldShape("subject", .string), FieldShape("value", .double), FieldShape("text", .string),
        ]
    )
    static let dish = RecordShape(
        "dish",
        "A dish.",
        fields: [FieldShape("name", .string), FieldShape("date", .string), FieldShape("price", .double)]
    )
    static let reminder = RecordShape(
        "reminder",
        "A reminder.",
        fields: [
            FieldShape("id", .string), FieldShape("title", .string), FieldShape("remind_at", .timestamp),
            FieldShape("done", .bool),
        ]
    )

    static let timetable = SourceSchema(
        records: [lesson],
        events: [
            lessonEvent("cancelled", opposite: "lesson.restored"), lessonEvent("restored"),
            lessonEvent("replaced", opposite: "lesson.restored"), lessonEvent("moved"), lessonEvent("room_changed"),
            lessonEvent("added", opposite: "lesson.removed"), lessonEvent("removed", opposite: "lesson.added"),
        ],
        queries: [
            QueryDeclaration("timetable.day", result: day, "Today's lessons.") { records, context in
                let lessons = records.filter { $0.date == context.today }.map { Value.map($0.fields) }
                return ["lessons": .list(lessons), "is_empty": .bool(lessons.isEmpty)]
            }
        ],
        offWhen: ["lesson.state": ["cancelled"]]
    )
    static let grades = SourceSchema(
        records: [grade],
        events: [
            EventDeclaration("grade.added", of: "grade", "A new grade.", expiry: .never, opposite: "grade.removed"),
            EventDeclaration("grade.changed", of: "grade", "A changed grade.", expiry: .never),
            EventDeclaration("grade.removed", of: "grade", "A grade is gone.", expiry: .never),
        ]
    )
    static let canteen = SourceSchema(
        records: [dish],
        events: [EventDeclaration("dish.added", of: "dish", "A new dish.")],
        queries: [
            QueryDeclaration("mensa.today", result: menu, "Today's menu.") { records, context in
                let today = context.today.description
                let dishes = records.filter { $0.fields["date"]?.string == today }.map { Value.map($0.fields) }
                return ["dishes": .list(dishes), "is_empty": .bool(dishes.isEmpty)]
            }
        ]
    )
    static let reminders = SourceSchema(
        records: [reminder],
        events: [
            EventDeclaration("reminder.added", of: "reminder", "A new reminder.", opposite: "reminder.removed")
        ],
        offWhen: ["reminder.done": [true]]
    )

    private static let day = RecordShape(
        "timetable_day",
        fields: [FieldShape("lessons", .list(.record(lesson))), FieldShape("is_empty", .bool)]
    )
    private static let menu = RecordShape(
        "menu",
        fields: [FieldShape("dishes", .list(.record(dish))), FieldShape("is_empty", .bool)]
    )

    private static func lessonEvent(_ name: String, opposite: String? = nil) -> EventDeclaration {
        EventDeclaration("lesson.\(name)", of: "lesson", "A lesson.", expiry: .field("end"), opposite: opposite)
    }

    // MARK: The installation

    static func installation(admin: [String] = [], schools: [School] = [school]) -> Installation {
        var installation = Installation(zone: rome, locale: "de")
        installation.schools = schools
        installation.sources = [
            source("timetable-3a", timetable, account: "rossi", school: schools.first),
            source("anna-grades", grades, account: "rossi", school: schools.first),
            source("mensa", canteen), source("class-reminders", reminders, account: "pokyh"),
        ]
        installation.sinks = [
            sink("telegram-3a"), sink("class-hook"), sink("mail-rossi", takesRecipients: true),
            sink("mail-admin", locale: "en"), sink("terminal"),
        ]
        installation.families = [
            Family(name: "rossi", students: ["Anna", "Luca"], sinks: ["mail-rossi"], locale: "it")
        ]
        installation.admin = admin
        return installation
    }

    static let school = School(name: "lbs", server: "lbs.example", school: "lbs", zone: rome)

    static func source(
        _ name: String,
        _ schema: SourceSchema,
        account: String? = nil,
        school: School? = nil
    ) -> SourceEntry {
        let plugin = ProviderPlugin(
            name: "test",
            "",
            interval: .minutes(30),
            settings: account == nil ? [] : [SettingDeclaration("student", .text, "the student")],
            schema: { _ in schema },
            make: { _, _, _ in NoProvider() }
        )
        return SourceEntry(
            name: name,
            plugin: plugin,
            settings: Settings(name: name, values: ValueMap()),
            schema: schema,
            account: account,
            school: school,
            zone: rome,
            interval: .minutes(30)
        )
    }

    static func sink(_ name: String, takesRecipients: Bool = false, locale: String? = nil) -> SinkEntry {
        let plugin = SinkPlugin(
            kind: "test",
            "",
            settings: [],
            takesRecipients: takesRecipients,
            canBeSilent: name == "telegram-3a",
            make: { _, _, _ in NoSink() }
        )
        return SinkEntry(
            name: name,
            plugin: plugin,
            settings: Settings(name: name, values: ValueMap()),
            locale: locale
        )
    }

    /// What the courier makes of a try in a rule test.
    @Sendable static func judge(
        _ sink: SinkEntry,
        _ claimed: ClaimedPayload,
        _ outcome: Result<Receipt, PluginError>,
        _ state: SinkState,
        _ now: Timestamp
    ) -> DeliveryJudgement {
        let verdict = Rehearsal.verdict(
            on: claimed,
            outcome: outcome,
            sink: sink.name,
            uncertain: UncertainPolicy(rawValue: sink.uncertain) ?? .resend,
            recognisesRepeats: false,
            state: state,
            at: now
        )
        return DeliveryJudgement(settlement: verdict.settlement, state: verdict.state, events: verdict.events)
    }

    private struct NoProvider: Provider {
        func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot { Snapshot(records: []) }
        func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] { [] }
    }

    private struct NoSink: Sink {
        func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] { [] }
        func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt { Receipt() }
    }
}

// MARK: Short forms

extension TestSchool {
    static func file(_ text: String, _ path: String = "rules/test.yaml") -> SourceFile {
        SourceFile(path: path, bytes: Array(text.utf8))
    }

    static func load(_ text: String, admin: [String] = [], previous: RuleBook? = nil) -> RuleSet {
        RuleFiles.load([file(text)], in: installation(admin: admin), previous: previous)
    }

    /// What people read of a file's complaints.
    static func complaints(about text: String) -> String {
        load(text).complaints.map(\.text).joined()
    }

    static func instant(_ text: String) -> Timestamp {
        let parts = text.split(separator: "T")
        guard parts.count == 2, let date = CalendarDate(parts[0]), let time = WallTime(parts[1]) else {
            return Timestamp(seconds: 0)
        }
        return rome.instant(of: date, at: time)
    }

    static let now = instant("2026-11-30T12:00")

    /// A lesson at a local time, 50 minutes long.
    static func lessonRecord(
        _ subject: String,
        _ start: String,
        classes: [String] = ["3A"],
        state: String = "planned",
        key: String? = nil
    ) -> Record {
        let begin = instant(start)
        return Record(
            key: key ?? "\(subject)/\(start)",
            type: "lesson",
            date: rome.date(at: begin),
            fields: [
                "id": .string(key ?? ""), "date": .string(rome.date(at: begin).description), "start": .timestamp(begin),
                "end": .timestamp(begin + .minutes(50)), "subject": .string(subject), "teachers": ["RO"],
                "teacher": "RO", "room": "T101", "classes": .list(classes.map { .string($0) }), "text": "",
                "state": .string(state), "merged": 1,
            ]
        )
    }

    static func gradeRecord(_ subject: String, _ value: Double) -> Record {
        Record(
            key: "\(subject)/\(value)",
            type: "grade",
            fields: [
                "id": "1", "date": "2026-11-30", "kind": "Test", "subject": .string(subject), "value": .double(value),
                "text": "",
            ]
        )
    }

    static func event(
        _ kind: String,
        _ record: Record,
        old: Record? = nil,
        changes: [FieldChange] = [],
        source: String = "timetable-3a",
        student: Student = Student(id: "11", name: "Anna"),
        revision: Int64 = 1,
        world: String? = nil
    ) -> Event {
        let id = "\(source)/\(record.key)/\(revision)/\(kind)"
        return Event(
            id: id,
            worldID: world ?? id,
            kind: kind,
            at: now,
            source: source,
            account: "rossi",
            student: student,
            record: record,
            old: old,
            changes: changes,
            revision: revision
        )
    }
}
