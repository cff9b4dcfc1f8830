import Values

/// Fires after elapsed time: at the multiples of an interval since 1970, in UTC, whatever clocks on walls do.
struct IntervalSchedule: Sendable, Hashable {
    /// At least a minute.
    let interval: TimeSpan

    static let shortest = TimeSpan.minutes(1)

    /// The moments after `start` up to and including `end`, as far as one of them may still be fired: of missed ones only the last counts.
    func moments(after start: Timestamp, through end: Timestamp) -> [Timestamp] {
        let step = interval.seconds
        let last = end.seconds.floorDivided(by: step).quotient * step
        let moment = Timestamp(seconds: last)
        return start < moment && moment <= end ? [moment] : []
    }

    func next(after instant: Timestamp) -> Timestamp {
        let step = interval.seconds
        return Timestamp(seconds: (instant.seconds.floorDivided(by: step).quotient + 1) * step)
    }
}
