import BotCore
import BotEngine
import Values

let monday = CalendarDate(dayNumber: 20_787)

let periodSchema = SourceSchema(
    records: [
        RecordShape(
            "lesson",
            fields: [
                FieldShape("subject", .string), FieldShape("date", .string), FieldShape("room", .string),
                FieldShape("state", .string),
                FieldShape("rating", .double),
            ]
        )
    ],
    events: [],
    uncomparedFields: ["lesson.rating"]
)

func period(
    _ key: String,
    day: Int? = 0,
    room: String = "R1",
    state: String = "planned",
    rating: Double = 0,
    likeness: String? = nil
) -> Record {
    let date = day.map { monday.adding(days: $0) }
    return Record(
        key: key,
        type: "lesson",
        date: date,
        fields: [
            "subject": "MAT", "date": .string(date?.description ?? ""), "room": .string(room), "state": .string(state),
            "rating": .double(rating),
        ],
        likeness: likeness
    )
}

/// A source's memory, and what polls do to it.
struct Remembered {
    var state = SourceState()
    var stored = StoredRecords()
    var now = start
    /// How much later the next poll comes.
    var pause = TimeSpan.days(1)

    mutating func poll(_ snapshot: Snapshot) -> Comparison {
        let differ = Differ(snapshot, state: state, stored: stored, schema: periodSchema)
        let comparison = differ.compare(at: now)
        now = now + pause
        state = comparison.state
        for (key, revision) in comparison.gone {
            stored.present.removeAll { $0.record.key == key }
            stored.gone[key] = revision
        }
        for row in comparison.put {
            stored.present.removeAll { $0.record.key == row.record.key }
            stored.gone[row.record.key] = nil
            stored.present.append(row)
        }
        return comparison
    }

    mutating func poll(_ records: [Record], days: ClosedRange<Int>? = nil, unknown: Set<Int> = []) -> [Change] {
        let window = days.map {
            DateWindow(monday.adding(days: $0.lowerBound), through: monday.adding(days: $0.upperBound))
        }
        let dates = Set(unknown.map { monday.adding(days: $0) })
        return poll(Snapshot(records: records, window: window, unknownDates: dates)).difference?.changes ?? []
    }
}
