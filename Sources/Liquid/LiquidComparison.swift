import Values

/// How values compare in conditions, `case` and the filters that select.
enum LiquidComparison {
    /// Numbers of every kind compare by size; otherwise both must be of one kind. `blank` and `empty` are properties, not values.
    static func areEqual(_ left: Datum, _ right: Datum) -> Bool {
        switch (left, right) {
        case (.empty, .empty), (.blank, .blank): true
        case (.empty, .value(let value)), (.value(let value), .empty): value.hasNoContent
        case (.blank, .value(let value)), (.value(let value), .blank): value.isBlank
        case (.blank, .missing), (.missing, .blank): true
        case (.range(let first, let last), .range(let otherFirst, let otherLast)):
            first == otherFirst && last == otherLast
        case (.range(let first, let last), .empty), (.range(let first, let last), .blank): last < first
        case (.value(let one), .value(let other)): areEqual(one, other)
        default: left.isNothing && right.isNothing
        }
    }

    static func areEqual(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.string(let one), .string(let other)): return one == other
        case (.list(let one), .list(let other)):
            return one.count == other.count && zip(one, other).allSatisfy { areEqual($0, $1) }
        case (.bool, _), (_, .bool): return left == right
        default:
            if let one = left.integer, let other = right.integer { return one == other }
            if let one = left.number, let other = right.number { return one == other }
            return left == right
        }
    }

    /// Less, equal or greater as -1, 0, 1; nil where the two cannot be compared.
    static func order(_ left: Value, _ right: Value) -> Int? {
        switch (left, right) {
        case (.string(let one), .string(let other)): order(one, other)
        case (.timestamp(let one), .timestamp(let other)): order(one, other)
        case (.duration(let one), .duration(let other)): order(one, other)
        case (.int(let one), .int(let other)): order(one, other)
        default:
            if let one = left.number, let other = right.number { order(one, other) } else { nil }
        }
    }

    static func order<Element: Comparable>(_ left: Element, _ right: Element) -> Int {
        left < right ? -1 : (left == right ? 0 : 1)
    }

    /// Whether a relation of size holds; false for what has no size, nil for kinds that cannot be compared: a number with a text.
    static func holds(_ relation: ComparisonOperator, _ left: Datum, _ right: Datum) -> Bool? {
        guard case .value(let one) = left, case .value(let other) = right, one.hasSize, other.hasSize else {
            return false
        }
        guard let order = order(one, other) else { return nil }
        return switch relation {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case .equal, .notEqual, .contains: nil
        }
    }
}

extension Value {
    fileprivate var hasSize: Bool {
        switch self {
        case .int, .uint, .double, .string, .timestamp, .duration: true
        default: false
        }
    }
}
