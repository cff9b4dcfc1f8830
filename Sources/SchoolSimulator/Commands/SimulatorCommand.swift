import Values

/// A day as somebody names it; which one it is depends on the school's present.
public enum DayWord: Sendable, Hashable {
    /// The present day of the school.
    case today
    /// The day after it, school day or not.
    case tomorrow
    /// The next lesson of the subject, whenever it is.
    case next
    /// 1 for Monday to 7: today or in the six days after it.
    case weekday(Int)
    /// A date of the calendar.
    case date(year: Int, month: Int, day: Int)
}

/// Which lesson is meant: of a subject on a day, the first that fits unless a time is given.
public struct LessonChoice: Sendable, Hashable {
    /// `MAT`.
    public var subject: String
    /// The day.
    public var day: DayWord
    /// Minutes since midnight at which it begins; nil for the first that fits.
    public var minute: Int?
    /// The class; nil for Anna's.
    public var klasse: String?
}

/// Something to make happen: one line of `simulate`, of a story, or of `POST /__simulator/command`.
public enum SimulatorCommand: Sendable, Hashable {
    // Timetable
    /// Cancels a lesson; the text is shown beside it, empty for none.
    case cancel(LessonChoice, text: String)
    /// Lets a lesson be as it was planned.
    case restore(LessonChoice)
    /// Cancels a lesson and puts another in its place; the teacher's short name, nil for who usually teaches that.
    case replace(LessonChoice, subject: String, teacher: String?)
    /// Moves a lesson to so many minutes after midnight, on another day or, with nil, on its own.
    case move(LessonChoice, minute: Int, day: DayWord?)
    /// Puts a lesson into another room.
    case room(LessonChoice, String)
    /// A teacher's short name, nil where nobody covers.
    case teacher(LessonChoice, String?, text: String)
    /// Writes a note on a lesson.
    case text(LessonChoice, String)
    /// Adds a lesson at the minute of the choice.
    case addLesson(LessonChoice)
    /// Takes a lesson out of the timetable.
    case removeLesson(LessonChoice)
    /// An event between two minutes of a day, which cancels the lessons under it.
    case event(DayWord, from: Int, to: Int, text: String, klasse: String?)
    /// Sends a lesson without its times.
    case spoil(LessonChoice)
    /// Gives every lesson new ids.
    case reimport
    // Grade book and class register
    /// Gives a mark; the kind is `written`, `oral` or `observation`.
    case grade(student: String, subject: String, mark: String, text: String, kind: String)
    /// Changes the newest mark in a subject, under its id.
    case changeGrade(student: String, subject: String, mark: String)
    /// Deletes the newest mark in a subject.
    case deleteGrade(student: String, subject: String)
    /// Notes an absence between two minutes of a day; nil for the first and the last bell of the morning.
    case absence(student: String, DayWord, from: Int?, to: Int?)
    /// Excuses the newest absence that is not.
    case excuse(student: String, reason: String)
    /// Makes a lesson an exam.
    case exam(LessonChoice, name: String)
    /// Sets homework.
    case homework(subject: String, due: DayWord, text: String, klasse: String?)
    /// Writes about a student into the class register.
    case note(student: String, subject: String, text: String)
    // Messages
    /// Sends a message to an account, with nil to all families.
    case message(subject: String, body: String, to: String?, from: String)
    /// A message's id, nil for the newest; by one account, nil for all.
    case read(Int?, by: String?)
    /// Publishes a message of the day.
    case news(subject: String, text: String)
    // POKYH
    /// Sets a reminder for Anna's class, due in so many minutes.
    case reminder(minutes: Int, title: String, body: String)
    /// Writes a to-do for a POKYH user, due in so many minutes or, with nil, never.
    case toDo(user: String, title: String, minutes: Int?)
    /// Ticks a to-do off.
    case finishToDo(user: String, title: String)
    /// Puts a dish on a menu; names that are nil are as in German, the price is in euros, 0 for unknown.
    case dish(DayWord, german: String, italian: String?, english: String?, price: Double)
    /// Gives a dish of a day another name; `first` means the first of the day.
    case renameDish(DayWord, from: String, to: String)
    /// Publishes menus for the next five school days without one.
    case publishMenu
    /// Shifts the dishes of past days to new dates, under their ids.
    case rollMenu
    /// Deletes POKYH's users, classes, to-dos and reminders as each August.
    case rollOver
    // The server
    /// Switches a fault on.
    case fault(Fault)
    /// The name of a fault, nil for all.
    case faultOff(String?)
    /// Sets the school's present to a minute of a day.
    case setClock(DayWord, minute: Int)
    /// Lets so much time pass at once.
    case advanceClock(seconds: Int)
    /// How many days ahead families see the timetable.
    case horizon(days: Int)
    /// Whether absence times are minutes since midnight instead of HHMM.
    case absenceTimesInMinutes(Bool)
    /// Whether POKYH's limits on requests apply.
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
    /// What goes wrong.
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
