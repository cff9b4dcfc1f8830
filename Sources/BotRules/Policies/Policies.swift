import CEL
import Values

/// What a rule says about when, how often and in how many messages it tells.
struct Policies: Sendable {
    /// After what time a message is stale; nil for what the event's declaration says.
    var expires: TimeSpan?
    /// How near the record's time must be before its events are told; nil for at once.
    var within: Nearness?
    var group: GroupPolicy?
    /// When what was collected is told; nil for at once.
    var digest: WallClockSchedule?
    var quiet: QuietHours?
    /// Nil for `limit: none`.
    var limit: LimitPolicy? = .standard
    /// Whether what was told and is no longer true is corrected.
    var follows = true

    /// Whether news may wait in the memory before they are told.
    var isImmediate: Bool { within == nil && group == nil && digest == nil && quiet == nil }
}

/// Why several pieces of news stand in one message.
enum Gathering: Sendable, Hashable {
    /// They came at once, and are too many for one message each.
    case flood
    case digest
    case quietHours
    case limit
}

/// `within: 48h`: told once the time of the record is that near.
struct Nearness: Sendable, Hashable {
    let span: TimeSpan
    /// By record type: the field with its time.
    let fields: [String: String]
}

/// `group`: what has the same key is told in one message.
struct GroupPolicy: Sendable {
    let key: CELProgram
    /// How long after the last event, and after the first at most.
    let wait: TimeSpan
    let longest: TimeSpan

    static let standardWait = TimeSpan.minutes(5)
}

/// `quiet`: hours of the day in which nobody is disturbed.
struct QuietHours: Sendable, Hashable {
    enum Choice: String, Sendable, CaseIterable {
        /// Told at the end of these hours, in one message.
        case hold
        case drop
        /// Told at once, without a sound.
        case silent
    }

    let from: WallTime
    let to: WallTime
    let zone: Zone
    let then: Choice

    /// When the quiet hours end that an instant lies in; nil where it lies in none.
    func end(at instant: Timestamp) -> Timestamp? {
        let today = zone.date(at: instant)
        for offset in [-1, 0] {
            let day = today.adding(days: offset)
            let start = zone.instant(of: day, at: from)
            let end = zone.instant(of: from < to ? day : day.adding(days: 1), at: to)
            if start <= instant, instant < end { return end }
        }
        return nil
    }
}

/// `limit`: never more than so many messages in a span of time, for each sink and list of recipients.
struct LimitPolicy: Sendable, Hashable {
    enum Choice: String, Sendable, CaseIterable {
        /// The rest in one message at the end of the span.
        case digest
        case drop
    }

    let most: Int
    let per: TimeSpan
    let then: Choice

    static let standard = LimitPolicy(most: 30, per: .hours(1), then: .digest)
}
