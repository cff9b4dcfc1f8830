import BotCore
import Values

/// What `webuntis.grades` says of grades: fields, events, queries.
enum GradeSchema {
    static let record = RecordShape(
        "grade",
        "A grade of a student.",
        fields: [
            FieldShape("id", .string, "the grade's id in WebUntis"),
            FieldShape("date", .string, "the day it was given for, `2026-11-27`; empty if not told"),
            FieldShape("subject", .string, "the subject"),
            FieldShape("subject_long", .string, "the subject's long name"),
            FieldShape("teacher", .string, "the teachers of the lesson"),
            FieldShape("kind", .string, "what was graded: `Schularbeit`, `Mündliche Prüfung`"),
            FieldShape("text", .string, "the teacher's remark"),
            FieldShape("mark", .string, "the mark as the school writes it: `8,5`, `+`"),
            FieldShape("value", .double, optional: true, "the mark as a number; missing for marks such as `+`"),
            FieldShape("negative", .bool, "whether it is a number that does not pass on the school's scale"),
            FieldShape(
                "subject_average",
                .string,
                "the mean of the subject's marks as text; empty if none is a number"
            ),
            FieldShape("subject_negative", .bool, "whether that mean does not pass"),
            FieldShape("average", .string, "the mean of all marks of the school year as text"),
        ]
    )

    static let uncompared: Set<String> = [
        "grade.subject_average", "grade.subject_negative", "grade.average", "grade.id", "grade.teacher",
        "grade.subject_long",
    ]

    static func schema(goal: Double?) -> SourceSchema {
        SourceSchema(
            records: [record],
            events: [
                EventDeclaration("grade.added", of: "grade", "A new grade.", expiry: .never, opposite: "grade.removed"),
                EventDeclaration(
                    "grade.changed",
                    of: "grade",
                    "A grade was edited; `old` has it as it was.",
                    expiry: .never
                ),
                EventDeclaration(
                    "grade.removed",
                    of: "grade",
                    "A grade was deleted.",
                    expiry: .never,
                    opposite: "grade.added"
                ),
            ],
            queries: [
                QueryDeclaration("grades.recent", result: recent, "The latest grades.") { records, _ in
                    recentAnswer(records)
                },
                QueryDeclaration(
                    "grades.averages",
                    result: averages,
                    "The means by subject, and the way to the source's `goal`."
                ) { records, _ in
                    averagesAnswer(records, goal: goal)
                },
                OverviewQuery.declaration,
            ],
            uncomparedFields: uncompared
        )
    }

    // MARK: Queries

    /// As many as a chat shows at a glance.
    private static let mostRecent = 8

    private static let recent = RecordShape(
        "grades_recent",
        "The latest grades of a student.",
        fields: [
            FieldShape("grades", .list(.record(record)), "at most 8, the latest first"),
            FieldShape("is_empty", .bool, "whether there is none"),
        ]
    )

    /// Ids grow with time; dates are what teachers type.
    static func recentAnswer(_ records: [Record]) -> ValueMap {
        let latest = records.sorted { (Int64($0.text("id")) ?? 0, $0.key) > (Int64($1.text("id")) ?? 0, $1.key) }
        return ["grades": .list(latest.prefix(mostRecent).map { .map($0.fields) }), "is_empty": .bool(records.isEmpty)]
    }

    private static let subject = RecordShape(
        "subject_average",
        "The mean of a subject.",
        fields: [
            FieldShape("subject", .string, "the subject"),
            FieldShape("average", .string, "the mean as text"),
            FieldShape("value", .double, "the mean as a number"),
            FieldShape("count", .int, "how many marks it has"),
            FieldShape("negative", .bool, "whether it does not pass"),
            FieldShape(
                "goal",
                .string,
                oneOf: ["reached", "reachable", "impossible", ""],
                "`reached`, `reachable`, `impossible`; empty where the source has no `goal`"
            ),
            FieldShape("goal_count", .int, "how many further marks lead to the goal"),
            FieldShape("goal_mark", .string, "of what value these marks must be"),
        ]
    )

    private static let averages = RecordShape(
        "grades_averages",
        "The means of a student's marks.",
        fields: [
            FieldShape("average", .string, "the mean of all marks as text; empty if there are none"),
            FieldShape("value", .double, optional: true, "the same as a number"),
            FieldShape("count", .int, "how many marks count"),
            FieldShape("subjects", .list(.record(subject)), "by subject, in alphabetical order"),
            FieldShape("negative_subjects", .list(.string), "the subjects whose mean does not pass"),
        ]
    )

    static func averagesAnswer(_ records: [Record], goal: Double?) -> ValueMap {
        let bySubject = Dictionary(grouping: records.filter { $0.fields["value"] != nil }) { $0.text("subject") }
        let subjects = bySubject.sorted { $0.key < $1.key }.map { subjectAnswer($0.key, $0.value, goal: goal) }
        let marks = records.compactMap { $0.fields["value"]?.number }
        let negative = subjects.filter { $0["negative"] == true }.compactMap { $0["subject"]?.string }
        var map: ValueMap = [
            "average": .string(marks.isEmpty ? "" : GradeMath.text(GradeMath.average(marks))),
            "count": .int(Int64(marks.count)),
            "subjects": .list(subjects.map { .map($0) }), "negative_subjects": negative.value,
        ]
        if !marks.isEmpty { map["value"] = .double(GradeMath.average(marks)) }
        return map
    }

    private static func subjectAnswer(_ name: String, _ records: [Record], goal: Double?) -> ValueMap {
        let marks = records.compactMap { $0.fields["value"]?.number }
        let mean = GradeMath.average(marks)
        var map: ValueMap = [
            "subject": .string(name), "average": .string(GradeMath.text(mean)), "value": .double(mean),
            "count": .int(Int64(marks.count)),
            "negative": records.first?.fields["subject_negative"] ?? false, "goal": "", "goal_count": 0,
            "goal_mark": "",
        ]
        switch goal.flatMap({ GradeMath.path(from: marks, to: $0) }) {
        case .reached?: map["goal"] = "reached"
        case .impossible?: map["goal"] = "impossible"
        case .reachable(let count, let mark)?:
            map["goal"] = "reachable"
            map["goal_count"] = .int(Int64(count))
            map["goal_mark"] = .string(GradeMath.text(mark))
        case nil: break
        }
        return map
    }
}
