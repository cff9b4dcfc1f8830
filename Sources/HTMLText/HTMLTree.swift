import CGumbo

/// The parser's tree, walked once in reading order.
enum HTMLTree {
    static func walk(_ source: [UInt8], into lines: inout TextLines) {
        var options = kGumboDefaultOptions
        options.max_errors = 0
        source.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: CChar.self).baseAddress
            guard let output = gumbo_parse_with_options(&options, start, bytes.count) else { return }
            if let root = output.pointee.root { visit(root, isPreformatted: false, into: &lines) }
            gumbo_destroy_output(&options, output)
        }
    }

    private static func visit(
        _ node: UnsafeMutablePointer<GumboNode>,
        isPreformatted: Bool,
        into lines: inout TextLines
    ) {
        switch node.pointee.type {
        case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
            guard let text = node.pointee.v.text.text else { return }
            if isPreformatted {
                lines.append(preformatted: String(cString: text))
            } else {
                lines.append(String(cString: text))
            }
        case GUMBO_NODE_ELEMENT: visitElement(node, isPreformatted, into: &lines)
        case GUMBO_NODE_DOCUMENT, GUMBO_NODE_COMMENT, GUMBO_NODE_TEMPLATE: break
        default: break
        }
    }

    private static func visitElement(
        _ node: UnsafeMutablePointer<GumboNode>,
        _ isPreformatted: Bool,
        into lines: inout TextLines
    ) {
        let element = node.pointee.v.element
        switch role(of: element.tag) {
        case .hidden: return
        case .lineBreak: lines.breakLine()
        case .inline: visitChildren(of: element, isPreformatted, into: &lines)
        case .cell:
            lines.separateCell()
            visitChildren(of: element, isPreformatted, into: &lines)
        case .listItem:
            lines.beginLine(lead: "- ")
            visitChildren(of: element, isPreformatted, into: &lines)
            lines.beginLine()
        case .block:
            lines.beginLine()
            visitChildren(of: element, isPreformatted || element.tag == GUMBO_TAG_PRE, into: &lines)
            lines.beginLine()
        case .paragraph:
            lines.beginParagraph()
            visitChildren(of: element, isPreformatted, into: &lines)
            lines.beginParagraph()
        }
    }

    private static func visitChildren(
        of element: GumboElement,
        _ isPreformatted: Bool,
        into lines: inout TextLines
    ) {
        for position in 0..<Int(element.children.length) {
            guard let child = element.children.data?[position] else { continue }
            visit(child.assumingMemoryBound(to: GumboNode.self), isPreformatted: isPreformatted, into: &lines)
        }
    }

    private enum Role { case inline, block, paragraph, listItem, lineBreak, cell, hidden }

    private static func role(of tag: GumboTag) -> Role {
        switch tag {
        case GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_HEAD, GUMBO_TAG_TITLE, GUMBO_TAG_TEMPLATE, GUMBO_TAG_NOSCRIPT,
            GUMBO_TAG_IFRAME, GUMBO_TAG_OBJECT, GUMBO_TAG_SVG:
            .hidden
        case GUMBO_TAG_BR: .lineBreak
        case GUMBO_TAG_LI: .listItem
        case GUMBO_TAG_P, GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6: .paragraph
        case GUMBO_TAG_TD, GUMBO_TAG_TH: .cell
        case GUMBO_TAG_DIV, GUMBO_TAG_UL, GUMBO_TAG_OL, GUMBO_TAG_DL, GUMBO_TAG_DT, GUMBO_TAG_DD, GUMBO_TAG_TABLE,
            GUMBO_TAG_TR, GUMBO_TAG_PRE, GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_SECTION, GUMBO_TAG_ARTICLE, GUMBO_TAG_HEADER,
            GUMBO_TAG_FOOTER, GUMBO_TAG_HR, GUMBO_TAG_ADDRESS, GUMBO_TAG_FORM, GUMBO_TAG_FIGURE, GUMBO_TAG_CENTER:
            .block
        default: .inline
        }
    }
}
