/// HTML as schools write it into messages, notes and homework, made readable as plain text.
public enum HTMLText {
    /// How much of a text is read, in bytes of UTF-8; the longest school message seen has 20 kB.
    public static let longestInput = 256 << 10

    /// The text of a piece of HTML, or of a plain text that holds nothing but entities.
    ///
    /// Entities are decoded once, so `&lt;script&gt;` stays readable text. Block tags and `<br>` end a line, a paragraph leaves a blank
    /// line, list items begin with `- `, scripts, styles and comments are dropped, no-break spaces become spaces, runs of blanks become
    /// one, and blank lines never come in twos. A text without tags keeps its own line breaks. Nothing makes it fail.
    public static func plainText(_ html: String) -> String {
        var lines = TextLines()
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            lines.append(preformatted: html.utf8.count > longestInput ? String(html.prefix(longestInput)) : html)
            return lines.text
        }
        let source = MarkupLimits.bounded(html)
        HTMLTree.walk(MarkupLimits.hasTags(source) ? source : withLineBreaks(source), into: &lines)
        return lines.text
    }

    /// The bytes of a text without tags whose own line breaks shall be seen by the parser.
    private static func withLineBreaks(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { $0 == UInt8(ascii: "\n") ? Array("<br>".utf8) : [$0] }
    }
}

/// What is asked of markup before the parser sees it.
enum MarkupLimits {
    /// libgumbo frees its tree recursively; a tree this deep is freed on any thread's stack.
    private static let deepestTree = 400

    /// Elements that end by themselves or that the parser closes when the next one begins, so that they cannot pile up.
    private static let flatTags: Set<String> = [
        "br", "hr", "img", "input", "meta", "link", "p", "li", "dd", "dt", "tr", "td", "th", "option", "col", "wbr",
    ]

    /// The text's UTF-8, cut where it gets too long or nests too deeply.
    static func bounded(_ html: String) -> [UInt8] {
        var bytes = Array(html.utf8.prefix(HTMLText.longestInput))
        if let end = depthExceeded(in: bytes) { bytes.removeSubrange(end...) }
        return bytes
    }

    static func hasTags(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0] == UInt8(ascii: "<") && beginsTag(bytes, at: $0 + 1) }
    }

    private static func beginsTag(_ bytes: [UInt8], at index: Int) -> Bool {
        guard index < bytes.count else { return false }
        return isLetter(bytes[index]) || bytes[index] == UInt8(ascii: "/") || bytes[index] == UInt8(ascii: "!")
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func depthExceeded(in bytes: [UInt8]) -> Int? {
        var depth = 0
        for index in bytes.indices where bytes[index] == UInt8(ascii: "<") {
            let isClosing = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
            let name = bytes[(index + (isClosing ? 2 : 1))...].prefix(while: isLetter).prefix(16)
            if name.isEmpty || flatTags.contains(String(decoding: name, as: UTF8.self).lowercased()) { continue }
            depth = isClosing ? max(0, depth - 1) : depth + 1
            if depth > deepestTree { return index }
        }
        return nil
    }
}
