import Values

extension School {
    /// Grade book, class register and inboxes; nil for another command.
    mutating func performOnRecords(_ command: SimulatorCommand, at now: Timestamp) throws(CommandError) -> String? {
        switch command {
        case .grade(let student, let subject, let mark, let text, let kind):
            let student = try chosenStudent(student)
            let course = try chosenCourse(subject, of: student.klasse)
            let mark = try chosenMark(mark)
            addGrade(student, course, mark, try chosenKind(kind), text, at: now)
            return "gave \(student.foreName) a \(mark.name) in \(subject)"
        case .changeGrade(let student, let subject, let mark):
            let student = try chosenStudent(student)
            let place = try newestGrade(student, try chosenCourse(subject, of: student.klasse))
            let old = grades[place].mark
            grades[place].mark = try chosenMark(mark)
            grades[place].lastUpdate = now
            return "changed \(student.foreName)'s mark in \(subject) from \(old.name) to \(grades[place].mark.name)"
        case .deleteGrade(let student, let subject):
            let student = try chosenStudent(student)
            let place = try newestGrade(student, try chosenCourse(subject, of: student.klasse))
            let gone = grades.remove(at: place)
            return "deleted \(student.foreName)'s \(gone.mark.name) in \(subject)"
        case .message(let subject, let body, let to, let sender):
            let families = accounts.filter { $0.role != .teacher }.map(\.userName)
            let recipients = if let to { [try chosenAccount(to).userName] } else { families }
            let id = deliver(subject, body, from: sender, to: recipients, at: now)
            return "sent message \(id) to \(recipients.count.counted("inbox", "inboxes"))"
        case .read(let id, let userName):
            let owner: String? = if let userName { try chosenAccount(userName).userName } else { nil }
            return "message \(try markRead(id, by: owner)) is read"
        case .news(let subject, let text):
            news.append(DayMessage(id: number(.news), date: date(at: now), subject: subject, text: text))
            return "published '\(subject)'"
        default: return try performOnRegister(command, at: now)
        }
    }

    private mutating func performOnRegister(
        _ command: SimulatorCommand,
        at now: Timestamp
    ) throws(CommandError) -> String? {
        switch command {
        case .absence(let student, let day, let from, let to):
            let student = try chosenStudent(student)
            let date = try chosenDate(day, at: now)
            let start = WallTime.midnight.adding(minutes: from ?? calendar.bells[0].start.minuteOfDay)
            let end = WallTime.midnight.adding(minutes: to ?? calendar.bells[5].end.minuteOfDay)
            guard start < end else { throw CommandError("the absence ends before it begins") }
            addAbsence(student, on: date, from: start, to: end, at: now)
            return "noted that \(student.foreName) was away on \(date) from \(start) to \(end)"
        case .excuse(let student, let reason):
            let student = try chosenStudent(student)
            try excuse(student, because: reason, at: now)
            return "excused \(student.foreName)'s newest absence"
        case .exam(let choice, let name):
            let lesson = try chosenLesson(choice, at: now, preferring: { !$0.isCancelled && $0.exam == nil })
            setExam(lesson, named: name)
            timetableChanged(at: now)
            return "\(name) on \(words(lesson.slot))"
        case .homework(let subject, let due, let text, let klasse):
            let date = try setHomework(subject, due, text, klasse, at: now)
            return "set homework in \(subject), due on \(date)"
        case .note(let student, let subject, let text): return try addNote(student, subject, text, at: now)
        default: return nil
        }
    }

    /// `next` means the next lesson of the subject.
    private mutating func setHomework(
        _ subject: String,
        _ due: DayWord,
        _ text: String,
        _ klasse: String?,
        at now: Timestamp
    ) throws(CommandError) -> CalendarDate {
        let klasse = try chosenKlasse(klasse)
        let course = try chosenCourse(subject, of: klasse.id)
        let choice = LessonChoice(subject: subject, day: due, minute: nil, klasse: klasse.name)
        let date = due == .next ? try chosenLesson(choice, at: now).slot.date : try chosenDate(due, at: now)
        homework.append(
            Homework(
                id: number(.homework),
                course: course.number,
                klasse: klasse.id,
                date: self.date(at: now),
                due: date,
                text: text
            )
        )
        return date
    }

    private mutating func addNote(_ student: String, _ subject: String, _ text: String, at now: Timestamp)
        throws(CommandError) -> String
    {
        let student = try chosenStudent(student)
        let course = try chosenCourse(subject, of: student.klasse)
        let reading = zone.reading(at: now)
        registerEvents.append(
            RegisterEvent(
                id: number(.registerEvent),
                student: student.id,
                subject: self.subject(course.subject)?.name ?? "",
                creator: teacher(course.teacher)?.displayName ?? "",
                date: reading.date,
                time: reading.time,
                reason: text,
                category: "Vermerk",
                text: ""
            )
        )
        return "wrote about \(student.foreName) into the class register"
    }

    private func chosenMark(_ text: String) throws(CommandError) -> Mark {
        guard let mark = Mark(text) else {
            throw CommandError("'\(text)' is not a mark", cures: ["write a number from 1 to 10 such as 8.5, or + or -"])
        }
        return mark
    }

    private func chosenKind(_ text: String) throws(CommandError) -> GradeKind {
        let kinds: [String: GradeKind] = ["written": .written, "oral": .oral, "observation": .observation]
        guard let kind = kinds[text.lowercased()] else {
            throw CommandError(
                "'\(text)' is not a kind of exam",
                cures: [Spelling.question(about: text, among: kinds.keys) ?? "write written, oral or observation"]
            )
        }
        return kind
    }
}
