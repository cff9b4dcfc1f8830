package import Values

/// A list made by an expression, or one of the host's.
package enum ListDatum: Sendable {
    case own([Datum])
    case foreign([Value])

    package var count: Int {
        switch self {
        case .own(let elements): elements.count
        case .foreign(let elements): elements.count
        }
    }

    /// The element at an index that exists.
    @inline(__always)
    package subscript(index: Int) -> Datum {
        switch self {
        case .own(let elements): elements[index]
        case .foreign(let elements): Datum(elements[index])
        }
    }

    var elements: [Datum] {
        switch self {
        case .own(let elements): elements
        case .foreign(let elements): elements.map { Datum($0) }
        }
    }

    /// This list with the elements of another behind its own.
    func appending(_ other: ListDatum) -> ListDatum {
        if other.count == 0 { return self }
        if count == 0 { return other }
        return .own(elements + other.elements)
    }

    func value(charging meter: inout Meter) -> Result<Value, CELError> {
        guard meter.charge(length: count) else { return .failure(CELError(.costLimit, "the result is too large")) }
        switch self {
        case .foreign(let elements): return .success(.list(elements))
        case .own(let elements):
            var values: [Value] = []
            values.reserveCapacity(elements.count)
            for element in elements {
                switch element.value(charging: &meter) {
                case .success(let value): values.append(value)
                case .failure(let error): return .failure(error)
                }
            }
            return .success(.list(values))
        }
    }
}
