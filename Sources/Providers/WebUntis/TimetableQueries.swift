import BotCore
import Values

/// What scheduled rules may ask of a timetable.
enum TimetableQueries {
    static let all = [
        QueryDeclaration("timetable.day", result: day, "Today's lessons.") { records, context in
            answer(for: context.today, records, context)
        },
        QueryDeclaration("timetable.tomorrow", result: day, "Tomorrow's lessons.") { records, context in
            answer(for: context.today.adding(days: 1), records, context)
        },
        QueryDeclaration(
            "timetable.week",
            result: week,
            "The lessons from today to the end of the week; from Saturday on, the next week's."
        ) {
            weekAnswer($0, $1)
        },
        QueryDeclaration("timetable.next", result: next, "The lesson that runs now or comes next.") {
            nextAnswer($0, $1)
        },
        OverviewQuery.declaration,
    ]

    private static let lessons = Shape.list(.record(LessonSchema.record))

    private static let day = RecordShape(
        "timetable_day",
        "One day of a timetable.",
        fields: [
            FieldShape("date", .string, "the day, `2026-11-30`"),
            FieldShape("is_empty", .bool, "whether no lesson takes place"),
            FieldShape("lessons", lessons, "all lessons in order of time, cancelled ones included; merged ones once"),
            FieldShape("changes", lessons, "those that deviate from plan"),
            FieldShape("start", .timestamp, optional: true, "when the first lesson that takes place begins"),
            FieldShape("end", .timestamp, optional: true, "when the last lesson that takes place ends"),
        ]
    )

    private static let week = RecordShape(
        "timetable_week",
        "The rest of a week of a timetable.",
        fields: [
            FieldShape("first", .string, "its first day, `2026-11-30`"),
            FieldShape("last", .string, "its last day"),
            FieldShape("is_empty", .bool, "whether no lesson takes place"),
            FieldShape("days", .list(.record(day)), "the days that have lessons"),
            FieldShape("changes", lessons, "all lessons that deviate from plan"),
        ]
    )

    private static let next = RecordShape(
        "timetable_next",
        "The next lesson.",
        fields: [
            FieldShape("lesson", .record(LessonSchema.record), optional: true, "the lesson; missing if none is known"),
            FieldShape("is_empty", .bool, "whether no further lesson is known"),
        ]
    )

    static func answer(for date: CalendarDate, _ records: [Record], _ context: QueryContext) -> ValueMap {
        let lessons = shown(records.filter { $0.date == date })
        let taking = lessons.filter { !$0.isCancelled }
        var map: ValueMap = [
            "date": .string(date.description), "is_empty": .bool(taking.isEmpty), "lessons": list(lessons),
            "changes": list(lessons.filter(deviates)),
        ]
        if let start = taking.compactMap(\.start).min() { map["start"] = .timestamp(start) }
        if let end = taking.compactMap(\.end).max() { map["end"] = .timestamp(end) }
        return map
    }

    private static func weekAnswer(_ records: [Record], _ context: QueryContext) -> ValueMap {
        let today = context.today
        let first = today.weekday >= 6 ? today.monday.adding(days: 7) : today
        let last = first.monday.adding(days: 6)
        let dates = DateWindow(first, through: last).dates.filter { date in records.contains { $0.date == date } }
        let lessons = shown(records.filter { $0.date.map(DateWindow(first, through: last).contains) ?? false })
        return [
            "first": .string(first.description), "last": .string(last.description),
            "is_empty": .bool(lessons.allSatisfy(\.isCancelled)),
            "days": .list(dates.map { .map(answer(for: $0, records, context)) }),
            "changes": list(lessons.filter(deviates)),
        ]
    }

    static func nextAnswer(_ records: [Record], _ context: QueryContext) -> ValueMap {
        let coming = shown(records).first { !$0.isCancelled && ($0.end ?? context.now) > context.now }
        guard let coming else { return ["is_empty": true] }
        return ["is_empty": false, "lesson": .map(coming.fields)]
    }

    private static func deviates(_ record: Record) -> Bool { record.text("state") != "planned" }

    private static func list(_ records: [Record]) -> Value { .list(records.map { .map($0.fields) }) }

    /// In order of time; rows that differ in their period id alone once.
    private static func shown(_ records: [Record]) -> [Record] {
        var seen: Set<[Value]> = []
        let told = ["start", "end", "subject", "teachers", "rooms", "student_groups", "state"]
        let lessons = records.filter { $0.type == LessonSchema.record.name }
        return lessons.filter { record in seen.insert(told.map { record.fields[$0] ?? .null }).inserted }
            .sorted { ($0.start ?? Timestamp(seconds: 0), $0.key) < ($1.start ?? Timestamp(seconds: 0), $1.key) }
    }
}
