extension MarkupDocument {
    /// The message without any markup, for the text part of a mail, for tests and for targets that know none.
    ///
    /// Items begin with `- ` or their number, quotes with `> `, tables are aligned columns, links are `text (address)`, struck text stands between `~~`.
    /// Lines are not wrapped. There is no line end behind the last line.
    public func plainText() -> String {
        BlockLines(markup: PlainText()).text(of: self)
    }
}

struct PlainText: LineMarkup {
    func line(_ inlines: [MarkupInline]) -> String {
        inlines.map(text).joined()
    }

    private func text(_ inline: MarkupInline) -> String {
        switch inline {
        case .text(let text), .code(let text): text
        case .softBreak, .lineBreak: " "
        case .emphasis(let inner), .strong(let inner): line(inner)
        case .strikethrough(let inner): "~~" + line(inner) + "~~"
        case .link(let target, _, let inner): Self.link(line(inner), target)
        case .image(let source, _, let alternative): Self.link(alternative, source)
        }
    }

    /// A link's text and where it leads, unless the text says that already.
    static func link(_ text: String, _ target: String) -> String {
        let address = target.hasPrefix("mailto:") ? String(target.dropFirst("mailto:".count)) : target
        if text.isEmpty || text == target || text == address { return address }
        return "\(text) (\(address))"
    }

    func heading(level: Int, _ inlines: [MarkupInline]) -> String { line(inlines) }
    func code(_ text: String, language: String) -> [String] { text.codeLines }
    func table(_ table: MarkupTable, isNested: Bool) -> [String] {
        TableColumns.lines(of: table) { TableColumns.Cell(line($0)) }
    }
    func quote(_ lines: [String], depth: Int) -> [String] { lines.map { $0.isEmpty ? ">" : "> " + $0 } }
    func bullet(depth: Int) -> String { "- " }
}

extension String {
    /// The lines of a code block; empty ones count.
    var codeLines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
