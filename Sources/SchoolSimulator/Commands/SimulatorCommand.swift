import Values

/// A day as somebody names it; which one it is depends on the school's present.
public enum DayWord: Sendable, Hashable {
    case today
    case tomorrow
    /// The next lesson of the subject, whenever it is.
    case next
    /// 1 for Monday to 7: today or in the six days after it.
    case weekday(Int)
    case date(year: Int, month: Int, day: Int)
}

/// Which lesson is meant: of a subject on a day, the first that fits unless a time is given.
public struct LessonChoice: Sendable, Hashable {
    /// `MAT`.
    public var subject: String
    public var day: DayWord
    /// Minutes since midnight at which it begins; nil for the first that fits.
    public var minute: Int?
    /// The class; nil for Anna's.
    public var klasse: String?
}

/// Something to make happen: one line of `simulate`, of a story, or of `POST /__simulator/command`.
public enum SimulatorCommand: Sendable, Hashable {
    // Timetable
    case cancel(LessonChoice, text: String)
    case restore(LessonChoice)
    case replace(LessonChoice, subject: String, teacher: String?)
    case move(LessonChoice, minute: Int, day: DayWord?)
    case room(LessonChoice, String)
    /// A teacher's short name, nil where nobody covers.
    case teacher(LessonChoice, String?, text: String)
    case text(LessonChoice, String)
    case addLesson(LessonChoice)
    case removeLesson(LessonChoice)
    case event(DayWord, from: Int, to: Int, text: String, klasse: String?)
    case reimport
    // Grade book and class register
    case grade(student: String, subject: String, mark: String, text: String, kind: String)
    case changeGrade(student: String, subject: String, mark: String)
    case deleteGrade(student: String, subject: String)
    case absence(student: String, DayWord, from: Int?, to: Int?)
    case excuse(student: String, reason: String)
    case exam(LessonChoice, name: String)
    case homework(subject: String, due: DayWord, text: String, klasse: String?)
    case note(student: String, subject: String, text: String)
    // Messages
    case message(subject: String, body: String, to: String?, from: String)
    /// A message's id, nil for the newest; by one account, nil for all.
    case read(Int?, by: String?)
    case news(subject: String, text: String)
    // POKYH
    case reminder(minutes: Int, title: String, body: String)
    case toDo(user: String, title: String, minutes: Int?)
    case finishToDo(user: String, title: String)
    case dish(DayWord, german: String, italian: String?, english: String?, price: Double)
    case renameDish(DayWord, from: String, to: String)
    case publishMenu
    case rollMenu
    case rollOver
    // The server
    case fault(Fault)
    /// The name of a fault, nil for all.
    case faultOff(String?)
    case setClock(DayWord, minute: Int)
    case advanceClock(seconds: Int)
    case horizon(days: Int)
    case absenceTimesInMinutes(Bool)
    case rateLimits(Bool)
}

/// Something that goes wrong on purpose, until it is switched off.
public struct Fault: Sendable, Hashable {
    /// What goes wrong.
    public enum Kind: Sendable, Hashable {
        /// This status with a short text; `Retry-After` in seconds where it is given.
        case http(status: Int, retryAfter: Int?)
        /// 200 and a login page.
        case html
        /// 200 and the usual answer with every list in it empty.
        case empty
        /// 200 and the first half of the usual answer.
        case half
        /// No answer, ever.
        case hang
        /// The usual answer, a kilobyte at a time with a pause before each, in milliseconds.
        case slow(Int)
        /// The usual answer after so many milliseconds.
        case delay(Int)
        /// 200 and a small gzip body that unpacks to 256 MiB.
        case bomb
        /// The usual answer, cut off in its middle by closing the connection.
        case cut
        /// A user is locked (-8998).
        case locked(String)
        /// -8509 or 403 for a JSON-RPC method or a kind of data: `grades`, `messages`, `absences`, …
        case denied(String)
        /// The server says that there is no current school year.
        case betweenYears
        /// Every session, or every token, is at its end: once.
        case expired(tokens: Bool)
    }
    public var kind: Kind
    /// Only requests whose path begins so, nil for all.
    public var path: String?
    /// Only so many requests, nil for as long as it stays on.
    public var times: Int?

    /// The word it is switched off by.
    public var name: String {
        switch kind {
        case .http: "http"
        case .html: "html"
        case .empty: "empty"
        case .half: "half"
        case .hang: "hang"
        case .slow: "slow"
        case .delay: "delay"
        case .bomb: "bomb"
        case .cut: "cut"
        case .locked: "locked"
        case .denied: "denied"
        case .betweenYears: "between-years"
        case .expired: "expired"
        }
    }
}
