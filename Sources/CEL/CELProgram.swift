public import Values

/// What one evaluation costs, in units: about one for each operation, and one for each ten bytes or elements gone through.
public struct CELCostEstimate: Sendable, Hashable {
    /// If everything is cut short as early as possible.
    public let least: Int
    /// If lists and maps of unknown length have `assumedLength` elements, and texts as many bytes.
    public let most: Int

    /// What is assumed of a list, map or text whose length is not known before evaluation.
    public static let assumedLength = 100
}

/// An expression that has been parsed, checked and planned.
///
/// ```swift
/// let environment = CELEnvironment(variables: [CELVariable("lesson", .record(lesson))])
/// let program = try CELProgram.compile("lesson.state == 'CANCELLED'", in: environment, expecting: .bool)
/// let result = program.evaluate(CELActivation(["lesson": value], in: environment))
/// ```
public struct CELProgram: Sendable {
    /// As it was handed over.
    public let source: String
    /// The type that the checker found; `dyn` where the environment does not check.
    public let resultType: CELType
    /// What is allowed but hardly meant.
    public let warnings: [Complaint]
    /// The variables that are read and the paths of fields below them: `now`, `lesson`, `lesson.state`.
    public let references: Set<String>
    /// The functions of the host that are called: `school_day`.
    public let hostFunctions: Set<String>
    /// What an evaluation will cost, as far as that can be said before.
    public let estimatedCost: CELCostEstimate
    let plan: Plan

    /// The expression as source again, written in one way: without comments, superfluous parentheses and escapes. Parsing it gives
    /// the same program, so that expressions that are the same but for their spelling can be told by it.
    public var canonicalSource: String { plan.canonicalSource }

    /// Compiles an expression.
    ///
    /// - Parameters:
    ///   - source: at most 100,000 code points.
    ///   - expecting: the type that the host needs; `nil` takes any. `dyn` results pass and are checked when evaluated.
    /// - Throws: all mistakes at once, at least one.
    public static func compile(
        _ source: String,
        in environment: CELEnvironment,
        expecting: CELType? = nil
    ) throws(CELComplaints) -> CELProgram {
        try Compiler(environment: environment, source: source, expecting: expecting).program()
    }

    /// Evaluates the expression.
    ///
    /// An `optional` gives its value, or null for none; a type gives its name as text. The activation must be one of the program's
    /// environment or of one that extends it.
    public func evaluate(_ activation: CELActivation) -> Result<Value, CELError> {
        plan.value(activation)
    }

    /// Evaluates to the language's own value, which tells types and optionals from texts and null; for conformance tests.
    package func evaluateToDatum(_ activation: CELActivation) -> Datum { plan.run(activation) }

    /// Evaluates a condition: the same as `evaluate` for an expression that gives a bool; any other value is an error.
    public func test(_ activation: CELActivation) -> Result<Bool, CELError> {
        switch plan.run(activation) {
        case .bool(let truth): .success(truth)
        case .error(let failure): .failure(failure.error)
        case let other:
            .failure(CELError(.noSuchOverload, "a condition gives a bool, not \(other.kindName)", span: plan.rootSpan))
        }
    }

    /// Evaluates the expression and keeps the value of every part, to show why the result is what it is. Slower.
    public func explain(_ activation: CELActivation) -> CELExplanation {
        plan.explain(activation)
    }
}
