package import Values

/// A map made by an expression, one of the host's, or a record.
package enum MapDatum: Sendable {
    case own(OwnMap)
    case foreign(ValueMap)
    case record(RecordDatum)

    package var count: Int {
        switch self {
        case .own(let map): map.pairs.count
        case .foreign(let map): map.count
        case .record(let record): record.source.count
        }
    }

    /// The value of a text key.
    func member(_ name: String) -> Datum? {
        switch self {
        case .own(let map): map.value(of: .string(name))
        case .foreign(let map): map[name].map { Datum($0) }
        case .record(let record): record.member(name)
        }
    }

    /// The value of a key of any kind; numbers of different kinds are the same key if they are equal.
    func value(of key: Datum) -> Datum? {
        if case .string(let name) = key { return member(name) }
        guard let normal = MapKey(key) else { return nil }
        switch self {
        case .own(let map): return map.value(of: normal)
        case .foreign(let map): return normal.hostForms.lazy.compactMap { map[$0] }.first.map { Datum($0) }
        case .record: return nil
        }
    }

    /// Keys and values in the order in which they were written.
    package var pairs: [(key: Datum, value: Datum)] {
        switch self {
        case .own(let map): map.pairs
        case .foreign(let map): map.pairs.map { (Datum($0.key), Datum($0.value)) }
        case .record(let record): record.pairs
        }
    }

    func value(charging meter: inout Meter) -> Result<Value, CELError> {
        guard meter.charge(length: count) else { return .failure(CELError(.costLimit, "the result is too large")) }
        switch self {
        case .foreign(let map): return .success(.map(map))
        case .record(let record): return .success(.map(record.source))
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

/// A map of a declared shape: the values of its fields in the order of the declaration.
package final class RecordDatum: Sendable {
    let shape: RecordShape
    /// `.unbound` for a field that is not there. Null in an optional field counts as not there.
    let fields: [Datum]
    /// What the host gave, with what the shape does not declare.
    let source: ValueMap
    /// Which declaration this is laid out by.
    let identity: UInt

    init(_ source: ValueMap, shape: RecordShape) {
        self.source = source
        self.shape = shape
        identity = shape.identity
        let pairs = source.pairs
        var fields: [Datum] = []
        fields.reserveCapacity(shape.fields.count)
        for (position, field) in shape.fields.enumerated() {
            // Records mostly come with their fields in the declared order.
            let value: Value? =
                if position < pairs.count, case .string(let key) = pairs[position].key, key == field.name {
                    pairs[position].value
                } else {
                    source[field.name]
                }
            fields.append(Self.datum(value, field))
        }
        self.fields = fields
    }

    @inline(__always)
    private static func datum(_ value: Value?, _ field: FieldShape) -> Datum {
        guard let value, !(field.isOptional && value.isNull) else { return .unbound }
        switch value {
        case .string(let text): return .string(text)
        case .bool(let truth): return .bool(truth)
        default: return Datum(value, as: CELType(field.shape))
        }
    }

    func member(_ name: String) -> Datum? {
        if let position = shape.fields.firstIndex(where: { $0.name == name }) {
            if case .unbound = fields[position] { return nil }
            return fields[position]
        }
        return source[name].map { Datum($0) }
    }

    var pairs: [(key: Datum, value: Datum)] {
        source.pairs.compactMap { pair in
            guard let name = pair.key.string else { return (Datum(pair.key), Datum(pair.value)) }
            return member(name).map { (.string(name), $0) }
        }
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

extension RecordShape {
    /// Tells declarations apart without comparing names: the address of the list of fields, which copies of a shape share.
    /// It means something only as long as a copy is alive.
    var identity: UInt {
        fields.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
}
