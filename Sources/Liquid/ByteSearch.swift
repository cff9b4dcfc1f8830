/// Texts searched and replaced byte by byte. Swift compares texts by canonical equivalence and by graphemes, in which a line feed after
/// a carriage return is not found; templates mean the characters that stand there.
enum ByteSearch {
    /// Where a text occurs, without overlaps, from the left; everywhere between two characters for an empty one.
    static func occurrences(of pattern: String, in text: String, atMost most: Int = .max) -> [Range<Int>] {
        let bytes = Array(text.utf8)
        if pattern.isEmpty { return boundaries(of: bytes).prefix(most).map { $0..<$0 } }
        return occurrences(of: Array(pattern.utf8), in: bytes, atMost: most)
    }

    static func lastOccurrence(of pattern: String, in text: String) -> Range<Int>? {
        let count = text.utf8.count
        if pattern.isEmpty { return count..<count }
        let found = occurrences(of: pattern.utf8.reversed(), in: text.utf8.reversed(), atMost: 1)
        return found.first.map { count - $0.upperBound..<count - $0.lowerBound }
    }

    /// Knuth, Morris and Pratt's search: its time grows with the sum of both lengths, whatever they contain.
    private static func occurrences(of pattern: [UInt8], in bytes: [UInt8], atMost most: Int) -> [Range<Int>] {
        let fallback = borders(of: pattern)
        var found: [Range<Int>] = []
        var matched = 0
        for (position, byte) in bytes.enumerated() where found.count < most {
            while matched > 0, pattern[matched] != byte { matched = fallback[matched - 1] }
            if pattern[matched] == byte { matched += 1 }
            if matched == pattern.count {
                found.append(position + 1 - matched..<position + 1)
                matched = 0
            }
        }
        return found
    }

    /// For each prefix, the length of its longest proper prefix that is also its end.
    private static func borders(of pattern: [UInt8]) -> [Int] {
        var borders = [0]
        var length = 0
        for byte in pattern.dropFirst() {
            while length > 0, pattern[length] != byte { length = borders[length - 1] }
            if pattern[length] == byte { length += 1 }
            borders.append(length)
        }
        return borders
    }

    static func contains(_ text: String, _ pattern: String) -> Bool {
        pattern.isEmpty || !occurrences(of: pattern, in: text, atMost: 1).isEmpty
    }

    /// A text with some of its ranges replaced.
    static func replace(_ ranges: [Range<Int>], of text: String, by replacement: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + ranges.count * replacement.utf8.count)
        var position = 0
        for range in ranges {
            result += bytes[position..<range.lowerBound]
            result += Array(replacement.utf8)
            position = range.upperBound
        }
        result += bytes[position...]
        return String(decoding: result, as: UTF8.self)
    }

    /// What lies between ranges.
    static func split(_ text: String, at ranges: [Range<Int>]) -> [String] {
        let bytes = Array(text.utf8)
        var parts: [String] = []
        var position = 0
        for range in ranges {
            parts.append(String(decoding: bytes[position..<range.lowerBound], as: UTF8.self))
            position = range.upperBound
        }
        parts.append(String(decoding: bytes[position...], as: UTF8.self))
        return parts
    }

    private static func boundaries(of bytes: [UInt8]) -> [Int] {
        bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 } + [bytes.count]
    }
}
