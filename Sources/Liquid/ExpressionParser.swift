import Values

/// Parses what stands inside a tag or an output. One parser reads one tag.
struct ExpressionParser {
    var scanner: ExpressionScanner
    private let options: LiquidOptions
    private let source: SourceText
    private var depth = 0
    /// What is wrong without keeping the parser from reading on: unknown filters, wrong argument counts.
    var complaints: [Complaint] = []

    init(_ source: SourceText, _ span: Range<Int>, options: LiquidOptions) throws(Complaint) {
        self.source = source
        self.options = options
        scanner = try ExpressionScanner(source, span)
    }

    // MARK: Values

    mutating func expression() throws(Complaint) -> Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= options.limits.nesting else {
            throw Complaint(at: scanner.next.span, "brackets are nested more than \(options.limits.nesting) deep")
        }
        let token = scanner.next
        switch token.kind {
        case .text(let text):
            try scanner.take()
            return .literal(.text(text))
        case .integer(let number):
            try scanner.take()
            return .literal(.value(.int(number)))
        case .double(let number):
            try scanner.take()
            return .literal(.value(.double(number)))
        case .symbol("("): return try range()
        case .symbol("["): return try path()
        case .name: return try literalOrPath()
        default: throw scanner.unexpected("a value")
        }
    }

    private static let words: [String: Datum] = [
        "nil": .null, "null": .null, "true": .value(.bool(true)), "false": .value(.bool(false)), "empty": .empty,
        "blank": .blank,
    ]

    private mutating func literalOrPath() throws(Complaint) -> Expression {
        guard let name = scanner.nextName, let word = Self.words[name] else { return try path() }
        try scanner.take()
        return .literal(word)
    }

    private mutating func range() throws(Complaint) -> Expression {
        try scanner.expect("(")
        let first = try expression()
        guard scanner.next.kind == .dots else { throw scanner.unexpected("'..'") }
        try scanner.take()
        let last = try expression()
        try scanner.expect(")")
        return .range(RangeExpression(first: first, last: last))
    }

    private mutating func path() throws(Complaint) -> Expression {
        let start = scanner.next.span.lowerBound
        var end = scanner.next.span.upperBound
        let root: Path.Root
        if try scanner.take("[") {
            let name = try expression()
            end = scanner.next.span.upperBound
            try scanner.expect("]")
            if case .literal(.value(.string(let text))) = name { root = .name(text) } else { root = .computed(name) }
        } else {
            root = .name(try scanner.expectName("a variable"))
        }
        var steps: [Path.Step] = []
        while true {
            guard steps.count <= options.limits.nesting else {
                throw Complaint(at: start..<end, "a path of more than \(options.limits.nesting) steps")
            }
            if try scanner.take(".") {
                end = scanner.next.span.upperBound
                steps.append(.field(try fieldName()))
            } else if try scanner.take("[") {
                let step = try expression()
                end = scanner.next.span.upperBound
                try scanner.expect("]")
                steps.append(Self.step(step))
            } else {
                return .path(Path(root: root, steps: steps, span: start..<end))
            }
        }
    }

    /// A field may be called `contains`.
    private mutating func fieldName() throws(Complaint) -> String {
        guard scanner.next.kind == .comparison(.contains) else { return try scanner.expectName("the name of a field") }
        try scanner.take()
        return ComparisonOperator.contains.rawValue
    }

    private static func step(_ expression: Expression) -> Path.Step {
        switch expression {
        case .literal(.value(.string(let name))): .field(name)
        case .literal(.value(.int(let index))): .index(index)
        default: .computed(expression)
        }
    }

    // MARK: Filters

    /// An expression and its filters, up to the end of the tag.
    mutating func filtered() throws(Complaint) -> FilteredExpression {
        let start = scanner.next.span.lowerBound
        var end = scanner.next.span.upperBound
        let base = try expression()
        if case .path(let path) = base { end = path.span.upperBound }
        var filters: [FilterCall] = []
        while try scanner.take("|") { filters.append(try filter()) }
        try scanner.expectEnd()
        if !filters.isEmpty { end = scanner.next.span.lowerBound }
        return FilteredExpression(base: base, filters: filters, span: start..<max(start, end))
    }

    private mutating func filter() throws(Complaint) -> FilterCall {
        let span = scanner.next.span
        let name = try scanner.expectName("the name of a filter")
        var positional: [Expression] = []
        var keywords: [(name: String, value: Expression)] = []
        if try scanner.take(":") {
            repeat {
                if scanner.isKeyword() {
                    let keyword = try scanner.expectName("the name of an argument")
                    try scanner.expect(":")
                    keywords.append((keyword, try expression()))
                } else {
                    positional.append(try expression())
                }
            } while try scanner.take(",")
        }
        let call = FilterCall(
            name: name,
            definition: FilterTable.standard[name],
            positional: positional,
            keywords: keywords,
            span: span
        )
        complaints += FilterTable.complaints(about: call, strictness: options.strictness)
        return call
    }

    // MARK: Conditions

    mutating func condition() throws(Complaint) -> Condition {
        var condition = Condition(comparisons: [try comparison()], operators: [])
        while true {
            if try scanner.takeName("and") {
                condition.operators.append(.and)
            } else if try scanner.takeName("or") {
                condition.operators.append(.or)
            } else {
                try expectConditionEnd()
                return condition
            }
            condition.comparisons.append(try comparison())
        }
    }

    private func expectConditionEnd() throws(Complaint) {
        if scanner.next.kind == .symbol("=") {
            throw Complaint(at: scanner.next.span, "'=' does not compare", cures: ["write '=='"])
        }
        if scanner.next.kind == .symbol("|") {
            throw Complaint(
                at: scanner.next.span,
                "a condition takes no filters",
                cures: ["assign the filtered value to a variable first"]
            )
        }
        try scanner.expectEnd()
    }

    private mutating func comparison() throws(Complaint) -> Comparison {
        let start = scanner.next.span.lowerBound
        let left = try expression()
        guard case .comparison(let relation) = scanner.next.kind else {
            return Comparison(left: left, relation: nil, span: start..<scanner.next.span.lowerBound)
        }
        try scanner.take()
        let right = try expression()
        return Comparison(left: left, relation: (relation, right), span: start..<scanner.next.span.lowerBound)
    }
}
