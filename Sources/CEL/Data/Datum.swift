package import Values

/// A value while an expression is evaluated: `Values.Value`, and what only the language knows.
///
/// Lists and maps of the host are not copied, only wrapped.
package enum Datum: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    case timestamp(Timestamp)
    case duration(TimeSpan)
    case list(ListDatum)
    case map(MapDatum)
    /// A type as a value, by its name in cel-spec.
    case type(String)
    case optional(Boxed?)
    case error(Failure)
    /// A variable without a value, or a record's field that is not there.
    case unbound

    /// A value on the heap, for payloads that would make every datum larger.
    package final class Boxed: Sendable {
        package let value: Datum
        init(_ value: Datum) { self.value = value }
    }
}

/// An error as a value: it wanders up through whatever is strict, until `&&`, `||` or the host takes it.
package final class Failure: Sendable {
    package let error: CELError

    init(_ error: CELError) { self.error = error }
}

extension Datum {
    static func failure(_ kind: CELError.Kind, _ message: String) -> Datum {
        .error(Failure(CELError(kind, message)))
    }

    static func some(_ value: Datum) -> Datum { .optional(Boxed(value)) }
    static let none = Datum.optional(nil)

    var isError: Bool {
        if case .error = self { return true }
        return false
    }

    var isUnbound: Bool {
        if case .unbound = self { return true }
        return false
    }

    /// The same error with a place, where it has none yet; anything else unchanged.
    func placed(at span: Range<Int>) -> Datum {
        guard case .error(let failure) = self, failure.error.span.isEmpty else { return self }
        var error = failure.error
        error.span = span
        return .error(Failure(error))
    }

    /// The name of the type as `type(x)` gives it (cel-spec, "Abstract types").
    package var typeName: String {
        switch self {
        case .null: "null_type"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .timestamp: "google.protobuf.Timestamp"
        case .duration: "google.protobuf.Duration"
        case .list: "list"
        case .map: "map"
        case .type: "type"
        case .optional: "optional_type"
        case .error: "error"
        case .unbound: "unbound"
        }
    }

    /// The kind in the words of complaints.
    var kindName: String {
        switch self {
        case .null: "null"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .optional: "optional"
        default: typeName
        }
    }
}

// MARK: From the host's values and back

extension Datum {
    init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = .uint(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .bytes(let value): self = .bytes(value)
        case .timestamp(let value): self = .timestamp(value)
        case .duration(let value): self = .duration(value)
        case .list(let value): self = .list(.foreign(value))
        case .map(let value): self = .map(.foreign(value))
        }
    }

    /// The host's form of a value: an optional as its content or null, a type as its name. Charged by size, since a few nested
    /// lists that share parts can unfold to more than the memory holds.
    func value(charging meter: inout Meter) -> Result<Value, CELError> {
        switch self {
        case .null: return .success(.null)
        case .bool(let value): return .success(.bool(value))
        case .int(let value): return .success(.int(value))
        case .uint(let value): return .success(.uint(value))
        case .double(let value): return .success(.double(value))
        case .string(let value), .type(let value): return .success(.string(value))
        case .bytes(let value): return .success(.bytes(value))
        case .timestamp(let value): return .success(.timestamp(value))
        case .duration(let value): return .success(.duration(value))
        case .optional(let boxed): return boxed.map { $0.value.value(charging: &meter) } ?? .success(.null)
        case .list(let list): return list.value(charging: &meter)
        case .map(let map): return map.value(charging: &meter)
        case .error(let failure): return .failure(failure.error)
        case .unbound: return .failure(CELError(.unbound, "nothing is bound here"))
        }
    }
}

/// Counts what an evaluation costs, and knows when it is too much.
package struct Meter: Sendable {
    package var spent = 0
    let limit: Int

    package init(limit: Int) { self.limit = limit }

    var isExhausted: Bool { spent > limit }

    /// Adds units; false when the limit is passed.
    @inline(__always)
    mutating func charge(_ units: Int) -> Bool {
        let (sum, overflow) = spent.addingReportingOverflow(units)
        spent = overflow ? Int.max : sum
        return spent <= limit
    }

    /// One unit for every ten bytes or elements begun.
    @inline(__always)
    mutating func charge(length: Int) -> Bool { charge(length / 10 + 1) }

    var failure: Datum { .failure(.costLimit, "this costs more than the limit of \(limit) units") }
}
