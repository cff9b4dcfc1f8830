import Foundation
import Values

/// A number as templates reckon with it: whole, or with decimals. Sums of decimals are done in decimal, so that 10.1 - 2.2 is 7.9.
enum Quantity: Sendable {
    case whole(Int64)
    case decimal(Double)

    /// What a value counts as: numbers themselves, texts the number they start with, all else 0.
    init(_ value: Value) {
        switch value {
        case .int(let number): self = .whole(number)
        case .uint(let number): self = Int64(exactly: number).map { .whole($0) } ?? .decimal(Double(number))
        case .double(let number): self = .decimal(number)
        case .string(let text): self = Self.leadingNumber(of: text)
        default: self = .whole(0)
        }
    }

    init(_ datum: Datum) { self.init(datum.plainValue) }

    /// A text that is a decimal number counts as one; of any other the whole number at its start counts, 0 if there is none.
    private static func leadingNumber(of text: String) -> Quantity {
        if let number = exactNumber(of: text) { return number }
        var digits = text.drop { $0.isWhitespace }
        let isNegative = digits.first == "-"
        if isNegative { digits = digits.dropFirst() }
        let number = Int64(digits.prefix { $0.isASCII && $0.isNumber }) ?? 0
        return .whole(isNegative ? -number : number)
    }

    /// The number that a text is as a whole (`8`, `-8.25`), else nil.
    static func exactNumber(of text: String) -> Quantity? {
        let bytes = text.utf8.drop { $0.isLiquidSpace }
        let body = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        let parts = body.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }) else { return nil }
        let number = Substring(bytes)
        if parts.count == 1, let whole = Int64(number) { return .whole(whole) }
        return Double(number).map { .decimal($0) }
    }

    var double: Double {
        switch self {
        case .whole(let number): Double(number)
        case .decimal(let number): number
        }
    }

    var isZero: Bool { double == 0 }

    var datum: Datum {
        switch self {
        case .whole(let number): .value(.int(number))
        case .decimal(let number): .value(.double(number))
        }
    }

    // MARK: Reckoning

    static func + (left: Quantity, right: Quantity) -> Quantity {
        combine(left, right, { $0.addingReportingOverflow($1) }, { $0 + $1 }, { $0 + $1 })
    }

    static func - (left: Quantity, right: Quantity) -> Quantity {
        combine(left, right, { $0.subtractingReportingOverflow($1) }, { $0 - $1 }, { $0 - $1 })
    }

    static func * (left: Quantity, right: Quantity) -> Quantity {
        combine(left, right, { $0.multipliedReportingOverflow(by: $1) }, { $0 * $1 }, { $0 * $1 })
    }

    /// Of whole numbers, the quotient rounded down. The divisor is not 0.
    static func / (left: Quantity, right: Quantity) -> Quantity {
        if case .whole(let one) = left, case .whole(let other) = right, let result = floorDivision(one, other) {
            return .whole(result.quotient)
        }
        return combine(left, right, { _, _ in (0, true) }, { $0 / $1 }, { $0 / $1 })
    }

    /// The remainder of the quotient rounded down: it has the divisor's sign. The divisor is not 0.
    static func % (left: Quantity, right: Quantity) -> Quantity {
        if case .whole(let one) = left, case .whole(let other) = right, let result = floorDivision(one, other) {
            return .whole(result.remainder)
        }
        return left - (Quantity.decimal((left / right).double.rounded(.down)) * right)
    }

    private static func floorDivision(_ one: Int64, _ other: Int64) -> (quotient: Int64, remainder: Int64)? {
        // The one quotient that does not fit.
        if one == .min, other == -1 { return nil }
        let (quotient, remainder) = one.quotientAndRemainder(dividingBy: other)
        return remainder != 0 && (remainder < 0) != (other < 0)
            ? (quotient - 1, remainder + other) : (quotient, remainder)
    }

    private static func combine(
        _ left: Quantity,
        _ right: Quantity,
        _ whole: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ decimal: (Decimal, Decimal) -> Decimal,
        _ double: (Double, Double) -> Double
    ) -> Quantity {
        if case .whole(let one) = left, case .whole(let other) = right {
            let (result, overflow) = whole(one, other)
            if !overflow { return .whole(result) }
        }
        guard let one = left.decimal, let other = right.decimal else {
            return .decimal(double(left.double, right.double))
        }
        let result = decimal(one, other)
        guard result.isFinite, let number = Double(result.description) else {
            return .decimal(double(left.double, right.double))
        }
        return .decimal(number)
    }

    /// The decimal number that people see when the double is printed; nil outside the range in which sums of two are exact.
    var decimal: Decimal? {
        switch self {
        case .whole(let number): return Decimal(number)
        case .decimal(let number):
            guard number == 0 || (1e-15...1e15).contains(number.magnitude) else { return nil }
            return Decimal(string: String(number))
        }
    }

    /// All its digits, without an exponent as long as sums of two are exact.
    var decimalText: String { decimal?.description ?? String(double) }

    /// Rounded to so many decimals, halves away from zero; a whole number where none are asked for.
    func rounded(_ places: Int) -> Quantity {
        guard case .decimal(let number) = self else {
            return places >= 0 ? self : Quantity.decimal(double).rounded(places)
        }
        guard var decimal else { return places > 0 ? self : .whole(Int64(exactly: number.rounded()) ?? 0) }
        var result = Decimal()
        NSDecimalRound(&result, &decimal, min(max(places, -38), 38), .plain)
        let rounded = Double(result.description) ?? number
        return places > 0 ? .decimal(rounded) : .whole(Int64(exactly: rounded) ?? 0)
    }
}
