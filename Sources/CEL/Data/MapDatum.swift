package import Values

/// A map made by an expression, or one of the host's; records are maps too.
package enum MapDatum: Sendable {
    case own(OwnMap)
    case foreign(ValueMap)

    package var count: Int {
        switch self {
        case .own(let map): map.pairs.count
        case .foreign(let map): map.count
        }
    }

    /// The value of a text key.
    func member(_ name: String) -> Datum? {
        switch self {
        case .own(let map): map.value(of: .string(name))
        case .foreign(let map): map[name].map { Datum($0) }
        }
    }

    /// The value of a key of any kind; numbers of different kinds are the same key if they are equal.
    func value(of key: Datum) -> Datum? {
        if case .string(let name) = key { return member(name) }
        guard let normal = MapKey(key) else { return nil }
        switch self {
        case .own(let map): return map.value(of: normal)
        case .foreign(let map): return normal.hostForms.lazy.compactMap { map[$0] }.first.map { Datum($0) }
        }
    }

    /// Keys and values in the order in which they were written.
    package var pairs: [(key: Datum, value: Datum)] {
        switch self {
        case .own(let map): map.pairs
        case .foreign(let map): map.pairs.map { (Datum($0.key), Datum($0.value)) }
        }
    }

    func value(charging meter: inout Meter) -> Result<Value, CELError> {
        guard meter.charge(length: count) else { return .failure(CELError(.costLimit, "the result is too large")) }
        switch self {
        case .foreign(let map): return .success(.map(map))
        case .own(let map):
            var values: [(Value, Value)] = []
            for pair in map.pairs {
                switch (pair.key.value(charging: &meter), pair.value.value(charging: &meter)) {
                case (.success(let key), .success(let value)): values.append((key, value))
                case (.failure(let error), _), (_, .failure(let error)): return .failure(error)
                }
            }
            return .success(.map(ValueMap(values)))
        }
    }
}

/// A map that an expression made.
package final class OwnMap: Sendable {
    package let pairs: [(key: Datum, value: Datum)]
    private let keys: [MapKey]
    private let index: [MapKey: Int]?

    /// Above so many pairs a hash table pays.
    private static let searchedInOrder = 8

    /// The keys must be different; what is no key is left out (callers have refused it before).
    init(_ pairs: [(Datum, Datum)]) {
        self.pairs = pairs.map { (key: $0.0, value: $0.1) }
        keys = pairs.map { MapKey($0.0) ?? .bool(false) }
        index =
            pairs.count > Self.searchedInOrder
            ? Dictionary(keys.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
            : nil
    }

    func value(of key: MapKey) -> Datum? {
        let place = index.map { $0[key] } ?? keys.firstIndex(of: key)
        return place.map { pairs[$0].value }
    }
}

/// What can be a key of a map, with numbers of equal value made equal.
enum MapKey: Sendable {
    case bool(Bool)
    case int(Int64)
    /// Only above `Int64.max`.
    case uint(UInt64)
    case string(String)

    init?(_ datum: Datum) {
        switch datum {
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = Int64(exactly: value).map { .int($0) } ?? .uint(value)
        case .double(let value):
            if let whole = Int64(exactly: value) {
                self = .int(whole)
            } else if let whole = UInt64(exactly: value) {
                self = .uint(whole)
            } else {
                return nil
            }
        case .string(let value): self = .string(value)
        default: return nil
        }
    }

    /// The forms in which a host's map may have this key.
    var hostForms: [Value] {
        switch self {
        case .bool(let value): [.bool(value)]
        case .int(let value):
            [.int(value)] + (UInt64(exactly: value).map { [.uint($0)] } ?? []) + [.double(Double(value))]
        case .uint(let value): [.uint(value), .double(Double(value))]
        case .string(let value): [.string(value)]
        }
    }
}

extension MapKey: Hashable {
    static func == (left: MapKey, right: MapKey) -> Bool {
        switch (left, right) {
        case (.bool(let one), .bool(let other)): one == other
        case (.int(let one), .int(let other)): one == other
        case (.uint(let one), .uint(let other)): one == other
        case (.string(let one), .string(let other)): Text.areSame(one, other)
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .uint(let value): hasher.combine(value)
        // Texts of the same bytes have the same hash; the reverse need not hold.
        case .string(let value): hasher.combine(value)
        }
    }
}
