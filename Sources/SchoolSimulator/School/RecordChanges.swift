import Values

/// What happens in the grade book, the class register and the inboxes.
extension School {
    mutating func addGrade(
        _ student: Student,
        _ course: Course,
        _ mark: Mark,
        _ kind: GradeKind,
        _ text: String,
        at now: Timestamp
    ) {
        grades.append(
            Grade(
                id: number(.grade),
                student: student.id,
                course: course.number,
                date: date(at: now),
                mark: mark,
                kind: kind,
                text: text,
                lastUpdate: now
            )
        )
    }

    /// The place of a student's newest mark in a course.
    func newestGrade(_ student: Student, _ course: Course) throws(CommandError) -> Int {
        let places = grades.indices.filter { grades[$0].student == student.id && grades[$0].course == course.number }
        guard let newest = places.max(by: { grades[$0].id < grades[$1].id }) else {
            throw CommandError(
                "there is no mark in that subject",
                cures: ["give one first: grade STUDENT SUBJECT MARK"]
            )
        }
        return newest
    }

    /// Puts a message into inboxes; it has one id in all of them.
    @discardableResult
    mutating func deliver(
        _ subject: String,
        _ body: String,
        from sender: String,
        to userNames: [String],
        at instant: Timestamp,
        isRead: Bool = false,
        attachment: String? = nil
    ) -> Int {
        let id = number(.message)
        // A teacher writes under the own user, anybody else under the office's.
        let senderID = accounts.first { $0.displayName == sender }?.userID ?? 302
        for userName in userNames {
            messages.append(
                InboxMessage(
                    id: id,
                    owner: userName,
                    subject: subject,
                    body: body,
                    senderID: senderID,
                    senderName: sender,
                    sentAt: instant,
                    isRead: isRead,
                    attachment: attachment
                )
            )
        }
        return id
    }

    mutating func markRead(_ id: Int?, by userName: String?) throws(CommandError) -> Int {
        let own = messages.filter { userName == nil || $0.owner == userName }
        guard let wanted = id ?? own.map(\.id).max(), own.contains(where: { $0.id == wanted }) else {
            let known = Set(own.map(\.id)).sorted().map(String.init).joined(separator: ", ")
            throw CommandError("there is no such message", cures: ["ids: \(known)"])
        }
        for place in messages.indices where messages[place].id == wanted {
            if userName == nil || messages[place].owner == userName { messages[place].isRead = true }
        }
        return wanted
    }

    mutating func addAbsence(_ student: Student, on date: CalendarDate, from: WallTime, to: WallTime, at now: Timestamp)
    {
        absences.append(
            Absence(
                id: number(.absence),
                student: student.id,
                start: date,
                end: date,
                from: from,
                to: to,
                createdAt: now,
                lastUpdate: now
            )
        )
    }

    mutating func excuse(_ student: Student, because reason: String, at now: Timestamp) throws(CommandError) {
        guard let place = absences.lastIndex(where: { $0.student == student.id && $0.excuse == nil }) else {
            throw CommandError(
                "there is no absence that is not excused",
                cures: ["note one first: absence STUDENT today"]
            )
        }
        absences[place].excuse = Absence.Excuse(id: number(.excuse), reason: reason, text: "", date: date(at: now))
        absences[place].lastUpdate = now
    }
}
