public import Values

/// Days from the first to the last, both included.
public struct DateWindow: Sendable, Hashable {
    public var first: CalendarDate
    public var last: CalendarDate

    /// - Precondition: none; a window whose last day lies before its first contains nothing.
    public init(_ first: CalendarDate, through last: CalendarDate) {
        self.first = first
        self.last = last
    }

    /// Whether a day lies in it, both ends included.
    public func contains(_ date: CalendarDate) -> Bool { first <= date && date <= last }

    public var dates: [CalendarDate] {
        first <= last ? (first.dayNumber...last.dayNumber).map { CalendarDate(dayNumber: $0) } : []
    }
}

/// What a provider is told when it is asked.
public struct FetchRequest: Sendable {
    public var now: Timestamp
    /// The source's zone: the school's, else the bot's.
    public var zone: Zone
    /// What the last good poll asked to be reminded of; `.null` before the first.
    public var memo: Value
    /// The keys of the records that the memory holds; lets a provider stop paging at what is known.
    public var knownKeys: Set<String>

    public init(now: Timestamp, zone: Zone, memo: Value = .null, knownKeys: Set<String> = []) {
        self.now = now
        self.zone = zone
        self.memo = memo
        self.knownKeys = knownKeys
    }

    public var today: CalendarDate { zone.date(at: now) }
}

/// What a source looked like at one moment, proven whole.
///
/// A provider that cannot prove that the far end answered completely throws instead: half an answer is an error.
public struct Snapshot: Sendable, Hashable {
    /// The records of the window; nil where the far end said that nothing has changed since `memo`.
    public var records: [Record]?
    /// The days asked for; nil where the answer is the whole list and everything absent from it is gone.
    public var window: DateWindow?
    /// Days of the window of which the answer says nothing: not published, not allowed, in the holidays. They are neither learnt
    /// nor compared.
    public var unknownDates: Set<CalendarDate>
    /// Keys of records that are there but could not be read; their stored state is kept. Entries that have no readable key are
    /// counted in `unreadable` alone.
    public var unreadableKeys: Set<String>
    /// How many entries of the answer could not be read.
    public var unreadable: Int
    /// What an admin should know of an answer that is good but not all that was asked for; logged when it is not what the last answer
    /// said. Empty for nothing; no names, no secrets, nothing that is another every day.
    public var remark: String
    /// Handed back with the next request: an ETag, an import time, the limit of the visible days.
    public var memo: Value
    /// The span in which keys keep their meaning, such as a school year. A new era is learnt silently, like a first poll.
    public var era: String
    /// Whom all records are about.
    public var student: Student
    /// What the answer told of the school's year, if it did.
    public var calendar: SchoolCalendar?

    public init(
        records: [Record]?,
        window: DateWindow? = nil,
        unknownDates: Set<CalendarDate> = [],
        unreadableKeys: Set<String> = [],
        unreadable: Int = 0,
        remark: String = "",
        memo: Value = .null,
        era: String = "",
        student: Student = .nobody,
        calendar: SchoolCalendar? = nil
    ) {
        self.records = records
        self.window = window
        self.unknownDates = unknownDates
        self.unreadableKeys = unreadableKeys
        self.unreadable = unreadable
        self.remark = remark
        self.memo = memo
        self.era = era
        self.student = student
        self.calendar = calendar
    }
}

/// When a school keeps school: its years and its holidays, as it publishes them.
public struct SchoolCalendar: Sendable, Hashable {
    /// Days without school, under the name that the school gives them.
    public struct Holiday: Sendable, Hashable {
        public var name: String
        public var days: DateWindow

        public init(name: String, days: DateWindow) {
            self.name = name
            self.days = days
        }
    }

    public var years: [DateWindow]
    public var holidays: [Holiday]

    public init(years: [DateWindow], holidays: [Holiday]) {
        self.years = years
        self.holidays = holidays
    }

    /// Whether a day is free by the calendar alone: outside every school year (where any is known) or inside holidays.
    public func isFree(_ date: CalendarDate) -> Bool {
        if !years.isEmpty, !years.contains(where: { $0.contains(date) }) { return true }
        return holidays.contains { $0.days.contains(date) }
    }
}
