import Testing
import Values

@testable import SchoolSimulator

@Suite struct SchoolCalendarTests {
    /// Rules are tried in every month, and tests run on any day.
    @Test(arguments: [
        "2026-06-10", "2026-06-16", "2026-06-17", "2026-07-20", "2026-08-30", "2026-12-25", "2027-02-12", "2027-01-09",
    ])
    func `a school teaches soon, on whatever day it is opened`(text: String) throws {
        let date = try #require(CalendarDate(text))
        let calendar = SchoolCalendar(around: date)
        let soon = (1...8).map { date.adding(days: $0) }
        #expect(soon.filter(calendar.isSchoolDay).count >= 4, "\(soon.filter(calendar.isSchoolDay))")
        let years = calendar.years
        #expect(zip(years, years.dropFirst()).allSatisfy { $0.end < $1.start })
        #expect(calendar.year(containing: date)?.id == calendar.newest.id)
    }

    @Test func `a school that is opened in term keeps the real year and its holidays`() throws {
        let date = try #require(CalendarDate("2026-11-30"))
        let calendar = SchoolCalendar(around: date)
        #expect(calendar.newest.start.description == "2026-09-07" && calendar.newest.end.description == "2027-06-16")
        #expect(calendar.holidays.count == 7)
    }
}
