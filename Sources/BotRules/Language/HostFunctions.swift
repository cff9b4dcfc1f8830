import CEL
import Values

/// What rules may call in conditions beyond the standard functions.
enum HostFunctions {
    /// - Parameter zone: the rule's; dates and times of day are meant in it.
    static func all(zone: Zone) -> [CELFunction] {
        [
            CELFunction(
                "days",
                "So many times 24 hours.",
                example: #"days(2) == duration("48h")"#,
                overloads: [.init([.int], .duration)]
            ) { days($0) },
            CELFunction(
                "date",
                "The day of an instant in the rule's zone, as a text.",
                example: #"date(timestamp("2026-12-01T06:50:00Z")) == "2026-12-01""#,
                overloads: [.init([.timestamp], .string)]
            ) { arguments in
                guard let instant = arguments.first?.timestamp else { return unsuitable("date") }
                return .success(.string(zone.date(at: instant).description))
            },
            CELFunction(
                "local",
                "What clock and calendar of the rule's zone show: `year`, `month` (1 to 12), `day`, `hour`, `minute`, `second`, `weekday` (1 for "
                    + "Monday), `date`, `time`.",
                example: #"local(timestamp("2026-12-01T06:50:00Z")).weekday == 2"#,
                overloads: [.init([.timestamp], .record(local))]
            ) { arguments in
                guard let instant = arguments.first?.timestamp else { return unsuitable("local") }
                return .success(reading(of: instant, in: zone))
            },
            CELFunction(
                "school_day",
                "Whether school is kept on a day, by the school's calendar and timetable; `school_day(date(now + days(1)))` asks for tomorrow.",
                example: #"!school_day("2026-12-06")"#,
                overloads: [.init([.string], .bool)],
                cost: 10
            ) { arguments in
                guard let text = arguments.first?.string, let date = CalendarDate(text) else {
                    return .failure(CELError(.invalidArgument, "school_day takes a date such as '2026-11-30'"))
                }
                return .success(.bool(SchoolDays.current.isSchoolDay(date)))
            },
        ]
    }

    /// The longest span that calendars of this house count with.
    private static let mostDays: Int64 = 36_525

    private static func days(_ arguments: [Value]) -> Result<Value, CELError> {
        guard let count = arguments.first?.integer, abs(count) <= mostDays else {
            return .failure(CELError(.outOfRange, "days takes a number up to \(mostDays)"))
        }
        return .success(.duration(.days(count)))
    }

    private static func unsuitable(_ name: String) -> Result<Value, CELError> {
        .failure(CELError(.noSuchOverload, "\(name) takes a timestamp"))
    }

    private static let local = RecordShape(
        "local",
        "An instant as a clock on the wall shows it.",
        fields: [
            FieldShape("year", .int), FieldShape("month", .int, "1 to 12"), FieldShape("day", .int),
            FieldShape("hour", .int, "0 to 23"), FieldShape("minute", .int), FieldShape("second", .int),
            FieldShape("weekday", .int, "1 for Monday to 7 for Sunday"),
            FieldShape("date", .string, "`2026-11-30`"), FieldShape("time", .string, "`07:50`"),
        ]
    )

    private static func reading(of instant: Timestamp, in zone: Zone) -> Value {
        let (date, time) = zone.reading(at: instant)
        let (year, month, day) = date.civil
        let minutes = WallTime(hour: time.hour, minute: time.minute) ?? time
        return [
            "year": .int(Int64(year)), "month": .int(Int64(month)), "day": .int(Int64(day)),
            "hour": .int(Int64(time.hour)), "minute": .int(Int64(time.minute)), "second": .int(Int64(time.second)),
            "weekday": .int(Int64(date.weekday)), "date": .string(date.description),
            "time": .string(minutes.description),
        ]
    }
}
