extension MarkupDocument {
    /// The `text` of a Google Chat message (Google Chat, Format messages): `*bold*`, `_italic_`, `~struck~`, code, `<address|text>`.
    ///
    /// It has no escapes: marks in text are replaced by characters that look alike, and `<` is parted from what follows, so that `<users/all>` calls nobody.
    public func googleChatText() -> String {
        BlockLines(markup: ChatMarkup(dialect: .googleChat)).text(of: self)
    }
}

extension ChatDialect {
    static let googleChat = ChatDialect(
        strong: "*",
        emphasis: "_",
        struck: "~",
        spacing: .wordEdge,
        headings: .bold,
        tables: .code,
        hasLongFences: false,
        namesLanguages: false,
        nestsQuotes: false,
        bullet: { $0.isMultiple(of: 2) ? "• " : "◦ " },
        lineBreak: "",
        text: { text in
            let guarded = PingGuard([.addresses, .links, .domains]).apply(ChatEscapes.lookalikes(text))
            return ChatEscapes.parted(guarded, behind: ["<"])
        },
        lineStart: ChatEscapes.guardedStart,
        code: { ChatEscapes.parted(PingGuard.addresses.apply($0), behind: ["<"]) },
        link: { target, inner, _ in
            // The text of a link ends at the first `>`.
            "<\(target)|\(ChatEscapes.replaced(inner, [">": "\u{203A}", "|": "\u{2223}"]))>"
        }
    )
}
