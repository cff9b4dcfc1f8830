extension MarkupDocument {
    /// The `text` of a Rocket.Chat message, after the grammar of its own parser (packages/message-parser): `*bold*`, `_italic_`, `~struck~`, no tables, no
    /// escapes that every version knows. Marks in text are replaced by characters that look alike; `@all`, `@here` and names are broken up.
    public func rocketChatMarkdown() -> String {
        BlockLines(markup: ChatMarkup(dialect: .rocketChat)).text(of: self)
    }
}

extension ChatDialect {
    static let rocketChat = ChatDialect(
        strong: "*",
        emphasis: "_",
        struck: "~",
        spacing: .wordEdge,
        // The text behind `#` is not read for marks there, so a link in a heading would be lost.
        headings: .bold,
        tables: .code,
        hasLongFences: false,
        namesLanguages: true,
        nestsQuotes: false,
        // Items are not nested there either: an inner one is a line with a bullet.
        bullet: { $0 == 0 ? "- " : "• " },
        lineBreak: "",
        text: { text in
            let guarded = PingGuard([.addresses, .links, .emoji]).apply(ChatEscapes.lookalikes(rocketLookalikes(text)))
            return ChatEscapes.parted(guarded, behind: rocketChatOpeners)
        },
        lineStart: ChatEscapes.guardedStart,
        code: { PingGuard.addresses.apply($0) },
        link: { target, inner, _ in "[\(inner)](\(target))" }
    )

    /// What begins `<address|text>` and what joins a host name. The grammar takes a zero-width space for a part of a host, so parting would not do.
    private static func rocketLookalikes(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var changed = String.UnicodeScalarView()
        for (position, scalar) in scalars.enumerated() {
            switch scalar {
            case "<": changed.append("\u{2039}")
            case "|": changed.append("\u{2223}")
            case "." where PingGuard.isDomainDot(position, scalars): changed.append("\u{2024}")
            default: changed.append(scalar)
            }
        }
        return String(changed)
    }

    /// What stands before an address, a channel, a formula.
    private static let rocketChatOpeners: Set<Unicode.Scalar> = Set("]#\\$".unicodeScalars)
}
