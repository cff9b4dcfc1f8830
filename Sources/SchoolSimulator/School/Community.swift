import Values

/// The POKYH backend's side of the school: users, classes, reminders, to-dos and the canteen.
struct Community: Sendable {
    struct User: Sendable {
        enum Role: String, Sendable {
            case student
            case parent
        }
        let stableUid: String
        let userName: String
        /// Nil for accounts that come from WebUntis.
        let password: String?
        var role: Role
        var klasse: Int
        var klasseName: String
        /// The backend class, nil for none.
        var classID: String?
        let isUntisUser: Bool
        var isAdmin = false
    }

    struct Class: Sendable {
        let id: String
        let name: String
        /// Six characters by which others join.
        let code: String
        let klasse: Int
        let createdBy: String
        let createdAt: Timestamp
        /// Stable uids with the instant of joining, in that order.
        var members: [(uid: String, joinedAt: Timestamp)]
    }

    struct Reminder: Sendable {
        let id: String
        let classID: String
        let title: String
        let body: String
        let remindAt: Timestamp
        let createdBy: String
        let createdByName: String
        let createdAt: Timestamp
    }

    struct ToDo: Sendable {
        let id: String
        let owner: String
        var title: String
        var details: String
        var dueAt: Timestamp?
        var isDone: Bool
        var doneAt: Timestamp?
        let createdAt: Timestamp
    }

    struct Comment: Sendable {
        enum Subject: Sendable, Hashable {
            case reminder(id: String, classID: String)
            case dish(String)
        }
        let id: String
        let subject: Subject
        let author: String
        let authorName: String
        var body: String
        let createdAt: Timestamp
        var updatedAt: Timestamp
    }

    /// How often everything was deleted over a summer: names come back with other identifiers.
    var rollovers = 0
    var users: [User] = []
    var classes: [Class] = []
    var reminders: [Reminder] = []
    var toDos: [ToDo] = []
    var comments: [Comment] = []
    var dishes: [Dish] = []
    /// Dish id to the stars (1 to 5) that each user gave, by stable uid.
    var ratings: [String: [(uid: String, stars: Int)]] = [:]

    func user(named name: String) -> User? { users.first { $0.userName == name } }
    func user(_ uid: String) -> User? { users.first { $0.stableUid == uid } }

    mutating func update(_ uid: String, _ change: (inout User) -> Void) {
        guard let place = users.firstIndex(where: { $0.stableUid == uid }) else { return }
        change(&users[place])
    }
}

/// A dish of the canteen on one day.
struct Dish: Sendable {
    struct Names: Sendable, Hashable {
        var de: String
        var it: String
        var en: String
    }
    let id: String
    var date: CalendarDate
    var name: Names
    var description: Names
    var category: String
    var isVegetarian: Bool
    var isVegan: Bool
    var allergens: [String]
    /// In euros; 0 where unknown, as the backend has it.
    var price: Double
    /// In kilocalories; 0 where unknown.
    var calories: Int
}
