import Values

/// What happens in the POKYH backend's data.
extension School {
    /// An account that WebUntis vouches for: made on first sight, and put into the class of its WebUntis class. Parents are kept
    /// out of classes, as the later backend does.
    mutating func signInFromWebUntis(
        _ name: String,
        klasse: Int,
        named klasseName: String,
        _ role: Community.User.Role,
        at now: Timestamp
    ) {
        let uid = stableUid(name)
        if community.user(uid) == nil {
            community.users.append(
                Community.User(
                    stableUid: uid,
                    userName: name,
                    password: nil,
                    role: role,
                    klasse: 0,
                    klasseName: "",
                    classID: nil,
                    isUntisUser: true
                )
            )
        }
        guard role == .student else {
            leaveClass(uid)
            community.update(uid) { ($0.role, $0.klasse, $0.klasseName) = (.parent, 0, "") }
            return
        }
        community.update(uid) { ($0.role, $0.klasse, $0.klasseName) = (.student, klasse, klasseName) }
        guard klasse > 0 else { return }
        let id = joinClass(ofKlasse: klasse, named: klasseName, uid: uid, at: now)
        community.update(uid) { $0.classID = id }
    }

    private mutating func joinClass(ofKlasse klasse: Int, named name: String, uid: String, at now: Timestamp) -> String
    {
        if let place = community.classes.firstIndex(where: { $0.klasse == klasse }) {
            if !community.classes[place].members.contains(where: { $0.uid == uid }) {
                leaveClass(uid)
                community.classes[place].members.append((uid, now))
            }
            return community.classes[place].id
        }
        leaveClass(uid)
        let id = String(stableUid("class \(klasse)").prefix(24))
        let made = Community.Class(
            id: id,
            name: name,
            code: joinCode(klasse),
            klasse: klasse,
            createdBy: uid,
            createdAt: now,
            members: [(uid, now)]
        )
        community.classes.append(made)
        return id
    }

    /// Six characters of the alphabet without I, O, 0 and 1.
    func joinCode(_ klasse: Int) -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String(stableUid("code \(klasse)").utf8.prefix(6).map { alphabet[Int($0) * 7 % alphabet.count] })
    }

    /// Takes a user out of their class; the last one out deletes it.
    mutating func leaveClass(_ uid: String) {
        for place in community.classes.indices { community.classes[place].members.removeAll { $0.uid == uid } }
        community.classes.removeAll { $0.members.isEmpty }
        community.update(uid) { $0.classID = nil }
    }

    /// Puts a reminder into Anna's class.
    mutating func addReminder(_ title: String, _ body: String, at instant: Timestamp, created: Timestamp) {
        guard let id = community.classes.first(where: { $0.klasse == Self.annasClass })?.id else { return }
        addReminder(title, body, at: instant, in: id, by: stableUid(Self.anna.userName), created: created)
    }

    @discardableResult
    mutating func addReminder(
        _ title: String,
        _ body: String,
        at instant: Timestamp,
        in classID: String,
        by uid: String,
        created: Timestamp
    ) -> Community.Reminder {
        let reminder = Community.Reminder(
            id: uuid(.reminder),
            classID: classID,
            title: title,
            body: body,
            remindAt: instant,
            createdBy: uid,
            createdByName: community.user(uid)?.userName ?? "",
            createdAt: created
        )
        community.reminders.append(reminder)
        return reminder
    }

    @discardableResult
    mutating func addToDo(
        _ title: String,
        details: String = "",
        due: Timestamp?,
        owner: String,
        created: Timestamp
    ) -> Community.ToDo {
        let toDo = Community.ToDo(
            id: uuid(.toDo),
            owner: owner,
            title: title,
            details: details,
            dueAt: due,
            isDone: false,
            doneAt: nil,
            createdAt: created
        )
        community.toDos.append(toDo)
        return toDo
    }

    /// Shifts the dishes of past days to the end of the plan, by whole weeks: the same dishes on new dates.
    mutating func rollMenu(before today: CalendarDate) -> Int {
        guard let last = community.dishes.map(\.date).max() else { return 0 }
        var count = 0
        for place in community.dishes.indices where community.dishes[place].date < today {
            let old = community.dishes[place].date
            let weeks = (last.dayNumber - old.dayNumber) / 7 + 1
            community.dishes[place].date = old.adding(days: Int(weeks) * 7)
            count += 1
        }
        return count
    }

    mutating func addDish(
        _ name: Dish.Names,
        on date: CalendarDate,
        category: String = "Hauptgericht",
        price: Double = 0,
        calories: Int = 0,
        isVegetarian: Bool = false
    ) {
        let dish = Dish(
            id: uuid(.dish),
            date: date,
            name: name,
            description: Dish.Names(de: "", it: "", en: ""),
            category: category,
            isVegetarian: isVegetarian,
            isVegan: false,
            allergens: price > 0 ? ["Gluten", "Milch"] : [],
            price: price,
            calories: calories
        )
        community.dishes.append(dish)
    }
}
