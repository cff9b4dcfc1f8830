import Values

/// `math.bitAnd` and its like (the math extension).
extension FunctionTable {
    mutating func addBits() {
        let pairs: [FunctionEntry.Overload] = [.of(.int, .int, gives: .int), .of(.uint, .uint, gives: .uint)]
        addPair("math.bitAnd", pairs) { $0 & $1 }
        addPair("math.bitOr", pairs) { $0 | $1 }
        addPair("math.bitXor", pairs) { $0 ^ $1 }
        add(
            "math.bitNot",
            [.of(.int, gives: .int), .of(.uint, gives: .uint)],
            .unary { _, value in
                switch value {
                case .int(let number): .int(~number)
                case .uint(let number): .uint(~number)
                default: .noOverload("math.bitNot", [value])
                }
            }
        )
        // Shifts move bits, not signs: the right shift of a negative int fills up with zeros, and 64 places leave nothing.
        addShift("math.bitShiftLeft") { $0 << $1 }
        addShift("math.bitShiftRight") { $0 >> $1 }
        describe(Self.bitDocumentation)
    }

    private mutating func addPair(
        _ name: String,
        _ overloads: [FunctionEntry.Overload],
        _ combine: @escaping @Sendable (UInt64, UInt64) -> UInt64
    ) {
        add(
            name,
            overloads,
            .binary { _, left, right in
                switch (left, right) {
                case (.int(let one), .int(let other)):
                    .int(Int64(bitPattern: combine(UInt64(bitPattern: one), UInt64(bitPattern: other))))
                case (.uint(let one), .uint(let other)): .uint(combine(one, other))
                default: .noOverload(name, [left, right])
                }
            }
        )
    }

    private mutating func addShift(_ name: String, _ shift: @escaping @Sendable (UInt64, Int64) -> UInt64) {
        add(
            name,
            [.of(.int, .int, gives: .int), .of(.uint, .int, gives: .uint)],
            .binary { _, value, places in
                guard case .int(let places) = places else { return .noOverload(name, [value, places]) }
                switch value {
                case .int, .uint:
                    if places < 0 { return .failure(.invalidArgument, "\(name) by less than 0 places") }
                default: return .noOverload(name, [value, .int(places)])
                }
                if case .int(let number) = value {
                    return .int(Int64(bitPattern: shift(UInt64(bitPattern: number), places)))
                }
                if case .uint(let number) = value { return .uint(shift(number, places)) }
                return .noOverload(name, [value])
            }
        )
    }
}

extension FunctionTable {
    fileprivate static let bitDocumentation: [(name: String, documentation: String, example: String)] = [
        (
            "math.bitAnd", "The bits that both have.",
            "math.bitAnd(6, 3) == 2"
        ),
        (
            "math.bitOr", "The bits that either has.",
            "math.bitOr(6, 3) == 7"
        ),
        (
            "math.bitXor", "The bits that only one has.",
            "math.bitXor(6, 3) == 5"
        ),
        (
            "math.bitNot", "The other bits.",
            "math.bitNot(1) == -2"
        ),
        (
            "math.bitShiftLeft", "The bits moved up by so many places.",
            "math.bitShiftLeft(1, 3) == 8"
        ),
        (
            "math.bitShiftRight", "The bits moved down by so many places.",
            "math.bitShiftRight(8, 3) == 1"
        ),
    ]
}
