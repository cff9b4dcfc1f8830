extension MarkupDocument {
    /// The `text` of a Mattermost post, in its Markdown (GitHub's with tables; a line end is a line break).
    ///
    /// `@all`, `@channel`, `@here` and names are broken up; an address in the text is no link, only a link of the template is. Pictures are links.
    public func mattermostMarkdown() -> String {
        BlockLines(markup: ChatMarkup(dialect: .mattermost)).text(of: self)
    }
}

extension ChatDialect {
    static let mattermost = ChatDialect(
        strong: "**",
        emphasis: "*",
        struck: "~~",
        spacing: .flanking,
        headings: .hashes(upTo: 6),
        tables: .pipes,
        hasLongFences: true,
        namesLanguages: true,
        nestsQuotes: true,
        bullet: { _ in "- " },
        lineBreak: "",
        text: { text in
            let guarded = PingGuard([.addresses, .links, .emoji]).apply(text)
            // Its parser takes a backslash before these only; `<`, `&` and `$` are parted from what follows instead.
            let escaped = ChatEscapes.backslashed(guarded, mattermostMarks)
            return ChatEscapes.parted(escaped, behind: mattermostOpeners)
        },
        lineStart: { line in
            // A `=` or `:` has no escape there.
            "=:".unicodeScalars.contains(line.unicodeScalars.first ?? " ")
                ? ChatEscapes.guardedStart(line) : ChatEscapes.backslashedStart(line)
        },
        code: { PingGuard.addresses.apply($0) },
        link: { target, inner, _ in "[\(inner)](\(target))" }
    )

    /// What its parser reads as marks anywhere in a line and takes a backslash before.
    private static let mattermostMarks: Set<Unicode.Scalar> = Set("\\`*_{}[]>~|".unicodeScalars)

    /// What begins HTML, an entity or a formula.
    private static let mattermostOpeners: Set<Unicode.Scalar> = Set("<&$".unicodeScalars)
}
