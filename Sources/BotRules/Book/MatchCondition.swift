import BotCore
import Values

/// What of an event `match` and the index look at.
enum MatchKey: Sendable, Hashable {
    case source
    case account
    case studentName
    case studentID
    /// A field of the record of this type.
    case field(record: String, name: String)

    /// Whether some value that an event has here passes a test. A list counts by its elements, a missing field has none.
    func contains(in event: Event, where test: (Value) -> Bool) -> Bool {
        switch self {
        case .source: return test(.string(event.source))
        case .account: return test(.string(event.account))
        case .studentName: return test(.string(event.student.name))
        case .studentID: return test(.string(event.student.id))
        case .field(let record, let name):
            guard event.record.type == record, let value = event.record.fields[name] else { return false }
            if case .list(let elements) = value { return elements.contains { test(Self.comparable($0)) } }
            return test(Self.comparable(value))
        }
    }

    /// Numbers compare by value, whatever their kind.
    static func comparable(_ value: Value) -> Value {
        switch value {
        case .int(let number): .double(Double(number))
        case .uint(let number): .double(Double(number))
        default: value
        }
    }

    var text: String {
        switch self {
        case .source: "source"
        case .account: "account"
        case .studentName: "student.name"
        case .studentID: "student.id"
        case .field(let record, let name): "\(record).\(name)"
        }
    }
}

/// One key of `match`: any of these values.
struct MatchCondition: Sendable, Hashable {
    let key: MatchKey
    /// As `MatchKey.comparable` makes them.
    let values: Set<Value>

    func accepts(_ event: Event) -> Bool { key.contains(in: event) { values.contains($0) } }
}
