/// How a target writes what stands on lines: everything that is not nested HTML or JSON.
protocol LineMarkup {
    /// One line of inlines. There is no line break in it.
    func line(_ inlines: [MarkupInline]) -> String
    /// The heading as a whole line.
    func heading(level: Int, _ inlines: [MarkupInline]) -> String
    func code(_ text: String, language: String) -> [String]
    /// `isNested` inside lists and quotes, where some targets have no tables.
    func table(_ table: MarkupTable, isNested: Bool) -> [String]
    /// The lines of a quote; `depth` counts the quotes around it.
    func quote(_ lines: [String], depth: Int) -> [String]
    /// What stands before an item, with its blank. `depth` counts the lists around it.
    func bullet(depth: Int) -> String
    func number(_ number: Int) -> String
    var thematicBreak: String { get }
    /// What ends a line inside a paragraph, before the line end.
    var lineBreak: String { get }
}

extension LineMarkup {
    func number(_ number: Int) -> String { "\(number). " }
    var lineBreak: String { "" }
    var thematicBreak: String { "---" }
}

/// Lays blocks out on lines: a blank line between blocks, marks before items, continuation lines indented below them.
struct BlockLines<Markup: LineMarkup> {
    let markup: Markup

    func text(of document: MarkupDocument) -> String {
        lines(of: document.blocks, in: Place()).joined(separator: "\n")
    }

    /// Where blocks stand: how many lists and quotes are around them.
    private struct Place {
        var lists = 0
        var quotes = 0

        var isNested: Bool { lists + quotes > 0 }
    }

    private func lines(of blocks: [MarkupBlock], in place: Place, isTight: Bool = false) -> [String] {
        var lines: [String] = []
        for (position, block) in blocks.enumerated() {
            if position > 0, !(isTight && block.mayFollowAtOnce(blocks[position - 1])) { lines.append("") }
            lines += self.lines(of: block, in: place)
        }
        return lines
    }

    private func lines(of block: MarkupBlock, in place: Place) -> [String] {
        switch block {
        case .paragraph(let inlines):
            let lines = inlines.lines.map(markup.line)
            return lines.dropLast().map { $0 + markup.lineBreak } + lines.suffix(1)
        case .heading(let level, let inlines): return [markup.heading(level: level, inlines)]
        case .list(let list): return lines(of: list, in: place)
        case .quote(let blocks):
            var inside = place
            inside.quotes += 1
            return markup.quote(lines(of: blocks, in: inside), depth: place.quotes)
        case .code(let text, let language): return markup.code(text, language: language)
        case .thematicBreak: return [markup.thematicBreak]
        case .table(let table): return markup.table(table, isNested: place.isNested)
        }
    }

    private func lines(of list: MarkupList, in place: Place) -> [String] {
        var inside = place
        inside.lists += 1
        var lines: [String] = []
        for (position, item) in list.items.enumerated() {
            let mark = list.start.map { markup.number($0 + position) } ?? markup.bullet(depth: place.lists)
            let indentation = String(repeating: " ", count: DisplayWidth.columns(of: mark))
            let inner = self.lines(of: item, in: inside, isTight: list.isTight)
            if position > 0, !list.isTight { lines.append("") }
            lines.append((mark + (inner.first ?? "")).trimmedAtEnd)
            lines += inner.dropFirst().map { $0.isEmpty ? "" : indentation + $0 }
        }
        return lines
    }
}

extension MarkupBlock {
    /// Whether Markdown takes this block for one of its own right below another, without a blank line (spec 0.29: what can interrupt a paragraph).
    fileprivate func mayFollowAtOnce(_ other: MarkupBlock) -> Bool {
        switch (other, self) {
        case (.paragraph, .list(let list)), (.heading, .list(let list)):
            (list.start == nil || list.start == 1) && list.items.first?.isEmpty == false
        case (.paragraph, .code), (.heading, .code), (.paragraph, .quote), (.heading, .quote), (.heading, .paragraph):
            true
        default: false
        }
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        hasSuffix(" ") ? String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]) : self
    }
}

extension [MarkupInline] {
    /// The lines of a paragraph. An emphasis or a link over several lines is closed at the end of each and opened again.
    var lines: [[MarkupInline]] {
        guard contains(where: \.mayBreak) else { return [self] }
        var lines: [[MarkupInline]] = [[]]
        for inline in self {
            let pieces = inline.lines
            lines[lines.count - 1] += pieces.first ?? []
            lines += pieces.dropFirst()
        }
        return lines
    }
}

extension MarkupInline {
    /// Whether a line may end in it.
    fileprivate var mayBreak: Bool {
        switch self {
        case .text, .softBreak, .code, .image: false
        case .lineBreak, .emphasis, .strong, .strikethrough, .link: true
        }
    }

    fileprivate var lines: [[MarkupInline]] {
        switch self {
        case .lineBreak: [[], []]
        case .emphasis(let inner): inner.lines.map { $0.isEmpty ? [] : [.emphasis($0)] }
        case .strong(let inner): inner.lines.map { $0.isEmpty ? [] : [.strong($0)] }
        case .strikethrough(let inner): inner.lines.map { $0.isEmpty ? [] : [.strikethrough($0)] }
        case .link(let target, let title, let inner):
            inner.lines.map { $0.isEmpty ? [] : [.link(target: target, title: title, $0)] }
        case .text, .softBreak, .code, .image: [[self]]
        }
    }
}
