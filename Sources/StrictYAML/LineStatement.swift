/// A line of block YAML, taken apart roughly: enough to look for traps where the parser gave up.
struct LineStatement {
    /// What follows the indentation and the dashes of lists, without a comment.
    let entry: Range<Int>
    /// What follows the first `key: `; the whole entry where there is none.
    let value: Range<Int>
    let hasKey: Bool

    init(_ line: Int, in source: SourceText) {
        let range = source.lineRange(line)
        var start = source.indentation(ofLine: line).upperBound
        while start + 1 < range.upperBound, source.bytes[start] == .dash, source.bytes[start + 1].isBlank {
            start = source.skipBlanks(from: start + 1, to: range.upperBound)
        }
        let entry = start < range.upperBound ? source.valueSpan(from: start) : range.upperBound..<range.upperBound
        self.entry = entry
        guard let colon = Self.keyEnd(in: entry, of: source) else {
            value = entry
            hasKey = false
            return
        }
        let begin = source.skipBlanks(from: colon + 1, to: entry.upperBound)
        value = begin..<max(begin, entry.upperBound)
        hasKey = true
    }

    /// A colon that was meant to end a key, but has no blank behind it: `key:value` (not `https://…` nor `07:45`).
    func touchingColon(in source: SourceText) -> Int? {
        guard !hasKey, let colon = source.bytes[entry].firstIndex(of: .colon), colon > entry.lowerBound,
            let following = source.byte(at: colon + 1), colon + 1 < entry.upperBound, following != UInt8(ascii: "/")
        else { return nil }
        return source.bytes[entry.lowerBound..<colon].allSatisfy(\.isDigit) ? nil : colon
    }

    /// The colon that ends the line's first key, quoted or not.
    private static func keyEnd(in entry: Range<Int>, of source: SourceText) -> Int? {
        guard let first = source.byte(at: entry.lowerBound), !entry.isEmpty else { return nil }
        var offset = entry.lowerBound
        if first == .doubleQuote || first == .singleQuote {
            guard let closing = source.bytes[(offset + 1)..<entry.upperBound].firstIndex(of: first) else { return nil }
            offset = closing + 1
        }
        return (offset..<entry.upperBound).first { place in
            guard source.bytes[place] == .colon else { return false }
            guard place + 1 < entry.upperBound else { return true }
            return source.bytes[place + 1].isBlank
        }
    }
}
