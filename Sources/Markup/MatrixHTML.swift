extension MarkupDocument {
    /// The `formatted_body` of a Matrix message, format `org.matrix.custom.html`: only elements and attributes that the specification suggests (Client-Server API,
    /// Instant Messaging, `m.room.message` msgtypes). Pictures are links, since `img` takes `mxc` addresses only.
    ///
    /// The sink sends `m.mentions: {}` beside it; `@room` and `@name` are broken up all the same, for servers that still look into the text.
    public func matrixHTML() -> String {
        HTMLWriter(attributes: { _ in "" }, alignment: { _ in "" }, pings: .mentions, showsImages: false)
            .html(of: blocks)
    }

    /// The plain `body` of a Matrix message.
    public func matrixBody() -> String {
        PingGuard.mentions.apply(plainText())
    }
}
