/// A source line for a terminal, and the carets under a part of it.
struct SourceExcerpt {
    /// One character with the columns it takes.
    private struct Cell {
        let text: String
        let width: Int
    }

    let text: String
    let carets: String

    /// The longest excerpt, in columns; longer lines are cut around the carets. A line of prose with its number fits.
    private static let widest = 140
    /// So much of a long line is kept before the carets.
    private static let keptBefore = 50
    /// More of a line is never looked at on either side; enough for the columns above in any script.
    private static let mostBytes = 1024
    /// Tabs are shown as spaces up to the next multiple of this.
    private static let tabStop = 4

    /// - Parameter line: the line's bytes; what of `marked` lies behind them is left out. An empty mark is one caret wide.
    init(line: Range<Int>, marked: Range<Int>, of source: SourceText) {
        let start = min(max(marked.lowerBound, line.lowerBound), line.upperBound)
        let end = min(max(marked.upperBound, start), line.upperBound, start + Self.mostBytes)
        let line = max(line.lowerBound, start - Self.mostBytes)..<min(line.upperBound, end + Self.mostBytes)
        var before = Self.cells(source.text(line.lowerBound..<start), from: 0)
        var column = Self.width(of: before)
        var under = Self.cells(source.text(start..<end), from: column)
        column += Self.width(of: under)
        var after = Self.cells(source.text(end..<line.upperBound), from: column)

        if column + Self.width(of: after) > Self.widest {
            if Self.width(of: before) > Self.keptBefore {
                before = Self.cut(before.reversed(), to: Self.keptBefore).reversed()
            }
            under = Self.cut(under, to: Self.widest - Self.width(of: before))
            after = Self.cut(after, to: max(1, Self.widest - Self.width(of: before + under)))
        }
        text = (before + under + after).map(\.text).joined()
        let indentation = String(repeating: " ", count: Self.width(of: before))
        carets = indentation + String(repeating: "^", count: max(1, Self.width(of: under)))
    }

    private static func width(of cells: [Cell]) -> Int { cells.reduce(0) { $0 + $1.width } }

    private static func cut(_ cells: [Cell], to width: Int) -> [Cell] {
        var kept: [Cell] = []
        var sum = 0
        for cell in cells {
            guard sum + cell.width < width else { return kept + [Cell(text: "…", width: 1)] }
            kept.append(cell)
            sum += cell.width
        }
        return kept
    }

    private static func cells(_ text: String, from column: Int) -> [Cell] {
        var column = column
        return text.map { character in
            let cell: Cell
            if character == "\t" {
                let width = tabStop - column % tabStop
                cell = Cell(text: String(repeating: " ", count: width), width: width)
            } else {
                let shown = harmless(String(character))
                cell = Cell(text: shown, width: shown == "\u{FFFD}" ? 1 : DisplayWidth.columns(of: character))
            }
            column += cell.width
            return cell
        }
    }

    /// Characters that steer a terminal, turn the direction of writing or are not seen at all are shown as U+FFFD, so that a file
    /// cannot forge what is printed about it.
    static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        // Joiners inside an emoji or a word are part of how it is written.
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmful($0) ? "\u{FFFD}" : $0 }))
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}
