/// How many bytes the leaves have, a break for one: quickly counted, and no rendering is shorter. So a search for what fits need not render what surely does not.
enum LeafBytes {
    static func count(_ blocks: [MarkupBlock]) -> Int {
        blocks.reduce(0) { $0 + count($1) }
    }

    private static func count(_ block: MarkupBlock) -> Int {
        switch block {
        case .paragraph(let inlines), .heading(_, let inlines): count(inlines)
        case .list(let list): list.items.reduce(0) { $0 + count($1) }
        case .quote(let blocks): count(blocks)
        case .code(let text, _): text.utf8.count
        case .thematicBreak: 0
        case .table(let table): (table.rows + [table.header]).reduce(0) { $0 + $1.reduce(0) { $0 + count($1) } }
        }
    }

    private static func count(_ inlines: [MarkupInline]) -> Int {
        inlines.reduce(0) { sum, inline in
            switch inline {
            case .text(let text), .code(let text): sum + text.utf8.count
            case .softBreak, .lineBreak: sum + 1
            case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, _, let inner):
                sum + count(inner)
            case .image(_, _, let alternative): sum + max(alternative.utf8.count, 1)
            }
        }
    }
}
