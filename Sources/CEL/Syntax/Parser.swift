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

    private mutating func binary(_ weakest: Int) throws(Complaint) -> Node {
        var left = weakest == 5 ? try unary() : try binary(weakest + 1)
        while case .punctuation(let symbol) = current.kind, let found = Operator.binary[symbol],
            found.strength == weakest
        {
            at += 1
            let right = weakest == 5 ? try unary() : try binary(weakest + 1)
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

// MARK: Members and primaries

extension Parser {
    mutating func member() throws(Complaint) -> Node { try member(after: try primary()) }

    mutating func member(after first: Node) throws(Complaint) -> Node {
        var node = first
        while true {
            if take(".") {
                node = try selection(from: node)
            } else if isAt("[") {
                node = try indexing(node)
            } else if isAt("{"), let name = node.qualifiedName {
                node = try message(name, from: node)
            } else {
                return node
            }
        }
    }

    private mutating func selection(from operand: Node) throws(Complaint) -> Node {
        let isOptional = take("?")
        let start = operand.span.lowerBound
        let field: String
        switch current.kind {
        case .quotedName(let name):
            at += 1
            return try make(start..<previousEnd, .select(operand, field: name, isOptional: isOptional))
        case .name(let name): field = name
        case .literal(.bool), .literal(.null), .punctuation("in"), .literal(.int):
            throw badField(operand)
        default: throw badField(operand)
        }
        let nameSpan = current.span
        at += 1
        guard isAt("("), !isOptional else {
            return try make(start..<previousEnd, .select(operand, field: field, isOptional: isOptional))
        }
        let arguments = try self.arguments()
        let call = MacroCall(
            name: field,
            nameSpan: nameSpan,
            target: operand,
            arguments: arguments,
            span: start..<previousEnd
        )
        return try expand(call)
    }

    private func badField(_ operand: Node) -> Complaint {
        let found = String(describing: text(of: current))
        var cures: [String] = []
        if case .literal(.int(let index)) = current.kind { cures = ["write [\(index)] for an element of a list"] }
        if case .literal(.string(let name)) = current.kind { cures = ["write [\"\(name)\"] for a key that is a text"] }
        if current.kind == .end {
            return Complaint(at: previousEnd - 1..<previousEnd, "a field name is missing after '.'")
        }
        return Complaint(at: current.span, "a field name is due after '.', not \(found)", cures: cures)
    }

    private mutating func indexing(_ operand: Node) throws(Complaint) -> Node {
        let open = current
        at += 1
        let isOptional = take("?")
        let index = try expression()
        guard take("]") else { throw unclosed(open, "]") }
        return try make(operand.span.lowerBound..<previousEnd, .index(operand, index, isOptional: isOptional))
    }

    /// `(a, b)`; the parser stands at the opening parenthesis.
    mutating func arguments() throws(Complaint) -> [Node] {
        let open = current
        at += 1
        var arguments: [Node] = []
        if take(")") { return arguments }
        while true {
            arguments.append(try expression())
            if take(")") { return arguments }
            guard take(",") else { throw unclosed(open, ")") }
        }
    }

    private mutating func primary() throws(Complaint) -> Node {
        let token = current
        switch token.kind {
        case .literal(let literal):
            at += 1
            return try make(token.span, .literal(literal))
        case .name(let name): return try self.name(name, isAbsolute: false, start: token.span.lowerBound)
        case .punctuation("."):
            at += 1
            guard case .name(let name) = current.kind else {
                throw Complaint(at: token.span, "a name is due after '.'")
            }
            return try self.name(name, isAbsolute: true, start: token.span.lowerBound)
        case .punctuation("("):
            at += 1
            let inner = try expression()
            guard take(")") else { throw unclosed(token, ")") }
            return inner
        case .punctuation("["): return try list()
        case .punctuation("{"): return try map()
        case .magnitudeOfLeastInt:
            throw Complaint(at: token.span, "this number is too large for an int (at most 9223372036854775807)")
        default: throw misplaced()
        }
    }

    private static let reserved: Set<String> = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
        "namespace", "return", "var", "void", "while",
    ]

    private mutating func name(_ name: String, isAbsolute: Bool, start: Int) throws(Complaint) -> Node {
        let span = current.span
        if Self.reserved.contains(name) { throw reserved(name, at: span) }
        at += 1
        guard isAt("(") else { return try make(start..<span.upperBound, .identifier(name, isAbsolute: isAbsolute)) }
        let arguments = try self.arguments()
        let function = isAbsolute ? "." + name : name
        return try expand(
            MacroCall(name: function, nameSpan: span, target: nil, arguments: arguments, span: start..<previousEnd)
        )
    }

    private mutating func list() throws(Complaint) -> Node {
        let open = current
        at += 1
        var elements: [Node.ListElement] = []
        while !isAt("]") {
            let isOptional = take("?")
            elements.append(Node.ListElement(value: try expression(), isOptional: isOptional))
            if !take(","), !isAt("]") { throw unclosed(open, "]") }
        }
        at += 1
        return try make(open.span.lowerBound..<previousEnd, .list(elements))
    }

    private mutating func map() throws(Complaint) -> Node {
        let open = current
        at += 1
        if isAt("{") || isAt("%") { throw templateBraces(open) }
        var entries: [Node.MapEntry] = []
        while !isAt("}") {
            let isOptional = take("?")
            let key = try expression()
            guard take(":") else {
                throw Complaint(
                    at: key.span,
                    "a map has a value behind each key",
                    cures: ["write {\"key\": value}, or [a, b] for a list"]
                )
            }
            entries.append(Node.MapEntry(key: key, value: try expression(), isOptional: isOptional))
            if !take(","), !isAt("}") { throw unclosed(open, "}") }
        }
        at += 1
        return try make(open.span.lowerBound..<previousEnd, .map(entries))
    }

    private mutating func message(_ name: String, from node: Node) throws(Complaint) -> Node {
        let open = current
        at += 1
        var fields: [Node.MessageField] = []
        while !isAt("}") {
            let isOptional = take("?")
            let field: String
            switch current.kind {
            case .name(let name), .quotedName(let name): field = name
            default: throw Complaint(at: current.span, "a field name is due here, as in Type{field: value}")
            }
            at += 1
            guard take(":") else { throw Complaint(at: current.span, "':' is missing after the field name") }
            fields.append(Node.MessageField(name: field, value: try expression(), isOptional: isOptional))
            if !take(","), !isAt("}") { throw unclosed(open, "}") }
        }
        at += 1
        return try make(node.span.lowerBound..<previousEnd, .message(name, fields))
    }
}

extension Node {
    /// `a.b.c` as one name, with a leading dot where it is absolute; nil for anything else.
    var qualifiedName: String? {
        switch kind {
        case .identifier(let name, let isAbsolute): isAbsolute ? "." + name : name
        case .select(let operand, let field, isOptional: false): operand.qualifiedName.map { "\($0).\(field)" }
        default: nil
        }
    }

    /// The identifier that a chain of selections begins with.
    var rootIdentifier: (name: String, isAbsolute: Bool)? {
        switch kind {
        case .identifier(let name, let isAbsolute): (name, isAbsolute)
        case .select(let operand, _, isOptional: false): operand.rootIdentifier
        default: nil
        }
    }
}
