import Values

/// Reads the grammar of cel-spec ("Syntax") by recursive descent, and expands macros as it goes.
struct Parser {
    /// How deep parentheses, lists and calls may lie in each other, and how high the tree may grow.
    static let deepest = 200
    static let longest = 100_000

    var tokens: [Token]
    var at = 0
    var depth = 0
    var nextID = 0

    /// The parsed expression and how many nodes it has.
    static func parse(_ source: String) throws(Complaint) -> (root: Node, nodeCount: Int) {
        if source.utf8.count > longest, source.unicodeScalars.count > longest {
            throw Complaint(
                at: 0..<source.utf8.count,
                "this expression is longer than \(longest) characters",
                cures: ["move long lists into the data, or divide the expression into several"]
            )
        }
        var parser = Parser(tokens: try Lexer.tokens(of: source))
        if parser.current.kind == .end {
            throw Complaint(
                at: parser.current.span,
                "there is no expression here",
                cures: ["write a condition such as 1 < 2"]
            )
        }
        let root = try parser.expression()
        guard parser.current.kind == .end else { throw parser.surplus(after: root) }
        return (root, parser.nextID)
    }

    var current: Token { tokens[at] }
    var previousEnd: Int { at > 0 ? tokens[at - 1].span.upperBound : 0 }

    func isAt(_ symbol: String) -> Bool {
        if case .punctuation(let found) = tokens[at].kind { return found == symbol }
        return false
    }

    mutating func take(_ symbol: String) -> Bool {
        guard isAt(symbol) else { return false }
        at += 1
        return true
    }

    mutating func make(_ span: Range<Int>, _ kind: Node.Kind) throws(Complaint) -> Node {
        let node = Node(id: nextID, span: span, kind: kind)
        nextID += 1
        if node.height > Self.deepest { throw tooDeep(span) }
        return node
    }

    func tooDeep(_ span: Range<Int>) -> Complaint {
        Complaint(
            at: span,
            "this is nested more than \(Self.deepest) deep",
            cures: ["write long sums as a list, or divide the expression into several"]
        )
    }

    // MARK: Operators, from the loosest to the tightest

    mutating func expression() throws(Complaint) -> Node {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.deepest { throw tooDeep(current.span) }
        let condition = try disjunction()
        guard take("?") else { return condition }
        let one = try disjunction()
        guard take(":") else { throw missingColon(after: condition) }
        let other = try expression()
        return try make(
            condition.span.lowerBound..<other.span.upperBound,
            .conditional(condition, one, other)
        )
    }

    private mutating func disjunction() throws(Complaint) -> Node {
        let first = try conjunction()
        guard isAt("||") else { return first }
        var operands = [first]
        while take("||") { operands.append(try conjunction()) }
        return try make(first.span.lowerBound..<previousEnd, .or(operands))
    }

    private mutating func conjunction() throws(Complaint) -> Node {
        let first = try binary(3)
        guard isAt("&&") else { return first }
        var operands = [first]
        while take("&&") { operands.append(try binary(3)) }
        return try make(first.span.lowerBound..<previousEnd, .and(operands))
    }

    /// Operators of at least a strength, by climbing: each takes what is tighter on its right.
    private mutating func binary(_ weakest: Int) throws(Complaint) -> Node {
        var left = try unary()
        while case .punctuation(let symbol) = current.kind, let found = Operator.binary[symbol],
            found.strength >= weakest
        {
            at += 1
            let right = try binary(found.strength + 1)
            left = try make(
                left.span.lowerBound..<right.span.upperBound,
                .call(found.function, target: nil, arguments: [left, right])
            )
        }
        return left
    }

    private mutating func unary() throws(Complaint) -> Node {
        if isAt("!") {
            var starts: [Int] = []
            while isAt("!") {
                starts.append(current.span.lowerBound)
                at += 1
            }
            return try prefixed(Operator.not, starts, try member())
        }
        guard isAt("-") else { return try member() }
        var starts: [Int] = []
        while isAt("-") {
            starts.append(current.span.lowerBound)
            at += 1
        }
        // The last minus belongs to a number that follows it: -1, and the least int, which has no positive counterpart.
        if let literal = negatedLiteral() {
            let last = starts.removeLast()
            let number = try make(last..<current.span.upperBound, .literal(literal))
            at += 1
            return try prefixed(Operator.negate, starts, try member(after: number))
        }
        return try prefixed(Operator.negate, starts, try member())
    }

    private mutating func prefixed(_ function: String, _ starts: [Int], _ operand: Node) throws(Complaint) -> Node {
        var node = operand
        for start in starts.reversed() {
            node = try make(start..<node.span.upperBound, .call(function, target: nil, arguments: [node]))
        }
        return node
    }

    private func negatedLiteral() -> Node.Literal? {
        switch current.kind {
        case .literal(.int(let value)): .int(-value)
        case .literal(.double(let value)): .double(-value)
        case .magnitudeOfLeastInt: .int(Int64.min)
        default: nil
        }
    }
}
