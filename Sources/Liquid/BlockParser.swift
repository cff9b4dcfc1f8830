import Values

/// The tags, one by one.
extension TemplateParser {
    /// Parses a tag whose piece has just been taken.
    mutating func parse(_ tag: TagPiece, into block: inout Block) {
        switch tag.name {
        case "if", "unless": parseConditional(tag, into: &block)
        case "case": parseSelection(tag, into: &block)
        case "for": parseLoop(tag, into: &block)
        case "tablerow": parseTableRow(tag, into: &block)
        case "capture": parseCapture(tag, into: &block)
        case "ifchanged": parseIfChanged(tag, into: &block)
        case "liquid": parseLines(tag, into: &block)
        default: parseSimple(tag, into: &block)
        }
    }

    private mutating func parseSimple(_ tag: TagPiece, into block: inout Block) {
        let source = self.source
        switch tag.name {
        case "assign":
            let assignment = attempt(tag.content) { parser throws(Complaint) in try parser.assignment() }
            if let assignment { block.append(.assign(assignment), isBlank: true) }
        case "echo":
            block.isBlank = false
            guard !tag.content.isEmpty else { return }
            let value = attempt(tag.content) { parser throws(Complaint) in try parser.filtered() }
            if let value { block.append(.output(value), isBlank: false) }
        case "increment", "decrement":
            block.isBlank = false
            let name = attempt(tag.content) { parser throws(Complaint) in try parser.onlyTargetName() }
            if let name {
                block.append(.count(Counter(name: name, isUpwards: tag.name == "increment")), isBlank: false)
            }
        case "cycle":
            block.isBlank = false
            let cycle = attempt(tag.content) { parser throws(Complaint) in
                try parser.cycle(in: source, content: tag.content)
            }
            if let cycle { block.append(.cycle(cycle), isBlank: false) }
        case "break", "continue":
            if !tag.content.isEmpty { complain(at: tag.content, "'\(tag.name)' takes nothing behind its name") }
            block.append(tag.name == "break" ? .breakLoop : .continueLoop, isBlank: true)
        case "render", "include": parsePartial(tag, into: &block)
        default: complainUnknown(tag)
        }
    }

    private static let tagNames = TagDeclaration.all.map(\.name)

    private mutating func complainUnknown(_ tag: TagPiece) {
        if tag.name.hasPrefix("end"), Self.tagNames.contains(String(tag.name.dropFirst(3))) {
            return complain(at: tag.whole, "'\(tag.name)' closes nothing here")
        }
        if ["else", "elsif", "when"].contains(tag.name) {
            return complain(at: tag.whole, "'\(tag.name)' stands outside the block it belongs to")
        }
        if tag.name.isEmpty { return complain(at: tag.whole, "a tag without a name") }
        let question = Spelling.question(about: tag.name, among: Self.tagNames)
        complain(at: tag.nameSpan, "there is no tag '\(tag.name)'", cures: question.map { [$0] } ?? [])
    }

    // MARK: Conditions

    private mutating func parseConditional(_ tag: TagPiece, into block: inout Block) {
        let parts = parts(of: tag, dividers: ["elsif", "else"])
        let isBlank = parts.allSatisfy(\.body.isBlank)
        var branches: [Conditional.Branch] = []
        for part in parts {
            // As in the reference implementation, what follows an `else` counts for nothing.
            if let last = branches.last, last.condition == nil { break }
            var condition: Condition?
            if part.tag.name != "else" {
                condition = attempt(part.tag.content) { parser throws(Complaint) in try parser.condition() }
                if condition == nil { continue }
            }
            let isNegated = branches.isEmpty && part.tag.name == "unless"
            let body = isBlank ? part.body.withoutText : part.body.nodes
            branches.append(Conditional.Branch(condition: condition, isNegated: isNegated, body: body))
        }
        block.append(.conditional(Conditional(branches: branches)), isBlank: isBlank)
    }

    private mutating func parseSelection(_ tag: TagPiece, into block: inout Block) {
        let subject = attempt(tag.content) { parser throws(Complaint) -> Expression in
            let subject = try parser.expression()
            try parser.scanner.expectEnd()
            return subject
        }
        // What stands between `case` and the first `when` counts for nothing.
        let parts = parts(of: tag, dividers: ["when", "else"]).dropFirst()
        let isBlank = parts.allSatisfy(\.body.isBlank)
        var branches: [Selection.Branch] = []
        for part in parts {
            let body = isBlank ? part.body.withoutText : part.body.nodes
            if part.tag.name == "else" {
                branches.append(Selection.Branch(values: nil, span: part.tag.content, body: body))
            } else {
                let values = attempt(part.tag.content) { parser throws(Complaint) in try parser.whenValues() }
                if let values {
                    branches.append(Selection.Branch(values: values, span: part.tag.content, body: body))
                }
            }
        }
        if let subject { block.append(.selection(Selection(subject: subject, branches: branches)), isBlank: isBlank) }
    }

    private mutating func parseIfChanged(_ tag: TagPiece, into block: inout Block) {
        guard let part = parts(of: tag, dividers: []).first else { return }
        block.append(
            .ifChanged(part.body.isBlank ? part.body.withoutText : part.body.nodes),
            isBlank: part.body.isBlank
        )
    }

    // MARK: Loops

    private mutating func loopHeader(_ tag: TagPiece) -> LoopHeader? {
        let source = self.source
        return attempt(tag.content) { parser throws(Complaint) in try parser.loopHeader(in: source, whole: tag.whole) }
    }

    private mutating func parseLoop(_ tag: TagPiece, into block: inout Block) {
        let header = loopHeader(tag)
        let parts = parts(of: tag, dividers: ["else"])
        let isBlank = parts.allSatisfy(\.body.isBlank)
        let bodies = parts.map { isBlank ? $0.body.withoutText : $0.body.nodes }
        guard let header, let body = bodies.first else { return }
        if header.columns != nil { complain(at: tag.whole, "'cols' belongs to 'tablerow'") }
        let otherwise = bodies.count > 1 ? bodies[1] : []
        block.append(.loop(ForLoop(header: header, body: body, otherwise: otherwise)), isBlank: isBlank)
    }

    private mutating func parseTableRow(_ tag: TagPiece, into block: inout Block) {
        let header = loopHeader(tag)
        guard let part = parts(of: tag, dividers: []).first, let header else { return }
        let loop = ForLoop(header: header, body: part.body.nodes)
        block.append(.tableRow(loop, columns: header.columns), isBlank: false)
    }

    // MARK: Others

    private mutating func parseCapture(_ tag: TagPiece, into block: inout Block) {
        let name = attempt(tag.content) { parser throws(Complaint) in try parser.onlyTargetName() }
        guard let part = parts(of: tag, dividers: []).first, let name else { return }
        block.append(.capture(Capture(name: name, body: part.body.nodes)), isBlank: true)
    }

    private mutating func parsePartial(_ tag: TagPiece, into block: inout Block) {
        block.isBlank = false
        let call = attempt(tag.content) { parser throws(Complaint) in
            try parser.partialCall(isIsolated: tag.name == "render", span: tag.whole)
        }
        guard let call else { return }
        if options.strictness == .strict, let name = call.literalName, options.partials[name] == nil {
            let question = Spelling.question(about: name, among: options.partials.keys)
            complain(at: tag.whole, "there is no partial '\(name)'", cures: question.map { [$0] } ?? [])
        }
        block.append(.partial(call), isBlank: false)
    }
}
