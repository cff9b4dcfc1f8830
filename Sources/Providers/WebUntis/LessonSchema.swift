import BotCore
import Values

/// What `webuntis.timetable` says of lessons: fields, events.
enum LessonSchema {
    static let record = RecordShape(
        "lesson",
        "A lesson, exam or event in a student's timetable, one for each period; double lessons are two.",
        fields: timeFields + contentFields + oldFields + newFields
    )

    private static let timeFields = [
        FieldShape("id", .string, "the period's id in WebUntis"),
        FieldShape("date", .string, "the day, `2026-11-30`"),
        FieldShape("start", .timestamp, "when it begins"),
        FieldShape("end", .timestamp, "when it ends"),
        FieldShape("time", .string, "both in the school's local time, `07:50–08:40`"),
        FieldShape("period", .string, "its number in the school's day, `3` or `3–4`; empty off the grid"),
        FieldShape(
            "kind",
            .string,
            oneOf: Lesson.kindNames,
            "`lesson`, `exam`, `event`, `office_hour`, `stand_by`, `supervision`, `meeting` or `other`"
        ),
        FieldShape(
            "state",
            .string,
            oneOf: Lesson.State.allCases.map(\.rawValue),
            "`planned`, `changed` (teacher, room or subject), `additional`, `moved` or `cancelled`"
        ),
    ]

    private static let contentFields = [
        FieldShape("subject", .string, "the subject's short name, else the event's name"),
        FieldShape("subject_long", .string, "the subject's long name"),
        FieldShape("teachers", .list(.string), "short names of the teachers; empty if nobody teaches it"),
        FieldShape("teacher", .string, "the same in one text"),
        FieldShape("teacher_names", .list(.string), "long names of the teachers"),
        FieldShape("rooms", .list(.string), "the rooms"),
        FieldShape("room", .string, "the same in one text"),
        FieldShape("classes", .list(.string), "the classes that have it"),
        FieldShape("student_groups", .list(.string), "the groups that have it, where a class is divided"),
        FieldShape("text", .string, "all remarks of the school, a line each"),
        FieldShape("exam", .string, "the exam's name, if it is one"),
        FieldShape("exam_text", .string, "what the exam is about"),
        FieldShape("merged", .int, "how many periods the timetable shows as one block"),
    ]

    private static let oldFields = [
        FieldShape("old_subject", .string, "the planned subject, where the school shows another instead"),
        FieldShape("old_teachers", .list(.string), "the planned teachers, where others stand in or nobody does"),
        FieldShape("old_teacher", .string, "the same in one text"),
        FieldShape("old_rooms", .list(.string), "the planned rooms, where others are used"),
        FieldShape("old_room", .string, "the same in one text"),
        FieldShape("old_start", .timestamp, optional: true, "where it was moved here: when it would have begun"),
        FieldShape("old_end", .timestamp, optional: true, "where it was moved here: when it would have ended"),
        FieldShape(
            "deviations",
            .list(.string),
            oneOf: Lesson.deviationNames,
            "what the school marks as other than planned: `subject`, `teacher`, `room`, `time`, `additional`, `cancelled`"
        ),
    ]

    private static let newFields = [
        FieldShape("new_id", .string, "the period that takes its place"),
        FieldShape("new_subject", .string, "what takes place instead; empty if nothing does"),
        FieldShape("new_teacher", .string, "who teaches what takes place instead"),
        FieldShape("new_room", .string, "where what takes place instead is held"),
        FieldShape("new_text", .string, "remarks on what takes place instead"),
        FieldShape("new_start", .timestamp, optional: true, "when what takes place instead begins"),
        FieldShape("new_end", .timestamp, optional: true, "when what takes place instead ends"),
        FieldShape("is_moved_away", .bool, "whether it is this very lesson that takes place at `new_start`"),
    ]

    /// What is derived from other fields, or is the server's business, is shown and never compared.
    static let uncompared: Set<String> = Set(
        [
            "id", "time", "period", "subject_long", "teacher", "teacher_names", "room", "merged", "old_subject",
            "old_teachers",
            "old_teacher", "old_rooms", "old_room", "deviations", "new_id", "new_end", "new_text",
        ].map { "lesson.\($0)" }
    )

    /// The compared fields that differ between two states of a lesson that the differ did not know to be one.
    static func changes(from old: Record, to new: Record) -> [FieldChange] {
        record.fields.compactMap { field in
            let (before, after) = (old.fields[field.name] ?? .null, new.fields[field.name] ?? .null)
            guard before != after, !uncompared.contains("lesson.\(field.name)") else { return nil }
            return FieldChange(field: field.name, old: before, new: after)
        }
    }

    /// A week in which the school renewed the whole plan.
    static let weekRecord = RecordShape(
        "timetable",
        "A week of a student's timetable.",
        fields: [
            FieldShape("week", .string, "the week's Monday, `2026-11-30`"),
            FieldShape("removed", .int, "how many lessons of the old plan are gone"),
            FieldShape("added", .int, "how many lessons are new"),
        ]
    )

    static let events = [
        event("cancelled", "A lesson does not take place, and nothing takes its place.", opposite: "lesson.restored"),
        event("restored", "A cancelled lesson takes place after all."),
        event(
            "replaced",
            "A lesson does not take place; what does is in `new_subject` and the like.",
            opposite: "lesson.restored"
        ),
        event(
            "moved",
            "A lesson takes place at another time; `old_start` or `old.start` say when it was planned. Where the new time lies outside the "
                + "polled days, the lesson is the old one, and `new_start` says when."
        ),
        event("subject_changed", "A lesson has another subject."),
        event("teacher_changed", "A lesson has another teacher, or none any more."),
        event("room_changed", "A lesson is held in another room."),
        event("text_changed", "The school's remarks on a lesson, or its exam, changed."),
        event("added", "A lesson was added to a day that was known.", opposite: "lesson.removed"),
        event("removed", "A lesson vanished from a day that is still shown.", opposite: "lesson.added"),
        EventDeclaration(
            "timetable.reimported",
            of: weekRecord.name,
            "The school renewed the plan of a whole week; its single additions and removals are not told."
        ),
    ]

    private static func event(_ name: String, _ documentation: String, opposite: String? = nil) -> EventDeclaration {
        EventDeclaration("lesson.\(name)", of: "lesson", documentation, expiry: .field("end"), opposite: opposite)
    }

    static let schema = SourceSchema(
        records: [record, weekRecord],
        events: events,
        queries: TimetableQueries.all,
        uncomparedFields: uncompared,
        offWhen: ["lesson.state": ["cancelled"]]
    )
}
