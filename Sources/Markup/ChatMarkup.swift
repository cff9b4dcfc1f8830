/// One dialect of the marked-up text that chat programs read: which marks it has, and how text is kept from being taken for marks.
struct ChatDialect: Sendable {
    /// What has to stand around marks so that the target sees them.
    enum Spacing {
        /// Marks count wherever they stand.
        case anywhere
        /// CommonMark's rule (spec 0.29 §6.4): a mark beside punctuation may not count. A zero-width space inside the marks makes it count.
        case flanking
        /// Marks count only at the edge of words. A zero-width space outside the marks makes an edge.
        case wordEdge
    }

    enum Headings {
        /// `#` up to this level; deeper ones are bold.
        case hashes(upTo: Int)
        case bold
    }

    enum Tables {
        /// `| a | b |`, but not inside lists and quotes.
        case pipes
        /// Aligned columns in a code block.
        case code
    }

    let strong: String
    let emphasis: String
    let struck: String
    let spacing: Spacing
    let headings: Headings
    let tables: Tables
    /// Whether a code span or block may be fenced by more backticks than it contains; else backticks inside are replaced or parted.
    let hasLongFences: Bool
    /// Whether the first word behind a fence names the language.
    let namesLanguages: Bool
    /// Whether `> >` is a quote in a quote.
    let nestsQuotes: Bool
    /// The mark before an item of a bullet list; `depth` counts the lists around it.
    let bullet: @Sendable (_ depth: Int) -> String
    /// What ends a line inside a paragraph, before the line end.
    let lineBreak: String
    /// Text such that none of it is a mark.
    let text: @Sendable (_ text: String) -> String
    /// Escaped text at the beginning of a line such that it begins no block.
    let lineStart: @Sendable (_ text: String) -> String
    /// Code, which is read as it stands but for what the target finds even there.
    let code: @Sendable (_ text: String) -> String
    /// A link; `inner` is its text in this dialect, `words` the same without marks.
    let link: @Sendable (_ target: String, _ inner: String, _ words: String) -> String
}

/// Writes a message in a dialect.
struct ChatMarkup: LineMarkup {
    let dialect: ChatDialect

    func line(_ inlines: [MarkupInline]) -> String {
        var writer = ChatLine(dialect: dialect)
        writer.write(inlines)
        let begins = inlines.first.map { if case .text = $0 { true } else { false } } ?? false
        return begins ? dialect.lineStart(writer.text) : writer.text
    }

    func heading(level: Int, _ inlines: [MarkupInline]) -> String {
        if case .hashes(let deepest) = dialect.headings, level <= deepest {
            var writer = ChatLine(dialect: dialect)
            writer.write(inlines)
            return String(repeating: "#", count: level) + " " + writer.text
        }
        return line([.strong(inlines.withoutStrong)])
    }

    func code(_ text: String, language: String) -> [String] {
        let fence = dialect.hasLongFences ? String(repeating: "`", count: max(3, text.longestBackticks + 1)) : "```"
        let inner = dialect.hasLongFences ? text : text.partedBackticks
        return [fence + (dialect.namesLanguages ? language : "")] + dialect.code(inner).codeLines + [fence]
    }

    func table(_ table: MarkupTable, isNested: Bool) -> [String] {
        guard case .pipes = dialect.tables, !isNested else {
            let lines = TableColumns.lines(of: table) { TableColumns.Cell(PlainText().line($0)) }
            return code(lines.joined(separator: "\n"), language: "")
        }
        let header = table.header.isEmpty ? table.alignments.map { _ in [] } : table.header
        let marks = table.alignments.map { alignment in
            switch alignment {
            case .none: "---"
            case .left: ":---"
            case .center: ":---:"
            case .right: "---:"
            }
        }
        return [row(header), "| " + marks.joined(separator: " | ") + " |"] + table.rows.map(row)
    }

    private func row(_ cells: [[MarkupInline]]) -> String {
        "| "
            + cells.map { cell in
                var writer = ChatLine(dialect: dialect, isCell: true)
                writer.write(cell)
                return writer.text
            }.joined(separator: " | ") + " |"
    }

    func quote(_ lines: [String], depth: Int) -> [String] {
        guard depth == 0 || dialect.nestsQuotes else { return lines }
        // Discord wants the blank even where nothing follows.
        return lines.map { "> " + $0 }
    }

    func bullet(depth: Int) -> String { dialect.bullet(depth) }
    var thematicBreak: String { "———" }
    var lineBreak: String { dialect.lineBreak }
}

/// Writes one line, mark after mark.
private struct ChatLine {
    let dialect: ChatDialect
    /// Whether this is a cell between pipes.
    var isCell = false
    private(set) var text = ""
    /// Whether the last thing written was a closing mark.
    private var isBehindMark = false

    init(dialect: ChatDialect, isCell: Bool = false) {
        self.dialect = dialect
        self.isCell = isCell
    }

    mutating func write(_ inlines: [MarkupInline]) {
        for inline in inlines { write(inline) }
    }

    private mutating func write(_ inline: MarkupInline) {
        switch inline {
        case .text(let text): append(dialect.text(text))
        case .softBreak, .lineBreak: append(" ")
        case .code(let text): append(code(text))
        case .emphasis(let inner): mark(inner, dialect.emphasis)
        case .strong(let inner): mark(inner, dialect.strong)
        case .strikethrough(let inner): mark(inner, dialect.struck)
        case .link(let target, _, let inner):
            append(dialect.link(target, inside(inner), PlainText().line(inner.withoutLinks)))
        case .image(let source, _, let alternative):
            let words = alternative.isEmpty ? source : alternative
            append(dialect.link(source, dialect.text(words), words))
        }
    }

    /// The inlines on their own, as if they began a line; inside a link there are no links.
    private func inside(_ inlines: [MarkupInline]) -> String {
        var writer = ChatLine(dialect: dialect, isCell: isCell)
        writer.write(inlines.withoutLinks)
        return writer.text
    }

    private mutating func mark(_ inner: [MarkupInline], _ mark: String) {
        var writer = ChatLine(dialect: dialect, isCell: isCell)
        writer.write(inner)
        var content = writer.text
        guard let first = content.unicodeScalars.first, let last = content.unicodeScalars.last else { return }
        let joint = String(PingGuard.guardMark)
        switch dialect.spacing {
        case .anywhere: append(mark + content + mark)
        case .flanking:
            if !first.isAlphanumeric { content = joint + content }
            if !last.isAlphanumeric { content += joint }
            append((isBehindMark ? joint : "") + mark + content + mark)
        case .wordEdge:
            let isAtEdge =
                text.unicodeScalars.last.map { $0.properties.isWhitespace || $0 == PingGuard.guardMark } ?? true
            append((isAtEdge ? "" : joint) + mark + content + mark)
        }
        isBehindMark = true
    }

    private mutating func append(_ more: String) {
        if isBehindMark, dialect.spacing == .wordEdge, let next = more.unicodeScalars.first,
            !next.properties.isWhitespace, next != PingGuard.guardMark
        {
            text.unicodeScalars.append(PingGuard.guardMark)
        }
        // By scalars: a combining mark at the beginning belongs to what stands before it.
        text.unicodeScalars.append(contentsOf: more.unicodeScalars)
        isBehindMark = false
    }

    private func code(_ raw: String) -> String {
        var text = dialect.code(raw)
        if isCell { text = ChatEscapes.replaced(text, ["|": "\\|"]) }
        guard dialect.hasLongFences else { return "`" + ChatEscapes.replaced(text, ["`": "\u{2CB}"]) + "`" }
        let fence = String(repeating: "`", count: text.longestBackticks == 0 ? 1 : text.longestBackticks + 1)
        let (first, last) = (text.unicodeScalars.first, text.unicodeScalars.last)
        let isPadded = first == "`" || last == "`" || first == " " && last == " "
        return isPadded ? "\(fence) \(text) \(fence)" : fence + text + fence
    }
}

extension Unicode.Scalar {
    /// A letter or digit of any script.
    var isAlphanumeric: Bool { properties.isAlphabetic || properties.numericType != nil }
}

extension String {
    /// The length of the longest run of backticks.
    fileprivate var longestBackticks: Int {
        var longest = 0
        var run = 0
        for byte in utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// With a zero-width space between backticks that stand together, so that none of them closes a fence.
    fileprivate var partedBackticks: String {
        var parted = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == "`", parted.last == "`" { parted.append(PingGuard.guardMark) }
            parted.append(scalar)
        }
        return String(parted)
    }
}

extension [MarkupInline] {
    /// The same with pictures as their words, for the text of a link.
    fileprivate var withoutLinks: [MarkupInline] {
        flatMap { inline -> [MarkupInline] in
            switch inline {
            case .image(let source, _, let alternative): [.text(alternative.isEmpty ? source : alternative)]
            case .link(_, _, let inner): inner.withoutLinks
            case .emphasis(let inner): [.emphasis(inner.withoutLinks)]
            case .strong(let inner): [.strong(inner.withoutLinks)]
            case .strikethrough(let inner): [.strikethrough(inner.withoutLinks)]
            case .text, .softBreak, .lineBreak, .code: [inline]
            }
        }
    }
}
