/// One datum of the house: what JSON answers become, what rules compute with, what the store keeps.
///
/// Values are plain data with value semantics: equal means same kind and same content (an `int` 1 is not a `double` 1;
/// languages that compare across kinds do so themselves). Lists and maps keep the order in which they were written.
public enum Value: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    case timestamp(Timestamp)
    case duration(TimeSpan)
    case list([Value])
    case map(ValueMap)
}

extension Value: Hashable {
    /// Same kind and same content. NaN equals NaN here, so that a stored value equals itself.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.int(let one), .int(let other)): one == other
        case (.uint(let one), .uint(let other)): one == other
        case (.double(let one), .double(let other)): one == other || (one.isNaN && other.isNaN)
        case (.string(let one), .string(let other)): one == other
        case (.bytes(let one), .bytes(let other)): one == other
        case (.timestamp(let one), .timestamp(let other)): one == other
        case (.duration(let one), .duration(let other)): one == other
        case (.list(let one), .list(let other)): one == other
        case (.map(let one), .map(let other)): one == other
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .uint(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? 0 : value)
        case .string(let value): hasher.combine(value)
        case .bytes(let value): hasher.combine(value)
        case .timestamp(let value): hasher.combine(value)
        case .duration(let value): hasher.combine(value)
        case .list(let value): hasher.combine(value)
        case .map(let value): hasher.combine(value)
        }
    }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: Value...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, Value)...) { self = .map(ValueMap(texts: elements)) }
}

extension Value {
    /// The member of a map under a text key; `.null` where there is none, or where this is no map.
    public subscript(key: String) -> Value {
        guard case .map(let map) = self else { return .null }
        return map[key] ?? .null
    }

    /// The element of a list; `.null` past its end, or where this is no list.
    public subscript(index: Int) -> Value {
        guard case .list(let list) = self, list.indices.contains(index) else { return .null }
        return list[index]
    }

    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The text of a `string`, else nil.
    public var string: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    /// The truth of a `bool`, else nil.
    public var bool: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// A whole number of either sign: an `int`, a `uint` or a `double` without a fraction that fits, else nil.
    public var integer: Int64? {
        switch self {
        case .int(let value): value
        case .uint(let value): Int64(exactly: value)
        case .double(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// A number of any kind as a `double`, else nil.
    public var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The elements of a `list`, else nil.
    public var list: [Value]? {
        if case .list(let value) = self { return value }
        return nil
    }

    /// The pairs of a `map`, else nil.
    public var map: ValueMap? {
        if case .map(let value) = self { return value }
        return nil
    }

    public var timestamp: Timestamp? {
        if case .timestamp(let value) = self { return value }
        return nil
    }

    /// What kind of value this is, in the words used for people: `text`, `number`, `list`, …
    public var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .list: "list"
        case .map: "map"
        }
    }
}
