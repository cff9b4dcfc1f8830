import BotTestKit
import Values

/// A timetable that is edited at random, and what every edit has to be told as.
struct TimetableStory {
    /// A lesson of one or two periods.
    private struct Lesson {
        enum Form { case planned, cancelled, replaced, closed }

        var day: Int
        var slots: [Int]
        var subject: String
        var rows: [Row]
        var form = Form.planned
        /// What stands in its place, or where it was moved to.
        var others: [Row] = []

        var place: String { "\(day)/\(subject)" }
        /// `MAT 07:50–08:40`.
        var title: String { "\(subject) \(rows[0].start)–\(rows[rows.count - 1].end)" }
    }

    static let days = ["2026-11-30", "2026-12-01", "2026-12-02"]
    /// The bells of the school, without its last two.
    private static let bells = [
        "07:50-08:40", "08:40-09:30", "09:30-10:20", "10:35-11:25", "11:25-12:15", "12:15-13:05", "13:15-14:05",
        "14:05-14:55",
    ]

    private var generator: SeededGenerator
    private var lessons: [Lesson] = []
    private var nextID: Int64 = 1
    private var made = 0
    /// What an edit of this poll must leave alone, so that it is clear what each has to be told as.
    private var touched: Set<String> = []
    private var freed: Set<[Int]> = []

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        for day in Self.days.indices {
            for subject in ["MAT", "DEU", "MAT", "SPO"] {
                let length = Int.random(in: 1...2, using: &generator)
                if let slots = freeSlots(on: day, length, for: subject) { add(day, slots, subject) }
            }
        }
    }

    // MARK: Showing

    /// The rows as the server sends them: in any order, with teachers in any order and blanks in remarks, double lessons as one block or
    /// as two rows.
    mutating func rows() -> [Row] {
        var rows: [Row] = []
        for lesson in lessons {
            let isBlock = lesson.form == .planned && lesson.rows.count == 2 && Bool.random(using: &generator)
            if isBlock, lesson.rows[0].origin == nil {
                rows.append(
                    lesson.rows[0].with {
                        $0.ids = lesson.rows.flatMap(\.ids)
                        $0.end = lesson.rows[1].end
                    }
                )
            } else {
                rows += lesson.rows
            }
            rows += lesson.others
        }
        for index in rows.indices {
            rows[index].teachers.shuffle(using: &generator)
            if Bool.random(using: &generator) { rows[index].text += "\u{A0}\n" }
        }
        return rows.shuffled(using: &generator)
    }

    // MARK: Editing

    /// Edits lessons of these days.
    /// - Returns: the line that each edit has to be told as, `lesson.moved MAT 14:05–14:55`.
    mutating func edit(_ days: [Int]) -> [String] {
        touched = []
        freed = []
        var told: [String] = []
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            guard let day = days.randomElement(using: &generator) else { continue }
            if Int.random(in: 0..<6, using: &generator) == 0 {
                told += addition(on: day, among: days)
                continue
            }
            let open = lessons.indices.filter {
                lessons[$0].day == day && lessons[$0].form != .closed && !touched.contains(lessons[$0].place)
            }
            guard let index = open.randomElement(using: &generator) else { continue }
            told += edit(lesson: index, among: days)
        }
        return told
    }

    private mutating func edit(lesson index: Int, among days: [Int]) -> [String] {
        touched.insert(lessons[index].place)
        switch lessons[index].form {
        case .planned:
            switch Int.random(in: 0..<12, using: &generator) {
            case 0, 1: return cancellation(index)
            case 2: return replacement(index)
            case 3: return removal(index)
            case 4, 5, 6: return move(index, among: days)
            case 7: return additionalMove(index)
            case 8: return renumbering(index)
            case 9: return change(index, "text_changed") { $0.text = "Blatt \($1)" }
            case 10:
                return change(index, "teacher_changed") { ($0.teachers, $0.removedTeachers) = (["T\($1)"], ["ROS"]) }
            default: return change(index, "room_changed") { $0.room = "R\($1)" }
            }
        case .cancelled:
            return Bool.random(using: &generator) ? restoration(index) : silentRemoval(index)
        case .replaced: return restoration(index)
        case .closed: return []
        }
    }

    private mutating func addition(on day: Int, among days: [Int]) -> [String] {
        made += 1
        guard let slots = freeSlots(on: day, 1, for: "NEU\(made)") else { return [] }
        add(day, slots, "NEU\(made)")
        touched.insert(lessons[lessons.count - 1].place)
        return ["lesson.added \(lessons[lessons.count - 1].title)"]
    }

    private mutating func cancellation(_ index: Int) -> [String] {
        lessons[index].form = .cancelled
        lessons[index].rows = lessons[index].rows.map(\.off)
        return ["lesson.cancelled \(lessons[index].title)"]
    }

    private mutating func restoration(_ index: Int) -> [String] {
        lessons[index].form = .planned
        lessons[index].others = []
        lessons[index].rows = lessons[index].rows.map { $0.with { $0.status = "REGULAR" } }
        return ["lesson.restored \(lessons[index].title)"]
    }

    /// Another lesson over it, as an additional one or as a planned one; the old row cancelled, or gone for good.
    private mutating func replacement(_ index: Int) -> [String] {
        made += 1
        let (isAdditional, isGone) = (Bool.random(using: &generator), Bool.random(using: &generator))
        let lesson = lessons[index]
        let subject = "ERS\(made)"
        let others = lesson.rows.map { row in
            let id = newID()
            return row.with {
                ($0.ids, $0.subject, $0.room, $0.origin) = ([id], subject, "R4", nil)
                if isAdditional { $0.type = "ADDITIONAL_PERIOD" }
            }
        }
        lessons[index].others = others
        lessons[index].rows = isGone ? [] : lesson.rows.map(\.off)
        lessons[index].form = isGone ? .closed : .replaced
        return ["lesson.replaced \(lesson.title)"]
    }

    private mutating func removal(_ index: Int) -> [String] {
        let lesson = lessons.remove(at: index)
        freed.formUnion(lesson.slots.map { [lesson.day, $0] })
        return ["lesson.removed \(lesson.title)"]
    }

    private mutating func silentRemoval(_ index: Int) -> [String] {
        _ = removal(index)
        return []
    }

    private mutating func change(_ index: Int, _ kind: String, _ edit: (inout Row, Int) -> Void) -> [String] {
        made += 1
        for row in lessons[index].rows.indices { edit(&lessons[index].rows[row], made) }
        return ["lesson.\(kind) \(lessons[index].title)"]
    }

    private mutating func renumbering(_ index: Int) -> [String] {
        for row in lessons[index].rows.indices { lessons[index].rows[row].ids = [newID()] }
        return []
    }

    /// To another time: with the same ids or with others, with a row that says where it comes from, and sometimes with a stand-in.
    private mutating func move(_ index: Int, among days: [Int]) -> [String] {
        let old = lessons[index]
        let way = Int.random(in: 0..<3, using: &generator)
        let day = way == 1 ? old.day : days.randomElement(using: &generator) ?? old.day
        guard day == old.day || isUnknown(old.subject, on: day),
            let slots = freeSlots(on: day, old.slots.count, for: old.subject, besides: index)
        else { return [] }
        freed.formUnion(old.slots.map { [old.day, $0] })
        var lesson = old
        (lesson.day, lesson.slots) = (day, slots)
        let isStandIn = Bool.random(using: &generator)
        made += 1
        let standIn = "V\(made)"
        lesson.rows = zip(old.rows, slots).map { row, slot in
            let id = newID()
            return row.with {
                $0.date = Self.days[day]
                ($0.start, $0.end) = Self.times(slot)
                if way > 0 { $0.ids = [id] }
                $0.origin = way == 2 ? ("\(row.date)T\(row.start)", "\(row.date)T\(row.end)") : nil
                if isStandIn { ($0.teachers, $0.removedTeachers) = ([standIn], row.teachers) }
            }
        }
        lessons[index] = lesson
        touched.insert(lesson.place)
        return ["lesson.moved \(lesson.title)"]
    }

    /// The old rows stay, cancelled, and additional ones stand at the new time.
    private mutating func additionalMove(_ index: Int) -> [String] {
        let lesson = lessons[index]
        guard lessons.filter({ $0.place == lesson.place }).count == 1,
            let slots = freeSlots(on: lesson.day, lesson.slots.count, for: lesson.subject, besides: index)
        else { return [] }
        let isMarked = Bool.random(using: &generator)
        let others = zip(lesson.rows, slots).map { row, slot in
            let id = newID()
            return row.with {
                ($0.ids, $0.origin) = ([id], nil)
                ($0.start, $0.end) = Self.times(slot)
                if isMarked { $0.type = "ADDITIONAL_PERIOD" }
            }
        }
        lessons[index].rows = lesson.rows.map(\.off)
        lessons[index].others = others
        lessons[index].form = .closed
        lessons[index].slots += slots
        return ["lesson.moved \(lesson.subject) \(others[0].start)–\(others[others.count - 1].end)"]
    }

    // MARK: Places

    private mutating func newID() -> Int64 {
        nextID += 1
        return nextID
    }

    private mutating func add(_ day: Int, _ slots: [Int], _ subject: String) {
        let rows = slots.map { slot in
            Row(newID(), on: Self.days[day], at: Self.bells[slot], subject).with { $0.teachers = ["ROS", "ABE"] }
        }
        lessons.append(Lesson(day: day, slots: slots, subject: subject, rows: rows))
    }

    private static func times(_ slot: Int) -> (start: String, end: String) {
        let ends = bells[slot].split(separator: "-").map(String.init)
        return (ends[0], ends[1])
    }

    private func isUnknown(_ subject: String, on day: Int) -> Bool {
        !lessons.contains { $0.day == day && $0.subject == subject } && !touched.contains("\(day)/\(subject)")
    }

    /// Slots in a row that nothing else is on or was on in this poll, apart from other lessons of the subject.
    private mutating func freeSlots(on day: Int, _ length: Int, for subject: String, besides index: Int? = nil)
        -> [Int]?
    {
        var taken = Set(freed.filter { $0[0] == day }.map { $0[1] })
        var near: Set<Int> = []
        for (place, lesson) in lessons.enumerated() where lesson.day == day {
            taken.formUnion(lesson.slots)
            if lesson.subject == subject, place != index {
                near.formUnion(lesson.slots.flatMap { [$0 - 1, $0, $0 + 1] })
            }
        }
        let starts = Self.bells.indices.dropLast(length - 1).filter { start in
            (start..<start + length).allSatisfy { !taken.contains($0) && !near.contains($0) }
        }
        return starts.randomElement(using: &generator).map { Array($0..<$0 + length) }
    }
}

extension Row {
    /// Cancelled, and no word any more of where it came from.
    fileprivate var off: Row { cancelled.with { $0.origin = nil } }
}
