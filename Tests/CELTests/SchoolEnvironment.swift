import CEL
import Values

/// The declarations that most tests compile against: what a timetable provider would declare of a lesson.
enum School {
    static let lesson = RecordShape(
        "lesson",
        "A lesson of the timetable.",
        fields: [
            FieldShape("state", .string), FieldShape("subject", .string), FieldShape("subject_long", .string),
            FieldShape("classes", .list(.string)), FieldShape("teachers", .list(.string)), FieldShape("period", .int),
            FieldShape("start", .timestamp), FieldShape("end", .timestamp), FieldShape("hours", .double),
            FieldShape("exam", .bool), FieldShape("text", .string), FieldShape("info", .string, optional: true),
            FieldShape("room", .record(room), optional: true),
        ]
    )
    static let room = RecordShape(
        "room",
        fields: [FieldShape("name", .string), FieldShape("floor", .int, optional: true)]
    )
    static let change = RecordShape(
        "change",
        fields: [
            FieldShape("field", .string), FieldShape("old", .string, optional: true),
            FieldShape("new", .string, optional: true),
        ]
    )
    static let clock = RecordShape("local_time", fields: [FieldShape("hour", .int), FieldShape("minute", .int)])

    static let environment = CELEnvironment(
        variables: [
            CELVariable("lesson", .record(lesson)), CELVariable("old", .record(lesson)),
            CELVariable("changes", .list(.record(change))),
            CELVariable(
                "event",
                .record(RecordShape("event", fields: [FieldShape("kind", .string), FieldShape("at", .timestamp)]))
            ),
            CELVariable("item", .dyn), CELVariable("now", .timestamp),
        ],
        functions: [days, local],
        subject: "event 'lesson.changed'"
    )

    static let days = CELFunction("days", "So many times 24 hours.", overloads: [.init([.int], .duration)]) {
        arguments in
        .success(.duration(.days(arguments[0].integer ?? 0)))
    }
    /// What a clock two hours east of UTC shows.
    static let local = CELFunction("local", overloads: [.init([.timestamp], .record(clock))]) { arguments in
        let seconds = (arguments[0].timestamp?.seconds ?? 0) + 7200
        let minutes = seconds.floorDivided(by: 60).quotient.floorDivided(by: 1440).remainder
        return .success(["hour": .int(minutes / 60), "minute": .int(minutes % 60)])
    }

    static let start = Timestamp(seconds: 1_796_000_000)
    static let mathematics: Value = [
        "state": "CANCELLED", "subject": "MATH", "subject_long": "Mathematik", "classes": ["3A-INF", "3B-INF"],
        "teachers": ["Rossi", "Gruber"], "period": 1, "start": .timestamp(start),
        "end": .timestamp(start + .minutes(50)),
        "hours": 1.0, "exam": false, "text": "Ausfall",
    ]
    static let values: [String: Value] = [
        "lesson": mathematics, "old": mathematics,
        "changes": [["field": "state", "old": "REGULAR", "new": "CANCELLED"], ["field": "room"]],
        "event": ["kind": "lesson.changed", "at": .timestamp(start - .hours(3))], "item": ["price": 3],
        "now": .timestamp(start - .hours(2)),
    ]
    static let activation = CELActivation(values, in: environment)

    /// Compiles and evaluates; a text for whatever goes wrong.
    static func value(_ source: String, in environment: CELEnvironment = environment) -> Result<Value, CELError> {
        do throws(CELComplaints) {
            return try CELProgram.compile(source, in: environment).evaluate(CELActivation(values, in: environment))
        } catch {
            return .failure(CELError(.invalidArgument, error.complaints.map(\.message).joined(separator: "; ")))
        }
    }
}
