import BotCore
import Values

/// Records of one declared kind as a table for people: the fields that say something, a line for each record; pure.
struct RecordTable {
    private let columns: [(title: String, cells: [String])]

    /// What people look for first, whatever the kind; other fields follow in the order of their declaration.
    private static let leading = [
        "date", "due_date", "end_date", "time", "start", "remind_at", "due", "sent", "period", "subject", "title",
        "name",
        "sender", "mark", "category", "kind", "state", "room", "teacher", "price_text", "reason", "text", "preview",
        "body",
    ]
    /// Fields of the bot's own, not for people: an id, an order.
    private static let technical: Set<String> = ["id", "key", "position", "merged", "new_id"]
    /// More do not fit beside each other.
    private static let mostColumns = 8
    private static let widestCell = 60

    /// - Parameter zone: in which instants are shown.
    init(_ records: [Record], shape: RecordShape, zone: Zone) {
        let sorted = records.map { (record: $0, order: Self.order($0)) }.sorted { $0.order < $1.order }.map(\.record)
        let names = shape.fields.map(\.name)
        let first = Self.leading.filter(names.contains)
        let order = first + names.filter { !first.contains($0) && !Self.technical.contains($0) }
        var columns: [(title: String, cells: [String])] = []
        for name in order where columns.count < Self.mostColumns {
            guard let field = shape.field(name) else { continue }
            let cells = sorted.map { Self.cell($0.fields, field, zone) }
            let says = cells.contains { !$0.isEmpty }
            // `time` has begin and end of the day's record in one.
            if field.shape == .timestamp, columns.contains(where: { $0.title == "time" }) { continue }
            // `subject_long` where every subject has one name alone, `teacher_names` beside `teacher`.
            let repeats = columns.contains { $0.cells == cells || Self.belongs(name, to: $0.title) }
            if says, !repeats { columns.append((name, cells)) }
        }
        if let day = columns.first(where: { $0.title == "date" }),
            columns.contains(where: { Self.says($0.cells, day.cells) })
        {
            columns.removeAll { $0.title == "date" }
        }
        // What nobody can be told apart by is better than nothing.
        if columns.isEmpty { columns = [("key", sorted.map { TerminalText.line($0.key) })] }
        self.columns = columns
    }

    /// `subject_long` and `teachers` are other forms of `subject` and `teacher`.
    private static func belongs(_ name: String, to other: String) -> Bool {
        name != other
            && (other == name + "_text" || name == other + "s" || name == other + "_long" || name == other + "_names"
                || name == other + "_it"
                || name == other + "_en")
    }

    /// Whether each cell has the day that stands in another column, and more.
    private static func says(_ cells: [String], _ days: [String]) -> Bool {
        cells != days && zip(cells, days).allSatisfy { !$1.isEmpty && $0.hasPrefix($1) }
    }

    /// By day and time, whatever the fields are called, then by key.
    private static func order(_ record: Record) -> String {
        let fields = record.fields
        let time = ["start", "remind_at", "due", "sent"].compactMap { fields[$0]?.timestamp?.rfc3339 }.first ?? ""
        let day = record.date?.description ?? fields["date"]?.plainText ?? fields["due_date"]?.plainText ?? ""
        return (day.isEmpty ? String(time.prefix(10)) : day) + time + record.key
    }

    private static func cell(_ fields: ValueMap, _ field: FieldShape, _ zone: Zone) -> String {
        guard let value = fields[field.name] else { return "" }
        let text = self.text(value, field, zone)
        let line = TerminalText.line(text)
        return line.count > widestCell ? line.prefix(widestCell - 1) + "…" : line
    }

    private static func text(_ value: Value, _ field: FieldShape, _ zone: Zone) -> String {
        switch value {
        case .null: return ""
        case .bool(let flag): return flag ? "yes" : ""
        case .timestamp(let instant):
            let (date, time) = zone.reading(at: instant)
            return "\(date) \(time)"
        case .list(let list): return list.map { text($0, field, zone) }.joined(separator: ", ")
        case .map(let map):
            return map.pairs.map { "\($0.key.plainText)=\(text($0.value, field, zone))" }.joined(separator: " ")
        default: return value.plainText
        }
    }

    /// The titles, then the rows, padded.
    var lines: [String] {
        let widths = columns.map { column in ([column.title] + column.cells).map(\.count).max() ?? 0 }
        let rows =
            [columns.map(\.title)] + (columns.first?.cells ?? []).indices.map { row in columns.map { $0.cells[row] } }
        return rows.map { row in
            let padded = zip(row, widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }
            return TerminalText.line(padded.joined(separator: "  "))
        }
    }
}
