import Values

/// A template cut at its delimiters.
enum Piece: Sendable {
    case text(Range<Int>)
    /// The content of a `raw` block: printed as it stands, and never dropped as white space.
    case raw(Range<Int>)
    /// `{{ content }}`.
    case output(content: Range<Int>)
    /// `{% name content %}`; `whole` includes the delimiters.
    case tag(TagPiece)
}

struct TagPiece: Sendable {
    var name: String
    var nameSpan: Range<Int>
    var content: Range<Int>
    var whole: Range<Int>
}

/// Cuts a template into pieces: finds delimiters, trims white space where a hyphen asks for it, and takes the blocks whose content
/// is not Liquid (`raw`, `comment`, `doc`, inline comments) out of the way.
struct TemplateScanner {
    let source: SourceText
    private(set) var pieces: [Piece] = []
    private(set) var complaints: [Complaint] = []
    private var position = 0
    private var trimsNextText = false

    init(_ source: SourceText) { self.source = source }

    mutating func scan() {
        while position < source.count {
            let start = nextDelimiter()
            let isOpening = start < source.count
            appendText(position..<start, trimsEnd: isOpening && byte(start + 2) == UInt8(ascii: "-"))
            guard isOpening else { return }
            position = start
            if byte(start + 1) == UInt8(ascii: "{") { scanOutput() } else { scanTag() }
        }
    }

    private func byte(_ position: Int) -> UInt8 { position < source.count ? source.bytes[position] : 0 }

    private func nextDelimiter() -> Int {
        var at = position
        while at + 1 < source.count {
            if source.bytes[at] == UInt8(ascii: "{") {
                let next = source.bytes[at + 1]
                if next == UInt8(ascii: "{") || next == UInt8(ascii: "%") { return at }
            }
            at += 1
        }
        return source.count
    }

    private mutating func appendText(_ span: Range<Int>, trimsEnd: Bool, isRaw: Bool = false) {
        var (start, end) = (span.lowerBound, span.upperBound)
        if trimsNextText { while start < end, source.bytes[start].isLiquidSpace { start += 1 } }
        if trimsEnd { while end > start, source.bytes[end - 1].isLiquidSpace { end -= 1 } }
        trimsNextText = false
        guard start < end else { return }
        pieces.append(isRaw ? .raw(start..<end) : .text(start..<end))
    }

    /// The content between delimiters of which the opening one is at `position`; moves behind the closing one.
    private mutating func content(closedBy first: Character, _ second: Character) -> Range<Int>? {
        let opening = position..<position + 2
        let start = position + (byte(position + 2) == UInt8(ascii: "-") ? 3 : 2)
        guard let close = source.find(first, second, from: min(start, source.count)) else {
            let text = source.string(opening)
            complaints.append(
                Complaint(at: opening, "'\(text)' is never closed", cures: ["close it with '\(first)\(second)'"])
            )
            position = source.count
            return nil
        }
        position = close + 2
        trimsNextText = close > start && byte(close - 1) == UInt8(ascii: "-")
        return start..<(trimsNextText ? close - 1 : close)
    }

    private mutating func scanOutput() {
        if let content = content(closedBy: "}", "}") { pieces.append(.output(content: content)) }
    }

    private mutating func scanTag() {
        let start = position
        guard let content = content(closedBy: "%", "}") else { return }
        let trimmed = source.trimmed(content)
        if byte(trimmed.lowerBound) == UInt8(ascii: "#"), !trimmed.isEmpty {
            checkInlineComment(trimmed)
            return
        }
        let nameEnd = source.wordEnd(from: trimmed.lowerBound, to: trimmed.upperBound)
        let tag = TagPiece(
            name: source.string(trimmed.lowerBound..<nameEnd),
            nameSpan: trimmed.lowerBound..<nameEnd,
            content: source.trimmed(nameEnd..<trimmed.upperBound),
            whole: start..<position
        )
        switch tag.name {
        case "raw": scanRaw(tag)
        case "comment": skipComment(tag)
        case "doc": skipDocumentation(tag)
        default: pieces.append(.tag(tag))
        }
    }

    /// Every line of an inline comment starts with a hash sign.
    private mutating func checkInlineComment(_ span: Range<Int>) {
        var lineStart = span.lowerBound
        for position in span where source.bytes[position] == 0x0A {
            check(line: lineStart..<position)
            lineStart = position + 1
        }
        check(line: lineStart..<span.upperBound)
    }

    private mutating func check(line: Range<Int>) {
        let line = source.trimmed(line)
        guard !line.isEmpty, byte(line.lowerBound) != UInt8(ascii: "#") else { return }
        complaints.append(
            Complaint(at: line, "a line of a comment does not start with '#'", cures: ["start every line with '#'"])
        )
    }

    // MARK: Blocks whose content is not Liquid

    private mutating func scanRaw(_ tag: TagPiece) {
        refuseContent(of: tag)
        let start = position
        guard let end = endTag("endraw", from: start) else { return complainUnclosed(tag) }
        appendText(
            start..<end.whole.lowerBound,
            trimsEnd: byte(end.whole.lowerBound + 2) == UInt8(ascii: "-"),
            isRaw: true
        )
        leave(end)
    }

    private mutating func skipDocumentation(_ tag: TagPiece) {
        refuseContent(of: tag)
        guard let end = endTag("enddoc", from: position) else { return complainUnclosed(tag) }
        leave(end)
    }

    /// Comments nest, and a `raw` block inside one hides what it contains.
    private mutating func skipComment(_ tag: TagPiece) {
        var depth = 1
        while let opening = source.find("{", "%", from: position), let next = looseTag(at: opening) {
            position = next.whole.upperBound
            switch next.name {
            case "comment": depth += 1
            case "endcomment": depth -= 1
            case "raw":
                guard let end = endTag("endraw", from: position) else { return complainUnclosed(tag) }
                position = end.whole.upperBound
            default: break
            }
            if depth == 0 { return leave(next) }
        }
        complainUnclosed(tag)
    }

    /// A tag read without regard to what it says, from its opening delimiter to the next closing one.
    private func looseTag(at opening: Int) -> TagPiece? {
        source.find("%", "}", from: contentStart(opening)).flatMap { looseTag(at: opening, closedAt: $0) }
    }

    private func contentStart(_ opening: Int) -> Int {
        min(opening + (byte(opening + 2) == UInt8(ascii: "-") ? 3 : 2), source.count)
    }

    private func looseTag(at opening: Int, closedAt close: Int) -> TagPiece? {
        let start = contentStart(opening)
        guard start <= close else { return nil }
        let content = source.trimmed(
            start..<(close > start && byte(close - 1) == UInt8(ascii: "-") ? close - 1 : close)
        )
        let nameEnd = source.wordEnd(from: content.lowerBound, to: content.upperBound)
        let nameSpan = content.lowerBound..<nameEnd
        return TagPiece(
            name: source.string(nameSpan),
            nameSpan: nameSpan,
            content: nameEnd..<content.upperBound,
            whole: opening..<close + 2
        )
    }

    /// The next tag of this name that has no content of its own; delimiters before it count for nothing.
    private func endTag(_ name: String, from start: Int) -> TagPiece? {
        var from = start
        var close = -1
        while let opening = source.find("{", "%", from: from) {
            if close < contentStart(opening) {
                guard let next = source.find("%", "}", from: contentStart(opening)) else { return nil }
                close = next
            }
            if let tag = looseTag(at: opening, closedAt: close), tag.name == name, tag.content.isEmpty { return tag }
            from = opening + 2
        }
        return nil
    }

    private mutating func leave(_ end: TagPiece) {
        position = end.whole.upperBound
        trimsNextText = byte(position - 3) == UInt8(ascii: "-")
    }

    private mutating func refuseContent(of tag: TagPiece) {
        guard !tag.content.isEmpty else { return }
        complaints.append(Complaint(at: tag.content, "'\(tag.name)' takes nothing behind its name"))
    }

    private mutating func complainUnclosed(_ tag: TagPiece) {
        complaints.append(
            Complaint(at: tag.whole, "'\(tag.name)' is never closed", cures: ["add {% end\(tag.name) %}"])
        )
        position = source.count
    }
}
