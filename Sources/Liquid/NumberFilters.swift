import Values

/// The standard filters on numbers.
enum NumberFilters {
    private static func reckoning(
        _ name: String,
        about example: FilterExample,
        _ combine: @escaping @Sendable (Quantity, Quantity) -> Quantity
    ) -> FilterDefinition {
        FilterDefinition(name, 1...1, gives: .number, about: example) { input, arguments, _ throws(LiquidError) in
            combine(Quantity(input), Quantity(arguments[0])).datum
        }
    }

    private static func division(
        _ name: String,
        about example: FilterExample,
        _ combine: @escaping @Sendable (Quantity, Quantity) -> Quantity
    ) -> FilterDefinition {
        FilterDefinition(name, 1...1, gives: .number, about: example) {
            input,
            arguments,
            workspace throws(LiquidError) in
            let divisor = Quantity(arguments[0])
            if divisor.isZero { throw workspace.unsuitable("'\(name)' divides by zero") }
            return combine(Quantity(input), divisor).datum
        }
    }

    private static func rounding(_ name: String, _ rule: FloatingPointRoundingRule, about example: FilterExample)
        -> FilterDefinition
    {
        FilterDefinition(name, gives: .whole, about: example) { input, _, workspace throws(LiquidError) in
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
        reckoning("plus", about: FilterExample("The sum.", "{{ 5 | plus: 2 }}", "7")) { $0 + $1 },
        reckoning("minus", about: FilterExample("The difference.", "{{ 5 | minus: 2 }}", "3")) { $0 - $1 },
        reckoning("times", about: FilterExample("The product.", "{{ 5 | times: 2 }}", "10")) { $0 * $1 },
        division(
            "divided_by",
            about: FilterExample(
                "The quotient; of whole numbers the whole part.",
                "{{ 7 | divided_by: 2 }} {{ 7 | divided_by: 2.0 }}",
                "3 3.5"
            )
        ) { $0 / $1 },
        division("modulo", about: FilterExample("What a division leaves over.", "{{ 7 | modulo: 2 }}", "1")) {
            $0 % $1
        },
        reckoning(
            "at_least",
            about: FilterExample("The number, or the other if that is greater.", "{{ 3 | at_least: 5 }}", "5")
        ) { $0.double < $1.double ? $1 : $0 },
        reckoning(
            "at_most",
            about: FilterExample("The number, or the other if that is less.", "{{ 7 | at_most: 5 }}", "5")
        ) { $0.double > $1.double ? $1 : $0 },
        rounding("ceil", .up, about: FilterExample("Rounded up.", "{{ 5.1 | ceil }}", "6")),
        rounding("floor", .down, about: FilterExample("Rounded down.", "{{ 5.9 | floor }}", "5")),
        FilterDefinition(
            "round",
            0...1,
            gives: .number,
            about: FilterExample("Rounded, to so many decimals if a number is given.", "{{ 5.55 | round: 1 }}", "5.6")
        ) { input, arguments, _ throws(LiquidError) in
            let places = Quantity(arguments[0]).double
            return Quantity(input).rounded(Int(max(-40, min(40, places.isNaN ? 0 : places)))).datum
        },
        FilterDefinition(
            "abs",
            gives: .number,
            about: FilterExample("Without its sign.", "{{ -3 | abs }}", "3")
        ) { input, _, _ throws(LiquidError) in
            switch Quantity(input) {
            case .whole(let number): number == .min ? .value(.double(-Double(number))) : .value(.int(abs(number)))
            case .decimal(let number): .value(.double(abs(number)))
            }
        },
    ]
}
