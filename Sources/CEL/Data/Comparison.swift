import Glibc
import Values

/// Texts as the language compares them: by code points, which is the order of their UTF-8 bytes. Swift's own `==` takes
/// composed and decomposed letters for equal; CEL does not (cel-spec, "Equality").
enum Text {
    @inline(__always)
    static func areSame(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return compare(one, other) == 0
    }

    /// Less than, equal to or greater than 0.
    @inline(__always)
    static func compare(_ one: String, _ other: String) -> Int {
        let fast = one.utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in compare(left, right) }
        }
        if case .some(.some(let order)) = fast { return order }
        return Array(one.utf8).withUnsafeBufferPointer { left in
            Array(other.utf8).withUnsafeBufferPointer { right in compare(left, right) }
        }
    }

    @inline(__always)
    static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        let common = min(left.count, right.count)
        if common > 0, let one = left.baseAddress, let other = right.baseAddress {
            let order = memcmp(one, other, common)
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }
}

enum Comparison {
    /// Whether two values are equal (cel-spec, "Equality"): numbers across kinds, lists and maps by content, other kinds never.
    static func areEqual(_ left: Datum, _ right: Datum, _ meter: inout Meter) -> Bool {
        switch (left, right) {
        case (.string(let one), .string(let other)):
            _ = meter.charge(min(one.utf8.count, other.utf8.count) / 10)
            return Text.areSame(one, other)
        case (.int(let one), .int(let other)): return one == other
        case (.bool(let one), .bool(let other)): return one == other
        case (.double(let one), .double(let other)): return one == other
        case (.uint(let one), .uint(let other)): return one == other
        case (.null, .null): return true
        case (.bytes(let one), .bytes(let other)):
            _ = meter.charge(length: min(one.count, other.count))
            return one == other
        case (.timestamp(let one), .timestamp(let other)): return one == other
        case (.duration(let one), .duration(let other)): return one == other
        case (.type(let one), .type(let other)): return one == other
        case (.list(let one), .list(let other)): return areEqual(one, other, &meter)
        case (.map(let one), .map(let other)): return areEqual(one, other, &meter)
        case (.optional(let one), .optional(let other)):
            guard let one, let other else { return one == nil && other == nil }
            return areEqual(one.value, other.value, &meter)
        default:
            guard left.isNumber, right.isNumber else { return false }
            return order(left, right) == .equal
        }
    }

    private static func areEqual(_ left: ListDatum, _ right: ListDatum, _ meter: inout Meter) -> Bool {
        guard left.count == right.count else { return false }
        for position in 0..<left.count {
            guard meter.charge(1), areEqual(left[position], right[position], &meter) else { return false }
        }
        return true
    }

    private static func areEqual(_ left: MapDatum, _ right: MapDatum, _ meter: inout Meter) -> Bool {
        guard left.count == right.count else { return false }
        for pair in left.pairs {
            guard meter.charge(1), let value = right.value(of: pair.key), areEqual(pair.value, value, &meter) else {
                return false
            }
        }
        return true
    }

    enum Order {
        case less
        case equal
        case greater
        /// Not a number is involved.
        case none
    }

    /// How two values of an ordered kind stand to each other; nil where the language has no order for them.
    static func order(_ left: Datum, _ right: Datum) -> Order? {
        switch (left, right) {
        case (.int(let one), .int(let other)): ofSame(one, other)
        case (.double(let one), .double(let other)): ofSame(one, other)
        case (.uint(let one), .uint(let other)): ofSame(one, other)
        case (.string(let one), .string(let other)): ofSame(Text.compare(one, other), 0)
        case (.timestamp(let one), .timestamp(let other)): ofSame(one, other)
        case (.duration(let one), .duration(let other)): ofSame(one, other)
        case (.bool(let one), .bool(let other)): ofSame(one ? 1 : 0, other ? 1 : 0)
        case (.bytes(let one), .bytes(let other)):
            ofSame(one.withUnsafeBufferPointer { left in other.withUnsafeBufferPointer { Text.compare(left, $0) } }, 0)
        case (.int(let one), .uint(let other)): ofWhole(one, other)
        case (.uint(let one), .int(let other)): ofWhole(one, other)
        case (.int(let one), .double(let other)): ofMixed(one, other)
        case (.double(let one), .int(let other)): reversed(ofMixed(other, one))
        case (.uint(let one), .double(let other)): ofMixed(one, other)
        case (.double(let one), .uint(let other)): reversed(ofMixed(other, one))
        default: nil
        }
    }

    private static func ofWhole<Integer: BinaryInteger, Other: BinaryInteger>(_ one: Integer, _ other: Other) -> Order {
        one < other ? .less : one == other ? .equal : .greater
    }

    private static func ofSame<Element: Comparable>(_ one: Element, _ other: Element) -> Order {
        one < other ? .less : one == other ? .equal : one > other ? .greater : .none
    }

    /// A whole number against a double, as real numbers. The language asks for no more precision than a double has, so that
    /// 9223372036854775807 equals 9223372036854775808.0 (cel-spec, "Numeric comparisons").
    private static func ofMixed<Integer: FixedWidthInteger>(_ one: Integer, _ other: Double) -> Order {
        if other.isNaN { return .none }
        return ofSame(Double(one), other)
    }

    private static func reversed(_ order: Order) -> Order {
        switch order {
        case .less: .greater
        case .greater: .less
        default: order
        }
    }
}

extension Datum {
    var isNumber: Bool {
        switch self {
        case .int, .uint, .double: true
        default: false
        }
    }
}
