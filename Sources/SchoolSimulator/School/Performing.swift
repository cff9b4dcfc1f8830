public import Values

extension School {
    /// Makes something happen.
    ///
    /// - Returns: what was done, in one line for people.
    /// - Throws: why it cannot be done. The school is unchanged then. Commands about the server are refused: `SimulatorServer` takes them.
    public mutating func perform(_ command: SimulatorCommand, at now: Timestamp) throws(CommandError) -> String {
        if let done = try performOnTimetable(command, at: now) { return done }
        if let done = try performOnRecords(command, at: now) { return done }
        if let done = try performOnCommunity(command, at: now) { return done }
        switch command {
        case .horizon(let days):
            horizonDays = days
            return "families see the timetable \(days) days ahead"
        case .absenceTimesInMinutes(let inMinutes):
            absenceTimesAreMinutes = inMinutes
            return inMinutes ? "absence times are minutes since midnight" : "absence times are written as 750 for 07:50"
        default: throw CommandError("this command is for the server, not for the school")
        }
    }

    private mutating func performOnTimetable(
        _ command: SimulatorCommand,
        at now: Timestamp
    ) throws(CommandError) -> String? {
        switch command {
        case .cancel(let choice, let text):
            let lesson = try chosenLesson(choice, at: now)
            change(lesson, at: now) { ($0.isCancelled, $0.substitutionText) = (true, text) }
            return "cancelled \(name(lesson)) on \(words(lesson.slot))"
        case .restore(let choice):
            let isDeviating: (Lesson) -> Bool = { $0.isCancelled || $0.isChanged || $0.isSpoilt }
            let lesson = try chosenLesson(choice, at: now, preferring: { isDeviating($0) || choice.day == .next })
            let restored = restore(lesson, at: now)
            return "\(name(lesson)) is as planned again on \(words(restored.slot))"
        case .text(let choice, let text):
            let lesson = try chosenLesson(choice, at: now)
            change(lesson, at: now) { $0.info = text }
            return "wrote on \(name(lesson)) on \(words(lesson.slot))"
        case .room(let choice, let room):
            let lesson = try chosenLesson(choice, at: now)
            let room = try chosenRoom(room)
            change(lesson, at: now) { $0.room.current = room.id }
            return "\(name(lesson)) on \(words(lesson.slot)) is in \(room.name)"
        case .teacher(let choice, let teacher, let text):
            let lesson = try chosenLesson(choice, at: now)
            let cover: Teacher? = if let teacher { try chosenTeacher(teacher) } else { nil }
            change(lesson, at: now) { ($0.teacher.current, $0.substitutionText) = (cover?.id, text) }
            return "\(name(lesson)) on \(words(lesson.slot)) is taught by \(cover?.name ?? "nobody")"
        case .reimport: return "imported \(reimport(at: now)) lessons anew, all with new ids"
        default: return try performOnSlots(command, at: now)
        }
    }

    private mutating func performOnSlots(_ command: SimulatorCommand, at now: Timestamp) throws(CommandError) -> String?
    {
        switch command {
        case .replace(let choice, let subject, let teacher):
            let lesson = try chosenLesson(choice, at: now)
            let course = try chosenCourse(subject, of: lesson.klasse)
            let cover: Teacher? = if let teacher { try chosenTeacher(teacher) } else { nil }
            replace(lesson, by: course, teacher: cover?.id, at: now)
            return "replaced \(name(lesson)) on \(words(lesson.slot)) by \(self.subject(course.subject)?.name ?? "")"
        case .move(let choice, let minute, let day):
            let lesson = try chosenLesson(choice, at: now)
            let date: CalendarDate = if let day { try chosenDate(day, at: now) } else { lesson.slot.date }
            let moved = move(lesson, to: date, WallTime.midnight.adding(minutes: minute), at: now)
            return "moved \(name(lesson)) from \(words(lesson.slot)) to \(words(moved.slot))"
        case .addLesson(let choice):
            let klasse = try chosenKlasse(choice.klasse)
            let course = try chosenCourse(choice.subject, of: klasse.id)
            let start = WallTime.midnight.adding(minutes: choice.minute ?? calendar.bells[8].start.minuteOfDay)
            let slot = Slot(date: try chosenDate(choice.day, at: now), start: start, end: start.adding(minutes: 50))
            let lesson = lesson(of: course, in: slot, kind: .additional)
            insert(lesson, at: now)
            return "added \(name(lesson)) on \(words(slot))"
        case .spoil(let choice):
            let lesson = try chosenLesson(choice, at: now)
            change(lesson, at: now) { $0.isSpoilt = true }
            return "\(name(lesson)) on \(words(lesson.slot)) cannot be read"
        case .removeLesson(let choice):
            let lesson = try chosenLesson(choice, at: now)
            remove(lesson, at: now)
            return "removed \(name(lesson)) on \(words(lesson.slot))"
        case .event(let day, let from, let to, let text, let klasse):
            let start = WallTime.midnight.adding(minutes: from)
            let end = WallTime.midnight.adding(minutes: to)
            let slot = Slot(date: try chosenDate(day, at: now), start: start, end: end)
            let count = addEvent(text, of: try chosenKlasse(klasse).id, in: slot, at: now)
            return "added an event on \(words(slot)); \(count.counted("lesson is", "lessons are")) cancelled"
        default: return nil
        }
    }

    /// `MAT of 3A-INF`.
    private func name(_ lesson: Lesson) -> String {
        let subject = subject(lesson.subject.current ?? lesson.subject.planned)?.name ?? "the event"
        return "\(subject) of \(klasse(lesson.klasse)?.name ?? "")"
    }
}
