public import Values

/// A function that a host adds to the language, such as `days(2)` or `local(timestamp)`.
///
/// ```swift
/// let days = CELFunction("days", "So many times 24 hours.", overloads: [.init([.int], .duration)]) { arguments in
///     .success(.duration(.days(arguments[0].integer ?? 0)))
/// }
/// ```
public struct CELFunction: Sendable {
    /// What goes in and what comes out, for the checker.
    public struct Overload: Sendable, Hashable {
        /// For a receiver-style function the first is what stands before the dot.
        public let parameters: [CELType]
        /// What comes out.
        public let result: CELType
        /// Whether it is called as `first.name(rest)` instead of `name(first, rest)`.
        public let isReceiverStyle: Bool

        /// An overload; a receiver is the first parameter.
        public init(_ parameters: [CELType], _ result: CELType, receiverStyle isReceiverStyle: Bool = false) {
            self.parameters = parameters
            self.result = result
            self.isReceiverStyle = isReceiverStyle
        }
    }

    /// The body. It is only called with as many arguments as one of the overloads has, and with kinds of values that fit it.
    public typealias Body = @Sendable ([Value]) -> Result<Value, CELError>

    /// `days`, `math.mean`.
    public let name: String
    /// What it does, in one line for the reference page.
    public let documentation: String
    /// An expression with it, for the reference page.
    public let example: String
    /// The signatures, at least one.
    public let overloads: [Overload]
    /// Units that a call costs, beside its arguments.
    public let cost: Int
    let body: Body

    /// - Parameters:
    ///   - cost: units of one call, at least 0.
    ///   - body: pure as far as the expression is concerned; called again for each evaluation.
    public init(
        _ name: String,
        _ documentation: String = "",
        example: String = "",
        overloads: [Overload],
        cost: Int = 1,
        _ body: @escaping Body
    ) {
        self.name = name
        self.documentation = documentation
        self.example = example
        self.overloads = overloads
        self.cost = cost
        self.body = body
    }
}
