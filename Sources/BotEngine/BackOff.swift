import BotCore
import Values

/// How long to wait after failures: growing, spread at random so that what failed together does not come back together.
struct BackOff: Sendable {
    private let steps: [TimeSpan]
    /// The part of a step that is always waited for; the rest is left to chance.
    private let certain: Double

    /// The last step holds for all later failures.
    private init(_ steps: [TimeSpan], certain: Double) {
        self.steps = steps
        self.certain = certain
    }

    /// For sources: an hour at most, the usual interval of a timetable; a school that has trouble is left alone for half of it at least.
    static let polling = BackOff(
        [.seconds(30), .minutes(1), .minutes(2), .minutes(5), .minutes(15), .minutes(30), .hours(1)],
        certain: 0.5
    )
    /// For deliveries: soon at first, then at the pace at which greylisting mail servers want to be asked again (a minute to a day
    /// after the first try, RFC 6647 section 5).
    static let delivery = BackOff([.seconds(5), .seconds(30), .minutes(5), .minutes(15), .hours(1)], certain: 0)

    /// For a recipient who is not to be sent to now. Greylisting lasts some minutes (RFC 6647 section 5): with the first tries at 0, 5 and
    /// 15 minutes the third arrives, and nobody is asked every minute.
    static let recipient = BackOff(
        [.minutes(5), .minutes(10), .minutes(15), .minutes(30), .hours(1)],
        certain: 0.8
    )

    /// What servers may ask for at most; a longer wish counts as this.
    static let longestWish = TimeSpan.days(1)

    /// - Parameters:
    ///   - failures: in a row, from 1.
    ///   - wish: what the server asked for; it wins, and is never undercut.
    ///   - share: where in the span to wait, 0 ..< 1; at least a second is waited.
    func wait(after failures: Int, wish: TimeSpan?, share: Double) -> TimeSpan {
        if let wish { return min(max(wish, .seconds(1)), Self.longestWish) }
        let step = steps[min(max(failures, 1), steps.count) - 1]
        return max(.seconds(1), step * (certain + (1 - certain) * share))
    }
}

/// The chance that spreads waits; handed in, so that tests have a seeded one.
struct Jitter: Sendable {
    private var generator: any RandomNumberGenerator & Sendable

    init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = generator }

    /// 0 ..< 1.
    mutating func share() -> Double { Double(generator.next() >> 11) / 9_007_199_254_740_992 }
}
