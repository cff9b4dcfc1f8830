import BotEngine
import Testing
import Values

@Suite struct PollIntervalTests {
    private let interval = PollInterval(
        .minutes(60),
        periods: [
            .init(from: WallTime("05:30") ?? .midnight, to: WallTime("08:00") ?? .midnight, interval: .minutes(15))
        ]
    )

    /// Times of 2026-11-30 in Rome.
    @Test(arguments: [
        ("03:10", "04:10"), ("05:00", "05:30"), ("05:29", "05:44"), ("05:45", "06:00"), ("07:50", "08:50"),
        ("07:45", "08:45"),
        ("07:44", "07:59"), ("12:00", "13:00"),
    ])
    func `the time of day decides how soon a source is polled again`(last: String, next: String) throws {
        let zone = try #require(Zone("Europe/Rome"))
        let day = try #require(CalendarDate("2026-11-30"))
        let at = { (text: String) in zone.instant(of: day, at: WallTime(text) ?? .midnight) }
        #expect(interval.next(after: at(last), in: zone) == at(next))
    }
}
