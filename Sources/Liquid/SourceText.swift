/// The bytes of a template, for reading by position.
struct SourceText: Sendable {
    let bytes: [UInt8]

    init(_ source: String) { bytes = Array(source.utf8) }

    var count: Int { bytes.count }

    func string(_ span: Range<Int>) -> String { String(decoding: bytes[span], as: UTF8.self) }

    func starts(at position: Int, with text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
    }

    /// The start of the next occurrence of two bytes, before an end.
    func find(_ first: Character, _ second: Character, from start: Int, to end: Int? = nil) -> Int? {
        guard let first = first.asciiValue, let second = second.asciiValue else { return nil }
        let end = end ?? bytes.count
        var position = start
        while position + 1 < end {
            if bytes[position] == first, bytes[position + 1] == second { return position }
            position += 1
        }
        return nil
    }

    /// A span without the white space at its ends.
    func trimmed(_ span: Range<Int>) -> Range<Int> {
        var (start, end) = (span.lowerBound, span.upperBound)
        while start < end, bytes[start].isLiquidSpace { start += 1 }
        while end > start, bytes[end - 1].isLiquidSpace { end -= 1 }
        return start..<end
    }

    /// The end of the tag name that starts here: letters, digits, underscores.
    func wordEnd(from start: Int, to end: Int) -> Int {
        var position = start
        while position < end, bytes[position].isASCIILetter || bytes[position].isASCIIDigit || bytes[position] == 0x5F {
            position += 1
        }
        return position
    }

    /// Line (from 1) and column (from 1, in characters) of a position, for people.
    func place(of position: Int) -> (line: Int, column: Int) {
        let before = bytes[..<min(position, bytes.count)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
        return (before.count { $0 == 0x0A } + 1, column)
    }
}
