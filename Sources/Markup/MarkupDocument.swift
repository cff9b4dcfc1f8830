/// One message as a tree: what CommonMark text says once its markup is read and its values have been put into the leaves.
///
/// A document is always clean, however it was made: no control character but the line break inside code, no bidirectional
/// override, no empty emphasis, no link whose target is anything but `http`, `https` or `mailto`. The renderers rely on that and escape
/// every leaf by the rule of their target.
public struct MarkupDocument: Sendable, Hashable {
    /// The blocks, from top to bottom.
    public let blocks: [MarkupBlock]

    /// A document of these blocks, cleaned as described above.
    public init(_ blocks: [MarkupBlock]) {
        self.blocks = DocumentCleaning.clean(blocks)
    }

    /// Blocks that came out of a clean document, such as a part of one.
    init(clean blocks: [MarkupBlock]) {
        self.blocks = blocks
    }

    /// Whether there is nothing to be read in it.
    public var isEmpty: Bool { blocks.isEmpty }

    /// Whether there is anything to be seen in it: blanks, joiners and zero-width spaces show nothing, and chats refuse such a message.
    public var isVisible: Bool { LeafText.isVisible(plainText()) }

    /// The same of the message under a title. What is looked at first is the title, since most have one.
    public func isVisible(under title: String) -> Bool {
        LeafText.isVisible(title) || isVisible
    }

    /// The same message under a title line, for targets that have no field for it.
    ///
    /// `title` is plain text, never markup. An empty one adds nothing. `level` 1 to 6 as in CommonMark.
    public func withTitle(_ title: String, level: Int = 3) -> MarkupDocument {
        let heading = MarkupDocument([.heading(level: level, [.text(title)])])
        return MarkupDocument(clean: heading.blocks + blocks)
    }

    /// The same message over the address that it points to, in a paragraph of its own; unchanged for nil.
    ///
    /// An address that may not be linked (see the type) stands as text.
    public func withLink(_ address: String?) -> MarkupDocument {
        guard let address else { return self }
        let link = MarkupDocument([.paragraph([.link(target: address, title: "", [.text(address)])])])
        return MarkupDocument(clean: blocks + link.blocks)
    }
}

/// A block: what stands on lines of its own.
public enum MarkupBlock: Sendable, Hashable {
    case paragraph([MarkupInline])
    /// `level` is 1 to 6.
    case heading(level: Int, [MarkupInline])
    case list(MarkupList)
    case quote([MarkupBlock])
    /// Lines of code without the last line break. `language` is the first word of the info string, "" where there is none.
    case code(String, language: String)
    case thematicBreak
    case table(MarkupTable)
}

/// A list. An item is a list of blocks.
public struct MarkupList: Sendable, Hashable {
    /// The number of the first item; nil for a bullet list.
    public var start: Int?
    /// Whether the items stand without blank lines between them.
    public var isTight: Bool
    public var items: [[MarkupBlock]]

    public init(start: Int? = nil, isTight: Bool = true, items: [[MarkupBlock]]) {
        self.start = start
        self.isTight = isTight
        self.items = items
    }
}

/// A table with one line of header. Every row has as many cells as there are `alignments`.
public struct MarkupTable: Sendable, Hashable {
    /// Where the texts of a column stand; `none` leaves it to the target.
    public enum Alignment: Sendable, Hashable {
        case none, left, center, right
    }

    public var alignments: [Alignment]
    /// The header's cells; empty in the later parts of a table that was split.
    public var header: [[MarkupInline]]
    public var rows: [[[MarkupInline]]]

    public init(alignments: [Alignment], header: [[MarkupInline]], rows: [[[MarkupInline]]]) {
        self.alignments = alignments
        self.header = header
        self.rows = rows
    }
}

/// What stands inside a line. The two large cases, which are rare, lie elsewhere: a text is not allocated.
public enum MarkupInline: Sendable, Hashable {
    case text(String)
    /// A line end of the source; every renderer shows a blank.
    case softBreak
    case lineBreak
    case emphasis([MarkupInline])
    case strong([MarkupInline])
    case strikethrough([MarkupInline])
    case code(String)
    /// `target` is an absolute URI with the scheme `http`, `https` or `mailto`, percent-encoded (RFC 3986).
    indirect case link(target: String, title: String, [MarkupInline])
    /// `source` as the target of a link. A picture whose address came from a value is a link instead, so that data cannot load pictures.
    indirect case image(source: String, title: String, alternative: String)
}
