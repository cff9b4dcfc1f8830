import Values

/// Says in words for people what libyaml stumbled over, and how to mend it.
///
/// The parser's own words name the place where it could not go on, which is often not the place of the mistake. So the traps are
/// looked for first, on the line of the fault and on the line where the unfinished thing began.
struct SyntaxDiagnosis {
    let source: SourceText
    let fault: ParserFault

    /// Lines (from 0) that were complained of already: their traps are known.
    let knownLines: Set<Int>

    var complaint: Complaint {
        if fault.problem == EventReader.tooDeep {
            return Complaint(
                at: point(fault.offset),
                "nested more than \(EventReader.deepest) deep",
                cures: ["write it flatter; no key of a rule or bot file needs that much"]
            )
        }
        return trap(on: faultLine) ?? secondColon ?? quoteTrap ?? trapNearby ?? explained
    }

    private var faultLine: Int { source.lineIndex(of: fault.offset) }
    private var statement: LineStatement { LineStatement(faultLine, in: source) }

    /// The last line before the fault's that has content.
    private var lineBefore: Int? {
        (0..<faultLine).last { source.indentation(ofLine: $0) != source.lineRange($0) }
    }

    private func trap(on line: Int) -> Complaint? {
        let statement = LineStatement(line, in: source)
        return layoutTrap(line, statement) ?? valueTrap(statement) ?? templateInBrackets(line)
    }

    /// A trap on the line before, or on the line where the unfinished thing began.
    private var trapNearby: Complaint? {
        let lines = [lineBefore, fault.contextOffset.map(source.lineIndex(of:))]
        for case let line? in lines where line != faultLine && !knownLines.contains(line) {
            if let complaint = trap(on: line) { return complaint }
        }
        return nil
    }

    private func layoutTrap(_ line: Int, _ statement: LineStatement) -> Complaint? {
        let indentation = source.indentation(ofLine: line)
        if let tab = source.bytes[indentation].firstIndex(of: .tab),
            indentation.upperBound < source.lineRange(line).upperBound
        {
            return Trap.tab(tab..<tab + 1)
        }
        if source.byte(at: fault.offset) == .tab { return Trap.tab(fault.offset..<fault.offset + 1) }
        return source.misplacedBlank(in: statement.value).map { Trap.oddBlank($0, in: source) }
            ?? source.misplacedBlank(in: indentation.upperBound..<source.lineRange(line).upperBound).map {
                Trap.oddBlank($0, in: source)
            }
    }

    /// Traps in the first character of a value.
    private func valueTrap(_ statement: LineStatement) -> Complaint? {
        for span in [statement.value, statement.entry] where !span.isEmpty {
            let text = source.text(span)
            if text.hasPrefix("{{") || text.hasPrefix("{%") { return Trap.unquotedTemplate(span, in: source) }
            if text == ":" || text.hasPrefix(": ") { return Trap.missingKey(span.lowerBound..<span.lowerBound + 1) }
            if isDirective(span) { return Trap.directive(span) }
            switch text.first {
            case "!": return Trap.tag(firstWord(of: span), in: source)
            case "&": return Trap.anchor(firstWord(of: span), in: source)
            case "*": return Trap.alias(firstWord(of: span), in: source)
            case "@": return Trap.reserved("@", span, in: source)
            case "`": return Trap.reserved("`", span, in: source)
            case "%": return Trap.reserved("%", span, in: source)
            case let first? where Typography.quotes.contains(first): return Trap.typographicQuotes(span, in: source)
            default: continue
            }
        }
        return nil
    }

    /// `%YAML 1.2` at the beginning of a line.
    private func isDirective(_ span: Range<Int>) -> Bool {
        source.byte(at: span.lowerBound) == UInt8(ascii: "%")
            && source.lineStart(of: span.lowerBound) == span.lowerBound
            && source.text(span).dropFirst().first?.isUppercase ?? false
    }

    /// `{title: {{ x }} y}` and `[{{ x }}, …]`.
    private func templateInBrackets(_ line: Int) -> Complaint? {
        let range = source.lineRange(line)
        var quote: UInt8?
        for offset in range where offset + 1 < range.upperBound {
            let byte = source.bytes[offset]
            if quote != nil {
                if byte == quote { quote = nil }
            } else if byte == .doubleQuote || byte == .singleQuote {
                quote = byte
            } else if byte == UInt8(ascii: "{"),
                [UInt8(ascii: "{"), UInt8(ascii: "%")].contains(source.bytes[offset + 1])
            {
                let end = source.text(offset..<range.upperBound).range(endingWith: "}}", or: "%}")
                return Trap.unquotedTemplate(offset..<(end.map { offset + $0 } ?? range.upperBound), in: source)
            }
        }
        return nil
    }

    private var explained: Complaint {
        if fault.problem.hasPrefix("mapping values are not allowed") { return misplacedColon }
        if fault.problem == "could not find expected ':'" { return missingColon }
        if let complaint = textBehindBracket { return complaint }
        if let complaint = wideEmptyLine ?? misplacedItem { return complaint }
        if let explanation = ParserWords.explanations[fault.problem] {
            let place = explanation.pointsAtContext ? fault.contextOffset ?? fault.offset : fault.offset
            return Complaint(at: point(place), explanation.message, cures: [explanation.cure])
        }
        return Complaint(
            at: point(fault.offset),
            "this is not YAML: \(fault.problem)",
            cures: [
                "put texts with special characters in quotes, and check the indentation of this line and of the one above"
            ]
        )
    }

    private var secondColon: Complaint? {
        guard fault.problem.hasPrefix("mapping values are not allowed"), statement.hasKey,
            statement.value.lowerBound < fault.offset
        else { return nil }
        return Trap.secondColon(statement.value, in: source)
    }

    private var misplacedColon: Complaint {
        if let lineBefore, let colon = LineStatement(lineBefore, in: source).touchingColon(in: source) {
            return Trap.missingBlank(after: ":", colon..<colon + 1)
        }
        let start = statement.entry.lowerBound
        let key = start..<max(start + 1, fault.offset)
        return Complaint(
            at: key,
            "'\(source.text(key))' is indented as if it belonged to the value above",
            cures: ["begin it in the same column as the other keys of its mapping"]
        )
    }

    private var misplacedItem: Complaint? {
        guard fault.problem == "did not find expected key", source.byte(at: fault.offset) == .dash else { return nil }
        return Complaint(
            at: point(fault.offset),
            "an item of a list does not fit here",
            cures: ["items of one list begin with '- ' in the same column, on the lines below their key"]
        )
    }

    /// A text below '|' that begins with an empty line of more spaces: the parser takes those for the text's indentation.
    private var wideEmptyLine: Complaint? {
        guard let lineBefore, lineBefore + 1 < faultLine,
            "|>".utf8.contains(source.byte(at: LineStatement(lineBefore, in: source).value.lowerBound) ?? 0)
        else { return nil }
        let content = source.indentation(ofLine: faultLine)
        let widest = (lineBefore + 1..<faultLine).map { source.lineRange($0).count }.max() ?? 0
        return widest > content.count ? Trap.wideEmptyLine(point(content.upperBound)) : nil
    }

    private var textBehindBracket: Complaint? {
        let line = source.lineRange(faultLine)
        var before = min(fault.offset, line.upperBound)
        while before > line.lowerBound, source.bytes[before - 1].isBlank { before -= 1 }
        guard before > line.lowerBound, "]}".utf8.contains(source.bytes[before - 1]), fault.offset < line.upperBound
        else { return nil }
        return Complaint(
            at: source.valueSpan(from: fault.offset),
            "text after the closing bracket",
            cures: ["if the brackets belong to the text, put all of it in quotes"]
        )
    }

    private var missingColon: Complaint {
        let start = fault.contextOffset ?? fault.offset
        let span = source.valueSpan(from: start)
        let text = source.text(span)
        if let colon = LineStatement(source.lineIndex(of: start), in: source).touchingColon(in: source) {
            return Trap.missingBlank(after: ":", colon..<colon + 1)
        }
        if text.hasPrefix("-"), text.count > 1 { return Trap.missingBlank(after: "-", start..<start + 1) }
        return Complaint(
            at: span.isEmpty ? point(start) : span,
            "a ':' is missing: this line is no 'key: value'",
            cures: ["write 'key: value'; a text that goes on from the line above is indented more than its key"]
        )
    }

    /// Up to the first blank, without the colon of a key.
    private func firstWord(of span: Range<Int>) -> Range<Int> {
        var word = source.bytes[span].prefix { !$0.isBlank }
        if word.count > 1, word.last == .colon { word.removeLast() }
        return span.lowerBound..<span.lowerBound + max(1, word.count)
    }

    /// One character, or an empty span at the end of a line or of the file.
    func point(_ offset: Int) -> Range<Int> {
        guard let byte = source.byte(at: offset), !byte.isBreak else {
            return min(offset, source.bytes.count)..<min(offset, source.bytes.count)
        }
        return offset..<offset + 1
    }
}

extension String {
    /// The UTF-8 offset behind the first of two endings.
    fileprivate func range(endingWith one: String, or other: String) -> Int? {
        let bytes = Array(utf8)
        let endings = [Array(one.utf8), Array(other.utf8)]
        return bytes.indices.first { index in endings.contains { bytes[index...].starts(with: $0) } }.map { $0 + 2 }
    }
}
