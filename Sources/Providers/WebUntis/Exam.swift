import BotCore
import Digests
import Values

/// An exam, known by what it is.
struct Exam: Sendable {
    /// Where it was read; part of the key, as the two places do not vanish together.
    enum Origin: String, Sendable {
        case list, timetable
    }

    var origin: Origin
    var date: CalendarDate
    var start: WallTime
    var end: WallTime
    var subject: String
    var name: String
    var kind: String
    var text: String
    var teachers: [String]
    var rooms: [String]
    /// The lesson that it was to be held in does not take place.
    var isUncertain = false

    /// An entry of the school's list.
    init?(_ entry: Value) {
        guard let date = entry["examDate"].day, let start = entry["startTime"].clockTime,
            let end = entry["endTime"].clockTime
        else {
            return nil
        }
        origin = .list
        (self.date, self.start, self.end) = (date, start, end)
        subject = entry["subject"].names.joined(separator: ", ")
        kind = entry["examType"].names.joined(separator: ", ")
        name = [entry["name"].label, kind].first { !$0.isEmpty } ?? ""
        text = entry["text"].prose
        teachers = entry["teachers"].names.asSet
        rooms = entry["rooms"].names.asSet
    }

    /// An exam that stands in the timetable alone.
    init(_ lesson: Lesson) {
        origin = .timetable
        (date, start, end) = (lesson.slot.date, lesson.slot.start, lesson.slot.end)
        subject = lesson.subject
        name = lesson.exam
        kind = ""
        text = lesson.examText
        teachers = lesson.teachers
        rooms = lesson.rooms
        isUncertain = lesson.state == .cancelled
    }

    func isHeld(in lesson: Lesson) -> Bool {
        guard date == lesson.slot.date, start < lesson.slot.end, lesson.slot.start < end else { return false }
        return [lesson.subject, lesson.subjectLong].contains(subject) || subject.isEmpty
    }

    /// Takes over what only the timetable knows.
    mutating func joinLesson(from lessons: [Lesson]) {
        let own = lessons.filter(isHeld)
        if let exam = own.first(where: { $0.kind == "exam" }) {
            if text.isEmpty { text = exam.examText }
            if rooms.isEmpty { rooms = exam.rooms }
            if teachers.isEmpty { teachers = exam.teachers }
        }
        isUncertain = !own.isEmpty && own.allSatisfy { $0.state == .cancelled }
    }

    private var content: String { ContentID.make([start.description, subject, name]) }

    func key(of student: String, from origin: Origin) -> String { "\(student)/\(origin.rawValue)/\(date)/\(content)" }

    func record(of student: String, at school: String, in zone: Zone) -> Record {
        Record(
            key: key(of: student, from: origin),
            type: ExamSchema.record.name,
            fields: [
                "date": .string(date.description), "start": zone.value(of: date, at: start),
                "end": zone.value(of: date, at: end),
                "time": .string("\(start)–\(end)"), "subject": .string(subject), "name": .string(name),
                "kind": .string(kind),
                "text": .string(text), "teachers": teachers.value, "teacher": .string(teachers.joined(separator: ", ")),
                "rooms": rooms.value, "room": .string(rooms.joined(separator: ", ")), "uncertain": .bool(isUncertain),
            ],
            likeness: "\(date)|\(start)|\(subject)",
            worldKey: "\(school)/exam/\(date)/\(content)"
        )
    }
}

/// What `webuntis.exams` says of exams.
enum ExamSchema {
    static let record = RecordShape(
        "exam",
        "An exam of a student.",
        fields: [
            FieldShape("date", .string, "the day, `2026-12-01`"),
            FieldShape("start", .timestamp, "when it begins"),
            FieldShape("end", .timestamp, "when it ends"),
            FieldShape("time", .string, "both in the school's local time, `10:35–11:25`"),
            FieldShape("subject", .string, "the subject"),
            FieldShape("name", .string, "its name: `1. Schularbeit`"),
            FieldShape("kind", .string, "what sort of exam it is; may be empty"),
            FieldShape("text", .string, "what it is about"),
            FieldShape("teachers", .list(.string), "the teachers"),
            FieldShape("teacher", .string, "the same in one text"),
            FieldShape("rooms", .list(.string), "the rooms"),
            FieldShape("room", .string, "the same in one text"),
            FieldShape("uncertain", .bool, "whether the lesson it was to be held in is cancelled"),
        ]
    )

    private static let coming = RecordShape(
        "exams_next",
        "The exams still to come.",
        fields: [
            FieldShape("exams", .list(.record(record)), "at most 20, the next one first"),
            FieldShape("tomorrow", .list(.record(record)), "those of tomorrow"),
            FieldShape("is_empty", .bool, "whether there is none"),
        ]
    )

    static let schema = SourceSchema(
        records: [record],
        events: [
            EventDeclaration("exam.added", of: "exam", "A new exam.", expiry: .field("end"), opposite: "exam.removed"),
            EventDeclaration(
                "exam.changed",
                of: "exam",
                "An exam has another day, time, room or text.",
                expiry: .field("end")
            ),
            EventDeclaration(
                "exam.removed",
                of: "exam",
                "An exam was taken off before its day.",
                expiry: .field("end"),
                opposite: "exam.added"
            ),
        ],
        queries: [
            QueryDeclaration("exams.next", result: coming, "The exams still to come, the next one first.") {
                records,
                context in
                let open = records.filter { ($0.end ?? context.now) > context.now }
                    .sorted { ($0.text("date"), $0.text("time"), $0.key) < ($1.text("date"), $1.text("time"), $1.key) }
                let tomorrow = context.today.adding(days: 1).description
                return [
                    "exams": .list(open.prefix(20).map { .map($0.fields) }),
                    "tomorrow": .list(open.filter { $0.text("date") == tomorrow }.map { .map($0.fields) }),
                    "is_empty": .bool(open.isEmpty),
                ]
            }
        ],
        uncomparedFields: ["exam.time", "exam.teacher", "exam.room", "exam.uncertain", "exam.kind"],
        // Nobody is to be reminded of an exam whose lesson is off: the cancellation is told with the exam's name.
        offWhen: ["exam.uncertain": [true]]
    )
}
