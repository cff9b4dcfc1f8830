import Values

/// `optional.of` and what optionals can do (the optional types extension).
extension FunctionTable {
    mutating func addOptionals() {
        let some = CELType.parameter("A")
        let optional = CELType.optional(some)
        add("optional.of", [.of(some, gives: optional)], .unary { _, value in .some(value) })
        add("optional.none", [.of(gives: optional)], .nullary { _ in .none })
        add(
            "optional.ofNonZeroValue",
            [.of(some, gives: optional)],
            .unary { _, value in value.isZero ? .none : .some(value) }
        )
        add(
            "hasValue",
            [.on(optional, gives: .bool)],
            .unary { _, value in
                guard case .optional(let boxed) = value else { return .noOverload("hasValue", [value]) }
                return .bool(boxed != nil)
            }
        )
        add(
            "value",
            [.on(optional, gives: some)],
            .unary { _, value in
                guard case .optional(let boxed) = value else { return .noOverload("value", [value]) }
                return boxed?.value ?? .failure(.missing, "the optional has no value")
            }
        )
        addAlternatives(some)
    }

    private mutating func addAlternatives(_ some: CELType) {
        let optional = CELType.optional(some)
        // Both of these are evaluated by the planner, which leaves the second operand alone where the first has a value.
        add(
            "or",
            [.on(optional, optional, gives: optional)],
            .binary { _, value, other in
                guard case .optional(let boxed) = value else { return .noOverload("or", [value, other]) }
                return boxed == nil ? other : value
            }
        )
        add(
            "orValue",
            [.on(optional, some, gives: some)],
            .binary { _, value, other in
                guard case .optional(let boxed) = value else { return .noOverload("orValue", [value, other]) }
                return boxed?.value ?? other
            }
        )
    }
}

extension Datum {
    /// Whether this is what a message field has when nothing was set: null, 0, "", an empty list.
    var isZero: Bool {
        switch self {
        case .null: true
        case .bool(let value): !value
        case .int(let value): value == 0
        case .uint(let value): value == 0
        case .double(let value): value == 0
        case .string(let value): value.isEmpty
        case .bytes(let value): value.isEmpty
        case .duration(let value): value == .zero
        case .timestamp(let value): value.seconds == 0 && value.nanoseconds == 0
        case .list(let value): value.count == 0
        case .map(let value): value.count == 0
        case .optional(let boxed): boxed == nil
        case .type, .error, .unbound: false
        }
    }
}
