/// Cuts blocks into parts.
struct BlockDivider {
    /// Whether blocks fit into one part.
    let fits: ([MarkupBlock]) -> Bool

    typealias Cut = (head: [MarkupBlock], tail: [MarkupBlock])

    func parts(of blocks: [MarkupBlock]) -> [[MarkupBlock]] {
        var parts: [[MarkupBlock]] = []
        var rest = blocks
        while !rest.isEmpty {
            let (head, tail) = cut(rest)
            parts.append(head)
            rest = tail
        }
        return parts
    }

    /// As much as fits, and the rest. The head is never empty and always takes something away from the tail.
    private func cut(_ blocks: [MarkupBlock]) -> Cut {
        let count = Self.largest(upTo: blocks.count) { fits(Array(blocks[..<$0])) }
        let head = Array(blocks[..<count])
        guard count < blocks.count else { return (head, []) }
        let later = Array(blocks[(count + 1)...])
        // What fits nowhere as a whole is cut inside; below a heading at once, so that no part ends with one.
        let mustDivide = head.isEmpty || head.allSatisfy(\.isHeading) && !fits([blocks[count].beginning])
        if let (first, rest) = divide(blocks[count], behind: head, mustDivide: mustDivide),
            head.isEmpty || fits(head + first)
        {
            return (head + first, rest + later)
        }
        var end = count
        while end > 1, blocks[end - 1].isHeading { end -= 1 }
        return end == 0 ? ([blocks[0]], Array(blocks.dropFirst())) : (Array(blocks[..<end]), Array(blocks[end...]))
    }

    /// A block's beginning that fits behind `head`, and its rest; nil where the block had better begin a new part.
    private func divide(_ block: MarkupBlock, behind head: [MarkupBlock], mustDivide: Bool) -> Cut? {
        switch block {
        case .list(let list): return divide(list, behind: head, mustDivide: mustDivide)
        case .quote(let blocks):
            let inside = BlockDivider { fits(head + [.quote($0)]) }
            guard mustDivide || inside.fits([blocks[0].beginning]) else { return nil }
            let (first, rest) = inside.cut(blocks)
            return ([.quote(first)], rest.isEmpty ? [] : [.quote(rest)])
        case .table(let table): return divide(table, behind: head, mustDivide: mustDivide)
        case .paragraph(let inlines):
            guard mustDivide else { return nil }
            let inside = InlineDivider { fits(head + [.paragraph($0)]) }
            let (first, rest) = inside.cut(inlines)
            return ([.paragraph(first)], rest.isEmpty ? [] : [.paragraph(rest)])
        case .heading(let level, let inlines):
            guard mustDivide else { return nil }
            let inside = InlineDivider { fits(head + [.heading(level: level, $0)]) }
            let (first, rest) = inside.cut(inlines)
            return ([.heading(level: level, first)], rest.isEmpty ? [] : [.heading(level: level, rest)])
        case .code(let text, let language):
            guard mustDivide else { return nil }
            let (first, rest) = CodeDivider { fits(head + [.code($0, language: language)]) }.cut(text)
            return ([.code(first, language: language)], rest.isEmpty ? [] : [.code(rest, language: language)])
        case .thematicBreak: return nil
        }
    }

    /// Between items; inside the first one only if it must be. What is left of an item stands before the rest of the list, without a mark of its own.
    private func divide(_ list: MarkupList, behind head: [MarkupBlock], mustDivide: Bool) -> Cut? {
        let part = { (items: [[MarkupBlock]], offset: Int) -> [MarkupBlock] in
            let start = list.start.map { $0 + offset }
            return items.isEmpty ? [] : [.list(MarkupList(start: start, isTight: list.isTight, items: items))]
        }
        let count = Self.largest(upTo: list.items.count) { fits(head + part(Array(list.items[..<$0]), 0)) }
        if count > 0 {
            return (part(Array(list.items[..<count]), 0), part(Array(list.items[count...]), count))
        }
        guard mustDivide, !list.items[0].isEmpty else { return nil }
        let inside = BlockDivider { fits(head + part([$0], 0)) }
        let (first, rest) = inside.cut(list.items[0])
        return (part([first], 0), rest + part(Array(list.items.dropFirst()), 1))
    }

    /// Between rows; the later parts have no header. A row too long for a part becomes paragraphs, one a cell.
    private func divide(_ table: MarkupTable, behind head: [MarkupBlock], mustDivide: Bool) -> Cut? {
        let part = { (rows: [[[MarkupInline]]], header: [[MarkupInline]]) -> [MarkupBlock] in
            rows.isEmpty && header.isEmpty
                ? [] : [.table(MarkupTable(alignments: table.alignments, header: header, rows: rows))]
        }
        let count = Self.largest(upTo: table.rows.count) { fits(head + part(Array(table.rows[..<$0]), table.header)) }
        if count > 0 {
            return (part(Array(table.rows[..<count]), table.header), part(Array(table.rows[count...]), []))
        }
        guard mustDivide else { return nil }
        let cells = (table.header + (table.rows.first ?? [])).filter { !$0.isEmpty }.map { MarkupBlock.paragraph($0) }
        let rest = part(Array(table.rows.dropFirst()), [])
        guard !cells.isEmpty else { return nil }
        let (first, more) = BlockDivider { fits(head + $0) }.cut(cells)
        return (first, more + rest)
    }

    /// The largest number up to `limit` for which `fits` is true, where it is true for smaller ones too; 0 if there is none. Looks near 0 first, so that the
    /// work goes with the size of a part and not of the whole.
    static func largest(upTo limit: Int, where fits: (Int) -> Bool) -> Int {
        var low = 0
        var high = 1
        while high <= limit, fits(high) {
            low = high
            high *= 2
        }
        high = min(high, limit + 1)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if fits(middle) { low = middle } else { high = middle }
        }
        return low
    }
}

extension MarkupBlock {
    /// The least of it that stands on its own: one item, one row, else the block.
    fileprivate var beginning: MarkupBlock {
        switch self {
        case .list(var list):
            list.items = Array(list.items.prefix(1))
            return .list(list)
        case .table(var table):
            table.rows = Array(table.rows.prefix(1))
            return .table(table)
        case .quote(let blocks): return .quote(blocks.prefix(1).map(\.beginning))
        default: return self
        }
    }

    fileprivate var isHeading: Bool {
        if case .heading = self { true } else { false }
    }
}
