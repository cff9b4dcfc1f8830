import Values

extension School {
    /// Reminders, to-dos and the canteen; nil for another command.
    mutating func performOnCommunity(_ command: SimulatorCommand, at now: Timestamp) throws(CommandError) -> String? {
        switch command {
        case .reminder(let minutes, let title, let body):
            let due = now + .minutes(Int64(minutes))
            addReminder(title, body, at: due, created: now)
            return "reminder '\(title)' is due at \(zone.reading(at: due).time)"
        case .toDo(let user, let title, let minutes):
            let user = try chosenUser(user)
            addToDo(title, due: minutes.map { now + .minutes(Int64($0)) }, owner: user.stableUid, created: now)
            return "wrote a to-do for \(user.userName)"
        case .finishToDo(let user, let title):
            let user = try chosenUser(user)
            let own = community.toDos.filter { $0.owner == user.stableUid }.map(\.title)
            let place = community.toDos.firstIndex { $0.owner == user.stableUid && $0.title == title }
            guard let place else {
                throw CommandError("there is no to-do '\(title)'", cures: ["there are: " + own.joined(separator: ", ")])
            }
            (community.toDos[place].isDone, community.toDos[place].doneAt) = (true, now)
            return "'\(title)' is done"
        default: return try performOnCanteen(command, at: now)
        }
    }

    private mutating func performOnCanteen(_ command: SimulatorCommand, at now: Timestamp) throws(CommandError)
        -> String?
    {
        switch command {
        case .dish(let day, let german, let italian, let english, let price):
            let date = try chosenDate(day, at: now)
            addDish(Dish.Names(de: german, it: italian ?? german, en: english ?? german), on: date, price: price)
            return "put '\(german)' on the menu of \(date)"
        case .renameDish(let day, let old, let new):
            let date = try chosenDate(day, at: now)
            let names = community.dishes.filter { $0.date == date }.map(\.name.de)
            let place = community.dishes.firstIndex {
                $0.date == date && (old == "first" || $0.name.de.lowercased() == old.lowercased())
            }
            guard let place else {
                let known =
                    names.isEmpty ? "nothing is on the menu of \(date)" : "there are: " + names.joined(separator: ", ")
                throw CommandError("there is no dish '\(old)' on \(date)", cures: [known])
            }
            let before = community.dishes[place].name.de
            community.dishes[place].name = Dish.Names(de: new, it: new, en: new)
            return "'\(before)' is now '\(new)'"
        case .publishMenu: return publishMenu(at: now)
        case .rollMenu: return "shifted \(rollMenu(before: date(at: now))) dishes to the end of the plan"
        case .rollOver:
            rollOver(at: now)
            return "POKYH's classes, users, to-dos and reminders are gone; the names are other users now"
        default: return nil
        }
    }

    private mutating func publishMenu(at now: Timestamp) -> String {
        var published: [CalendarDate] = []
        let today = date(at: now)
        for offset in 0...120 where published.count < 5 {
            let date = today.adding(days: offset)
            let isFree = !community.dishes.contains { $0.date == date }
            guard calendar.isSchoolDay(date), isFree else { continue }
            addMenu(Self.kitchen[Int(date.dayNumber) % Self.kitchen.count], on: date)
            published.append(date)
        }
        guard let first = published.first, let last = published.last else { return "every school day ahead has a menu" }
        return "published the menus of \(published.count.counted("day")) from \(first) to \(last)"
    }
}
