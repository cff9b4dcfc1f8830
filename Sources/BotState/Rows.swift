import BotCore
import Values

/// How the words of the house lie in columns.
enum Rows {
    static func value(of health: Health) -> Value {
        [
            "failures": .int(Int64(health.failures)),
            "since": value(of: health.since),
            "error": .string(health.error),
            "evidence": health.evidence.map { .string($0) } ?? .null,
            "told": health.told.map { .string($0) } ?? .null,
            "not_before": value(of: health.notBefore),
            "revision": .int(health.revision),
        ]
    }

    static func health(of value: Value) -> Health {
        Health(
            failures: Int(value["failures"].integer ?? 0),
            since: instant(of: value["since"]),
            error: value["error"].string ?? "",
            evidence: value["evidence"].string,
            told: value["told"].string,
            notBefore: instant(of: value["not_before"]),
            revision: value["revision"].integer ?? 0
        )
    }

    private static func value(of instant: Timestamp?) -> Value { instant.map { .int($0.milliseconds) } ?? .null }

    private static func instant(of value: Value) -> Timestamp? { value.integer.map { Timestamp(milliseconds: $0) } }

    static func value(of record: Record) -> Value {
        [
            "key": .string(record.key),
            "type": .string(record.type),
            "date": record.date.map { .int($0.dayNumber) } ?? .null,
            "fields": .map(record.fields),
            "likeness": record.likeness.map { .string($0) } ?? .null,
            "world_key": record.worldKey.map { .string($0) } ?? .null,
        ]
    }

    static func record(of value: Value) -> Record {
        Record(
            key: value["key"].string ?? "",
            type: value["type"].string ?? "",
            date: value["date"].integer.map { CalendarDate(dayNumber: $0) },
            fields: value["fields"].map ?? [:],
            likeness: value["likeness"].string,
            worldKey: value["world_key"].string
        )
    }

    static func value(of changes: [FieldChange]) -> Value {
        .list(changes.map { [.string($0.field), $0.old, $0.new] })
    }

    static func changes(of value: Value) -> [FieldChange] {
        (value.list ?? []).map { FieldChange(field: $0[0].string ?? "", old: $0[1], new: $0[2]) }
    }

    static func value(of calendar: SchoolCalendar?) -> Value {
        guard let calendar else { return .null }
        return [
            "years": .list(calendar.years.map { value(of: $0) }),
            "holidays": .list(calendar.holidays.map { [.string($0.name), value(of: $0.days)] }),
        ]
    }

    static func calendar(of value: Value) -> SchoolCalendar? {
        guard let years = value["years"].list, let holidays = value["holidays"].list else { return nil }
        return SchoolCalendar(
            years: years.map { window(of: $0) },
            holidays: holidays.map { .init(name: $0[0].string ?? "", days: window(of: $0[1])) }
        )
    }

    private static func value(of window: DateWindow) -> Value {
        [.int(window.first.dayNumber), .int(window.last.dayNumber)]
    }

    private static func window(of value: Value) -> DateWindow {
        DateWindow(
            CalendarDate(dayNumber: value[0].integer ?? 0),
            through: CalendarDate(dayNumber: value[1].integer ?? 0)
        )
    }

    /// Days as the first and last of each unbroken row: `20787 20801, 20810 20810`.
    static func text(of dates: Set<CalendarDate>) -> String {
        var rows: [(first: Int64, last: Int64)] = []
        for day in dates.map(\.dayNumber).sorted() {
            if let last = rows.last?.last, last + 1 == day {
                rows[rows.count - 1].last = day
            } else {
                rows.append((day, day))
            }
        }
        return rows.map { "\($0.first) \($0.last)" }.joined(separator: ", ")
    }

    static func dates(of text: String) -> Set<CalendarDate> {
        var dates: Set<CalendarDate> = []
        for row in text.split(separator: ",") {
            let ends = row.split(separator: " ").compactMap { Int64($0) }
            guard ends.count == 2, ends[0] <= ends[1] else { continue }
            dates.formUnion((ends[0]...ends[1]).map { CalendarDate(dayNumber: $0) })
        }
        return dates
    }

    static func value(of texts: [String: String]) -> Value {
        .map(ValueMap(texts.sorted { $0.key < $1.key }.map { (.string($0.key), .string($0.value)) }))
    }

    static func texts(of value: Value) -> [String: String] {
        Dictionary((value.map ?? [:]).map { ($0.key.string ?? "", $0.value.string ?? "") }) { first, _ in first }
    }

    static func value(of numbers: [String: Int64]) -> Value {
        .map(ValueMap(numbers.sorted { $0.key < $1.key }.map { (.string($0.key), .int($0.value)) }))
    }

    static func numbers(of value: Value) -> [String: Int64] {
        Dictionary((value.map ?? [:]).map { ($0.key.string ?? "", $0.value.integer ?? 0) }) { first, _ in first }
    }
}
