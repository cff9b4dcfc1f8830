import Values

/// Parses what stands behind the names of the tags.
extension ExpressionParser {
    /// The variable that `assign`, `capture`, `increment` and `decrement` name; digits alone are allowed, as elsewhere.
    mutating func targetName() throws(Complaint) -> String {
        switch scanner.next.kind {
        case .text(let name):
            try scanner.take()
            return name
        case .integer(let number) where number >= 0:
            try scanner.take()
            return String(number)
        default:
            let span = scanner.next.span
            let name = try scanner.expectName("the name of a variable")
            guard !name.hasSuffix("?") else { throw Complaint(at: span, "a variable's name cannot end in '?'") }
            return name
        }
    }

    mutating func assignment() throws(Complaint) -> Assignment {
        let name = try targetName()
        try scanner.expect("=")
        return Assignment(name: name, value: try filtered())
    }

    mutating func onlyTargetName() throws(Complaint) -> String {
        let name = try targetName()
        try scanner.expectEnd()
        return name
    }

    /// `item in lessons reversed limit: 3 offset: continue`.
    mutating func loopHeader(in source: SourceText, whole: Range<Int>) throws(Complaint) -> LoopHeader {
        let variable = try scanner.expectName("the name of a variable")
        guard try scanner.takeName("in") else { throw scanner.unexpected("'in'") }
        let start = scanner.next.span.lowerBound
        let collection = try expression()
        let span = source.trimmed(start..<scanner.next.span.lowerBound)
        var header = LoopHeader(
            variable: variable,
            collection: collection,
            collectionSpan: span,
            name: "\(variable)-\(source.string(span))"
        )
        header.arguments.span = whole
        while true {
            while try scanner.take(",") {}
            if scanner.isAtEnd { return header }
            try loopArgument(of: &header)
        }
    }

    private mutating func loopArgument(of header: inout LoopHeader) throws(Complaint) {
        let span = scanner.next.span
        switch try scanner.expectName("'reversed', 'limit:' or 'offset:'") {
        case "reversed": header.arguments.isReversed = true
        case "limit":
            try scanner.expect(":")
            header.arguments.limit = try expression()
        case "offset":
            try scanner.expect(":")
            if try scanner.takeName("continue") {
                header.arguments.offset = .resume
            } else {
                header.arguments.offset = .at(try expression())
            }
        case "cols":
            try scanner.expect(":")
            header.columns = try expression()
        case let name:
            throw Complaint(
                at: span,
                "a loop has no argument '\(name)'",
                cures: Spelling.question(about: name, among: ["reversed", "limit", "offset", "cols"]).map { [$0] } ?? []
            )
        }
    }

    mutating func cycle(in source: SourceText, content: Range<Int>) throws(Complaint) -> Cycle {
        let first = try expression()
        var name: Expression?
        var items = [first]
        if try scanner.take(":") {
            name = first
            items = [try expression()]
        }
        while try scanner.take(",") {
            if scanner.isAtEnd { break }
            items.append(try expression())
        }
        try scanner.expectEnd()
        return Cycle(name: name, text: source.string(content), items: items)
    }

    /// The values of `when`, joined by commas or `or`.
    mutating func whenValues() throws(Complaint) -> [Expression] {
        var values = [try expression()]
        while true {
            if try scanner.take(",") {
                if scanner.isAtEnd { return values }
            } else if try !scanner.takeName("or") {
                try scanner.expectEnd()
                return values
            }
            values.append(try expression())
        }
    }

    mutating func partialCall(isIsolated: Bool, span: Range<Int>) throws(Complaint) -> PartialCall {
        let nameSpan = scanner.next.span
        let name = try expression()
        if isIsolated {
            guard case .literal(.value(.string)) = name else {
                throw Complaint(
                    at: nameSpan,
                    "'render' takes the partial's name in quotes",
                    cures: ["write {% render \"name\" %}"]
                )
            }
        }
        var binding = PartialCall.Binding.nothing
        if !scanner.isKeyword() {
            if try scanner.takeName("with") {
                binding = .one(try expression())
            } else if try scanner.takeName("for") {
                binding = .each(try expression())
            }
        }
        var alias: String?
        if !scanner.isKeyword() {
            if try scanner.takeName("as") { alias = try scanner.expectName("the name of a variable") }
        }
        var arguments: [(name: String, value: Expression)] = []
        while true {
            while try scanner.take(",") {}
            if scanner.isAtEnd { break }
            let argument = try scanner.expectName("the name of an argument")
            try scanner.expect(":")
            arguments.append((argument, try expression()))
        }
        return PartialCall(
            name: name,
            isIsolated: isIsolated,
            binding: binding,
            alias: alias,
            arguments: arguments,
            span: span
        )
    }
}
