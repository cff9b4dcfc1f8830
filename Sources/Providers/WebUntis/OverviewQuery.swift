import BotCore
import Values

/// `overview`: what a student wants to know at a glance. The timetable, the grades and the inbox answer it together, as far as the bot
/// file polls them and the school grants them.
enum OverviewQuery {
    static let declaration = QueryDeclaration(
        "overview",
        result: overview,
        "The next lesson, today, the average and the unread messages of a student, as far as they are known.",
        isJoint: true
    ) { records, context in
        answer(Dictionary(grouping: records, by: \.type), context)
    }

    /// What the apps' widgets show: 12 lessons, 8 grades (`GradeSchema.recent`), 6 messages (`protocols/pokyh.md` section 4).
    private static let mostLessons = 12
    private static let mostMessages = 6

    /// The parts by the type of their records.
    private static let parts = [
        (name: "timetable", type: LessonSchema.record.name), (name: "grades", type: GradeSchema.record.name),
        (name: "messages", type: MessageSchema.record.name),
    ]

    private static let overview = RecordShape(
        "overview",
        "What a student wants to know at a glance.",
        fields: [
            FieldShape(
                "next_lesson",
                .record(LessonSchema.record),
                optional: true,
                "the lesson that runs now or comes next; missing if none is known"
            ),
            FieldShape(
                "today",
                .list(.record(LessonSchema.record)),
                "today's lessons in order of time, cancelled ones included; at most 12"
            ),
            FieldShape("changes", .list(.record(LessonSchema.record)), "those of today that deviate from plan"),
            FieldShape("average", .string, "the mean of all marks as text; empty if there are none"),
            FieldShape("average_value", .double, optional: true, "the same as a number"),
            FieldShape("negative_subjects", .list(.string), "the subjects whose mean does not pass"),
            FieldShape("grades", .list(.record(GradeSchema.record)), "the latest grades, at most 8"),
            FieldShape("unread", .int, "how many messages are unread"),
            FieldShape(
                "messages",
                .list(.record(MessageSchema.record)),
                "the unread messages, the latest first; at most 6"
            ),
            FieldShape(
                "missing",
                .list(.string),
                "the parts of which nothing is known, because no source has answered: `timetable`, `grades`, `messages`"
            ),
            FieldShape("is_empty", .bool, "whether there is no lesson to come, no grade and no unread message"),
        ]
    )

    private static func answer(_ records: [String: [Record]], _ context: QueryContext) -> ValueMap {
        let lessons = records[LessonSchema.record.name] ?? []
        let grades = records[GradeSchema.record.name] ?? []
        let next = TimetableQueries.nextAnswer(lessons, context)
        let day = TimetableQueries.answer(for: context.today, lessons, context)
        let averages = GradeSchema.averagesAnswer(grades, goal: nil)
        let unread = MessageSchema.unreadAnswer(records[MessageSchema.record.name] ?? [])
        let missing = parts.filter { !context.knownTypes.contains($0.type) }.map(\.name)
        let isEmpty = next["is_empty"] == true && grades.isEmpty && unread["is_empty"] == true
        var map: ValueMap = [
            "today": first(mostLessons, of: day["lessons"]), "changes": day["changes"] ?? .list([]),
            "average": averages["average"] ?? "",
            "negative_subjects": averages["negative_subjects"] ?? .list([]),
            "grades": GradeSchema.recentAnswer(grades)["grades"] ?? .list([]), "unread": unread["count"] ?? 0,
            "messages": first(mostMessages, of: unread["messages"]), "missing": missing.value,
            "is_empty": .bool(isEmpty),
        ]
        map["next_lesson"] = next["lesson"]
        map["average_value"] = averages["value"]
        return map
    }

    private static func first(_ count: Int, of list: Value?) -> Value { .list(Array((list?.list ?? []).prefix(count))) }
}
