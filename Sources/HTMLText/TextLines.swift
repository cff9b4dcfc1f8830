/// Lines of plain text that grow as a tree of markup is walked.
struct TextLines {
    private var finished: [String] = []
    private var current = ""
    /// A blank was read that counts only if something follows it on the line.
    private var owesBlank = false
    /// What stands before the first word of the next line: `- ` for a list item.
    private var lead = ""

    var text: String {
        var all = finished + [current]
        while all.last?.isEmpty == true { all.removeLast() }
        return all.drop(while: \.isEmpty).joined(separator: "\n")
    }

    /// Text in which line breaks are mere blanks.
    mutating func append(_ text: String) {
        for scalar in text.unicodeScalars { append(scalar) }
    }

    /// Text that keeps its line breaks.
    mutating func append(preformatted text: String) {
        var skipsLineFeed = false
        for scalar in text.unicodeScalars {
            if scalar == "\r" || (scalar == "\n" && !skipsLineFeed) {
                breakLine()
            } else if scalar != "\n" {
                append(scalar)
            }
            skipsLineFeed = scalar == "\r"
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if isBlank(scalar) {
            owesBlank = true
        } else if !isInvisible(scalar) {
            if current.isEmpty {
                current = lead
                lead = ""
            } else if owesBlank {
                current += " "
            }
            owesBlank = false
            current.unicodeScalars.append(scalar)
        }
    }

    private func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    /// Controls, and the marks that mail editors leave in texts: zero-width space, soft hyphen, byte order mark.
    private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar == "\u{200B}" || scalar == "\u{AD}"
            || scalar == "\u{FEFF}"
    }

    /// Ends the line even if it is empty; never more than one empty line in a row.
    mutating func breakLine() {
        if !current.isEmpty || finished.last?.isEmpty == false { finished.append(current) }
        current = ""
        owesBlank = false
    }

    /// Makes sure that what follows begins on a line of its own.
    mutating func beginLine(lead: String = "") {
        if !current.isEmpty { breakLine() }
        if !lead.isEmpty { self.lead = lead }
        owesBlank = false
    }

    /// Makes sure that an empty line lies before what follows.
    mutating func beginParagraph() {
        beginLine()
        if finished.last?.isEmpty == false { finished.append("") }
    }

    /// A gap between two cells of a table's row.
    mutating func separateCell() { owesBlank = true }
}
