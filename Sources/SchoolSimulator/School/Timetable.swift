import Values

extension School {
    /// Plans every school day of the year: mathematics and the three languages daily, the rest twice a week, computer science
    /// and sport as double lessons; six bells a day, the afternoon free. The order within each day is the seed's.
    mutating func fillTimetable(using generator: inout SeededGenerator) {
        for klasse in klassen {
            let week = (1...5).map { weekday in Self.plan[weekday - 1].shuffled(using: &generator) }
            var date = calendar.newest.start
            while date <= calendar.newest.end {
                if calendar.isSchoolDay(date) { plan(week[date.weekday - 1], for: klasse.id, on: date) }
                date = date.adding(days: 1)
            }
        }
    }

    /// Subjects of Monday to Friday, and how many bells each takes.
    private static let plan: [[(subject: String, bells: Int)]] = {
        let daily = [("MAT", 1), ("DEU", 1), ("ITA", 1), ("ENG", 1)]
        let rest = [[("INF", 2)], [("GES", 1), ("REL", 1)], [("INF", 2)], [("SPO", 2)], [("GES", 1), ("REL", 1)]]
        return rest.map { (daily + $0).map { (subject: $0.0, bells: $0.1) } }
    }()

    private mutating func plan(_ day: [(subject: String, bells: Int)], for klasse: Int, on date: CalendarDate) {
        var bell = 0
        for (name, count) in day {
            let bells = calendar.bells[bell..<bell + count]
            bell += count
            guard let subject = subjects.first(where: { $0.name == name }),
                let course = course(of: klasse, in: subject.id),
                let first = bells.first, let last = bells.last
            else { continue }
            let slot = Slot(date: date, start: first.start, end: last.end)
            lessons[ClassDay(klasse: klasse, date: date), default: []].append(
                lesson(of: course, in: slot, bells: count)
            )
        }
    }

    /// A new lesson as planned.
    mutating func lesson(of course: Course, in slot: Slot, bells: Int = 1, kind: Lesson.Kind = .normal) -> Lesson {
        Lesson(
            ids: (0..<bells).map { _ in number(.lesson) },
            klasse: course.klasse,
            course: course.number,
            slot: slot,
            kind: kind,
            subject: Filling(course.subject),
            teacher: Filling(course.teacher),
            room: Filling(course.room)
        )
    }

    /// The first lesson of a class at or after an instant, that meets a condition; nil within 120 days.
    func nextLesson(of klasse: Int, after now: Timestamp, where matches: (Lesson) -> Bool) -> Lesson? {
        let (today, time) = zone.reading(at: now)
        for offset in 0...120 {
            let date = today.adding(days: offset)
            for lesson in lessons(of: klasse, on: date) where matches(lesson) {
                if offset > 0 || lesson.slot.start > time { return lesson }
            }
        }
        return nil
    }

    /// The first lesson of a class in a subject after an instant.
    func nextLesson(of klasse: Int, in subject: String, after now: Timestamp) -> Lesson? {
        nextLesson(of: klasse, after: now) { self.subject($0.subject.current)?.name == subject }
    }

    /// Notes that the timetable changed: the import time moves on, at least by a millisecond.
    mutating func timetableChanged(at now: Timestamp) { importTime = max(now, importTime + .milliseconds(1)) }
}
