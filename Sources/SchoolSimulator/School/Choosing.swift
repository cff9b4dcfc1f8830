import Values

/// Finding what a command names, with an answer that helps where there is no such thing.
extension School {
    func chosenKlasse(_ name: String?) throws(CommandError) -> Klasse {
        guard let name else {
            return try found(klasse(Self.annasClass), "class", "3A-INF", among: klassen.map(\.name))
        }
        let klasse = klassen.first { $0.name.lowercased() == name.lowercased() }
        return try found(klasse, "class", name, among: klassen.map(\.name))
    }

    func chosenSubject(_ name: String) throws(CommandError) -> Subject {
        let word = name.lowercased()
        let subject = subjects.first { $0.name.lowercased() == word || $0.longName.lowercased() == word }
        return try found(subject, "subject", name, among: subjects.flatMap { [$0.name, $0.longName] })
    }

    func chosenTeacher(_ name: String) throws(CommandError) -> Teacher {
        let teacher = teachers.first { $0.name.lowercased() == name.lowercased() }
        return try found(teacher, "teacher", name, among: teachers.map(\.name))
    }

    func chosenRoom(_ name: String) throws(CommandError) -> Room {
        let room = rooms.first { $0.name.lowercased() == name.lowercased() }
        return try found(room, "room", name, among: rooms.map(\.name))
    }

    /// By first name, full name or id.
    func chosenStudent(_ name: String) throws(CommandError) -> Student {
        let word = name.lowercased()
        let student = students.first {
            $0.foreName.lowercased() == word || $0.displayName.lowercased() == word || String($0.id) == word
        }
        return try found(student, "student", name, among: students.prefix(20).map(\.foreName))
    }

    func chosenAccount(_ userName: String) throws(CommandError) -> Account {
        try found(account(userName), "account", userName, among: accounts.prefix(20).map(\.userName))
    }

    func chosenUser(_ userName: String) throws(CommandError) -> Community.User {
        let user = community.user(named: userName.lowercased())
        return try found(user, "POKYH user", userName, among: community.users.map(\.userName))
    }

    /// The course in which a student's class has a subject.
    func chosenCourse(_ subject: String, of klasse: Int) throws(CommandError) -> Course {
        let subject = try chosenSubject(subject)
        guard let course = course(of: klasse, in: subject.id) else {
            throw CommandError("\(subject.name) is not taught in that class")
        }
        return course
    }

    private func found<Thing>(
        _ thing: Thing?,
        _ kind: String,
        _ name: String,
        among names: [String]
    ) throws(CommandError) -> Thing {
        if let thing { return thing }
        let known = "there are: " + names.joined(separator: ", ")
        throw CommandError(
            "there is no \(kind) '\(name)'",
            cures: [Spelling.question(about: name, among: names) ?? known]
        )
    }

    /// The date a word means. `next` means the next day with lessons of Anna's class.
    func chosenDate(_ word: DayWord, at now: Timestamp) throws(CommandError) -> CalendarDate {
        let today = date(at: now)
        switch word {
        case .today: return today
        case .tomorrow: return today.adding(days: 1)
        case .weekday(let weekday): return today.adding(days: (weekday - today.weekday + 7) % 7)
        case .date(let year, let month, let day):
            guard let date = CalendarDate(year: year, month: month, day: day) else {
                throw CommandError("there is no such date")
            }
            return date
        case .next:
            let isLater: (Lesson) -> Bool = { $0.slot.date > today }
            guard let lesson = nextLesson(of: Self.annasClass, after: now, where: isLater) else {
                throw CommandError("there is no school day in the next 120 days")
            }
            return lesson.slot.date
        }
    }

    /// The lesson a command means: the first of the day that fits and has the wished state, else the first that fits.
    func chosenLesson(
        _ choice: LessonChoice,
        at now: Timestamp,
        preferring isPreferred: (Lesson) -> Bool = { !$0.isCancelled }
    ) throws(CommandError) -> Lesson {
        let klasse = try chosenKlasse(choice.klasse)
        let subject = try chosenSubject(choice.subject)
        let fits: (Lesson) -> Bool = { lesson in
            (lesson.subject.current ?? lesson.subject.planned) == subject.id
                && (choice.minute == nil || choice.minute == lesson.slot.start.minuteOfDay)
        }
        if case .next = choice.day {
            if let lesson = nextLesson(of: klasse.id, after: now, where: { fits($0) && isPreferred($0) }) {
                return lesson
            }
            throw CommandError("\(klasse.name) has no \(subject.name) in the next 120 days")
        }
        let date = try chosenDate(choice.day, at: now)
        let candidates = lessons(of: klasse.id, on: date).filter(fits)
        if let lesson = candidates.first(where: isPreferred) ?? candidates.first { return lesson }
        throw missing(subject, of: klasse, on: date, at: now)
    }

    private func missing(_ subject: Subject, of klasse: Klasse, on date: CalendarDate, at now: Timestamp)
        -> CommandError
    {
        let onDay = lessons(of: klasse.id, on: date).filter { $0.subject.current == subject.id }
        if !onDay.isEmpty {
            let times = onDay.map(\.slot.start.description).joined(separator: ", ")
            return CommandError("\(subject.name) does not begin then", cures: ["on that day it begins at \(times)"])
        }
        let next = nextLesson(of: klasse.id, after: now) { $0.subject.current == subject.id }
        let cure = next.map { "the next one: \($0.slot.date.weekdayName) \($0.slot.date) at \($0.slot.start)" }
        return CommandError(
            "\(klasse.name) has no \(subject.name) on \(date.weekdayName) \(date)",
            cures: [cure, "'next' instead of a day means the next one"]
        )
    }

    /// A slot in words: `Tuesday 2026-12-01 at 07:50`.
    func words(_ slot: Slot) -> String { "\(slot.date.weekdayName) \(slot.date) at \(slot.start)" }
}
