import BotCore
import Values

/// Fires at times of day, once for each date of its zone.
struct WallClockSchedule: Sendable, Hashable {
    /// Days of the school's year that a schedule keeps to.
    enum DayKind: String, Sendable, CaseIterable {
        case schoolDays = "school-days"
        case holidays
    }

    /// Earliest first, each once.
    let times: [WallTime]
    /// 1 for Monday to 7 for Sunday; not empty.
    let weekdays: Set<Int>
    let zone: Zone
    /// How late it may still fire after an outage.
    let grace: TimeSpan
    /// Asked when it fires: whether that day is one of these.
    var onlyOn: DayKind?
    /// The sources whose calendars and timetables tell.
    var calendarSources: [String] = []

    static let standardGrace = TimeSpan.minutes(30)

    struct Moment: Sendable, Hashable {
        /// `2026-11-30T10:30`.
        let key: String
        let due: Timestamp
    }

    /// The moments after `start` up to and including `end`, earliest first. A time inside the gap of spring comes at its end, one inside the
    /// fold of autumn at the first of its two instants.
    func moments(after start: Timestamp, through end: Timestamp) -> [Moment] {
        guard start < end else { return [] }
        var moments: [Moment] = []
        // A gap may move a time past midnight, hence a day more on either side.
        var date = zone.date(at: start).adding(days: -1)
        let last = zone.date(at: end).adding(days: 1)
        while date <= last {
            moments += self.moments(on: date).filter { start < $0.due && $0.due <= end }
            date = date.adding(days: 1)
        }
        return moments.sorted { ($0.due, $0.key) < ($1.due, $1.key) }
    }

    /// The first moment after an instant.
    func next(after instant: Timestamp) -> Timestamp? {
        var date = zone.date(at: instant).adding(days: -1)
        // Some weekday comes within a week; two more days for what gaps move.
        for _ in 0..<10 {
            let dues = moments(on: date).map(\.due).filter { $0 > instant }
            if let due = dues.min() { return due }
            date = date.adding(days: 1)
        }
        return nil
    }

    private func moments(on date: CalendarDate) -> [Moment] {
        guard weekdays.contains(date.weekday) else { return [] }
        return times.map { Moment(key: "\(date)T\($0)", due: zone.instant(of: date, at: $0)) }
    }

    /// The date in a slot's key.
    static func date(inKey key: String) -> CalendarDate? { CalendarDate(key.prefix(10)) }
}
