import Values

/// What is done to values of a declared type when they come in, worked out once for each type. Mostly nothing.
indirect enum Layout: Sendable {
    /// Wrapped as it is.
    case plain
    /// A whole number becomes a double: JSON writes 1 for 1.0.
    case double
    case optional(Layout)
    case list(Layout)
    case map(Layout)

    init(_ type: CELType) {
        switch type {
        case .double: self = .double
        case .optional(let wrapped): self = .optional(Layout(wrapped))
        case .list(let element):
            let layout = Layout(element)
            self = layout.isPlain ? .plain : .list(layout)
        case .map(_, let value):
            let layout = Layout(value)
            self = layout.isPlain ? .plain : .map(layout)
        default: self = .plain
        }
    }

    var isPlain: Bool {
        if case .plain = self { return true }
        return false
    }
}

extension Datum {
    /// A value as its declared type asks. What does not fit stays what it is, and shows where it is used.
    init(_ value: Value, as layout: Layout) {
        switch (value, layout) {
        case (.list(let list), .list(let element)): self = .list(.own(list.map { Datum($0, as: element) }))
        case (.map(let map), .map(let element)):
            self = .map(.own(OwnMap(map.pairs.map { (Datum($0.key), Datum($0.value, as: element)) })))
        case (.int(let number), .double): self = .double(Double(number))
        case (.null, .optional): self = .none
        case (_, .optional(let wrapped)): self = .some(Datum(value, as: wrapped))
        default: self = Datum(value)
        }
    }
}

/// Where a field lies in records of a declared shape.
///
/// Records come with their fields in the declared order, some optional ones left out: a field is at its declared position or a
/// few places before it. No table is made when a record is bound, and no hash when a field is read.
struct FieldPlace: Sendable {
    let name: String
    private let position: Int
    private let layout: Layout
    private let isPlain: Bool
    /// Null in an optional field counts as not there.
    private let isOptional: Bool

    /// Nil where the type has no such field.
    init?(_ name: String, in type: CELType) {
        guard case .record(let shape) = type, let position = shape.fields.firstIndex(where: { $0.name == name }) else {
            return nil
        }
        self.name = name
        self.position = position
        layout = Layout(CELType(shape.fields[position].shape))
        isPlain = layout.isPlain
        isOptional = shape.fields[position].isOptional
    }

    /// The field's value; `.unbound` if it is not there.
    @inline(__always)
    func value(in map: ValueMap) -> Datum {
        let pairs = map.pairs
        var candidate = min(position, pairs.count - 1)
        while candidate >= 0 {
            if case .string(let key) = pairs[candidate].key, key == name { return datum(pairs[candidate].value) }
            candidate -= 1
        }
        // Not in the declared order: wherever it is.
        guard position < pairs.count - 1, let value = map[name] else { return .unbound }
        return datum(value)
    }

    @inline(__always)
    private func datum(_ value: Value) -> Datum {
        if isOptional, case .null = value { return .unbound }
        return isPlain ? Datum(value) : Datum(value, as: layout)
    }
}
