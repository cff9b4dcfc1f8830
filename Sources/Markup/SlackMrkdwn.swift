extension MarkupDocument {
    /// The `text` of a Slack message, in mrkdwn. Beside `slackBlocks()` it is what notifications show.
    ///
    /// Slack escapes `&`, `<`, `>` only and has no escape for its marks: in text they are replaced by characters that look alike. `<!channel>`, `<@U…>`, `@here`
    /// call nobody. Lists are lines with bullets, headings bold lines, tables aligned columns in a code block.
    public func slackMrkdwn() -> String {
        BlockLines(markup: ChatMarkup(dialect: .slack)).text(of: self)
    }
}

extension ChatDialect {
    static let slack = ChatDialect(
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
            let guarded = PingGuard([.addresses, .links, .domains, .emoji]).apply(ChatEscapes.lookalikes(text))
            return slackEscaped(guarded)
        },
        lineStart: ChatEscapes.guardedStart,
        code: { slackEscaped(PingGuard.addresses.apply($0)) },
        link: { target, inner, _ in "<\(slackEscaped(target))|\(inner)>" }
    )

    /// Slack's three control characters as entities (Slack, Formatting text for app surfaces, "Escaping text").
    private static func slackEscaped(_ text: String) -> String {
        ChatEscapes.replaced(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;"])
    }
}
