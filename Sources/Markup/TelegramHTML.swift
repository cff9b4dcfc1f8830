extension MarkupDocument {
    /// The text of a Telegram message with `parse_mode: HTML` (Bot API, HTML style; tags and entities measured with TDLib's parser).
    ///
    /// Telegram knows no headings, lists, tables or rules: they become bold lines, lines with bullets, aligned columns and a line. An inner quote keeps
    /// a `>` of its own, as quotes do not nest there. `@name` from data calls nobody.
    public func telegramHTML() -> String {
        BlockLines(markup: TelegramHTML()).text(of: self)
    }

    /// How long Telegram counts the message: UTF-16 units of the text without its tags.
    static func telegramLength(_ html: String) -> Int {
        var length = 0
        var isTag = false
        var isEntity = false
        for unit in html.utf16 {
            switch unit {
            case UInt16(UInt8(ascii: "<")): isTag = true
            case UInt16(UInt8(ascii: ">")) where isTag: isTag = false
            case UInt16(UInt8(ascii: "&")) where !isTag:
                isEntity = true
                length += 1
            case UInt16(UInt8(ascii: ";")) where isEntity: isEntity = false
            default: if !isTag, !isEntity { length += 1 }
            }
        }
        return length
    }
}

private struct TelegramHTML: LineMarkup {
    func line(_ inlines: [MarkupInline]) -> String {
        inlines.map { html($0, inLink: false) }.joined()
    }

    private func html(_ inline: MarkupInline, inLink: Bool) -> String {
        let inside = { (inner: [MarkupInline]) in inner.map { html($0, inLink: inLink) }.joined() }
        switch inline {
        case .text(let text): return Self.text(text)
        case .softBreak, .lineBreak: return " "
        case .emphasis(let inner): return "<i>\(inside(inner))</i>"
        case .strong(let inner): return "<b>\(inside(inner))</b>"
        case .strikethrough(let inner): return "<s>\(inside(inner))</s>"
        case .code(let text): return "<code>\(Self.text(text))</code>"
        case .link(let target, _, let inner): return link(target, inner.map { html($0, inLink: true) }.joined())
        case .image(let source, _, let alternative):
            let words = Self.text(alternative.isEmpty ? source : alternative)
            return inLink ? words : link(source, words)
        }
    }

    private static func text(_ text: String) -> String { HTMLText.escaped(PingGuard.mentions.apply(text)) }

    /// Telegram drops links to `mailto:` (TDLib's `check_url` takes http, https, ton and tg only), so the address is shown.
    private func link(_ target: String, _ inner: String) -> String {
        guard target.hasPrefix("mailto:") else { return "<a href=\"\(HTMLText.escaped(target))\">\(inner)</a>" }
        let address = HTMLText.escaped(String(target.dropFirst("mailto:".count)))
        return inner == address ? inner : "\(inner) (\(address))"
    }

    func heading(level: Int, _ inlines: [MarkupInline]) -> String { "<b>\(line(inlines.withoutStrong))</b>" }

    func code(_ text: String, language: String) -> [String] {
        let name = language.isEmpty ? "" : " class=\"language-\(HTMLText.escaped(language))\""
        let inner = HTMLText.escaped(PingGuard.mentions.apply(text))
        return (name.isEmpty ? "<pre>\(inner)</pre>" : "<pre><code\(name)>\(inner)</code></pre>").codeLines
    }

    func table(_ table: MarkupTable, isNested: Bool) -> [String] {
        code(
            TableColumns.lines(of: table) { TableColumns.Cell(PlainText().line($0)) }.joined(separator: "\n"),
            language: ""
        )
    }

    func quote(_ lines: [String], depth: Int) -> [String] {
        guard depth == 0 else { return lines.map { "&gt; " + $0 } }
        return "<blockquote>\(lines.joined(separator: "\n"))</blockquote>".codeLines
    }

    func bullet(depth: Int) -> String { depth.isMultiple(of: 2) ? "• " : "◦ " }
    var thematicBreak: String { "———" }
}

extension [MarkupInline] {
    /// The same without bold of its own, for headings that are bold as a whole.
    var withoutStrong: [MarkupInline] {
        flatMap { inline -> [MarkupInline] in
            switch inline {
            case .strong(let inner): inner.withoutStrong
            case .emphasis(let inner): [.emphasis(inner.withoutStrong)]
            case .strikethrough(let inner): [.strikethrough(inner.withoutStrong)]
            case .link(let target, let title, let inner): [.link(target: target, title: title, inner.withoutStrong)]
            case .text, .softBreak, .lineBreak, .code, .image: [inline]
            }
        }
    }
}
