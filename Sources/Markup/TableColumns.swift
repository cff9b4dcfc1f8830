/// A table as lines of aligned columns, for targets that have no tables.
enum TableColumns {
    /// A cell as it is written, and how many columns of it are seen.
    struct Cell {
        let text: String
        let width: Int

        init(_ text: String) {
            self.text = text
            self.width = DisplayWidth.columns(of: text)
        }

        init(_ text: String, width: Int) {
            self.text = text
            self.width = width
        }
    }

    /// The lines of the table, cells written by `cell`. Two blanks separate columns; a line of dashes stands below the header.
    static func lines(of table: MarkupTable, cell: ([MarkupInline]) -> Cell) -> [String] {
        let header = table.header.map(cell)
        let rows = table.rows.map { $0.map(cell) }
        let widths = table.alignments.indices.map { column in
            (rows + [header]).compactMap { $0.indices.contains(column) ? $0[column].width : nil }.max() ?? 0
        }
        var lines = rows.map { line($0, widths, table.alignments) }
        if !header.isEmpty {
            let rule = widths.map { String(repeating: "-", count: max($0, 1)) }.joined(separator: "  ")
            lines = [line(header, widths, table.alignments), rule] + lines
        }
        return lines
    }

    private static func line(_ cells: [Cell], _ widths: [Int], _ alignments: [MarkupTable.Alignment]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            let space = max(widths[column] - cell.width, 0)
            let before =
                switch alignments[column] {
                case .right: space
                case .center: space / 2
                case .left, .none: 0
                }
            let isLast = column == cells.count - 1
            line += String(repeating: " ", count: before) + cell.text
            if !isLast { line += String(repeating: " ", count: space - before + 2) }
        }
        return line
    }
}
