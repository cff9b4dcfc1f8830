import BotCore
import Values

/// Reads the entries of `timetable/entries` (`protocols/webuntis.md` section 2.1).
struct LessonReader {
    /// In order of time; empty where the server does not tell.
    let bells: [AccountProfile.Bell]

    /// An entry of a day.
    enum Outcome {
        /// One lesson for each of its period ids.
        case lessons([Lesson])
        /// Not readable; the ids it had, if any.
        case unreadable([String])
    }

    func read(_ entry: Value, on date: CalendarDate) -> Outcome {
        let ids = (entry["ids"].list ?? []).prefix(Self.mostIDs).compactMap(\.wholeNumber).filter { $0 > 0 }.map {
            String($0)
        }
        let duration = entry["duration"]
        guard let start = duration["start"].localTime, let end = duration["end"].localTime, start.date == date,
            let slot = Self.slot(start, end)
        else { return .unreadable(ids) }
        var lesson = Lesson(id: "", slot: slot)
        readKind(of: entry, into: &lesson)
        readPositions(of: entry, into: &lesson)
        readTexts(of: entry, into: &lesson)
        readState(of: entry, into: &lesson)
        let names = ids.isEmpty ? [Self.substituteID(for: lesson)] : ids.distinct
        lesson.merged = names.count
        let slots = parts(of: slot, count: names.count)
        return .lessons(
            zip(names, slots).map { id, slot in
                var part = lesson
                part.id = id
                part.slot = slot
                part.period = period(of: slot)
                return part
            }
        )
    }

    /// More periods than a day has bells are no block of lessons.
    private static let mostIDs = 50

    /// A span within a day; one that ends at or after midnight ends with the day.
    private static func slot(_ start: (date: CalendarDate, time: WallTime), _ end: (date: CalendarDate, time: WallTime))
        -> Lesson.Slot?
    {
        if end.date == start.date {
            return start.time < end.time ? .init(date: start.date, start: start.time, end: end.time) : nil
        }
        guard end.date > start.date, let last = WallTime(hour: 23, minute: 59) else { return nil }
        return .init(date: start.date, start: start.time, end: last)
    }

    /// An entry without ids is named by what it is, so that it can be found again.
    private static func substituteID(for lesson: Lesson) -> String {
        "at-\(lesson.slot.start)-\(lesson.subject)-\(lesson.groups.joined(separator: "-"))"
    }

    // MARK: Time

    /// The spans of the parts of a merged block: the bells inside it if there are as many, else the whole span for each.
    private func parts(of slot: Lesson.Slot, count: Int) -> [Lesson.Slot] {
        guard count > 1 else { return [slot] }
        let inside = bells.filter { slot.start <= $0.start && $0.end <= slot.end }
        guard inside.count == count, inside.first?.start == slot.start, inside.last?.end == slot.end else {
            return Array(repeating: slot, count: count)
        }
        return inside.map { Lesson.Slot(date: slot.date, start: $0.start, end: $0.end) }
    }

    private func period(of slot: Lesson.Slot) -> String {
        let touched = bells.filter { $0.start < slot.end && slot.start < $0.end }
        guard let first = touched.first, let last = touched.last, first.start == slot.start, last.end == slot.end else {
            return ""
        }
        return first.ordinal == last.ordinal ? "\(first.ordinal)" : "\(first.ordinal)–\(last.ordinal)"
    }

    // MARK: Content

    private static let kinds = [
        "NORMAL_TEACHING_PERIOD": "lesson", "ADDITIONAL_PERIOD": "lesson", "ADDITIONAL": "lesson", "EXAM": "exam",
        "EVENT": "event",
        "PLATFORM_CALENDAR_EVENT": "event", "PERSONAL_CALENDAR_EVENT": "event", "OFFICE_HOUR": "office_hour",
        "STAND_BY_PERIOD": "stand_by", "BREAK_SUPERVISION": "supervision", "MEETING": "meeting",
    ]

    private func readKind(of entry: Value, into lesson: inout Lesson) {
        lesson.kind = Self.kinds[entry["type"].label] ?? "other"
        let exam = entry["exam"]
        guard exam.map != nil || lesson.kind == "exam" else { return }
        lesson.kind = "exam"
        lesson.exam = [exam["name"].label, exam["typeLongName"].label, entry["name"].label].first { !$0.isEmpty } ?? ""
        lesson.examText = exam["description"].prose
    }

    /// What stands in `position1` to `position7` depends on school and format; every element says itself what it is.
    private func readPositions(of entry: Value, into lesson: inout Lesson) {
        var elements = Elements()
        for position in 1...7 {
            for pair in entry["position\(position)"].list ?? [] { elements.read(pair) }
        }
        lesson.teachers = elements.current["TEACHER", default: []].map(\.short).asSet
        lesson.teacherNames = elements.current["TEACHER", default: []].map(\.long).asSet
        lesson.rooms = elements.current["ROOM", default: []].map(\.short).asSet
        lesson.classes = elements.current["CLASS", default: []].map(\.short).asSet
        lesson.groups = elements.current["STUDENT_GROUP", default: []].map(\.short).asSet
        lesson.oldTeachers = elements.removed["TEACHER", default: []].map(\.short).asSet
        lesson.oldRooms = elements.removed["ROOM", default: []].map(\.short).asSet
        lesson.oldSubject = elements.removed["SUBJECT", default: []].map(\.short).asSet.joined(separator: ", ")
        let subjects = elements.current["SUBJECT"] ?? elements.removed["SUBJECT"] ?? elements.current["INFO"] ?? []
        lesson.subject = subjects.map(\.short).distinct.joined(separator: ", ")
        lesson.subjectLong = subjects.map(\.long).distinct.joined(separator: ", ")
        lesson.deviations = elements.deviations.asSet
    }

    private func readTexts(of entry: Value, into lesson: inout Lesson) {
        let typed = (entry["texts"].list ?? []).map { $0["text"].prose }
        var texts = [entry["substitutionText"].prose] + typed
        texts += [entry["lessonInfo"].prose, entry["lessonText"].prose, entry["notesAll"].prose]
        if lesson.subject.isEmpty {
            let name = [entry["name"].label, lesson.exam, texts.distinct.first ?? ""].first { !$0.isEmpty } ?? ""
            lesson.subject = String(name.prefix { $0 != "\n" }.prefix(Self.longestSubject))
        }
        if lesson.subjectLong.isEmpty { lesson.subjectLong = lesson.subject }
        lesson.text = texts.distinct.filter { $0 != lesson.subject }.joined(separator: "\n")
    }

    /// Characters of a remark that stands in for a missing subject: what fits a line of a chat.
    private static let longestSubject = 80

    private func readState(of entry: Value, into lesson: inout Lesson) {
        let status = entry["status"].label
        let moved = entry["moved"]
        let other = Self.otherEnd(moved, of: lesson.slot)
        if status == "CANCELLED" || status == "CANCEL" {
            lesson.state = .cancelled
            lesson.deviations = ["cancelled"]
            if let other {
                lesson.successor = .init(
                    id: "",
                    slot: other,
                    subject: lesson.subject,
                    teachers: lesson.teachers,
                    rooms: lesson.rooms,
                    text: "",
                    isMove: true
                )
            }
        } else if entry["statusDetail"].label == "MOVED" || other != nil {
            lesson.state = .moved
            lesson.oldSlot = other
            lesson.deviations = (lesson.deviations + ["time"]).asSet
        } else if entry["type"].label.hasPrefix("ADDITIONAL") || status == "ADDITIONAL" {
            lesson.state = .additional
            lesson.deviations = (lesson.deviations + ["additional"]).asSet
        } else if ["CHANGED", "SUBSTITUTION"].contains(status) || !lesson.deviations.isEmpty {
            lesson.state = .changed
        }
    }

    /// The span that `moved` names, if it is another than the lesson's own.
    private static func otherEnd(_ moved: Value, of own: Lesson.Slot) -> Lesson.Slot? {
        guard let start = moved["start"].localTime, let end = moved["end"].localTime, let slot = slot(start, end) else {
            return nil
        }
        return slot == own ? nil : slot
    }
}

/// The elements of one entry by type.
private struct Elements {
    var current: [String: [(short: String, long: String)]] = [:]
    var removed: [String: [(short: String, long: String)]] = [:]
    var deviations: [String] = []

    private static let marks = ["TEACHER": "teacher", "ROOM": "room", "SUBJECT": "subject"]

    /// One `{current, removed}`: an element that is gone without a successor has `current` null; one that was added may have no
    /// `removed` beside it.
    mutating func read(_ pair: Value) {
        let now = pair["current"]
        let before = pair["removed"]
        let isGone = now["status"].label == "REMOVED"
        if let name = Self.name(of: now) {
            if isGone {
                removed[now["type"].label, default: []].append(name)
            } else {
                current[now["type"].label, default: []].append(name)
            }
        }
        if let name = Self.name(of: before) { removed[before["type"].label, default: []].append(name) }
        let deviates = isGone || before.map != nil || now["status"].label == "ADDED"
        let type = now.map != nil ? now["type"].label : before["type"].label
        if deviates, let mark = Self.marks[type] { deviations.append(mark) }
    }

    /// Schools write `---` where a teacher is still to be found.
    private static func name(of element: Value) -> (short: String, long: String)? {
        let names = [element["displayName"].label, element["shortName"].label, element["longName"].label].distinct
        guard element.map != nil, let short = names.first, !short.allSatisfy({ $0 == "-" || $0 == "?" }) else {
            return nil
        }
        let long = element["longName"].label
        return (short, long.isEmpty ? short : long)
    }
}
