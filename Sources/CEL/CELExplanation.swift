public import Values

/// How an evaluation came to its result: the value of every part that was looked at.
public struct CELExplanation: Sendable {
    /// One part of the expression and what it gave.
    public struct Step: Sendable {
        /// Which part, as UTF-8 offsets into the source.
        public let span: Range<Int>
        /// What the part gave.
        public let value: Result<Value, CELError>
        /// The parts it was made from, in the order in which they were looked at. What was not needed is not there; a
        /// comprehension has its range and then each round.
        public let parts: [Step]
        /// Whether it is `&&`, `||`, `!`, `? :` or a comprehension over conditions: its value is decided by one or more of its parts.
        public let isLogical: Bool
    }

    /// The whole expression.
    public let root: Step
    /// Whether there were more steps than are kept (2,000).
    public let isCutShort: Bool

    /// What the whole expression gave: the same as `evaluate`.
    public var result: Result<Value, CELError> { root.value }

    /// The smallest parts that decided the result: for a condition that is false the comparisons that were false, each with its
    /// operands as `parts`.
    public var deciding: [Step] { Self.deciding(root) }

    private static func deciding(_ step: Step) -> [Step] {
        guard step.isLogical else { return [step] }
        // `!` turns the value of its part around; everything else passes one on.
        let same = step.parts.filter { $0.value == step.value }
        let causes = same.isEmpty ? step.parts : same
        return causes.isEmpty ? [step] : causes.flatMap(deciding)
    }
}
