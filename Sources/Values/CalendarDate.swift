/// A day of the Gregorian calendar, without a zone: how timetables, menus and grades name their days.
public struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Days since 1970-01-01, which is day 0; negative before.
    public let dayNumber: Int64

    public init(dayNumber: Int64) { self.dayNumber = dayNumber }

    /// Nil where the calendar has no such day (31 April, 29 February of a common year).
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, in: year) else { return nil }
        // Days from civil: years are counted from 1 March, so that the leap day is a year's last
        // (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
        let shifted = Int64(month <= 2 ? year - 1 : year)
        let (era, yearOfEra) = shifted.floorDivided(by: 400)
        let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
        dayNumber = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// `2026-11-30`, exactly so, or nil.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public var year: Int { civil.year }
    public var month: Int { civil.month }
    public var day: Int { civil.day }

    /// Year, month and day, computed once for callers that need all three.
    public var civil: (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (dayNumber + 719_468).floorDivided(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        let month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, day)
    }

    /// 1 for Monday to 7 for Sunday (ISO 8601).
    public var weekday: Int { Int((dayNumber + 3).floorDivided(by: 7).remainder) + 1 }

    /// `2026-11-30`.
    public var description: String {
        let (year, month, day) = civil
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// The date so many days later; earlier for a negative number.
    public func adding(days: Int) -> CalendarDate { CalendarDate(dayNumber: dayNumber + Int64(days)) }

    /// The Monday of this day's week.
    public var monday: CalendarDate { adding(days: 1 - weekday) }

    public static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.dayNumber < right.dayNumber }

    /// How many days a month has: 28 to 31.
    public static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// A time of day on a wall clock, to the second, without a zone.
public struct WallTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// 0 ..< 86,400.
    public let secondOfDay: Int

    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else { return nil }
        secondOfDay = hour * 3600 + minute * 60 + second
    }

    /// `07:45` or `07:45:30`, or nil.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count),
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        self.init(hour: numbers[0], minute: numbers[1], second: numbers.count > 2 ? numbers[2] : 0)
    }

    public static let midnight = WallTime(secondOfDay: 0)
    private init(secondOfDay: Int) { self.secondOfDay = secondOfDay }

    public var hour: Int { secondOfDay / 3600 }
    public var minute: Int { secondOfDay / 60 % 60 }
    public var second: Int { secondOfDay % 60 }

    /// `07:45`; with seconds where there are any.
    public var description: String {
        let short = "\(padded(hour, 2)):\(padded(minute, 2))"
        return second == 0 ? short : "\(short):\(padded(second, 2))"
    }

    public static func < (left: WallTime, right: WallTime) -> Bool { left.secondOfDay < right.secondOfDay }
}

/// A non-negative number in decimal with leading zeros up to a width.
func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return digits.count >= width ? digits : String(repeating: "0", count: width - digits.count) + digits
}
