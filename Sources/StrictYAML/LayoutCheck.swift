import Values

/// What libyaml lets pass and the strict subset does not: tabs and odd blanks in the layout, flow collections and quoted texts
/// that hang out of their block, comments that swallow a value, quotation marks that do not quote.
struct LayoutCheck {
    let source: SourceText
    private(set) var complaints = ComplaintList()
    /// The spans of all scalars, in order: what lies between them is layout.
    private var texts: [Range<Int>] = []
    /// The last line with a tab that was looked at: the first tab of a line decides.
    private var lastLineWithTab = -1

    init(source: SourceText) { self.source = source }

    mutating func check(_ root: YAMLNode) {
        check(root, under: -1, inFlow: false)
        checkGaps()
    }

    private mutating func check(_ node: YAMLNode, under blockIndent: Int, inFlow: Bool) {
        switch node.content {
        case .refused: texts.append(node.span)
        case .scalar(let scalar):
            texts.append(node.span)
            if scalar.style == .plain { checkPlain(node, scalar) }
            if scalar.style.isBlock { checkBlockScalar(node, under: blockIndent) }
            if scalar.style.isQuoted && !inFlow {
                checkContinuation(of: node.span, under: blockIndent, "the quoted text above")
            }
        case .sequence(let items):
            let (inner, isFlow) = enter(node, under: blockIndent, inFlow: inFlow)
            for item in items {
                check(item, under: inner, inFlow: isFlow)
                checkTail(of: item)
            }
        case .mapping(let pairs):
            let (inner, isFlow) = enter(node, under: blockIndent, inFlow: inFlow)
            for pair in pairs {
                check(pair.key, under: inner, inFlow: isFlow)
                check(pair.value, under: inner, inFlow: isFlow)
                checkTail(of: pair.value)
                if isFlow { checkMissingBlank(pair) }
            }
        }
    }

    private mutating func enter(_ node: YAMLNode, under blockIndent: Int, inFlow: Bool) -> (indent: Int, isFlow: Bool) {
        let start = node.span.lowerBound
        if inFlow { return (blockIndent, true) }
        if node.isFlow {
            checkContinuation(of: node.span, under: blockIndent, "the brackets above")
            return (blockIndent, true)
        }
        let lineStart = source.lineStart(of: start)
        if let tab = source.bytes[lineStart..<start].firstIndex(of: .tab),
            tab >= source.indentation(ofLine: source.lineIndex(of: start)).upperBound
        {
            complaints.append(Trap.tab(tab..<tab + 1))
        }
        return (start - lineStart, false)
    }

    /// Lines that go on with a flow collection or a quoted text are indented more than the block around (YAML 1.2.2, productions
    /// 69 and 80). libyaml does not ask for it.
    private mutating func checkContinuation(of span: Range<Int>, under blockIndent: Int, _ what: String) {
        for line in source.linesBegun(in: span) {
            let range = source.lineRange(line)
            let content = source.indentation(ofLine: line).upperBound
            let spaces = source.bytes[range].prefix { $0 == .space }.count
            guard content < range.upperBound, spaces <= blockIndent else { continue }
            if source.bytes[range.lowerBound + spaces] == .tab {
                complaints.append(Trap.tab(range.lowerBound + spaces..<content))
            } else {
                complaints.append(Trap.tooLittleIndentation(content..<content + 1, of: what, needed: blockIndent + 1))
            }
        }
    }

    private mutating func checkPlain(_ node: YAMLNode, _ scalar: YAMLScalar) {
        let span = node.span
        guard !span.isEmpty else { return }
        if scalar.text == "-" { complaints.append(Trap.loneDash(span)) }
        // Whatever else can be wrong has a character beyond ASCII or a second line.
        if source.bytes[span].allSatisfy({ $0 < 0x80 && !$0.isBreak }) { return }
        if Typography.looksQuoted(source.text(span)) { complaints.append(Trap.typographicQuotes(span, in: source)) }
        for line in source.linesBegun(in: span) {
            let indentation = source.indentation(ofLine: line)
            let content = indentation.upperBound
            if source.byte(at: content) == .dash, source.byte(at: content + 1)?.isBlank ?? false {
                complaints.append(Trap.itemInText(source.valueSpan(from: content)))
            }
            if indentation.upperBound < source.lineRange(line).upperBound,
                let tab = source.bytes[indentation].firstIndex(of: .tab)
            {
                complaints.append(Trap.tab(tab..<tab + 1))
            }
        }
        if let blank = source.misplacedBlank(in: span) { complaints.append(Trap.oddBlank(blank, in: source)) }
    }

    /// libyaml lets a comment touch the header, and takes the first line of a text for a comment when an empty line above it has
    /// more spaces (YAML 1.2.2, section 8.1.1.1, forbids both).
    private mutating func checkBlockScalar(_ node: YAMLNode, under blockIndent: Int) {
        let header = source.lineIndex(of: node.span.lowerBound)
        let range = source.lineRange(header)
        let indicators = source.bytes[(node.span.lowerBound + 1)..<range.upperBound].prefix {
            "+-123456789".utf8.contains($0)
        }
        if source.byte(at: indicators.endIndex) == .hash {
            complaints.append(Trap.commentWithoutBlank(indicators.endIndex..<indicators.endIndex + 1))
        }
        var widest = 0
        for line in (header + 1)..<max(header + 1, source.lineCount) {
            let indentation = source.indentation(ofLine: line)
            if indentation.upperBound == source.lineRange(line).upperBound {
                widest = max(widest, indentation.count)
                continue
            }
            let isExplicit = indicators.contains { $0.isDigit }
            if indentation.count > blockIndent, indentation.count < widest, !isExplicit,
                source.lineIndex(of: node.span.upperBound) == header
            {
                complaints.append(Trap.wideEmptyLine(indentation.upperBound..<indentation.upperBound + 1))
            }
            return
        }
    }

    /// `{from:"21:30"}` is one key without a value.
    private mutating func checkMissingBlank(_ pair: YAMLPair) {
        guard pair.value.isEmpty, pair.key.scalar?.style == .plain,
            source.byte(at: source.skipBlanks(from: pair.key.span.upperBound, to: source.bytes.count)) != .colon,
            let colon = source.bytes[pair.key.span].firstIndex(of: .colon)
        else { return }
        complaints.append(Trap.missingBlank(after: ":", colon..<colon + 1))
    }

    /// What stands behind a value on its line: a comment that may have been meant as (part of) it.
    private mutating func checkTail(of value: YAMLNode) {
        guard let scalar = value.scalar, scalar.style == .plain else { return }
        let end = value.span.upperBound
        let hash = source.skipBlanks(from: end, to: source.bytes.count)
        guard source.byte(at: hash) == .hash, hash > end || scalar.isEmpty else { return }
        let line = source.lineRange(source.lineIndex(of: end))
        guard hash > line.lowerBound, let following = source.byte(at: hash + 1), hash + 1 < line.upperBound,
            following != .hash,
            !following.isBlank
        else { return }
        let comment = source.valueSpan(from: hash)
        complaints.append(
            scalar.isEmpty
                ? Trap.swallowedValue(comment, in: source) : Trap.swallowedTail(comment, after: value.span, in: source)
        )
    }

    /// Walks what lies between the scalars: indicators, blanks, comments.
    private mutating func checkGaps() {
        var offset = source.textStart
        for text in texts + [source.bytes.count..<source.bytes.count] {
            checkGap(offset..<max(offset, text.lowerBound))
            offset = max(offset, text.upperBound)
        }
    }

    private mutating func checkGap(_ gap: Range<Int>) {
        var offset = gap.lowerBound
        while offset < gap.upperBound {
            let byte = source.bytes[offset]
            let previous = offset > source.textStart ? source.bytes[offset - 1] : .lineFeed
            if byte == .hash {
                let line = source.lineRange(source.lineIndex(of: offset))
                if !previous.isBlank, !previous.isBreak {
                    complaints.append(Trap.commentWithoutBlank(offset..<offset + 1))
                }
                offset = line.upperBound
                continue
            }
            if byte == UInt8(ascii: "?") { complaints.append(Trap.explicitKey(offset..<offset + 1)) }
            if byte == .tab { checkTab(at: offset) }
            offset += 1
        }
    }

    /// Complains of a tab that has only blanks before it on its line, and content other than a comment behind.
    private mutating func checkTab(at offset: Int) {
        let line = source.lineIndex(of: offset)
        guard line != lastLineWithTab else { return }
        lastLineWithTab = line
        let content = source.indentation(ofLine: line).upperBound
        if offset < content, content < source.lineRange(line).upperBound, source.bytes[content] != .hash {
            complaints.append(Trap.tab(offset..<offset + 1))
        }
    }
}

extension SourceText {
    /// The first odd blank of a plain scalar that stands where a space was meant: at its ends, at the ends of one of its lines,
    /// after ':' or '-' as the first character, before '# '.
    func misplacedBlank(in span: Range<Int>) -> Range<Int>? {
        var offset = span.lowerBound
        var previous: Unicode.Scalar = "\n"
        var isInRun = false
        let scalars = Array(text(span).unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let length = UTF8.width(scalar)
            if OddBlank.contains(scalar), !isInRun {
                isInRun = true
                let rest = scalars[(index + 1)...].drop { OddBlank.contains($0) || $0 == " " }
                let following = rest.first ?? "\n"
                let beginsComment = following == "#" && rest.dropFirst().first == " "
                let isAtEdge = ["\n", "\r"].contains(previous) || ["\n", "\r"].contains(following) || beginsComment
                if isAtEdge || previous == ":" || (previous == "-" && index == 1) { return offset..<offset + length }
            }
            if !OddBlank.contains(scalar), scalar != " " {
                isInRun = false
                previous = scalar
            } else if scalar == " ", !isInRun, !["\n", "\r"].contains(previous) {
                previous = scalar
            }
            offset += length
        }
        return nil
    }
}
