extension MarkupDocument {
    /// The body of an ntfy message that is sent with `Markdown: yes` (CommonMark). Pictures are links; an address in the text is no link.
    public func ntfyMarkdown() -> String {
        BlockLines(markup: ChatMarkup(dialect: .ntfy)).text(of: self)
    }

    /// The body of an ntfy message without Markdown.
    public func ntfyText() -> String { plainText() }
}

extension ChatDialect {
    /// CommonMark as its specification has it: a backslash before any ASCII punctuation (spec 0.29 §6.1).
    static let ntfy = ChatDialect(
        strong: "**",
        emphasis: "*",
        struck: "~~",
        spacing: .flanking,
        headings: .hashes(upTo: 6),
        tables: .code,
        hasLongFences: true,
        namesLanguages: true,
        nestsQuotes: true,
        bullet: { _ in "- " },
        lineBreak: "\\",
        text: { text in
            let guarded = PingGuard([.addresses, .links]).apply(text)
            return ChatEscapes.backslashed(guarded, ntfyMarks)
        },
        lineStart: ChatEscapes.backslashedStart,
        code: { $0 },
        link: { target, inner, _ in "[\(inner)](\(target))" }
    )

    /// What CommonMark and its tables and strikethrough read as marks anywhere in a line.
    private static let ntfyMarks: Set<Unicode.Scalar> = Set("\\`*_[]<>~|&".unicodeScalars)
}
