import Values

/// A point in time as one zone's calendars and clocks show it, or a day alone.
struct Moment: Sendable {
    let date: CalendarDate
    let time: WallTime
    /// Whether only a day is known: it has no hour, and no zone moves it.
    let isDayOnly: Bool
    let instant: Timestamp
    let zone: Zone

    init(_ instant: Timestamp, in zone: Zone) {
        (date, time) = zone.reading(at: instant)
        isDayOnly = false
        self.instant = instant
        self.zone = zone
    }

    init(day: CalendarDate, in zone: Zone) {
        date = day
        time = .midnight
        isDayOnly = true
        instant = zone.instant(of: day, at: .midnight)
        self.zone = zone
    }

    private init(_ date: CalendarDate, _ time: WallTime, in zone: Zone) {
        self.init(zone.instant(of: date, at: time), in: zone)
    }

    /// The moment a value means: an instant, seconds since 1970, or one of the texts below. Nil for anything else.
    init?(_ datum: Datum, _ context: LiquidContext) {
        switch datum {
        case .value(.timestamp(let instant)): self.init(checked: instant, in: context.zone)
        case .value(.string(let text)): self.init(text: text, context)
        case .value(let value):
            guard let seconds = value.number, seconds.magnitude < Double(Self.farthestSecond) else { return nil }
            self.init(Timestamp(secondsSince1970: seconds), in: context.zone)
        default: return nil
        }
    }

    /// The last second of the year 9999; dates beyond have no text in RFC 3339.
    private static let farthestSecond: Int64 = 253_402_300_799

    private init?(checked instant: Timestamp, in zone: Zone) {
        guard instant.seconds.magnitude <= UInt64(Self.farthestSecond) else { return nil }
        self.init(instant, in: zone)
    }

    /// `now` and `today`, RFC 3339, `2026-11-30`, `2026-11-30T07:50` in the zone, seconds since 1970, `November 30, 2026`.
    private init?(text: String, _ context: LiquidContext) {
        let text = text.trimmingSpace
        if text == "now" || text == "today" {
            self.init(context.now, in: context.zone)
        } else if let instant = Timestamp(rfc3339: text) {
            self.init(instant, in: context.zone)
        } else if let day = CalendarDate(text) {
            self.init(day: day, in: context.zone)
        } else if let (date, time) = Self.local(text) {
            self.init(date, time, in: context.zone)
        } else if text.utf8.allSatisfy(\.isASCIIDigit), let seconds = Int64(text), seconds <= Self.farthestSecond {
            self.init(Timestamp(seconds: seconds), in: context.zone)
        } else if let day = Self.written(text) {
            self.init(day: day, in: context.zone)
        } else {
            return nil
        }
    }

    private static func local(_ text: String) -> (CalendarDate, WallTime)? {
        guard text.utf8.count > 11, let date = CalendarDate(text.prefix(10)),
            "T ".contains(text.dropFirst(10).prefix(1)),
            let time = WallTime(text.dropFirst(11))
        else { return nil }
        return (date, time)
    }

    /// `March 14, 2016` or `14 March 2016`, in any language of ours, months written out or shortened.
    private static func written(_ text: String) -> CalendarDate? {
        let parts = text.split { $0 == " " || $0 == "," || $0 == "." }
        guard parts.count == 3, let year = Int(parts[2]), (1...9999).contains(year) else { return nil }
        for (dayPart, monthPart) in [(parts[1], parts[0]), (parts[0], parts[1])] {
            if let day = Int(dayPart), let month = month(named: monthPart.lowercased()) {
                return CalendarDate(year: year, month: month, day: day)
            }
        }
        return nil
    }

    private static func month(named name: String) -> Int? {
        for locale in [LiquidLocale.en, .de, .it] {
            let words = CalendarWords.of(locale)
            for names in [words.months, words.shortMonths] {
                if let index = names.firstIndex(where: { $0.lowercased() == name }) { return index + 1 }
            }
        }
        return nil
    }

    // MARK: The calendar

    /// 1 for the first of January.
    var dayOfYear: Int {
        let first = CalendarDate(year: date.year, month: 1, day: 1) ?? date
        return Int(date.dayNumber - first.dayNumber) + 1
    }

    /// The week of ISO 8601 and the year it belongs to: the year of the week's Thursday.
    var week: (year: Int, number: Int) {
        let thursday = date.monday.adding(days: 3)
        let first = CalendarDate(year: thursday.year, month: 1, day: 1) ?? thursday
        return (thursday.year, Int(thursday.dayNumber - first.dayNumber) / 7 + 1)
    }
}

extension String {
    /// Without white space at either end.
    var trimmingSpace: String {
        var bytes = Substring(self).utf8.drop { $0.isLiquidSpace }
        while let last = bytes.last, last.isLiquidSpace { bytes = bytes.dropLast() }
        return String(Substring(bytes))
    }
}
