import Values

/// The standard filters on numbers.
enum NumberFilters {
    private static func reckoning(
        _ name: String,
        _ combine: @escaping @Sendable (Quantity, Quantity) -> Quantity
    ) -> FilterDefinition {
        FilterDefinition(name, 1...1, gives: .number) { input, arguments, _ throws(LiquidError) in
            combine(Quantity(input), Quantity(arguments[0])).datum
        }
    }

    private static func division(
        _ name: String,
        _ combine: @escaping @Sendable (Quantity, Quantity) -> Quantity
    ) -> FilterDefinition {
        FilterDefinition(name, 1...1, gives: .number) { input, arguments, workspace throws(LiquidError) in
            let divisor = Quantity(arguments[0])
            if divisor.isZero { throw workspace.unsuitable("'\(name)' divides by zero") }
            return combine(Quantity(input), divisor).datum
        }
    }

    private static func rounding(_ name: String, _ rule: FloatingPointRoundingRule) -> FilterDefinition {
        FilterDefinition(name, gives: .whole) { input, _, workspace throws(LiquidError) in
            switch Quantity(input) {
            case .whole(let number): return .value(.int(number))
            case .decimal(let number):
                guard let whole = Int64(exactly: number.rounded(rule)) else {
                    throw workspace.unsuitable("the number is too large for '\(name)'")
                }
                return .value(.int(whole))
            }
        }
    }

    static let all: [FilterDefinition] = [
        reckoning("plus") { $0 + $1 },
        reckoning("minus") { $0 - $1 },
        reckoning("times") { $0 * $1 },
        division("divided_by") { $0 / $1 },
        division("modulo") { $0 % $1 },
        reckoning("at_least") { $0.double < $1.double ? $1 : $0 },
        reckoning("at_most") { $0.double > $1.double ? $1 : $0 },
        rounding("ceil", .up),
        rounding("floor", .down),
        FilterDefinition("round", 0...1, gives: .number) { input, arguments, _ throws(LiquidError) in
            let places = Quantity(arguments[0]).double
            return Quantity(input).rounded(Int(max(-40, min(40, places.isNaN ? 0 : places)))).datum
        },
        FilterDefinition("abs", gives: .number) { input, _, _ throws(LiquidError) in
            switch Quantity(input) {
            case .whole(let number): number == .min ? .value(.double(-Double(number))) : .value(.int(abs(number)))
            case .decimal(let number): .value(.double(abs(number)))
            }
        },
    ]
}
