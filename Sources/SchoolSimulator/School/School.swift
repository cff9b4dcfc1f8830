public import Values

/// An invented school: its calendar, people, timetable, grade book, inboxes, canteen and POKYH community.
///
/// A value: it knows no clock, no network and no faults. Everything in it follows from the instant it starts at and a seed;
/// the change methods are handed the instant at which they happen.
public struct School: Sendable {
    /// What an authenticator, a password manager or a configuration file would hold for one person.
    public struct Login: Sendable, Hashable {
        /// As it is typed; WebUntis takes it in any case.
        public let userName: String
        /// As it is typed.
        public let password: String
        /// The app secret in base 32, for one-time passwords; empty for accounts of the POKYH backend.
        public let appSecret: String
    }

    /// The login name by which WebUntis knows the school (`school=` in addresses).
    public static let loginName = "musterschule"
    /// The name for people.
    public static let displayName = "Musterschule Beispielstadt"
    /// The `X-API-Key` of the POKYH backend.
    public static let apiKey = "sim-api-key-0123456789"
    /// The `X-Server-Key` of the POKYH backend, which logs anybody in.
    public static let serverKey = "sim-server-key-0123456789"
    /// The tenant in tokens and app data.
    static let tenant = "987654"

    /// Anna, student of 3A-INF: id 4711.
    public static let anna = Login(userName: "anna.muster", password: "anna-geheim", appSecret: "GEZDGNBVGY3TQOJQ")
    /// Luca, Anna's brother, student of 1A-INF: id 4712.
    public static let luca = Login(userName: "luca.muster", password: "luca-geheim", appSecret: "GEZDGNBVGY3TQOJR")
    /// The guardian of Anna and Luca.
    public static let paola = Login(userName: "paola.muster", password: "paola-geheim", appSecret: "GEZDGNBVGY3TQOJS")
    /// A guardian of Anna alone.
    public static let karl = Login(userName: "karl.muster", password: "karl-geheim", appSecret: "GEZDGNBVGY3TQOJT")
    /// A teacher, whose account a notifier for families refuses.
    public static let rita = Login(userName: "rita.rossi", password: "rita-geheim", appSecret: "GEZDGNBVGY3TQOJU")
    /// A student's local account of the POKYH backend, member of Anna's class.
    public static let pokyhStudent = Login(userName: "anna-muster", password: "anna-pokyh-geheim", appSecret: "")
    /// A guardian's local account of the POKYH backend, who may not see reminders.
    public static let pokyhParent = Login(userName: "paola-muster", password: "paola-pokyh-geheim", appSecret: "")

    /// The zone of all wall-clock times.
    public let zone: Zone
    var calendar: SchoolCalendar
    var klassen: [Klasse] = []
    var subjects: [Subject] = []
    var teachers: [Teacher] = []
    var rooms: [Room] = []
    var students: [Student] = []
    var accounts: [Account] = []
    var courses: [Course] = []
    var lessons: [ClassDay: [Lesson]] = [:]
    var grades: [Grade] = []
    var messages: [InboxMessage] = []
    var absences: [Absence] = []
    var exams: [Exam] = []
    var homework: [Homework] = []
    var registerEvents: [RegisterEvent] = []
    var news: [DayMessage] = []
    var community = Community()
    /// When the timetable last changed: what `getLatestImportTime` answers.
    var importTime: Timestamp
    /// How many days ahead families may see the timetable.
    var horizonDays = 56
    /// Whether absence times are written as minutes since midnight instead of HHMM; both occur.
    var absenceTimesAreMinutes = false
    /// The last number given out in each series.
    var lastNumbers: [Series: Int] = [:]

    /// What is numbered.
    enum Series: Int, Sendable {
        case lesson = 500_100
        case grade = 81_000
        case message = 70_000
        case absence = 31_000
        case excuse = 36_000
        case exam = 7_000
        case homework = 44_000
        case registerEvent = 55_000
        case news = 100
        case dish = 1
        case reminder = 3
        case toDo = 2
        case comment = 4
    }

    /// - Parameters:
    ///   - start: the present of the first request. The school year is the one that this day falls into.
    ///   - seed: which of the many possible timetables and menus it is.
    ///   - classmates: how many other students sit in Anna's class, each with an account; twenty are a class, a thousand a load.
    public init(startingAt start: Timestamp, seed: UInt64 = 1, classmates: Int = 4) {
        zone = Zone("Europe/Rome") ?? .utc
        calendar = SchoolCalendar(around: zone.date(at: start))
        importTime = start - .hours(12)
        var generator = SeededGenerator(seed: seed)
        fillDirectory(classmates: classmates)
        fillTimetable(using: &generator)
        fillRecords(at: start, using: &generator)
        fillCommunity(at: start, using: &generator)
    }

    /// The next number of a series.
    mutating func number(_ series: Series) -> Int {
        let next = (lastNumbers[series] ?? series.rawValue) + 1
        lastNumbers[series] = next
        return next
    }

    /// The next identifier of a series in the form of a UUID.
    mutating func uuid(_ series: Series) -> String {
        let digits = String(number(series) - series.rawValue)
        let family = String(repeating: String(series.rawValue), count: 8)
        return "\(family)-0000-4000-8000-\(String(repeating: "0", count: 12 - digits.count))\(digits)"
    }

    // MARK: Looking up

    func date(at now: Timestamp) -> CalendarDate { zone.date(at: now) }
    func klasse(_ id: Int) -> Klasse? { klassen.first { $0.id == id } }
    func subject(_ id: Int?) -> Subject? { subjects.first { $0.id == id } }
    func teacher(_ id: Int?) -> Teacher? { teachers.first { $0.id == id } }
    func room(_ id: Int?) -> Room? { rooms.first { $0.id == id } }
    func student(_ id: Int) -> Student? { students.first { $0.id == id } }
    func course(_ number: Int) -> Course? { courses.first { $0.number == number } }
    /// By user name, whatever its case.
    func account(_ userName: String) -> Account? {
        let name = userName.lowercased()
        return accounts.first { $0.userName == name }
    }

    func lessons(of klasse: Int, on date: CalendarDate) -> [Lesson] {
        (lessons[ClassDay(klasse: klasse, date: date)] ?? [])
            .sorted { ($0.slot.start, $0.ids[0]) < ($1.slot.start, $1.ids[0]) }
    }
}
