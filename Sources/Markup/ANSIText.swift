extension MarkupDocument {
    /// The message for a terminal, in the weights and colours of ECMA-48 (SGR). Data cannot contain control characters, so no sequence comes from it.
    ///
    /// Lines are not wrapped. There is no line end behind the last line.
    public func ansi() -> String {
        BlockLines(markup: ANSIText()).text(of: self)
    }
}

private struct ANSIText: LineMarkup {
    func line(_ inlines: [MarkupInline]) -> String { text(of: StyledRun.runs(of: inlines)) }

    func heading(level: Int, _ inlines: [MarkupInline]) -> String {
        text(of: StyledRun.runs(of: inlines, style: .bold), isHeading: true)
    }

    private func text(of runs: [StyledRun], isHeading: Bool = false) -> String {
        var text = ""
        for (position, run) in runs.enumerated() {
            let isLinkEnd = position + 1 == runs.count || runs[position + 1].link != run.link
            text += Self.painted(run.text, Self.codes(of: run, isHeading: isHeading))
            if let link = run.link, isLinkEnd {
                let whole = runs.filter { $0.link == link }.map(\.text).joined()
                let address = PlainText.link(whole, link).dropFirst(whole.count)
                if !address.isEmpty { text += Self.painted(String(address), ["2"]) }
            }
        }
        return text
    }

    /// SGR parameters (ECMA-48 §8.3.117): 1 bold, 2 faint, 3 italic, 4 underlined, 9 struck, 36 cyan.
    private static func codes(of run: StyledRun, isHeading: Bool) -> [String] {
        var codes: [String] = []
        if run.style.contains(.bold) { codes.append("1") }
        if run.style.contains(.italic) { codes.append("3") }
        if isHeading || run.link != nil { codes.append("4") }
        if run.style.contains(.struck) { codes.append("9") }
        if run.style.contains(.code) { codes.append("36") }
        return codes
    }

    private static func painted(_ text: String, _ codes: [String]) -> String {
        codes.isEmpty || text.isEmpty ? text : "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
    }

    func code(_ text: String, language: String) -> [String] { text.codeLines.map { Self.painted($0, ["36"]) } }

    func table(_ table: MarkupTable, isNested: Bool) -> [String] {
        TableColumns.lines(of: table) { cell in
            let painted = line(cell)
            return TableColumns.Cell(painted, width: DisplayWidth.columns(of: Self.unpainted(painted)))
        }
    }

    /// The text between the sequences. By scalars: an accent right behind a sequence would be one character with its `m`.
    private static func unpainted(_ text: String) -> String {
        let pieces = text.unicodeScalars.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        return pieces.dropFirst().reduce(into: pieces.first.map { String($0) } ?? "") { text, piece in
            text.unicodeScalars.append(contentsOf: piece.drop { $0 != "m" }.dropFirst())
        }
    }

    func quote(_ lines: [String], depth: Int) -> [String] { lines.map { Self.painted("│ ", ["2"]) + $0 } }
    func bullet(depth: Int) -> String { depth.isMultiple(of: 2) ? "• " : "◦ " }
    var thematicBreak: String { Self.painted(String(repeating: "─", count: 20), ["2"]) }
}
