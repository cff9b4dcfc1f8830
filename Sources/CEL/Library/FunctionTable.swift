import Values

/// A function of the language: what the checker knows of it, and what it does.
struct FunctionEntry: Sendable {
    typealias Overload = CELFunction.Overload

    /// The bodies by number of arguments, so that no list of arguments is made for the short ones. A receiver is the first
    /// argument. Arguments are never errors.
    enum Body: Sendable {
        case nullary(@Sendable (inout Meter) -> Datum)
        case unary(@Sendable (inout Meter, Datum) -> Datum)
        case binary(@Sendable (inout Meter, Datum, Datum) -> Datum)
        case ternary(@Sendable (inout Meter, Datum, Datum, Datum) -> Datum)
        /// Takes any number.
        case variadic(@Sendable (inout Meter, [Datum]) -> Datum)
    }

    let name: String
    var overloads: [Overload]
    var bodies: [Body]
    var cost = 1
    /// Functions of a host may give something else each time, so that they are never computed early.
    var isOfHost = false
    /// What it is for, in one line.
    var documentation = ""
    /// An expression with it that is true.
    var example = ""

    func body(forCount count: Int) -> Body? {
        bodies.first { body in
            switch body {
            case .nullary: count == 0
            case .unary: count == 1
            case .binary: count == 2
            case .ternary: count == 3
            case .variadic: true
            }
        }
    }
}

/// The functions that expressions may call.
struct FunctionTable: Sendable {
    private(set) var entries: [String: FunctionEntry] = [:]

    static let standard: FunctionTable = {
        var table = FunctionTable()
        table.addArithmetic()
        table.addComparisons()
        table.addConversions()
        table.addTimes()
        table.addTexts()
        table.addTextFormat()
        table.addMathematics()
        table.addBits()
        table.addOptionals()
        table.addEncoders()
        return table
    }()

    /// Says what functions that have just been added are for: name, meaning, an expression with it that is true.
    mutating func describe(_ descriptions: [(name: String, documentation: String, example: String)]) {
        for description in descriptions {
            entries[description.name]?.documentation = description.documentation
            entries[description.name]?.example = description.example
        }
    }

    subscript(name: String) -> FunctionEntry? { entries[name] }
    var names: some Sequence<String> { entries.keys }

    mutating func add(_ name: String, _ overloads: [FunctionEntry.Overload], _ bodies: FunctionEntry.Body...) {
        var entry = entries[name] ?? FunctionEntry(name: name, overloads: [], bodies: [])
        entry.overloads += overloads
        entry.bodies += bodies
        entries[name] = entry
    }

    /// This table and functions of a host; one with the name of an earlier one replaces it.
    func adding(_ functions: [CELFunction]) -> FunctionTable {
        var table = self
        for function in functions {
            table.entries[function.name] = FunctionEntry(
                name: function.name,
                overloads: function.overloads,
                bodies: [.variadic(Self.body(of: function))],
                cost: function.cost,
                isOfHost: true,
                documentation: function.documentation,
                example: function.example
            )
        }
        return table
    }

    private static func body(of function: CELFunction) -> @Sendable (inout Meter, [Datum]) -> Datum {
        let overloads = function.overloads.map { (parameters: $0.parameters, layout: Layout($0.result)) }
        return { meter, arguments in
            let fitting = overloads.first { overload in
                overload.parameters.count == arguments.count
                    && zip(arguments, overload.parameters).allSatisfy { $0.fits($1) }
            }
            guard let fitting else { return .noOverload(function.name, arguments) }
            var values: [Value] = []
            for argument in arguments {
                switch argument.value(charging: &meter) {
                case .success(let value): values.append(value)
                case .failure(let error): return .error(Failure(error))
                }
            }
            switch function.body(values) {
            case .success(let value): return Datum(value, as: fitting.layout)
            case .failure(let error): return .error(Failure(error))
            }
        }
    }
}

extension FunctionEntry.Overload {
    static func of(_ parameters: CELType..., gives result: CELType) -> Self { Self(parameters, result) }
    static func on(_ parameters: CELType..., gives result: CELType) -> Self {
        Self(parameters, result, receiverStyle: true)
    }
}

extension Datum {
    /// The error of a call for which there is no overload.
    static func noOverload(_ function: String, _ arguments: [Datum]) -> Datum {
        let kinds = arguments.map(\.kindName).joined(separator: ", ")
        let name = Operator.symbol(of: function).map { "'\($0)'" } ?? function
        return .failure(.noSuchOverload, "\(name) does not take (\(kinds))")
    }

    /// Whether this may be handed to a parameter of a type.
    func fits(_ type: CELType) -> Bool {
        switch (self, type) {
        case (_, .dyn), (_, .parameter), (_, .unknown), (_, .failed), (_, .abstract): true
        case (.null, .null), (.null, .wrapper): true
        case (_, .wrapper(let scalar)): fits(scalar)
        case (.bool, .bool), (.int, .int), (.uint, .uint), (.double, .double), (.string, .string), (.bytes, .bytes),
            (.timestamp, .timestamp), (.duration, .duration), (.list, .list), (.map, .map), (.map, .record),
            (.optional, .optional), (.type, .type):
            true
        default: false
        }
    }
}
