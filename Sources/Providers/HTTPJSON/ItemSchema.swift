import BotCore
import Values

/// What an `http.json` source says of its items: with `fields` each of them, else one map of all scalars.
enum ItemSchema {
    static let record = "item"
    static let key = "key"
    static let title = "title"
    static let values = "values"

    static func schema(of settings: ItemSettings) -> SourceSchema {
        SourceSchema(
            records: settings.fields.map { [shape(with: common + $0.map(shape))] } ?? undeclared,
            events: events,
            uncomparedFields: uncompared(settings)
        )
    }

    private static let events = [
        EventDeclaration("item.added", of: record, "A new item.", opposite: "item.removed"),
        EventDeclaration("item.changed", of: record, "An item changed; `changes` says in what."),
        EventDeclaration("item.removed", of: record, "An item is gone from the list.", opposite: "item.added"),
    ]

    private static let common = [
        FieldShape(key, .string, "what the item is known by"),
        FieldShape(title, .string, "what people call it; the key where it has no title"),
    ]

    /// The items of all sources without `fields`.
    private static let undeclared = [
        shape(
            with: common + [
                FieldShape(values, .map(.any), "its texts, numbers and flags by the names they have in the answer")
            ]
        )
    ]

    private static func shape(with fields: [FieldShape]) -> RecordShape {
        RecordShape(record, "An item of a list in JSON.", fields: fields)
    }

    private static func shape(of field: ItemField) -> FieldShape {
        let member = "the member `\(field.path.text)`"
        return switch field.type {
        case .text: FieldShape(field.name, .string, "\(member); empty if it is missing")
        case .number: FieldShape(field.name, .double, optional: true, member)
        case .integer: FieldShape(field.name, .int, optional: true, "\(member), a whole number")
        case .flag: FieldShape(field.name, .bool, optional: true, member)
        case .timestamp: FieldShape(field.name, .timestamp, optional: true, member)
        case .date: FieldShape(field.name, .string, "\(member) as `2026-11-30`; empty if it is missing")
        }
    }

    private static func uncompared(_ settings: ItemSettings) -> Set<String> {
        var names = (settings.fields ?? []).filter { settings.ignored.contains($0.path.text) }.map(\.name)
        if let path = settings.title, settings.ignored.contains(path.text) { names.append(title) }
        return Set(names.map { "\(record).\($0)" })
    }
}
