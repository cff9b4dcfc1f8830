import Values

/// Nodes that belong together, and whether they can print anything but white space.
struct Block {
    var nodes: [Node] = []
    /// A block that only assigns and comments prints nothing, not even the white space between its tags.
    var isBlank = true

    mutating func append(_ node: Node, isBlank: Bool) {
        nodes.append(node)
        if !isBlank { self.isBlank = false }
    }

    /// The nodes without texts; only asked of blank blocks, whose texts are white space.
    var withoutText: [Node] {
        nodes.filter {
            if case .text = $0 { return false }
            return true
        }
    }
}

/// Builds the tree of one template. Goes on after a mistake, so that all of them are told at once.
struct TemplateParser {
    let source: SourceText
    let options: LiquidOptions
    private(set) var complaints: [Complaint] = []
    private var pieces: [Piece]
    private var nextPiece = 0
    /// The tags that are open around the current piece, outermost first.
    private var openTags: [TagPiece] = []

    init(_ source: SourceText, options: LiquidOptions) {
        self.source = source
        self.options = options
        guard source.count <= options.limits.sourceBytes else {
            pieces = []
            complaints = [Complaint(at: 0..<0, "a template of more than \(options.limits.sourceBytes) bytes")]
            return
        }
        var scanner = TemplateScanner(source)
        scanner.scan()
        pieces = scanner.pieces
        complaints = scanner.complaints + Self.placeholderComplaints(in: source)
    }

    mutating func parse() -> [Node] {
        let block = body(until: [])
        complaints.sort { $0.span.lowerBound < $1.span.lowerBound }
        return block.nodes
    }

    /// U+E000 and U+E001 enclose placeholders in rendered markup; a template that contained them could forge one.
    private static func placeholderComplaints(in source: SourceText) -> [Complaint] {
        source.bytes.indices.filter {
            source.starts(at: $0, with: "\u{E000}") || source.starts(at: $0, with: "\u{E001}")
        }.map {
            Complaint(
                at: $0..<$0 + 3,
                "U+E000 and U+E001 cannot stand in a template",
                cures: ["take this character out"]
            )
        }
    }

    // MARK: Blocks

    /// The nodes up to one of these tags, which is left as the next piece; all the rest where there are none.
    mutating func body(until terminators: [String]) -> Block {
        var block = Block()
        while nextPiece < pieces.count {
            switch pieces[nextPiece] {
            case .text(let span):
                let isBlank = source.bytes[span].allSatisfy(\.isLiquidSpace)
                block.append(.text(Array(source.bytes[span])), isBlank: isBlank)
            case .raw(let span): block.append(.text(Array(source.bytes[span])), isBlank: false)
            case .output(let content): appendOutput(content, to: &block)
            case .tag(let tag):
                if terminators.contains(tag.name) || closesOuterTag(tag) { return block }
                nextPiece += 1
                parse(tag, into: &block)
                continue
            }
            nextPiece += 1
        }
        return block
    }

    private func closesOuterTag(_ tag: TagPiece) -> Bool {
        tag.name.hasPrefix("end") && openTags.contains { "end" + $0.name == tag.name }
    }

    private mutating func appendOutput(_ content: Range<Int>, to block: inout Block) {
        guard !source.trimmed(content).isEmpty else { return block.isBlank = false }
        if let value = attempt(content, { parser throws(Complaint) in try parser.filtered() }) {
            block.append(.output(value), isBlank: false)
        } else {
            block.isBlank = false
        }
    }

    /// Runs a parser over part of the source; a complaint is noted and gives nil.
    mutating func attempt<Result>(
        _ content: Range<Int>,
        _ parse: (inout ExpressionParser) throws(Complaint) -> Result
    ) -> Result? {
        do throws(Complaint) {
            var parser = try ExpressionParser(source, content, options: options)
            let result = try parse(&parser)
            complaints += parser.complaints
            return result
        } catch {
            complaints.append(error)
            return nil
        }
    }

    mutating func complain(at span: Range<Int>, _ message: String, cures: [String] = []) {
        complaints.append(Complaint(at: span, message, cures: cures))
    }

    // MARK: Parts of a block tag

    /// Parses the parts of a block: what follows the opening tag, then what follows each of `dividers`, up to the end tag.
    mutating func parts(of opening: TagPiece, dividers: [String]) -> [(tag: TagPiece, body: Block)] {
        guard openTags.count < options.limits.nesting else {
            complain(at: opening.whole, "blocks are nested more than \(options.limits.nesting) deep")
            nextPiece = pieces.count
            return [(opening, Block())]
        }
        openTags.append(opening)
        defer { openTags.removeLast() }
        var parts: [(tag: TagPiece, body: Block)] = []
        var current = opening
        let end = "end" + opening.name
        while true {
            parts.append((current, body(until: dividers + [end])))
            guard nextPiece < pieces.count, case .tag(let tag) = pieces[nextPiece] else {
                complainUnclosed(opening)
                return parts
            }
            if tag.name == end {
                nextPiece += 1
                return parts
            }
            guard dividers.contains(tag.name) else {
                complainUnclosed(opening)
                return parts
            }
            nextPiece += 1
            current = tag
        }
    }

    private mutating func complainUnclosed(_ tag: TagPiece) {
        complain(at: tag.whole, "'\(tag.name)' is never closed", cures: ["add {% end\(tag.name) %}"])
    }

    // MARK: The liquid tag

    /// Parses tags that are written one a line; blocks opened there are closed there.
    mutating func parseLines(_ tag: TagPiece, into block: inout Block) {
        guard openTags.count < options.limits.nesting else {
            return complain(at: tag.whole, "blocks are nested more than \(options.limits.nesting) deep")
        }
        let (outerPieces, outerNext, outerTags) = (pieces, nextPiece, openTags)
        var scanner = LineScanner(source, tag.content)
        pieces = scanner.scan()
        complaints += scanner.complaints
        nextPiece = 0
        // The tags around stay counted for the nesting limit, but an end tag on a line cannot close them.
        openTags = (outerTags + [tag]).map { tag in
            var tag = tag
            tag.name = "a tag outside"
            return tag
        }
        let lines = body(until: [])
        (pieces, nextPiece, openTags) = (outerPieces, outerNext, outerTags)
        block.nodes += lines.nodes
        if !lines.isBlank { block.isBlank = false }
    }
}

/// Cuts the content of a `liquid` tag into tags, one a line.
struct LineScanner {
    let source: SourceText
    private let span: Range<Int>
    private(set) var complaints: [Complaint] = []

    init(_ source: SourceText, _ span: Range<Int>) {
        self.source = source
        self.span = span
    }

    mutating func scan() -> [Piece] {
        var pieces: [Piece] = []
        var openComments: [TagPiece] = []
        for line in lines() {
            let trimmed = source.trimmed(line)
            guard !trimmed.isEmpty, source.bytes[trimmed.lowerBound] != UInt8(ascii: "#") else { continue }
            let nameEnd = source.wordEnd(from: trimmed.lowerBound, to: trimmed.upperBound)
            let nameSpan = trimmed.lowerBound..<nameEnd
            let tag = TagPiece(
                name: source.string(nameSpan),
                nameSpan: nameSpan,
                content: source.trimmed(nameEnd..<trimmed.upperBound),
                whole: trimmed
            )
            switch tag.name {
            case "comment": openComments.append(tag)
            case "endcomment" where !openComments.isEmpty: openComments.removeLast()
            default: if openComments.isEmpty { pieces.append(.tag(tag)) }
            }
        }
        if let open = openComments.last {
            complaints.append(Complaint(at: open.whole, "'comment' is never closed", cures: ["add endcomment"]))
        }
        return pieces
    }

    private func lines() -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = span.lowerBound
        for position in span where source.bytes[position] == 0x0A {
            lines.append(start..<position)
            start = position + 1
        }
        lines.append(start..<span.upperBound)
        return lines
    }
}
