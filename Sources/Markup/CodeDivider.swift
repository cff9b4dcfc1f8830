/// Cuts a code block too long for one part.
struct CodeDivider {
    /// Whether a code block of this text fits into one part.
    let fits: (String) -> Bool

    /// As many lines as fit, else as many graphemes of the first line, else as many scalars; and the rest.
    func cut(_ text: String) -> (head: String, tail: String) {
        let lines = text.codeLines
        let count = BlockDivider.largest(upTo: lines.count) { fits(lines[..<$0].joined(separator: "\n")) }
        if count > 0 {
            return (lines[..<count].joined(separator: "\n"), lines[count...].joined(separator: "\n"))
        }
        let graphemes = BlockDivider.largest(upTo: text.count) { fits(String(text.prefix($0))) }
        if graphemes > 0 { return (String(text.prefix(graphemes)), String(text.dropFirst(graphemes))) }
        let scalars = text.unicodeScalars
        let fitting = BlockDivider.largest(upTo: scalars.count) { fits(String(scalars.prefix($0))) }
        let end = max(fitting, 1)
        return (String(scalars.prefix(end)), String(scalars.dropFirst(end)))
    }
}
