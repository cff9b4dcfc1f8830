import Values

/// Members and primaries.
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
        at += 1
        guard isAt("("), !isOptional else {
            return try make(start..<previousEnd, .select(operand, field: field, isOptional: isOptional))
        }
        let arguments = try self.arguments()
        let call = MacroCall(
            name: field,
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
            MacroCall(name: function, target: nil, arguments: arguments, span: start..<previousEnd)
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
