import Values

/// Builds the tree out of the parser's events and refuses what the strict subset leaves out.
struct TreeBuilder {
    private let events: [YAMLEvent]
    private let source: SourceText
    private var next = 0
    /// How many brackets are open.
    private var flowDepth = 0
    private(set) var complaints = ComplaintList()

    init(_ events: [YAMLEvent], source: SourceText) {
        self.events = events
        self.source = source
    }

    /// The root of the first document; further documents are complained of. Events may end early, after a syntax error.
    mutating func document() -> YAMLNode {
        guard next < events.count, case .documentStart(let hasDirectives) = events[next].kind else {
            let scalar = YAMLScalar(text: "", style: .plain, blockIndent: -1)
            return YAMLNode(content: .scalar(scalar), span: source.textStart..<source.textStart, source: source)
        }
        if hasDirectives {
            let span = restOfLine(from: events[next].span.lowerBound)
            complaints.append(Trap.directive(span))
        }
        next += 1
        let root = node(under: -1)
        next += 1
        if next < events.count, case .documentStart = events[next].kind {
            let cure = "put what follows into a file of its own, or delete this line"
            complain(
                restOfLine(from: events[next].span.lowerBound),
                "a second document begins here; a file holds one",
                cure
            )
        }
        return root
    }

    private mutating func node(under blockIndent: Int) -> YAMLNode {
        guard next < events.count else { return refused(source.bytes.count..<source.bytes.count) }
        let event = events[next]
        next += 1
        let hasProperties = refuseProperties(of: event)
        let start = hasProperties ? afterProperties(from: event.span.lowerBound) : event.span.lowerBound
        let node: YAMLNode
        switch event.kind {
        case .scalar(let text, let style):
            let scalar = YAMLScalar(text: text, style: style, blockIndent: blockIndent)
            let end = style.isBlock ? trimmedEnd(from: start, to: event.span.upperBound) : event.span.upperBound
            node = YAMLNode(content: .scalar(scalar), span: start..<max(start, end), source: source)
        case .sequenceStart(let isFlow):
            flowDepth += isFlow ? 1 : 0
            node = sequence(from: start, isFlow: isFlow, indent: isFlow ? blockIndent : indent(of: start))
            flowDepth -= isFlow ? 1 : 0
        case .mappingStart(let isFlow):
            flowDepth += isFlow ? 1 : 0
            node = mapping(from: start, isFlow: isFlow, indent: isFlow ? blockIndent : indent(of: start))
            flowDepth -= isFlow ? 1 : 0
        case .alias(let name):
            let cures = ["write the value out; if the text itself begins with '*', put it in quotes: \"*\(name)\""]
            complaints.append(
                Complaint(at: event.span, "'*\(name)' is an alias, and aliases are not read", cures: cures)
            )
            node = refused(event.span)
        case .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
            node = refused(event.span)
        }
        return hasProperties ? refused(node.span) : node
    }

    private mutating func sequence(from start: Int, isFlow: Bool, indent: Int) -> YAMLNode {
        var items: [YAMLNode] = []
        while next < events.count {
            if case .sequenceEnd = events[next].kind { break }
            items.append(node(under: indent))
        }
        let end = endOfCollection(isFlow: isFlow) ?? items.last?.span.upperBound ?? start
        return YAMLNode(content: .sequence(items), span: start..<max(start, end), source: source, isFlow: isFlow)
    }

    private mutating func mapping(from start: Int, isFlow: Bool, indent: Int) -> YAMLNode {
        let countBefore = complaints.all.count
        var pairs: [YAMLPair] = []
        var firstPlaces = [String: Int](minimumCapacity: 8)
        var last = start
        while next < events.count {
            if case .mappingEnd = events[next].kind { break }
            let key = node(under: indent)
            let isUsable = accepts(key: key, firstPlaces: &firstPlaces)
            let value = node(under: indent)
            last = max(key.span.upperBound, value.span.upperBound)
            if isUsable { pairs.append(YAMLPair(key: key, value: value)) }
        }
        let end = endOfCollection(isFlow: isFlow) ?? last
        let span = start..<max(start, end)
        if isFlow, source.byte(at: start) == UInt8(ascii: "{"), source.byte(at: start + 1) == UInt8(ascii: "{") {
            // Outside of brackets the text was meant to go on to the end of the line.
            let text = flowDepth == 1 ? start..<max(span.upperBound, source.valueSpan(from: start).upperBound) : span
            complaints.replace(from: countBefore, by: Trap.unquotedTemplate(text, in: source))
            return refused(span)
        }
        return YAMLNode(content: .mapping(pairs), span: span, source: source, isFlow: isFlow)
    }

    /// Whether a key is a text of one line that its mapping does not have yet; complains if not.
    private mutating func accepts(key: YAMLNode, firstPlaces: inout [String: Int]) -> Bool {
        switch key.content {
        case .refused: return false
        case .sequence, .mapping:
            complain(
                firstLine(of: key.span),
                "a key must be a text; this one is a list or a mapping",
                "put the key in quotes"
            )
            return false
        case .scalar(let scalar):
            if scalar.isEmpty {
                complaints.append(Trap.missingKey(key.span))
                return false
            }
            if scalar.style.isBlock
                || source.lineIndex(of: key.span.lowerBound) != source.lineIndex(of: key.span.upperBound)
            {
                complain(firstLine(of: key.span), "a key must be a text of one line", "write the key in one line")
                return false
            }
            if scalar.style == .plain, scalar.text == "<<" {
                complain(key.span, "merge keys ('<<') are not read", "write the keys out")
                return false
            }
            return refuseDoubling(of: key, named: scalar.text, firstPlaces: &firstPlaces)
        }
    }

    private mutating func refuseDoubling(of key: YAMLNode, named name: String, firstPlaces: inout [String: Int]) -> Bool
    {
        guard let first = firstPlaces[name] else {
            firstPlaces[name] = key.span.lowerBound
            return true
        }
        complaints.append(
            Complaint(
                at: key.span,
                "the key '\(name)' is doubled",
                cures: ["it is written first at \(source.address(of: first)); keep one of the two"]
            )
        )
        return true
    }

    /// Whether the event carries a tag or an anchor; complains of them.
    private mutating func refuseProperties(of event: YAMLEvent) -> Bool {
        guard event.tag != nil || event.anchor != nil else { return false }
        var offset = event.span.lowerBound
        while let byte = source.byte(at: offset), byte == UInt8(ascii: "!") || byte == UInt8(ascii: "&") {
            let end = wordEnd(from: offset)
            if byte == UInt8(ascii: "!") {
                complaints.append(Trap.tag(offset..<end, in: source))
            } else {
                complaints.append(Trap.anchor(offset..<end, in: source))
            }
            offset = skipToContent(from: end)
        }
        return true
    }

    private func afterProperties(from start: Int) -> Int {
        var offset = start
        while let byte = source.byte(at: offset), byte == UInt8(ascii: "!") || byte == UInt8(ascii: "&") {
            let end = wordEnd(from: offset)
            let content = skipToContent(from: end)
            // Nothing behind a property but another line with less indentation: the node is empty and ends with it.
            offset = content < source.bytes.count ? content : end
        }
        return offset
    }

    private func wordEnd(from start: Int) -> Int {
        var offset = start
        while let byte = source.byte(at: offset), !byte.isBlank, !byte.isBreak,
            !(offset > start && ",]}".utf8.contains(byte))
        {
            offset += 1
        }
        return offset
    }

    /// Past blanks, line ends and comments.
    private func skipToContent(from start: Int) -> Int {
        var offset = start
        while let byte = source.byte(at: offset) {
            if byte == .hash {
                while let byte = source.byte(at: offset), !byte.isBreak { offset += 1 }
            } else if byte.isBlank || byte.isBreak {
                offset += 1
            } else {
                break
            }
        }
        return offset
    }

    private mutating func endOfCollection(isFlow: Bool) -> Int? {
        guard next < events.count else { return nil }
        next += 1
        return isFlow ? events[next - 1].span.upperBound : nil
    }

    private func indent(of offset: Int) -> Int { offset - source.lineStart(of: offset) }

    /// Blank lines after a block scalar belong to it, but are not worth pointing at.
    private func trimmedEnd(from start: Int, to end: Int) -> Int {
        var end = end
        while end > start, source.bytes[end - 1].isBlank || source.bytes[end - 1].isBreak { end -= 1 }
        return end
    }

    private func restOfLine(from offset: Int) -> Range<Int> {
        offset..<max(offset, source.lineRange(source.lineIndex(of: offset)).upperBound)
    }

    private func firstLine(of span: Range<Int>) -> Range<Int> {
        span.lowerBound..<min(span.upperBound, restOfLine(from: span.lowerBound).upperBound)
    }

    private func refused(_ span: Range<Int>) -> YAMLNode { YAMLNode(content: .refused, span: span, source: source) }

    private mutating func complain(_ span: Range<Int>, _ message: String, _ cure: String) {
        complaints.append(Complaint(at: span, message, cures: [cure]))
    }
}
