import Values

/// A mark as South Tyrol writes it: 4 to 10 in quarters, or a sign without a number.
struct Mark: Sendable, Hashable {
    /// `8,5`, `+`.
    let name: String
    /// 8.5; 0 for a sign without a number.
    let value: Double

    /// A mark from what somebody typed: `8.5`, `8,5`, `7-`, or `+` and `-` without a number; nil for anything else. A sign
    /// behind a number is a quarter.
    init?(_ text: String) {
        if text == "+" || text == "-" {
            name = text
            value = 0
            return
        }
        if let sign = text.last, sign == "+" || sign == "-", let whole = Int(text.dropLast()), (1...10).contains(whole)
        {
            name = text
            value = Double(whole) + (sign == "+" ? 0.25 : -0.25)
            return
        }
        guard let number = Double(text.replacing(",", with: ".")), (1...10).contains(number) else { return nil }
        let whole = Int(number)
        let hundredths = Int((number * 100).rounded()) - whole * 100
        let decimals = hundredths % 10 == 0 ? "\(hundredths / 10)" : (hundredths < 10 ? "0" : "") + "\(hundredths)"
        name = hundredths == 0 ? "\(whole)" : "\(whole),\(decimals)"
        value = number
    }

    /// WebUntis' id of the mark in its scheme.
    var id: Int { 900 + Int((value * 10).rounded()) }
    /// The server's own scale, which is whole numbers; it need not agree with the value shown.
    var schemeValue: Int { Int(value.rounded()) }
}

/// What a mark was given for.
enum GradeKind: String, Sendable, CaseIterable {
    case written = "SCH"
    case oral = "MÜN"
    case observation = "BEO"

    var longName: String {
        switch self {
        case .written: "Schularbeit"
        case .oral: "Mündliche Prüfung"
        case .observation: "Beobachtung"
        }
    }

    var id: Int {
        switch self {
        case .written: 3
        case .oral: 4
        case .observation: 5
        }
    }
}

struct Grade: Sendable {
    let id: Int
    let student: Int
    let course: Int
    var date: CalendarDate
    var mark: Mark
    var kind: GradeKind
    var text: String
    var lastUpdate: Timestamp
}

/// A message in the inbox of one account.
struct InboxMessage: Sendable {
    let id: Int
    /// The user name of the account.
    let owner: String
    let subject: String
    let body: String
    let senderID: Int
    let senderName: String
    let sentAt: Timestamp
    var isRead: Bool
    let attachment: String?
}

struct Absence: Sendable {
    let id: Int
    let student: Int
    let start: CalendarDate
    let end: CalendarDate
    let from: WallTime
    let to: WallTime
    let createdAt: Timestamp
    var lastUpdate: Timestamp
    /// Nil while nobody excused it.
    var excuse: Excuse?

    struct Excuse: Sendable {
        let id: Int
        let reason: String
        let text: String
        let date: CalendarDate
    }
}

struct Exam: Sendable {
    let id: Int
    let klasse: Int
    let course: Int
    let name: String
    let kind: GradeKind
    let text: String
    let slot: Slot
    /// Who sits it: all of the class where empty.
    let students: [Int]
}

struct Homework: Sendable {
    let id: Int
    let course: Int
    let klasse: Int
    let date: CalendarDate
    let due: CalendarDate
    var text: String
}

/// An entry of the class register about one student.
struct RegisterEvent: Sendable {
    let id: Int
    let student: Int
    let subject: String
    let creator: String
    let date: CalendarDate
    let time: WallTime
    let reason: String
    let category: String
    let text: String
}

/// A message of the day, for everybody.
struct DayMessage: Sendable {
    let id: Int
    let date: CalendarDate
    let subject: String
    let text: String
}
