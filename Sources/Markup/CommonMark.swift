import CCMark
import Synchronization

/// The door to cmark-gfm.
enum CommonMark {
    /// A node of cmark's tree, alive as long as `withTree` runs.
    typealias Node = OpaquePointer

    /// cmark-gfm keeps the characters that extensions claim in global tables, which it changes while it parses (`cmark_manage_extensions_special_characters`
    /// in blocks.c of 0.29.0.gfm.6): two parsers at once would miss a `~~`.
    private static let parsing = Mutex(())

    /// Parses CommonMark with tables and strikethrough, and hands over the document node.
    static func withTree<Result>(of text: String, _ body: (Node) -> Result) -> Result? {
        let address = parsing.withLock { _ in UInt(bitPattern: parse(text)) }
        guard let root = Node(bitPattern: address) else { return nil }
        defer { cmark_node_free(root) }
        return body(root)
    }

    private static func parse(_ text: String) -> Node? {
        cmark_gfm_core_extensions_ensure_registered()
        guard let parser = cmark_parser_new(CMARK_OPT_DEFAULT) else { return nil }
        defer { cmark_parser_free(parser) }
        for name in ["table", "strikethrough"] {
            if let found = cmark_find_syntax_extension(name) {
                _ = cmark_parser_attach_syntax_extension(parser, found)
            }
        }
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        return cmark_parser_finish(parser)
    }

    /// The children of a node, in order.
    static func children(of node: Node) -> some Sequence<Node> {
        sequence(first: cmark_node_first_child(node), next: { $0.map { cmark_node_next($0) } })
            .lazy.compactMap { $0 }
    }

    /// A text that cmark owns, copied; "" for none.
    static func string(_ text: UnsafePointer<CChar>?) -> String {
        text.map { String(cString: $0) } ?? ""
    }

    /// All text under a node, blanks where lines or blocks end.
    static func text(under node: Node) -> String {
        guard let walk = cmark_iter_new(node) else { return "" }
        defer { cmark_iter_free(walk) }
        var text = ""
        while true {
            let event = cmark_iter_next(walk)
            if event == CMARK_EVENT_DONE { return text }
            guard let visited = cmark_iter_get_node(walk) else { return text }
            let isInline = cmark_node_get_type(visited).rawValue & 0xC000 == CMARK_NODE_TEXT.rawValue & 0xC000
            if event == CMARK_EVENT_ENTER { text += string(cmark_node_get_literal(visited)) }
            if !isInline || visited.isBreak { text += " " }
        }
    }
}

extension CommonMark.Node {
    /// Whether this is a line end of the source, soft or hard.
    fileprivate var isBreak: Bool {
        let type = cmark_node_get_type(self)
        return type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK
    }
}
