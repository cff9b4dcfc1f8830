import Values

/// A year of lessons, both ends included.
struct SchoolYear: Sendable {
    let id: Int
    let name: String
    let start: CalendarDate
    let end: CalendarDate

    func contains(_ date: CalendarDate) -> Bool { start <= date && date <= end }
}

/// Days without lessons, both ends included.
struct Holiday: Sendable {
    let id: Int
    let name: String
    let longName: String
    let start: CalendarDate
    let end: CalendarDate

    func contains(_ date: CalendarDate) -> Bool { start <= date && date <= end }
}

/// From when to when, on one day.
struct Slot: Sendable, Hashable {
    var date: CalendarDate
    var start: WallTime
    var end: WallTime
}

/// One unit of the time grid.
struct Bell: Sendable {
    let number: Int
    let start: WallTime
    let end: WallTime
}

/// When the school teaches: years, holidays and bells, all following from the year of one date.
struct SchoolCalendar: Sendable {
    let years: [SchoolYear]
    let holidays: [Holiday]
    let bells: [Bell]

    /// - Parameter date: a day of the newest school year. After 16 June that is the year which begins in September.
    ///
    /// Whoever opens a simulated school wants it to teach: opened in the summer or shortly before, its year is longer than a real one, and
    /// long holidays that have begun or are about to are left out.
    init(around date: CalendarDate) {
        let isOver = date > Self.day(date.year, 6, 16)
        let first = isOver ? date.year : date.year - 1
        years = (0..<3).map { number in
            let year = Self.year(first - 2 + number, id: 15 + number)
            if number < 2 { return year }
            return SchoolYear(
                id: year.id,
                name: year.name,
                start: min(year.start, max(date.monday.adding(days: -7), Self.day(first, 6, 17))),
                end: max(year.end, date.adding(days: 28))
            )
        }
        holidays = Self.holidays(ofYearBeginning: first).filter { holiday in
            let isLong = holiday.start.adding(days: 4) <= holiday.end
            return !isLong || date.adding(days: 3) < holiday.start || holiday.end < date
        }
        bells = Self.makeBells()
    }

    var newest: SchoolYear { years[years.count - 1] }

    func year(containing date: CalendarDate) -> SchoolYear? { years.first { $0.contains(date) } }

    func holiday(on date: CalendarDate) -> Holiday? { holidays.first { $0.contains(date) } }

    /// Whether lessons are planned: Monday to Friday of the newest year outside the holidays.
    func isSchoolDay(_ date: CalendarDate) -> Bool {
        newest.contains(date) && date.weekday <= 5 && holiday(on: date) == nil
    }

    /// From the first Monday after 4 September to 16 June, as South Tyrol's schools do.
    private static func year(_ first: Int, id: Int) -> SchoolYear {
        let september = day(first, 9, 5)
        let start = september.weekday == 1 ? september : september.monday.adding(days: 7)
        return SchoolYear(id: id, name: "\(first)/\(first + 1)", start: start, end: day(first + 1, 6, 16))
    }

    private static func holidays(ofYearBeginning first: Int) -> [Holiday] {
        let next = first + 1
        let table: [(String, String, CalendarDate, CalendarDate)] = [
            ("Allerh", "Allerheiligen", day(first, 11, 1), day(first, 11, 2)),
            ("Mariä", "Mariä Empfängnis", day(first, 12, 8), day(first, 12, 8)),
            ("Weihn", "Weihnachten", day(first, 12, 24), day(next, 1, 6)),
            ("Fasch", "Faschingsferien", day(next, 2, 10), day(next, 2, 16)),
            ("Befr", "Tag der Befreiung", day(next, 4, 25), day(next, 4, 25)),
            ("Arbeit", "Tag der Arbeit", day(next, 5, 1), day(next, 5, 1)),
            ("Rep", "Tag der Republik", day(next, 6, 2), day(next, 6, 2)),
        ]
        return table.enumerated().map { position, row in
            Holiday(id: 41 + position, name: row.0, longName: row.1, start: row.2, end: row.3)
        }
    }

    /// The bells of a school in Brixen (protocols: minutes 470 to 1005), 50 minutes each.
    private static func makeBells() -> [Bell] {
        let starts = [470, 520, 570, 635, 685, 735, 795, 845, 905, 955]
        return starts.enumerated().map { position, minute in
            Bell(number: position + 1, start: time(minute), end: time(minute + 50))
        }
    }

    private static func time(_ minute: Int) -> WallTime {
        WallTime(hour: minute / 60, minute: minute % 60) ?? .midnight
    }

    private static func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate {
        CalendarDate(year: year, month: month, day: day) ?? CalendarDate(dayNumber: 0)
    }
}

extension CalendarDate {
    /// 20261130: how WebUntis writes days outside its view API.
    var compactNumber: Int { year * 10_000 + month * 100 + day }

    /// A day written as 20261130 or 2026-11-30, nil for anything else.
    init?(webUntis text: String) {
        if let number = Int(text), text.utf8.count == 8 {
            self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
        } else {
            self.init(text)
        }
    }

    /// `Monday`.
    var weekdayName: String {
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][weekday - 1]
    }
}

extension WallTime {
    /// 750 for 07:50: how WebUntis writes times outside its view API.
    var compactNumber: Int { hour * 100 + minute }

    /// Minutes since midnight.
    var minuteOfDay: Int { hour * 60 + minute }

    /// So many minutes later; the last minute of the day where that is past it.
    func adding(minutes: Int) -> WallTime {
        let minute = min(max(minuteOfDay + minutes, 0), 24 * 60 - 1)
        return WallTime(hour: minute / 60, minute: minute % 60) ?? self
    }
}
