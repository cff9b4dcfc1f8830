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
        describe(Self.optionalDocumentation)
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

extension FunctionTable {
    fileprivate static let optionalDocumentation: [(name: String, documentation: String, example: String)] = [
        (
            "optional.of", "A value that may be missing, and is there.",
            "optional.of(1).hasValue()"
        ),
        (
            "optional.none", "A value that may be missing, and is.",
            "!optional.none().hasValue()"
        ),
        (
            "optional.ofNonZeroValue", #"None for 0, "", [] and null; else the value."#,
            #"!optional.ofNonZeroValue("").hasValue()"#
        ),
        (
            "hasValue", "Whether it is there.",
            #"{"a": 1}.?a.hasValue()"#
        ),
        (
            "value", "The value; an error if there is none.",
            #"{"a": 1}.?a.value() == 1"#
        ),
        (
            "or", "This one, or if there is none the other.",
            "optional.none().or(optional.of(2)).value() == 2"
        ),
        (
            "orValue", "The value, or if there is none another.",
            #"{"a": 1}.?b.orValue(0) == 0"#
        ),
    ]
}
