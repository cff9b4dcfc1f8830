public import Values

/// How often a source is polled, by time of day: `{default: 60m, "05:30-08:00": 15m}`.
public struct PollInterval: Sendable, Hashable {
    /// An interval that holds from one time of day to another, the second excluded; over midnight where the second is the earlier one.
    public struct Period: Sendable, Hashable {
        public var from: WallTime
        public var to: WallTime
        public var interval: TimeSpan

        public init(from: WallTime, to: WallTime, interval: TimeSpan) {
            self.from = from
            self.to = to
            self.interval = interval
        }

        func contains(_ time: WallTime) -> Bool {
            from <= to ? from <= time && time < to : time >= from || time < to
        }
    }

    /// Where no period holds.
    public var standard: TimeSpan
    /// The first that contains a time holds.
    public var periods: [Period]

    public init(_ standard: TimeSpan, periods: [Period] = []) {
        self.standard = standard
        self.periods = periods
    }

    /// The interval that holds at a time of day.
    public func interval(at time: WallTime) -> TimeSpan {
        periods.first { $0.contains(time) }?.interval ?? standard
    }

    /// The first moment after a poll at which the interval that then holds has passed.
    public func next(after last: Timestamp, in zone: Zone) -> Timestamp {
        var start = last
        // Within two days every period has come once, and the interval only ever changes at a period's edge.
        let end = last + .days(2)
        while start < end {
            let due = max(start, last + interval(at: zone.reading(at: start).time))
            let edge = nextEdge(after: start, in: zone)
            if due < edge { return due }
            start = edge
        }
        return max(start, last + standard)
    }

    private func nextEdge(after instant: Timestamp, in zone: Zone) -> Timestamp {
        guard !periods.isEmpty else { return instant + .days(2) }
        let today = zone.date(at: instant)
        let edges = [today, today.adding(days: 1)].flatMap { date in
            periods.flatMap { [zone.instant(of: date, at: $0.from), zone.instant(of: date, at: $0.to)] }
        }
        return edges.filter { $0 > instant }.min() ?? instant + .days(1)
    }
}
