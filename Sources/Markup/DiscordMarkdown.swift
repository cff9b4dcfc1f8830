extension MarkupDocument {
    /// The `content` of a Discord message, or the `description` of an embed, in Discord's Markdown.
    ///
    /// Headings below the third level are bold, tables aligned columns in a code block, pictures links. `@everyone` and the like are broken up
    /// (the sink sends `allowed_mentions: {parse: []}` besides); an address in the text is no link, only a link of the template is.
    public func discordMarkdown() -> String {
        BlockLines(markup: ChatMarkup(dialect: .discord)).text(of: self)
    }
}

extension ChatDialect {
    static let discord = ChatDialect(
        strong: "**",
        emphasis: "*",
        struck: "~~",
        spacing: .flanking,
        headings: .hashes(upTo: 3),
        tables: .code,
        hasLongFences: false,
        namesLanguages: true,
        nestsQuotes: false,
        bullet: { _ in "- " },
        lineBreak: "",
        text: { text in
            // Discord takes a backslash before any character that is no letter, digit or blank.
            let guarded = PingGuard([.addresses, .links, .emoji]).apply(text)
            return ChatEscapes.backslashed(guarded, discordMarks)
        },
        lineStart: ChatEscapes.backslashedStart,
        code: { PingGuard.addresses.apply($0) },
        link: { target, inner, words in
            // Links in brackets lead to http and https only, and must not have their own address as text.
            if target.hasPrefix("mailto:") { return inner == target ? inner : "\(inner) (\(target.dropFirst(7)))" }
            return words == target ? "<\(target)>" : "[\(inner)](\(target))"
        }
    )

    /// What Discord reads as marks anywhere in a line.
    private static let discordMarks: Set<Unicode.Scalar> = Set("\\`*_~|<>[]".unicodeScalars)
}
