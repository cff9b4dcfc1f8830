import Testing
import Values

@Suite struct ZoneTests {
    let rome = Zone("Europe/Rome")

    @Test(arguments: [
        ("2026-11-30", "07:50", "2026-11-30T06:50:00Z"),
        ("2026-07-01", "07:50", "2026-07-01T05:50:00Z"),
        // The gap: 02:00 to 03:00 does not exist; the first instant after it is 03:00 summer time.
        ("2026-03-29", "02:30", "2026-03-29T01:00:00Z"),
        ("2026-03-29", "03:00", "2026-03-29T01:00:00Z"),
        ("2026-03-29", "01:59", "2026-03-29T00:59:00Z"),
        // The fold: 02:00 to 03:00 comes twice; the first counts.
        ("2026-10-25", "02:30", "2026-10-25T00:30:00Z"),
        ("2026-10-25", "03:00", "2026-10-25T02:00:00Z"),
    ])
    func `a wall-clock time is one instant, in the gap the first after it, in the fold the earlier`(
        date: String,
        time: String,
        instant: String
    ) throws {
        let zone = try #require(rome)
        let found = zone.instant(of: try #require(CalendarDate(date)), at: try #require(WallTime(time)))
        #expect(found.rfc3339 == instant)
    }

    @Test func `every hour of a year reads back as itself, the second pass of the fold aside`() throws {
        let zone = try #require(rome)
        let start = try #require(Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
        for hour in 0..<8784 {
            let instant = start + .hours(Int64(hour))
            let (date, time) = zone.reading(at: instant)
            let back = zone.instant(of: date, at: time)
            #expect(back == instant || back == instant - .hours(1) && date.description == "2026-10-25")
        }
    }

    @Test(arguments: ["", "Rome", "Europe/Rom", "CET+1", "EST"]) func `an unknown zone is refused`(name: String) {
        #expect(Zone(name) == nil)
    }

    @Test func `dates count days over leap years and name their weekday`() throws {
        let monday = try #require(CalendarDate("2026-11-30"))
        #expect(monday.weekday == 1)
        #expect(monday.adding(days: 92).description == "2027-03-02")
        #expect(CalendarDate("2027-02-29") == nil)
        #expect(CalendarDate("2028-02-29")?.adding(days: 1).description == "2028-03-01")
        #expect(CalendarDate("2026-1-3") == nil)
        for day in stride(from: Int64(-200_000), through: 200_000, by: 97) {
            let date = CalendarDate(dayNumber: day)
            #expect(CalendarDate(year: date.year, month: date.month, day: date.day) == date)
        }
    }
}
