import Foundation

/// A time zone of the IANA database: turns instants into wall-clock readings and back.
///
/// A wall-clock time inside the gap of spring becomes the first instant after the gap; one inside the fold of autumn the
/// earlier of the two instants (RFC 5545 section 3.3.5 leaves the gap open; the promise to rule authors does not).
public struct Zone: Sendable, Hashable {
    /// `Europe/Rome`, `UTC`.
    public let name: String
    private let zone: TimeZone

    /// Nil where the database has no zone of this name. Abbreviations such as `CET` that Foundation would map are refused unless
    /// the database lists them, so that nobody gets a zone without the daylight-saving rules of the place.
    public init?(_ name: String) {
        if name.isEmpty { Self.keepZoneData() }
        guard let zone = TimeZone(identifier: name), name.contains("/") || Self.plainNames.contains(name) else {
            return nil
        }
        self.name = name
        self.zone = zone
    }

    /// Linked statically, Foundation knows no zone but GMT unless something refers to ICU; this does (measured with Swift 6.3.1).
    private static func keepZoneData() { _ = Date(timeIntervalSince1970: 0).formatted(.dateTime.year()) }

    private static let plainNames: Set<String> = ["UTC", "GMT"]

    public static let utc = Zone(name: "UTC", offset: 0)
    private init(name: String, offset: Int) {
        self.name = name
        self.zone = TimeZone(secondsFromGMT: offset) ?? .gmt
    }

    /// Seconds east of UTC at an instant.
    public func offset(at instant: Timestamp) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.seconds)))
    }

    /// What calendars and clocks of this zone show at an instant; fractions of a second are cut off.
    public func reading(at instant: Timestamp) -> (date: CalendarDate, time: WallTime) {
        let local = instant.seconds + Int64(offset(at: instant))
        let (day, second) = local.floorDivided(by: 86_400)
        let time = WallTime(hour: Int(second / 3600), minute: Int(second / 60 % 60), second: Int(second % 60))
        return (CalendarDate(dayNumber: day), time ?? .midnight)
    }

    /// The day on which an instant falls in this zone.
    public func date(at instant: Timestamp) -> CalendarDate { reading(at: instant).date }

    /// The instant at which this zone's clocks show a time on a date (see above for gap and fold).
    public func instant(of date: CalendarDate, at time: WallTime) -> Timestamp {
        let local = date.dayNumber * 86_400 + Int64(time.secondOfDay)
        // Offsets a day before and after: at most one transition lies between them in any zone of the database.
        let before = Int64(offset(at: Timestamp(seconds: local - 86_400)))
        let after = Int64(offset(at: Timestamp(seconds: local + 86_400)))
        if before == after { return Timestamp(seconds: local - before) }
        let early = Timestamp(seconds: local - max(before, after))
        let late = Timestamp(seconds: local - min(before, after))
        let fits = [early, late].filter { $0.seconds + Int64(offset(at: $0)) == local }
        return fits.first ?? transition(between: early, and: late)
    }

    /// The first second in an interval at which the offset differs from the interval's first.
    private func transition(between early: Timestamp, and late: Timestamp) -> Timestamp {
        var low = early.seconds - 1
        var high = late.seconds
        let first = offset(at: Timestamp(seconds: low))
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: Timestamp(seconds: middle)) == first { low = middle } else { high = middle }
        }
        return Timestamp(seconds: high)
    }

    public static func == (left: Zone, right: Zone) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
