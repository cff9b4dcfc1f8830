/// An instant: whole seconds since 1970-01-01T00:00:00Z (negative before) and 0 ..< 1,000,000,000 nanoseconds on top.
public struct Timestamp: Sendable, Hashable, Comparable {
    public let seconds: Int64
    public let nanoseconds: Int32

    /// - Parameter nanoseconds: may be outside one second; whole seconds in it are carried over.
    public init(seconds: Int64, nanoseconds: Int64 = 0) {
        let (carried, rest) = nanoseconds.floorDivided(by: 1_000_000_000)
        self.seconds = seconds &+ carried
        self.nanoseconds = Int32(rest)
    }

    /// Seconds since 1970 as a floating-point number; exact to about a microsecond in this century.
    public init(secondsSince1970 value: Double) {
        let whole = value.rounded(.down)
        self.init(seconds: Int64(whole), nanoseconds: Int64(((value - whole) * 1e9).rounded()))
    }

    public var secondsSince1970: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

    /// Milliseconds since 1970, rounded down: the resolution of the store.
    public var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds / 1_000_000) }

    public init(milliseconds: Int64) {
        let (seconds, rest) = milliseconds.floorDivided(by: 1000)
        self.init(seconds: seconds, nanoseconds: rest * 1_000_000)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    public static func + (left: Timestamp, right: TimeSpan) -> Timestamp {
        Timestamp(
            seconds: left.seconds &+ right.seconds,
            nanoseconds: Int64(left.nanoseconds) + Int64(right.nanoseconds)
        )
    }

    public static func - (left: Timestamp, right: TimeSpan) -> Timestamp {
        Timestamp(
            seconds: left.seconds &- right.seconds,
            nanoseconds: Int64(left.nanoseconds) - Int64(right.nanoseconds)
        )
    }

    public static func - (left: Timestamp, right: Timestamp) -> TimeSpan {
        TimeSpan(
            seconds: left.seconds &- right.seconds,
            nanoseconds: Int64(left.nanoseconds) - Int64(right.nanoseconds)
        )
    }
}

/// A length of time: seconds and nanoseconds of the same sign (either may be 0), as protobuf's Duration has them.
public struct TimeSpan: Sendable, Hashable, Comparable {
    public let seconds: Int64
    public let nanoseconds: Int32

    public init(seconds: Int64, nanoseconds: Int64 = 0) {
        var whole = seconds &+ nanoseconds / 1_000_000_000
        var rest = nanoseconds % 1_000_000_000
        if whole > 0 && rest < 0 {
            whole -= 1
            rest += 1_000_000_000
        } else if whole < 0 && rest > 0 {
            whole += 1
            rest -= 1_000_000_000
        }
        self.seconds = whole
        self.nanoseconds = Int32(rest)
    }

    public static let zero = TimeSpan(seconds: 0)
    /// So many seconds.
    public static func seconds(_ count: Int64) -> TimeSpan { TimeSpan(seconds: count) }
    /// So many thousandths of a second.
    public static func milliseconds(_ count: Int64) -> TimeSpan {
        TimeSpan(seconds: count / 1000, nanoseconds: count % 1000 * 1_000_000)
    }
    /// So many times 60 seconds.
    public static func minutes(_ count: Int64) -> TimeSpan { TimeSpan(seconds: count * 60) }
    /// So many times 3600 seconds.
    public static func hours(_ count: Int64) -> TimeSpan { TimeSpan(seconds: count * 3600) }
    /// So many times 24 hours; calendar days are `CalendarDate`'s.
    public static func days(_ count: Int64) -> TimeSpan { TimeSpan(seconds: count * 86_400) }

    public var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds / 1_000_000) }

    public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
    public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(
            seconds: left.seconds &+ right.seconds,
            nanoseconds: Int64(left.nanoseconds) + Int64(right.nanoseconds)
        )
    }
    public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan { left + (-right) }
    public static prefix func - (span: TimeSpan) -> TimeSpan {
        TimeSpan(seconds: 0 &- span.seconds, nanoseconds: -Int64(span.nanoseconds))
    }

    /// A factor of a span, exact to the millisecond; for back-off.
    public static func * (span: TimeSpan, factor: Double) -> TimeSpan {
        .milliseconds(Int64((Double(span.milliseconds) * factor).rounded()))
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity, and the remainder that is never negative.
    public func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
