import CCMark

/// Copies cmark's tree into ours and puts the values into its leaves.
struct TreeBuilder {
    let values: [String]

    /// Deeper nesting is shown flat: no message needs it, Matrix allows 100 levels, and recursion must end somewhere.
    private static let deepest = 32

    func blocks(of template: String) -> [MarkupBlock] {
        CommonMark.withTree(of: template) { blocks(under: $0, depth: 0) } ?? []
    }

    private func blocks(under node: CommonMark.Node, depth: Int) -> [MarkupBlock] {
        guard depth < Self.deepest else {
            return [.paragraph(inlines(of: CommonMark.text(under: node), breaks: false))]
        }
        return CommonMark.children(of: node).compactMap { block($0, depth: depth + 1) }
    }

    private func block(_ node: CommonMark.Node, depth: Int) -> MarkupBlock? {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_PARAGRAPH: .paragraph(inlines(under: node, breaks: true, depth: 0))
        case CMARK_NODE_HEADING:
            .heading(level: Int(cmark_node_get_heading_level(node)), inlines(under: node, breaks: false, depth: 0))
        case CMARK_NODE_LIST: .list(list(node, depth: depth))
        case CMARK_NODE_BLOCK_QUOTE: .quote(blocks(under: node, depth: depth))
        case CMARK_NODE_CODE_BLOCK: code(node)
        case CMARK_NODE_HTML_BLOCK: .paragraph(lines(of: CommonMark.string(cmark_node_get_literal(node))))
        case CMARK_NODE_THEMATIC_BREAK: .thematicBreak
        default:
            CommonMark.string(cmark_node_get_type_string(node)) == "table" ? .table(table(node)) : nil
        }
    }

    private func list(_ node: CommonMark.Node, depth: Int) -> MarkupList {
        let isOrdered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
        return MarkupList(
            start: isOrdered ? Int(cmark_node_get_list_start(node)) : nil,
            isTight: cmark_node_get_list_tight(node) != 0,
            items: CommonMark.children(of: node).map { blocks(under: $0, depth: depth) }
        )
    }

    private func code(_ node: CommonMark.Node) -> MarkupBlock {
        var literal = CommonMark.string(cmark_node_get_literal(node))
        if literal.hasSuffix("\n") { literal.removeLast() }
        let info = plain(CommonMark.string(cmark_node_get_fence_info(node)))
        let language = info.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        return .code(plain(literal), language: language)
    }

    private func table(_ node: CommonMark.Node) -> MarkupTable {
        let columns = Int(cmark_gfm_extensions_get_table_columns(node))
        let marks = cmark_gfm_extensions_get_table_alignments(node)
        let alignments = (0..<columns).map { column -> MarkupTable.Alignment in
            switch marks?[column] {
            case UInt8(ascii: "l"): .left
            case UInt8(ascii: "c"): .center
            case UInt8(ascii: "r"): .right
            default: .none
            }
        }
        let rows = CommonMark.children(of: node).map { row in
            CommonMark.children(of: row).map { inlines(under: $0, breaks: false, depth: 0) }
        }
        return MarkupTable(alignments: alignments, header: rows.first ?? [], rows: Array(rows.dropFirst()))
    }
}

// MARK: - Inside a line

extension TreeBuilder {
    private func inlines(under node: CommonMark.Node, breaks: Bool, depth: Int) -> [MarkupInline] {
        guard depth < Self.deepest else { return inlines(of: CommonMark.text(under: node), breaks: breaks) }
        return CommonMark.children(of: node).flatMap { inline($0, breaks: breaks, depth: depth + 1) }
    }

    private func inline(_ node: CommonMark.Node, breaks: Bool, depth: Int) -> [MarkupInline] {
        let literal = CommonMark.string(cmark_node_get_literal(node))
        switch cmark_node_get_type(node) {
        case CMARK_NODE_TEXT, CMARK_NODE_HTML_INLINE: return inlines(of: literal, breaks: breaks)
        case CMARK_NODE_SOFTBREAK: return [.softBreak]
        case CMARK_NODE_LINEBREAK: return [.lineBreak]
        case CMARK_NODE_CODE: return [.code(plain(literal))]
        case CMARK_NODE_EMPH: return [.emphasis(inlines(under: node, breaks: breaks, depth: depth))]
        case CMARK_NODE_STRONG: return [.strong(inlines(under: node, breaks: breaks, depth: depth))]
        case CMARK_NODE_LINK: return [link(node, depth: depth)]
        case CMARK_NODE_IMAGE: return [image(node)]
        default:
            let children = inlines(under: node, breaks: breaks, depth: depth)
            let isStruck = CommonMark.string(cmark_node_get_type_string(node)) == "strikethrough"
            return isStruck ? [.strikethrough(children)] : children
        }
    }

    private func link(_ node: CommonMark.Node, depth: Int) -> MarkupInline {
        .link(
            target: LinkTarget.resolve(pieces(CommonMark.string(cmark_node_get_url(node)))),
            title: plain(CommonMark.string(cmark_node_get_title(node))),
            inlines(under: node, breaks: false, depth: depth)
        )
    }

    private func image(_ node: CommonMark.Node) -> MarkupInline {
        let source = pieces(CommonMark.string(cmark_node_get_url(node)))
        let title = plain(CommonMark.string(cmark_node_get_title(node)))
        let alternative = plain(CommonMark.text(under: node).trimmed { $0.isWhitespace })
        let target = LinkTarget.resolve(source)
        if case .value = source.first { return .link(target: target, title: title, [.text(alternative)]) }
        return .image(source: target, title: title, alternative: alternative)
    }
}

// MARK: - Values into leaves

extension TreeBuilder {
    private func pieces(_ text: String) -> [Placeholder.Piece] {
        Placeholder.pieces(of: text, values: values)
    }

    /// A leaf that has no inner structure: code, titles, alternatives.
    private func plain(_ text: String) -> String {
        pieces(text).map { piece in
            switch piece {
            case .written(let text): text
            case .value(let value): LeafText.lines(of: value).joined(separator: "\n")
            }
        }.joined()
    }

    /// A text leaf. The lines of a value are separated by line breaks, or by blanks where the place cannot have them.
    private func inlines(of text: String, breaks: Bool) -> [MarkupInline] {
        pieces(text).flatMap { piece -> [MarkupInline] in
            switch piece {
            case .written(let text): [.text(text)]
            case .value(let value):
                LeafText.innerLines(of: value).map { MarkupInline.text(LeafText.isolated($0)) }
                    .joined(by: breaks ? .lineBreak : .softBreak)
            }
        }
    }

    /// Raw HTML as the lines it was written in.
    private func lines(of html: String) -> [MarkupInline] {
        html.split(separator: "\n").map { inlines(of: String($0), breaks: true) }
            .reduce(into: []) { all, line in all += all.isEmpty ? line : [.lineBreak] + line }
    }
}

extension [MarkupInline] {
    fileprivate func joined(by separator: MarkupInline) -> [MarkupInline] {
        Array(self.map { [$0] }.joined(separator: [separator]))
    }
}
