extension MarkupDocument {
    /// The `formatted_body` of a Matrix message, format `org.matrix.custom.html`: only elements and attributes that the specification suggests (Client-Server API,
    /// Instant Messaging, `m.room.message` msgtypes). Pictures are links, since `img` takes `mxc` addresses only; a link has
    /// no `title` there.
    ///
    /// The sink sends `m.mentions: {}` beside it; `@room` and `@name` are broken up all the same, for servers that still look into the text.
    public func matrixHTML() -> String {
        HTMLWriter(
            attributes: { _ in "" },
            alignment: { _ in "" },
            pings: .mentions,
            links: { !Self.isMatrixMention($0) },
            showsImages: false,
            showsTitles: false
        ).html(of: blocks)
    }

    /// A link to a user on matrix.to is shown as a mention (Matrix specification, appendix "Matrix URIs"), so it is written without its address.
    private static func isMatrixMention(_ target: String) -> Bool {
        guard let fragment = target.firstIndex(of: "#") else { return false }
        let host = target[..<fragment].lowercased().split(separator: "/").dropFirst().first ?? ""
        return host.split(separator: ":").first?.hasSuffix("matrix.to") == true
            && (target[fragment...].contains("@") || target[fragment...].lowercased().contains("%40"))
    }

    /// The plain `body` of a Matrix message.
    public func matrixBody() -> String {
        PingGuard.mentions.apply(plainText())
    }
}
