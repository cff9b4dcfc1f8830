import Values

/// `timestamp`, `duration` and the parts of both (cel-spec, "Timestamps and durations").
extension FunctionTable {
    mutating func addTimes() {
        add(
            "timestamp",
            [.string, .int, .timestamp].map { .of($0, gives: .timestamp) },
            .unary { _, value in TimeReading.timestamp(value) }
        )
        add(
            "duration",
            [.string, .duration].map { .of($0, gives: .duration) },
            .unary { _, value in TimeReading.duration(value) }
        )
        for part in TimePart.allCases {
            var overloads: [FunctionEntry.Overload] = [
                .on(.timestamp, gives: .int), .on(.timestamp, .string, gives: .int),
            ]
            if part.nanosecondsOfDuration != nil { overloads.append(.on(.duration, gives: .int)) }
            add(
                part.rawValue,
                overloads,
                .unary { _, value in part.of(value, in: .utc) },
                .binary { _, value, zone in
                    guard case .string(let name) = zone else { return .noOverload(part.rawValue, [value, zone]) }
                    guard let clock = Clock(name) else { return Clock.unknown(name) }
                    return part.of(value, in: clock)
                }
            )
        }
        describe(Self.timeDocumentation)
    }
}

enum TimeReading {
    static func timestamp(_ value: Datum) -> Datum {
        switch value {
        case .timestamp: return value
        case .int(let seconds): return TimeArithmetic.instant(Timestamp(seconds: seconds))
        case .string(let text):
            guard let instant = TimestampReader.timestamp(text) else {
                return .failure(.invalidArgument, "the text '\(text.prefix(40))' is no timestamp")
            }
            return TimeArithmetic.instant(instant)
        default: return .noOverload("timestamp", [value])
        }
    }

    static func duration(_ value: Datum) -> Datum {
        switch value {
        case .duration: return value
        case .string(let text):
            switch DurationText.read(text) {
            case .span(let span): return TimeArithmetic.span(span)
            case .outOfRange: return .failure(.outOfRange, "the duration is longer than 292 years")
            case .malformed, .unknownUnit:
                return .failure(.invalidArgument, "the text '\(text.prefix(40))' is no duration")
            }
        default: return .noOverload("duration", [value])
        }
    }
}

/// Whose clocks and calendar a timestamp is read by.
enum Clock: Sendable {
    case utc
    /// Seconds east of UTC.
    case fixed(Int)
    case zone(Zone)

    /// A name of the IANA database, or an offset such as `+01:00`, `-02:30` or `02:00`; nil for anything else.
    init?(_ name: String) {
        if name == "UTC" || name.isEmpty {
            self = .utc
        } else if let seconds = Self.offset(name) {
            self = .fixed(seconds)
        } else if let zone = Zone(name) {
            self = .zone(zone)
        } else {
            return nil
        }
    }

    private static func offset(_ text: String) -> Int? {
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        guard let time = WallTime(rest), rest.utf8.count == 5 else { return nil }
        return isNegative ? -time.secondOfDay : time.secondOfDay
    }

    static func unknown(_ name: String) -> Datum {
        .failure(.invalidArgument, "there is no time zone '\(name.prefix(40))'")
    }

    func offset(at instant: Timestamp) -> Int {
        switch self {
        case .utc: 0
        case .fixed(let seconds): seconds
        case .zone(let zone): zone.offset(at: instant)
        }
    }
}

/// The functions that read one part of a timestamp or duration. Months and days of the year and month count from 0, `getDate`
/// from 1, and Sunday is 0.
enum TimePart: String, CaseIterable, Sendable {
    case getFullYear
    case getMonth
    case getDate
    case getDayOfMonth
    case getDayOfWeek
    case getDayOfYear
    case getHours
    case getMinutes
    case getSeconds
    case getMilliseconds

    /// How many nanoseconds of a duration make one of these; nil where durations have no such part.
    var nanosecondsOfDuration: Int64? {
        switch self {
        case .getHours: 3_600_000_000_000
        case .getMinutes: 60_000_000_000
        case .getSeconds: 1_000_000_000
        case .getMilliseconds: 1_000_000
        default: nil
        }
    }

    func of(_ value: Datum, in clock: Clock) -> Datum {
        switch value {
        case .timestamp(let instant): return .int(Int64(of(instant, offset: clock.offset(at: instant))))
        case .duration(let span):
            guard let unit = nanosecondsOfDuration else { return .noOverload(rawValue, [value]) }
            // The milliseconds of a duration are those beyond its seconds; the other parts are totals (cel-spec).
            if self == .getMilliseconds { return .int(Int64(span.nanoseconds) / unit) }
            return .int(span.seconds / (unit / 1_000_000_000))
        default: return .noOverload(rawValue, [value])
        }
    }

    private func of(_ instant: Timestamp, offset: Int) -> Int {
        let (day, second) = (instant.seconds + Int64(offset)).floorDivided(by: 86_400)
        let date = CalendarDate(dayNumber: day)
        switch self {
        case .getHours: return Int(second / 3600)
        case .getMinutes: return Int(second / 60 % 60)
        case .getSeconds: return Int(second % 60)
        case .getMilliseconds: return Int(instant.nanoseconds / 1_000_000)
        case .getDayOfWeek: return date.weekday % 7
        case .getFullYear: return date.year
        case .getMonth: return date.month - 1
        case .getDate: return date.day
        case .getDayOfMonth: return date.day - 1
        case .getDayOfYear:
            let firstDay = CalendarDate(year: date.year, month: 1, day: 1)?.dayNumber ?? day
            return Int(day - firstDay)
        }
    }
}

extension FunctionTable {
    fileprivate static let timeDocumentation: [(name: String, documentation: String, example: String)] = [
        (
            "timestamp", "An instant, from RFC 3339 or from the seconds since 1970.",
            #"timestamp("2026-12-01T07:50:00+01:00") == timestamp("2026-12-01T06:50:00Z")"#
        ),
        (
            "duration", "A length of time: h, m, s, ms, us, ns.",
            #"duration("1h30m") == duration("90m")"#
        ),
        (
            "getFullYear", "The year, in UTC or in the zone that is named.",
            #"timestamp("2026-12-01T06:50:00Z").getFullYear() == 2026"#
        ),
        (
            "getMonth", "The month, from 0 for January.",
            #"timestamp("2026-12-01T06:50:00Z").getMonth() == 11"#
        ),
        (
            "getDate", "The day of the month, from 1.",
            #"timestamp("2026-12-01T06:50:00Z").getDate() == 1"#
        ),
        (
            "getDayOfMonth", "The day of the month, from 0.",
            #"timestamp("2026-12-01T06:50:00Z").getDayOfMonth() == 0"#
        ),
        (
            "getDayOfWeek", "The day of the week, from 0 for Sunday.",
            #"timestamp("2026-12-01T06:50:00Z").getDayOfWeek() == 2"#
        ),
        (
            "getDayOfYear", "The day of the year, from 0.",
            #"timestamp("2026-12-01T06:50:00Z").getDayOfYear() == 334"#
        ),
        (
            "getHours", "The hour, in UTC or in the zone that is named; of a length of time, all its hours.",
            #"timestamp("2026-12-01T06:50:00Z").getHours("Europe/Rome") == 7"#
        ),
        (
            "getMinutes", "The minute; of a length of time, all its minutes.",
            #"duration("1h30m").getMinutes() == 90"#
        ),
        (
            "getSeconds", "The second; of a length of time, all its seconds.",
            #"duration("2m").getSeconds() == 120"#
        ),
        (
            "getMilliseconds", "The milliseconds behind the second.",
            #"duration("2500ms").getMilliseconds() == 500"#
        ),
    ]
}
