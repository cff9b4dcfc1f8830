public import Values

extension YAMLNode {
    /// The units of lengths of time, and their nanoseconds. A day is 24 hours here.
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        ("d", 86_400_000_000_000),
    ]
    /// A hundred years: nothing in a rule or bot file lasts longer, and all sums below stay exact.
    private static let longest = TimeSpan.days(36_525)

    /// A length of time: `48h`, `30m`, `0.2s`, `14d`, `250ms`, or several parts as in `1h30m`. Exact to the nanosecond.
    public func asDuration(_ complaints: inout [Complaint]) -> TimeSpan? {
        guard let text = scalarText("a length of time", "30m", &complaints) else { return nil }
        guard let span = Self.duration(text) else {
            let isBare = text.utf8.allSatisfy(\.isDigit)
            let cure =
                isBare
                ? "give a unit: \(shown(text))s, \(shown(text))m, \(shown(text))h or \(shown(text))d"
                : "write it like 250ms, 10s, 30m, 48h, 14d or 1h30m"
            return refuse("this must be a length of time, not '\(shown(text))'", cure, &complaints)
        }
        guard span <= Self.longest else {
            return refuse("'\(shown(text))' is too long", "a length of time is at most 100 years", &complaints)
        }
        return span
    }

    private static func duration(_ text: String) -> TimeSpan? {
        var total = TimeSpan.zero
        var rest = Substring(text)
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(number.count)
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let unit = units.first(where: { $0.name == name }),
                let part = part(number, nanosecondsPerUnit: unit.nanoseconds)
            else { return nil }
            total = total + part
            if total > longest { return total }
        }
        return total
    }

    private static func part(_ number: Substring, nanosecondsPerUnit unit: Int64) -> TimeSpan? {
        let halves = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(halves.count), halves.allSatisfy({ !$0.isEmpty }), number.utf8.count <= 18,
            let whole = Int64(halves[0])
        else { return nil }
        var span = seconds(whole, of: unit)
        guard halves.count == 2 else { return span }
        guard halves[1].utf8.count <= 9, let fraction = Int64(halves[1]) else { return nil }
        var scale: Int64 = 1
        for _ in halves[1].utf8 { scale *= 10 }
        // unit is below 2^47 and scale at most 10^9: divided first, so that the product stays within 64 bits.
        let (each, remainder) = unit.quotientAndRemainder(dividingBy: scale)
        span = span + TimeSpan(seconds: 0, nanoseconds: fraction * each + fraction * remainder / scale)
        return span
    }

    private static func seconds(_ count: Int64, of unit: Int64) -> TimeSpan {
        if unit >= 1_000_000_000 {
            let (seconds, isTooLarge) = count.multipliedReportingOverflow(by: unit / 1_000_000_000)
            return isTooLarge ? longest + .seconds(1) : TimeSpan(seconds: seconds)
        }
        let perSecond = 1_000_000_000 / unit
        return TimeSpan(seconds: count / perSecond, nanoseconds: count % perSecond * unit)
    }

    /// A time of day: `07:45` or `07:45:30`.
    public func asWallTime(_ complaints: inout [Complaint]) -> WallTime? {
        guard let text = scalarText("a time of day", "07:45", &complaints) else { return nil }
        if let time = WallTime(text) { return time }
        if let padded = WallTime("0" + text) {
            return refuse("this must be a time of day, not '\(text)'", "write \(padded)", &complaints)
        }
        if text == "24:00" { return refuse("there is no 24:00", "write 00:00", &complaints) }
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        if (2...3).contains(numbers.count), !numbers.contains(nil) {
            let cure = "hours go from 00 to 23, minutes and seconds from 00 to 59"
            return refuse("there is no time '\(shown(text))'", cure, &complaints)
        }
        if Self.isCronLine(text) {
            let cure = "write the time, such as 07:45, and the days of the week under 'days:'"
            return refuse("a line of cron is no time of day", cure, &complaints)
        }
        return refuse("this must be a time of day, not '\(shown(text))'", "write it like 07:45", &complaints)
    }

    /// `0 7 1 * 1`: five fields of digits, names and signs (POSIX crontab).
    private static func isCronLine(_ text: String) -> Bool {
        let fields = text.split(separator: " ")
        return fields.count == 5
            && fields.allSatisfy { field in
                field.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "*,-/".contains($0)) }
            }
    }

    /// A day of the calendar: `2026-12-01`.
    public func asDate(_ complaints: inout [Complaint]) -> CalendarDate? {
        guard let text = scalarText("a date", "2026-12-01", &complaints) else { return nil }
        if let date = CalendarDate(text) { return date }
        return refuse(
            "this must be a date, not '\(shown(text))'",
            "write year-month-day, such as 2026-12-01; the day must exist",
            &complaints
        )
    }

    /// A date and a time of day, in the zone that the key's reader knows: `2026-12-01T07:50`.
    public func asDateAndTime(_ complaints: inout [Complaint]) -> (date: CalendarDate, time: WallTime)? {
        guard let text = scalarText("a date and time", "2026-12-01T07:50", &complaints) else { return nil }
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        if halves.count == 2, let date = CalendarDate(halves[0]), let time = WallTime(halves[1]) { return (date, time) }
        let cure = "write it like 2026-12-01T07:50, without a zone; the day must exist"
        return refuse("this must be a date and time, not '\(shown(text))'", cure, &complaints)
    }
}
