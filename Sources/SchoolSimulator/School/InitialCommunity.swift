import Digests
import Values

extension School {
    /// The POKYH users, their class, its reminders, a student's to-dos and a canteen plan of four weeks.
    mutating func fillCommunity(at start: Timestamp, using generator: inout SeededGenerator) {
        fillUsers(at: start - .days(60))
        let member = stableUid(Self.pokyhStudent.userName)
        addReminder("Sportzeug mitbringen", "", at: start + .days(2), created: start - .days(4))
        addReminder("Mathe-Hausaufgabe S. 45", "Nr. 3 a–c", at: start + .hours(9), created: start - .days(4))
        addToDo("Praktikumsvertrag abgeben", due: start + .days(1), owner: member, created: start - .days(5))
        addToDo("Buch zurückgeben", due: nil, owner: member, created: start - .days(5))
        fillCanteen(around: date(at: start), using: &generator)
        for dish in community.dishes where dish.date == date(at: start) {
            community.ratings[dish.id] = [(stableUid(Self.anna.userName), 4), (stableUid(Self.luca.userName), 5)]
        }
    }

    /// Two local accounts and two that come from WebUntis; the student of the former is in Anna's class.
    private mutating func fillUsers(at joined: Timestamp) {
        addUser(Self.pokyhStudent, .student)
        addUser(Self.pokyhParent, .parent)
        for login in [Self.anna, Self.luca] {
            guard let account = account(login.userName), let student = student(account.personID) else { continue }
            let klasse = klasse(student.klasse)
            signInFromWebUntis(
                login.userName,
                klasse: student.klasse,
                named: klasse?.name ?? "",
                .student,
                at: joined
            )
        }
        let member = stableUid(Self.pokyhStudent.userName)
        guard let place = community.classes.firstIndex(where: { $0.klasse == Self.annasClass }) else { return }
        community.classes[place].members.append((member, joined))
        let id = community.classes[place].id
        community.update(member) { $0.classID = id }
    }

    /// What the backend does once in August: classes, users, to-dos and reminders go, and names come back as other users.
    mutating func rollOver(at now: Timestamp) {
        community.rollovers += 1
        community.users = []
        community.classes = []
        community.toDos = []
        community.reminders = []
        fillUsers(at: now)
    }

    /// 32 hexadecimal digits that follow from the name and the summer.
    func stableUid(_ name: String) -> String {
        let text = community.rollovers == 0 ? name : "\(name) \(community.rollovers)"
        return hexadecimal(Digest.sha256(Array(text.utf8)).prefix(16))
    }

    private mutating func addUser(_ login: Login, _ role: Community.User.Role) {
        community.users.append(
            Community.User(
                stableUid: stableUid(login.userName),
                userName: login.userName,
                password: login.password,
                role: role,
                klasse: 0,
                klasseName: "",
                classID: nil,
                isUntisUser: false
            )
        )
    }

    private mutating func fillCanteen(around today: CalendarDate, using generator: inout SeededGenerator) {
        let kitchen = Self.kitchen.shuffled(using: &generator)
        var position = 0
        for offset in -3...24 {
            let date = today.adding(days: offset)
            guard calendar.isSchoolDay(date) else { continue }
            addMenu(kitchen[position % kitchen.count], on: date)
            position += 1
        }
    }

    /// One main dish with a dessert on every second day.
    mutating func addMenu(_ dish: Dish.Names, on date: CalendarDate) {
        let isMeatless = dish.de.hasPrefix("Gemüse") || dish.de.hasPrefix("Kürbis")
        addDish(dish, on: date, price: 4.5, calories: 540, isVegetarian: isMeatless)
        if date.day % 2 == 0 {
            let dessert = Dish.Names(de: "Apfelstrudel", it: "Strudel di mele", en: "Apple strudel")
            addDish(dessert, on: date, category: "Nachspeise", isVegetarian: true)
        }
    }

    static let kitchen: [Dish.Names] = [
        Dish.Names(de: "Gemüselasagne", it: "Lasagne alle verdure", en: "Vegetable lasagne"),
        Dish.Names(de: "Speckknödelsuppe", it: "Canederli in brodo", en: "Dumpling soup"),
        Dish.Names(de: "Kürbisrisotto", it: "Risotto alla zucca", en: "Pumpkin risotto"),
        Dish.Names(de: "Hirtenmakkaroni", it: "Maccheroni alla pastora", en: "Shepherd's macaroni"),
        Dish.Names(de: "Forelle", it: "Trota", en: "Trout"),
        Dish.Names(de: "Gulasch mit Polenta", it: "Gulasch con polenta", en: "Goulash with polenta"),
        Dish.Names(de: "Gemüsecurry", it: "Curry di verdure", en: "Vegetable curry"),
    ]
}

/// Two lower-case digits for every byte.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
