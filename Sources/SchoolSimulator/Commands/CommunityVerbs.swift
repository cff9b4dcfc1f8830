extension CommandCatalogue {
    /// What happens in the POKYH backend.
    static let community: [Entry] = tasks + canteen

    private static let tasks: [Entry] = [
        Entry(
            "reminder MINUTES TITLE [saying TEXT]",
            "sets a reminder for Anna's class that is due in so many minutes",
            "reminder 30 \"Bring the helmet\"",
            keywords: ["saying"]
        ) { (words) throws(CommandError) in
            let minutes = try words.count(words.next("the number of minutes"), 0...525_600)
            return .reminder(minutes: minutes, title: try words.next("the title"), body: words.option("saying") ?? "")
        },
        Entry(
            "todo USER TITLE [due MINUTES]",
            "writes a to-do for a POKYH user",
            "todo anna-muster \"Return the book\" due 90",
            keywords: ["due"]
        ) { (words) throws(CommandError) in
            let user = try words.next("the user")
            let title = try words.next("the title")
            guard let due = words.option("due") else { return .toDo(user: user, title: title, minutes: nil) }
            return .toDo(user: user, title: title, minutes: try words.count(due, 0...525_600))
        },
        Entry("todo-done USER TITLE", "ticks a to-do off", "todo-done anna-muster \"Buch zurückgeben\"") {
            (words) throws(CommandError) in
            .finishToDo(user: try words.next("the user"), title: try words.next("the title"))
        },
    ]

    private static let canteen: [Entry] = [
        Entry(
            "dish DAY NAME [it NAME] [en NAME] [price EUROS]",
            "puts a dish on a day's menu",
            "dish tomorrow Lasagne en Lasagna price 4.5",
            keywords: ["it", "en", "price"]
        ) { (words) throws(CommandError) in
            let day = try words.day()
            let name = try words.next("the dish")
            var price = 0.0
            if let text = words.option("price") {
                guard let number = Double(text.replacing(",", with: ".")), (0...1000).contains(number) else {
                    throw words.failure("'\(text)' is not a price", "write it in euros: 4.5")
                }
                price = number
            }
            return .dish(day, german: name, italian: words.option("it"), english: words.option("en"), price: price)
        },
        Entry(
            "dish-rename DAY OLD|first NEW",
            "gives a dish of a day another name",
            "dish-rename today first \"Pasta al forno\""
        ) { (words) throws(CommandError) in
            let day = try words.day()
            return .renameDish(day, from: try words.next("the old name"), to: try words.next("the new name"))
        },
        Entry(
            "menu publish|roll",
            "publishes the menus of the next five school days that have none, or shifts past ones to the end of the plan",
            "menu publish"
        ) { (words) throws(CommandError) in
            let word = try words.next("'publish' or 'roll'").lowercased()
            guard word == "publish" || word == "roll" else {
                throw words.failure("'\(word)' is not understood here", "write 'publish' or 'roll'")
            }
            return word == "publish" ? .publishMenu : .rollMenu
        },
        Entry(
            "rollover",
            "deletes POKYH's classes, users, to-dos and reminders as each August; names come back as other users",
            "rollover"
        ) { (_) throws(CommandError) in .rollOver },
    ]
}
