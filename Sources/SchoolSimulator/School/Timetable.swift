import Values

extension School {
    /// Plans every school day of the year: mathematics and the three languages daily, the rest twice a week, computer science
    /// and sport as double lessons; six bells a day, the afternoon free. The order within each day is the seed's.
    mutating func fillTimetable(using generator: inout SeededGenerator) {
        for klasse in klassen {
            var courses: [String: Course] = [:]
            for subject in subjects { courses[subject.name] = course(of: klasse.id, in: subject.id) }
            let week = Self.plan.map { day in
                day.shuffled(using: &generator).compactMap { row in
                    courses[row.subject].map { (course: $0, bells: row.bells) }
                }
            }
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

    private mutating func plan(_ day: [(course: Course, bells: Int)], for klasse: Int, on date: CalendarDate) {
        var planned: [Lesson] = []
        var bell = 0
        for (course, count) in day {
            let slot = Slot(date: date, start: calendar.bells[bell].start, end: calendar.bells[bell + count - 1].end)
            planned.append(lesson(of: course, in: slot, bells: count))
            bell += count
        }
        lessons[ClassDay(klasse: klasse, date: date)] = planned
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
