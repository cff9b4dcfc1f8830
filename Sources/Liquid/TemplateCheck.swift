public import Values

/// One variable, or field of one, that a template reads.
public struct LiquidReference: Sendable, Hashable {
    /// From the variable down: `["group", "events", "[]", "lesson", "start"]`; `[]` stands for any element of a list or map.
    public let path: [String]
    /// Where, as UTF-8 offsets into the template; for a partial, the tag that names it.
    public let span: Range<Int>

    /// A reference, as hosts that collect them from elsewhere make it.
    public init(path: [String], span: Range<Int>) {
        self.path = path
        self.span = span
    }
}

extension LiquidTemplate {
    /// What is wrong with a template whose variables are declared so, before any value is known.
    ///
    /// Told as errors: variables, fields and filters that do not exist; an optional field that is printed or filtered neither inside an
    /// `if` that asks for it nor with `default`; a loop over what is no list; a comparison by size of a number with a text. Told as
    /// warnings: a record that is printed as a whole. Nothing is told about what lies inside `Shape.any`.
    ///
    /// - Returns: complaints in the order of the source, spans as UTF-8 offsets into it. What is wrong in a partial is told at the tag
    ///   that names it.
    public func check(against variables: [(name: String, shape: Shape)]) -> [Complaint] {
        check(against: variables.map { FieldShape($0.name, $0.shape) })
    }

    /// The same, for variables that may themselves be optional: `old` is there only if a record had an earlier state.
    public func check(against variables: [FieldShape]) -> [Complaint] {
        var checker = TemplateChecker(template: self, variables: variables)
        checker.walk(nodes)
        return checker.complaints.sorted { $0.span.lowerBound < $1.span.lowerBound }
    }

    /// What the template reads of the variables it is handed, in the order of the source. Variables of its own (loops, `assign`, `capture`)
    /// are followed to where their values come from.
    public var references: [LiquidReference] {
        var checker = TemplateChecker(template: self, variables: nil)
        checker.walk(nodes)
        return checker.references
    }
}
