import BotCore
import Values

/// Values as text in the database: JSON where JSON has a form for them, so that people can read the file, and marked maps for the rest.
///
/// What is written comes back as the same kind: a timestamp is no text, a whole double no int.
enum StoredValue {
    static func text(of value: Value) -> String { isPlain(value, depth: 0) ? value.json : marked(value, depth: 0).json }

    static func value(of text: String) throws(StateError) -> Value {
        var text = text
        return try text.withUTF8(reading).get()
    }

    /// The same of the text's bytes, as they lie in the database's own memory.
    static func value(of text: UnsafeBufferPointer<UInt8>) throws(StateError) -> Value { try reading(text).get() }

    private static func reading(_ text: UnsafeBufferPointer<UInt8>) -> Result<Value, StateError> {
        guard let value = try? Value(json: text) else { return .failure(.corrupt("a stored value cannot be read")) }
        // Without the mark nothing is marked, which is the rule.
        return .success(text.contains(UInt8(ascii: "$")) ? unmarked(value) : value)
    }

    /// The key of maps that stand for what JSON has no form for.
    static let mark = "$"

    /// Whether JSON has a form for all of it.
    private static func isPlain(_ value: Value, depth: Int) -> Bool {
        switch value {
        case .null, .bool, .int, .string: true
        case .double(let number): number.isFinite
        case .list(let list): depth < deepest && list.allSatisfy { isPlain($0, depth: depth + 1) }
        case .map(let map):
            depth < deepest
                && map.pairs.allSatisfy { pair in
                    guard case .string(let key) = pair.key else { return false }
                    return key != mark && isPlain(pair.value, depth: depth + 1)
                }
        case .uint, .bytes, .timestamp, .duration: false
        }
    }

    /// Where a value nests deeper, its inner part is written as a text of its own: the reader refuses what is `Value.deepestJSON` deep.
    private static let deepest = Value.deepestJSON - 8

    private static func marked(_ value: Value, depth: Int) -> Value {
        switch value {
        case .null, .bool, .int, .string: value
        case .double(let number) where number.isFinite: value
        case .double(let number): [mark: "double", "is": .string("\(number)")]
        case .uint(let number): [mark: "uint", "is": .string(String(number))]
        case .bytes(let bytes): [mark: "bytes", "is": .list(bytes.map { .int(Int64($0)) })]
        case .timestamp(let instant): span("timestamp", instant.seconds, instant.nanoseconds)
        case .duration(let duration): span("duration", duration.seconds, duration.nanoseconds)
        case _ where depth >= deepest: [mark: "nested", "is": .string(text(of: value))]
        case .list(let list): .list(list.map { marked($0, depth: depth + 1) })
        case .map(let map): marked(map, depth: depth)
        }
    }

    private static func span(_ kind: String, _ seconds: Int64, _ nanoseconds: Int32) -> Value {
        [mark: .string(kind), "is": [.int(seconds), .int(Int64(nanoseconds))]]
    }

    /// Maps whose keys are not all texts, or that look marked themselves, are written as pairs.
    private static func marked(_ map: ValueMap, depth: Int) -> Value {
        if map.pairs.allSatisfy({ $0.key.string != nil && $0.key.string != mark }) {
            return .map(ValueMap(map.pairs.map { ($0.key, marked($0.value, depth: depth + 1)) }))
        }
        let pairs = map.pairs.map { pair -> Value in
            [marked(pair.key, depth: depth + 3), marked(pair.value, depth: depth + 3)]
        }
        return [mark: "map", "is": .list(pairs)]
    }

    private static func unmarked(_ value: Value) -> Value {
        switch value {
        case .list(let list): return .list(list.map(unmarked))
        case .map(let map):
            guard let kind = map[mark]?.string, let content = map["is"] else {
                return .map(ValueMap(map.pairs.map { ($0.key, unmarked($0.value)) }))
            }
            return unmarked(kind, content)
        default: return value
        }
    }

    private static func unmarked(_ kind: String, _ content: Value) -> Value {
        switch kind {
        case "double": .double(Double(content.string ?? "") ?? .nan)
        case "uint": .uint(UInt64(content.string ?? "") ?? 0)
        case "nested": (try? value(of: content.string ?? "")) ?? .null
        case "bytes": .bytes((content.list ?? []).map { UInt8(truncatingIfNeeded: $0.integer ?? 0) })
        case "timestamp":
            .timestamp(Timestamp(seconds: content[0].integer ?? 0, nanoseconds: content[1].integer ?? 0))
        case "duration":
            .duration(TimeSpan(seconds: content[0].integer ?? 0, nanoseconds: content[1].integer ?? 0))
        case "map": .map(ValueMap((content.list ?? []).map { (unmarked($0[0]), unmarked($0[1])) }))
        default: .null
        }
    }
}
