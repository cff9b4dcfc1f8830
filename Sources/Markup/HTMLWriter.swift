/// Writes a tree as HTML elements; what they look like is the caller's business.
struct HTMLWriter {
    /// The attributes of an element, with a blank before them, or "". Besides names of elements there are `li ul` and `li ol`, lists in an item
    /// of a list, and `table frame`: a `div` around a table, which is only written if it has attributes.
    let attributes: (_ tag: String) -> String
    /// How a cell of a table is aligned, as an attribute with a blank before it, or "".
    let alignment: (MarkupTable.Alignment) -> String
    /// What keeps text from calling people.
    let pings: PingGuard
    /// Whether an address may be linked; else the link's text stands alone.
    let links: (_ target: String) -> Bool
    /// Whether pictures are loaded from the net; else they are links.
    let showsImages: Bool
    /// Whether links and pictures carry their titles, which are seen below the pointer only.
    let showsTitles: Bool

    func html(of blocks: [MarkupBlock]) -> String {
        blocks.map(html).joined(separator: "\n")
    }

    private func html(of block: MarkupBlock) -> String {
        switch block {
        case .paragraph(let inlines): element("p", html(of: inlines))
        case .heading(let level, let inlines): element("h\(level)", html(of: inlines))
        case .list(let list): html(of: list)
        case .quote(let blocks): element("blockquote", "\n" + html(of: blocks) + "\n")
        case .code(let text, let language): code(text, language: language)
        case .thematicBreak: "<hr\(attributes("hr"))>"
        case .table(let table): html(of: table)
        }
    }

    private func element(_ tag: String, _ inner: String, _ more: String = "") -> String {
        "<\(tag)\(more)\(attributes(tag))>\(inner)</\(tag)>"
    }

    private func text(_ text: String) -> String { HTMLText.escaped(pings.apply(text)) }

    private func code(_ text: String, language: String) -> String {
        let name = language.isEmpty ? "" : " class=\"language-\(HTMLText.escaped(language))\""
        // A line end right behind <pre> would be dropped by HTML parsers, so a first empty line needs one more.
        let first = text.hasPrefix("\n") ? "\n" : ""
        return "<pre\(attributes("pre"))><code\(name)>\(first)\(self.text(text))</code></pre>"
    }

    private func html(of list: MarkupList, isInside: Bool = false) -> String {
        let items = list.items.map { element("li", item($0, isTight: list.isTight)) }.joined(separator: "\n")
        let tag = list.start == nil ? "ul" : "ol"
        let number = list.start.flatMap { $0 == 1 ? nil : " start=\"\($0)\"" } ?? ""
        return "<\(tag)\(number)\(attributes(isInside ? "li " + tag : tag))>\n\(items)\n</\(tag)>"
    }

    /// In a tight list the first paragraph of an item stands without one's margins.
    private func item(_ blocks: [MarkupBlock], isTight: Bool) -> String {
        guard isTight, case .paragraph(let inlines) = blocks.first else { return html(of: blocks) }
        let rest = blocks.dropFirst().map { block in
            if case .list(let list) = block { html(of: list, isInside: true) } else { html(of: block) }
        }.joined(separator: "\n")
        return html(of: inlines) + (rest.isEmpty ? "" : "\n" + rest)
    }

    private func html(of table: MarkupTable) -> String {
        let row = { (tag: String, cells: [[MarkupInline]]) in
            let inner = zip(cells, table.alignments).map { element(tag, html(of: $0), alignment($1)) }.joined()
            return "<tr>\(inner)</tr>"
        }
        let head = table.header.isEmpty ? "" : "<thead>\(row("th", table.header))</thead>\n"
        let rows = table.rows.map { row("td", $0) }.joined(separator: "\n")
        let body = table.rows.isEmpty ? "" : "<tbody>\n\(rows)\n</tbody>\n"
        let table = element("table", "\n" + head + body)
        let frame = attributes("table frame")
        return frame.isEmpty ? table : "<div\(frame)>\n\(table)\n</div>"
    }

    func html(of inlines: [MarkupInline]) -> String {
        inlines.map { html(of: $0, inLink: false) }.joined()
    }

    private func html(of inline: MarkupInline, inLink: Bool) -> String {
        let inside = { (inner: [MarkupInline]) in inner.map { html(of: $0, inLink: inLink) }.joined() }
        switch inline {
        case .text(let text): return self.text(text)
        case .softBreak: return " "
        case .lineBreak: return "<br>\n"
        case .emphasis(let inner): return element("em", inside(inner))
        case .strong(let inner): return element("strong", inside(inner))
        case .strikethrough(let inner): return element("del", inside(inner))
        case .code(let text): return element("code", self.text(text))
        case .link(let target, let title, let inner):
            return link(target, title, inner.map { html(of: $0, inLink: true) }.joined())
        case .image(let source, let title, let alternative):
            if showsImages { return image(source, title, alternative) }
            let words = text(alternative.isEmpty ? source : alternative)
            return inLink ? words : link(source, title, words)
        }
    }

    private func link(_ target: String, _ title: String, _ inner: String) -> String {
        guard links(target) else { return inner }
        return element("a", inner, " href=\"\(HTMLText.escaped(target))\"" + titleAttribute(title))
    }

    private func image(_ source: String, _ title: String, _ alternative: String) -> String {
        let places = " src=\"\(HTMLText.escaped(source))\" alt=\"\(HTMLText.escaped(alternative))\""
        return "<img\(places)\(titleAttribute(title))\(attributes("img"))>"
    }

    private func titleAttribute(_ title: String) -> String {
        title.isEmpty || !showsTitles ? "" : " title=\"\(HTMLText.escaped(title))\""
    }
}
