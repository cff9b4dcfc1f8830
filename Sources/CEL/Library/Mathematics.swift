import Values

/// `math.greatest`, `math.least`, rounding and signs (the math extension).
extension FunctionTable {
    mutating func addMathematics() {
        let numbers: [CELType] = [.int, .uint, .double]
        for (name, isGreatest) in [("math.greatest", true), ("math.least", false)] {
            var overloads: [FunctionEntry.Overload] = numbers.map { .of($0, gives: $0) }
            overloads += numbers.map { .of($0, $0, gives: $0) }
            overloads += numbers.map { .of(.list($0), gives: $0) }
            // Numbers of mixed kinds: which one is found out by evaluation only.
            overloads.append(.of(.list(.dyn), gives: .dyn))
            overloads += (2...8).map { FunctionEntry.Overload(Array(repeating: .dyn, count: $0), .dyn) }
            add(name, overloads, .variadic { meter, arguments in Extremes.of(arguments, isGreatest, name, &meter) })
        }
        let roundings: [(String, FloatingPointRoundingRule)] = [
            ("math.ceil", .up), ("math.floor", .down), ("math.round", .toNearestOrAwayFromZero),
            ("math.trunc", .towardZero),
        ]
        for (name, rule) in roundings {
            add(name, [.of(.double, gives: .double)], onDouble(name) { .double($0.rounded(rule)) })
        }
        add("math.isNaN", [.of(.double, gives: .bool)], onDouble("math.isNaN") { .bool($0.isNaN) })
        add("math.isInf", [.of(.double, gives: .bool)], onDouble("math.isInf") { .bool($0.isInfinite) })
        add("math.isFinite", [.of(.double, gives: .bool)], onDouble("math.isFinite") { .bool($0.isFinite) })
        add(
            "math.sqrt",
            numbers.map { .of($0, gives: .double) },
            .unary { _, value in
                switch value {
                case .double(let number): .double(number.squareRoot())
                case .int(let number): .double(Double(number).squareRoot())
                case .uint(let number): .double(Double(number).squareRoot())
                default: .noOverload("math.sqrt", [value])
                }
            }
        )
        addSigns(numbers)
        describe(Self.mathematicsDocumentation)
    }

    private func onDouble(_ name: String, _ body: @escaping @Sendable (Double) -> Datum) -> FunctionEntry.Body {
        .unary { _, value in
            guard case .double(let number) = value else { return .noOverload(name, [value]) }
            return body(number)
        }
    }

    private mutating func addSigns(_ numbers: [CELType]) {
        add(
            "math.abs",
            numbers.map { .of($0, gives: $0) },
            .unary { _, value in
                switch value {
                case .double(let number): .double(number.magnitude)
                case .uint: value
                case .int(let number): number == .min ? Arithmetic.overflow : .int(abs(number))
                default: .noOverload("math.abs", [value])
                }
            }
        )
        add(
            "math.sign",
            numbers.map { .of($0, gives: $0) },
            .unary { _, value in
                switch value {
                case .double(let number): .double(number.isNaN ? number : number > 0 ? 1 : number < 0 ? -1 : 0)
                case .uint(let number): .uint(number > 0 ? 1 : 0)
                case .int(let number): .int(number.signum())
                default: .noOverload("math.sign", [value])
                }
            }
        )
    }
}

/// The greatest or least of numbers of any kinds.
private enum Extremes {
    static func of(_ arguments: [Datum], _ isGreatest: Bool, _ name: String, _ meter: inout Meter) -> Datum {
        var numbers = arguments
        if arguments.count == 1, case .list(let list) = arguments[0] {
            guard meter.charge(length: list.count) else { return meter.failure }
            numbers = list.elements
            if numbers.isEmpty { return .failure(.invalidArgument, "\(name) of an empty list") }
        }
        guard var best = numbers.first, numbers.allSatisfy(\.isNumber) else { return .noOverload(name, arguments) }
        for number in numbers.dropFirst() where Comparison.order(number, best) == (isGreatest ? .greater : .less) {
            best = number
        }
        return best
    }
}

extension FunctionTable {
    fileprivate static let mathematicsDocumentation: [(name: String, documentation: String, example: String)] = [
        (
            "math.greatest", "The greatest of the numbers, or of a list of them.",
            "math.greatest(5, 7, 6) == 7"
        ),
        (
            "math.least", "The least of the numbers, or of a list of them.",
            "math.least([5.5, 4.0]) == 4.0"
        ),
        (
            "math.ceil", "Rounded up.",
            "math.ceil(5.1) == 6.0"
        ),
        (
            "math.floor", "Rounded down.",
            "math.floor(5.9) == 5.0"
        ),
        (
            "math.round", "Rounded to the nearest whole number; a half goes away from zero.",
            "math.round(5.5) == 6.0"
        ),
        (
            "math.trunc", "Without its fraction.",
            "math.trunc(-5.9) == -5.0"
        ),
        (
            "math.isNaN", "Whether it is no number, as 0.0 / 0.0.",
            "math.isNaN(0.0 / 0.0)"
        ),
        (
            "math.isInf", "Whether it is infinite.",
            "math.isInf(1.0 / 0.0)"
        ),
        (
            "math.isFinite", "Whether it is a number that is not infinite.",
            "math.isFinite(5.5)"
        ),
        (
            "math.sqrt", "The square root.",
            "math.sqrt(9.0) == 3.0"
        ),
        (
            "math.abs", "Without its sign.",
            "math.abs(-3) == 3"
        ),
        (
            "math.sign", "-1, 0 or 1.",
            "math.sign(-7) == -1"
        ),
    ]
}
