public import Values

/// The type of an expression, as the checker of the Common Expression Language knows it.
///
/// Hosts make types from shapes (`CELType(shape)`); the other terms arise while checking.
public indirect enum CELType: Sendable, Hashable {
    /// Nothing is known before evaluation: every use is allowed, and checked then.
    case dyn
    case null
    case bool
    case int
    case uint
    case double
    case string
    case bytes
    case timestamp
    case duration
    case list(CELType)
    case map(key: CELType, value: CELType)
    /// A map with declared fields; two records of one name are the same type.
    case record(RecordShape)
    /// What `optional.of`, `.?field` and `[?index]` give: a value or none.
    case optional(CELType)
    /// A scalar or null.
    case wrapper(CELType)
    /// The type of a type, such as `type(1)`.
    case type(CELType)
    /// A type of the host's own, known by name: `tuple(int, string)`.
    case abstract(String, [CELType])
    /// A type parameter in the signature of a function: `A` in `list(A)`.
    case parameter(String)
    /// A type still to be found, numbered while one expression is checked; never in a result.
    case unknown(Int)
    /// What a part with a mistake has, so that one mistake is told once; never in a result.
    case failed

    /// The type of values that have a declared shape. A map's keys are texts; `any` is `dyn`.
    public init(_ shape: Shape) {
        switch shape {
        case .any: self = .dyn
        case .bool: self = .bool
        case .int: self = .int
        case .uint: self = .uint
        case .double: self = .double
        case .string: self = .string
        case .bytes: self = .bytes
        case .timestamp: self = .timestamp
        case .duration: self = .duration
        case .list(let element): self = .list(CELType(element))
        case .map(let value): self = .map(key: .string, value: CELType(value))
        case .record(let record): self = .record(record)
        }
    }

    /// How the type is written in messages and in the conformance suite: `list(int)`, `map(string, dyn)`, `lesson`.
    public var name: String {
        switch self {
        case .dyn: "dyn"
        case .null: "null_type"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .list(let element): "list(\(element.name))"
        case .map(let key, let value): "map(\(key.name), \(value.name))"
        case .record(let record): record.name
        case .optional(let wrapped): "optional_type(\(wrapped.name))"
        case .wrapper(let scalar): "wrapper(\(scalar.name))"
        case .type(let type): "type(\(type.name))"
        case .abstract(let name, let parameters):
            parameters.isEmpty ? name : "\(name)(\(parameters.map(\.name).joined(separator: ", ")))"
        case .parameter(let name): name
        case .unknown: "dyn"
        case .failed: "error"
        }
    }
}

extension CELType: CustomStringConvertible {
    /// The same as `name`.
    public var description: String { name }
}
