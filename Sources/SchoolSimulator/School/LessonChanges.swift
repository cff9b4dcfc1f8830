import Values

/// What happens to lessons. Every change moves the import time on.
extension School {
    /// Changes one lesson in its place; the new one may stand on another day.
    @discardableResult
    mutating func change(_ lesson: Lesson, at now: Timestamp, _ edit: (inout Lesson) -> Void) -> Lesson {
        var changed = lesson
        edit(&changed)
        remove(lesson, at: now)
        insert(changed, at: now)
        return changed
    }

    mutating func insert(_ lesson: Lesson, at now: Timestamp) {
        lessons[ClassDay(klasse: lesson.klasse, date: lesson.slot.date), default: []].append(lesson)
        timetableChanged(at: now)
    }

    mutating func remove(_ lesson: Lesson, at now: Timestamp) {
        lessons[ClassDay(klasse: lesson.klasse, date: lesson.slot.date)]?.removeAll { $0.ids == lesson.ids }
        timetableChanged(at: now)
    }

    /// As planned: who, where and when it was. What replaced it goes.
    mutating func restore(_ lesson: Lesson, at now: Timestamp) -> Lesson {
        if lesson.isCancelled {
            let beside = lessons(of: lesson.klasse, on: lesson.slot.date)
            for other in beside where other.kind == .additional && other.slot == lesson.slot { remove(other, at: now) }
        }
        return change(lesson, at: now) { lesson in
            (lesson.isCancelled, lesson.isSpoilt) = (false, false)
            lesson.teacher = Filling(lesson.teacher.planned)
            lesson.room = Filling(lesson.room.planned)
            lesson.subject = Filling(lesson.subject.planned)
            lesson.substitutionText = ""
            lesson.slot = lesson.movedFrom ?? lesson.slot
            lesson.movedFrom = nil
        }
    }

    /// Cancels a lesson and puts one of another course into its place.
    mutating func replace(_ lesson: Lesson, by course: Course, teacher: Int?, at now: Timestamp) {
        change(lesson, at: now) { $0.isCancelled = true }
        var replacement = self.lesson(of: course, in: lesson.slot, bells: lesson.ids.count, kind: .additional)
        replacement.teacher = Filling(teacher ?? course.teacher)
        replacement.room = Filling(lesson.room.current)
        insert(replacement, at: now)
    }

    mutating func move(_ lesson: Lesson, to date: CalendarDate, _ start: WallTime, at now: Timestamp) -> Lesson {
        let length = lesson.slot.end.minuteOfDay - lesson.slot.start.minuteOfDay
        return change(lesson, at: now) { lesson in
            lesson.movedFrom = lesson.movedFrom ?? lesson.slot
            lesson.slot = Slot(date: date, start: start, end: start.adding(minutes: length))
        }
    }

    /// Puts an event over a part of a day; the lessons under it are cancelled.
    mutating func addEvent(_ text: String, of klasse: Int, in slot: Slot, at now: Timestamp) -> Int {
        let covered = lessons(of: klasse, on: slot.date).filter {
            $0.slot.start < slot.end && $0.slot.end > slot.start && !$0.isCancelled
        }
        for lesson in covered { change(lesson, at: now) { $0.isCancelled = true } }
        let event = Lesson(
            ids: [number(.lesson)],
            klasse: klasse,
            course: 0,
            slot: slot,
            kind: .event,
            subject: Filling(nil),
            teacher: Filling(nil),
            room: Filling(nil),
            info: text
        )
        insert(event, at: now)
        return covered.count
    }

    /// Makes a lesson an exam.
    mutating func setExam(_ lesson: Lesson, named name: String, text: String = "") {
        let exam = Exam(
            id: number(.exam),
            klasse: lesson.klasse,
            course: lesson.course,
            name: name,
            kind: .written,
            text: text,
            slot: lesson.slot,
            students: []
        )
        exams.append(exam)
        var written = lesson
        written.kind = .exam
        written.exam = exam.id
        lessons[ClassDay(klasse: lesson.klasse, date: lesson.slot.date)]?.removeAll { $0.ids == lesson.ids }
        lessons[ClassDay(klasse: lesson.klasse, date: lesson.slot.date), default: []].append(written)
    }

    /// Gives every lesson new ids; nothing else about it changes.
    mutating func reimport(at now: Timestamp) -> Int {
        let days = lessons.keys.sorted { ($0.date, $0.klasse) < ($1.date, $1.klasse) }
        var count = 0
        for day in days {
            guard var renumbered = lessons[day] else { continue }
            for place in renumbered.indices {
                renumbered[place].ids = renumbered[place].ids.map { _ in number(.lesson) }
                count += 1
            }
            lessons[day] = renumbered
        }
        timetableChanged(at: now)
        return count
    }
}
