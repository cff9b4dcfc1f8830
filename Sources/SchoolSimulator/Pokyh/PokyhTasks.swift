import Values

/// Users, to-dos, classes and reminders of the POKYH backend.
extension SimulatorState {
    // MARK: Users and to-dos

    mutating func userOrToDoRoute(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        switch call.parts.count {
        case 2 where call.method == "GET":
            let wanted = call.parts[1]
            let user = wanted == "me" ? school.community.user(call.uid) : school.community.user(wanted)
            guard let user = user ?? school.community.user(named: wanted) else {
                throw PokyhError(404, "User not found")
            }
            return .json(Self.user(user, isOwn: false))
        case 3 where call.parts[2] == "todos", 4 where call.parts[2] == "todos":
            guard call.parts[1] == call.userName else { throw PokyhError(403, "You can only access your own todos") }
            return try toDoRoute(call)
        default: throw PokyhError.noRoute
        }
    }

    private mutating func toDoRoute(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        switch (call.method, call.parts.count) {
        case ("GET", 3): return .json(toDos(of: call.uid, at: call.now))
        case ("POST", 3):
            let title = try text(call.body, "title", 1...500)
            let details = call.body["details"].isNull ? "" : try text(call.body, "details", 0...10_000)
            // The column is shorter than the validation allows.
            guard details.count <= 5000 else { throw PokyhError(400, "Database error") }
            let due = try instant(call.body, "dueAt")
            let made = school.addToDo(title, details: details, due: due, owner: call.uid, created: call.now)
            return .json(Self.toDo(made, at: call.now), status: 201)
        case ("PATCH", 4), ("DELETE", 4):
            let place = school.community.toDos.firstIndex { $0.id == call.parts[3] && $0.owner == call.uid }
            guard let place else { throw PokyhError(404, "Todo not found") }
            if call.method == "DELETE" {
                school.community.toDos.remove(at: place)
                return ServedAnswer(204)
            }
            try patchToDo(at: place, call)
            return .json(Self.toDo(school.community.toDos[place], at: call.now))
        default: throw PokyhError.noRoute
        }
    }

    /// `done` alone does not set `doneAt`.
    private mutating func patchToDo(at place: Int, _ call: PokyhCall) throws(PokyhError) {
        var toDo = school.community.toDos[place]
        if !call.body["title"].isNull { toDo.title = try text(call.body, "title", 1...500) }
        if !call.body["details"].isNull { toDo.details = try text(call.body, "details", 0...10_000) }
        if call.body.map?["dueAt"] != nil { toDo.dueAt = try instant(call.body, "dueAt") }
        if call.body.map?["doneAt"] != nil { toDo.doneAt = try instant(call.body, "doneAt") }
        if let isDone = call.body["done"].bool { toDo.isDone = isDone }
        school.community.toDos[place] = toDo
    }

    /// Oldest first. What is overdue, or was done, for more than a day has been archived.
    func toDos(of uid: String, at now: Timestamp) -> Value {
        let own = school.community.toDos.filter { toDo in
            let isStale = [toDo.dueAt, toDo.isDone ? toDo.doneAt : nil].compactMap { $0 }.contains {
                now - $0 > .hours(24)
            }
            return toDo.owner == uid && !isStale
        }
        return .list(own.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { Self.toDo($0, at: now) })
    }

    private static func toDo(_ toDo: Community.ToDo, at now: Timestamp) -> Value {
        [
            "id": .string(toDo.id), "stableUid": .string(toDo.owner), "title": .string(toDo.title),
            "details": .string(toDo.details), "dueAt": .text(toDo.dueAt?.withMilliseconds), "done": .bool(toDo.isDone),
            "doneAt": .text(toDo.doneAt?.withMilliseconds), "notifiedAt": .text(notified(toDo.dueAt, at: now)),
            "archivedAt": .null, "createdAt": .string(toDo.createdAt.withMilliseconds),
        ]
    }

    /// The due checker comes by every minute and notes once that it did.
    private static func notified(_ due: Timestamp?, at now: Timestamp) -> String? {
        guard let due, due + .seconds(30) <= now else { return nil }
        return (due + .seconds(30)).withMilliseconds
    }

    // MARK: Classes and reminders

    mutating func classRoute(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        switch (call.method, call.parts.count) {
        case ("GET", 2) where call.parts[1] == "mine":
            let klasse = call.claims["klasseId"].wholeNumber ?? 0
            let mine = school.community.classes.first {
                $0.klasse == klasse && klasse > 0 && isMember(call.uid, of: $0)
            }
            return .json(mine.map { classValue($0, withJoining: false) } ?? .null)
        case ("POST", 2) where call.parts[1] == "join": return try join(call)
        default: break
        }
        guard call.parts.count >= 2, let found = school.community.classes.first(where: { $0.id == call.parts[1] }),
            isMember(call.uid, of: found)
        else {
            // Parents are told so first, whatever class they ask for.
            if call.isParent, call.parts.count >= 3, call.parts[2] == "reminders" { throw PokyhError.parent }
            throw PokyhError.noMember
        }
        switch (call.method, call.parts.count) {
        case ("GET", 2): return .json(classValue(found, withJoining: true))
        case ("POST", 3) where call.parts[2] == "leave":
            school.leaveClass(call.uid)
            return .json(["ok": true])
        case (_, 3...) where call.parts[2] == "reminders": return try reminderRoute(call, found)
        default: throw PokyhError.noRoute
        }
    }

    private func isMember(_ uid: String, of found: Community.Class) -> Bool { found.members.contains { $0.uid == uid } }

    private mutating func join(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        let code = try text(call.body, "code", 6...6).uppercased()
        guard let place = school.community.classes.firstIndex(where: { $0.code == code }) else {
            throw PokyhError(404, "Class not found with that code")
        }
        let id = school.community.classes[place].id
        if isMember(call.uid, of: school.community.classes[place]) {
            return .json(["classId": .string(id), "message": "Already a member"])
        }
        school.leaveClass(call.uid)
        if let place = school.community.classes.firstIndex(where: { $0.id == id }) {
            school.community.classes[place].members.append((call.uid, call.now))
        }
        school.community.update(call.uid) { $0.classID = id }
        return .json(["classId": .string(id)])
    }

    private func classValue(_ found: Community.Class, withJoining: Bool) -> Value {
        let members = found.members.compactMap { member -> Value? in
            guard let user = school.community.user(member.uid), user.role == .student else { return nil }
            var value: ValueMap = ["stableUid": .string(user.stableUid), "username": .string(user.userName)]
            if withJoining { value["joinedAt"] = .string(member.joinedAt.withMilliseconds) }
            return .map(value)
        }
        return [
            "id": .string(found.id), "name": .string(found.name), "code": .string(found.code),
            "webuntisKlasseId": .number(found.klasse), "createdBy": .string(found.createdBy),
            "createdByName": .string(school.community.user(found.createdBy)?.userName ?? ""),
            "createdAt": .string(found.createdAt.withMilliseconds), "members": .list(members),
        ]
    }

    private mutating func reminderRoute(_ call: PokyhCall, _ found: Community.Class) throws(PokyhError) -> ServedAnswer
    {
        if call.isParent { throw PokyhError.parent }
        switch (call.method, call.parts.count) {
        case ("GET", 3): return .json(try reminders(of: found.id, call))
        case ("POST", 3):
            let title = try text(call.body, "title", 1...500)
            let body = call.body["body"].isNull ? "" : try text(call.body, "body", 0...10_000)
            guard let due = try instant(call.body, "remindAt") else {
                throw PokyhError.validation("remindAt", "Required")
            }
            let made = school.addReminder(title, body, at: due, in: found.id, by: call.uid, created: call.now)
            return .json(Self.reminder(made, at: call.now), status: 201)
        case ("DELETE", 4):
            let place = school.community.reminders.firstIndex { $0.id == call.parts[3] && $0.classID == found.id }
            guard let place else { throw PokyhError(404, "Reminder not found") }
            guard school.community.reminders[place].createdBy == call.uid else {
                throw PokyhError(403, "Only the creator can delete this reminder")
            }
            school.community.reminders.remove(at: place)
            return ServedAnswer(204)
        case (_, 5...6) where call.parts[4] == "comments":
            return try commentRoute(
                call,
                .reminder(id: call.parts[3], classID: found.id),
                comment: call.parts.count == 6 ? call.parts[5] : nil
            )
        default: throw PokyhError.noRoute
        }
    }

    /// By due time; those more than a day past have been archived.
    func reminders(of classID: String, _ call: PokyhCall) throws(PokyhError) -> Value {
        if call.isParent { throw PokyhError.parent }
        guard let found = school.community.classes.first(where: { $0.id == classID }), isMember(call.uid, of: found)
        else {
            throw PokyhError.noMember
        }
        let own = school.community.reminders.filter { $0.classID == classID && call.now - $0.remindAt <= .hours(24) }
        let sorted = own.sorted { ($0.remindAt, $0.id) < ($1.remindAt, $1.id) }
        return .list(sorted.map { Self.reminder($0, at: call.now) })
    }

    private static func reminder(_ reminder: Community.Reminder, at now: Timestamp) -> Value {
        [
            "id": .string(reminder.id), "classId": .string(reminder.classID), "title": .string(reminder.title),
            "body": .string(reminder.body), "remindAt": .string(reminder.remindAt.withMilliseconds),
            "createdBy": .string(reminder.createdBy), "createdByName": .string(reminder.createdByName),
            "createdByUsername": .string(reminder.createdByName),
            "notifiedAt": .text(notified(reminder.remindAt, at: now)), "archivedAt": .null,
            "createdAt": .string(reminder.createdAt.withMilliseconds),
        ]
    }
}
