/// The bytes of one file, and where its lines are.
///
/// Offsets count UTF-8 bytes from the beginning of the file, a byte order mark included. Lines end with LF, CR LF or CR.
public final class SourceText: Sendable {
    /// How the file is called in complaints: `rules/grades.yaml`.
    public let file: String
    public let bytes: [UInt8]
    /// Where the text begins: at 3 after a UTF-8 byte order mark, else at 0.
    let textStart: Int
    /// Whether lines of it can be shown: not so for UTF-16 and for files that are too large.
    let isReadable: Bool
    private let lineStarts: [Int]

    public init(_ bytes: [UInt8], file: String) {
        self.file = file
        self.bytes = bytes
        textStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        isReadable = bytes.count <= EncodingCheck.largest && EncodingCheck.foreignEncoding(of: bytes) == nil
        lineStarts = isReadable ? Self.lineStarts(in: bytes, from: textStart) : [textStart]
    }

    private static func lineStarts(in bytes: [UInt8], from start: Int) -> [Int] {
        var starts = [start]
        for (offset, byte) in bytes.enumerated() where byte == .lineFeed || byte == .carriageReturn {
            let endsWithNext = byte == .carriageReturn && offset + 1 < bytes.count && bytes[offset + 1] == .lineFeed
            if !endsWithNext { starts.append(offset + 1) }
        }
        return starts
    }

    /// Line and column of an offset, both from 1; columns count characters as people see them (grapheme clusters).
    public func place(of offset: Int) -> (line: Int, column: Int) {
        let line = lineIndex(of: offset)
        guard isReadable else { return (line + 1, 1) }
        let range = lineRange(line)
        let end = min(max(offset, range.lowerBound), range.upperBound)
        return (line + 1, String(decoding: bytes[range.lowerBound..<end], as: UTF8.self).count + 1)
    }

    /// `rules/grades.yaml:9:9`.
    public func address(of offset: Int) -> String {
        let place = place(of: offset)
        return "\(file):\(place.line):\(place.column)"
    }

    var lineCount: Int { lineStarts.count }

    /// The line, from 0, in which an offset lies.
    func lineIndex(of offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    func lineStart(of offset: Int) -> Int { lineStarts[lineIndex(of: offset)] }

    /// The bytes of a line (from 0) without its end.
    func lineRange(_ line: Int) -> Range<Int> {
        let start = lineStarts[line]
        var end = line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
        while end > start, bytes[end - 1] == .lineFeed || bytes[end - 1] == .carriageReturn { end -= 1 }
        return start..<end
    }

    /// The lines (from 0) that begin inside a span, its first line left out.
    func linesBegun(in span: Range<Int>) -> Range<Int> {
        let first = lineIndex(of: span.lowerBound) + 1
        return first..<max(first, lineIndex(of: max(span.lowerBound, span.upperBound - 1)) + 1)
    }

    /// The spaces and tabs at the beginning of a line.
    func indentation(ofLine line: Int) -> Range<Int> {
        let range = lineRange(line)
        return range.lowerBound..<skipBlanks(from: range.lowerBound, to: range.upperBound)
    }

    func skipBlanks(from offset: Int, to end: Int) -> Int {
        var offset = offset
        while offset < end, bytes[offset].isBlank { offset += 1 }
        return offset
    }

    func byte(at offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

    func text(_ span: Range<Int>) -> String {
        String(decoding: bytes[span.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }
}

extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let doubleQuote = UInt8(ascii: "\"")
    static let singleQuote = UInt8(ascii: "'")
    static let hash = UInt8(ascii: "#")
    static let colon = UInt8(ascii: ":")
    static let dash = UInt8(ascii: "-")

    var isBlank: Bool { self == .space || self == .tab }
    var isBreak: Bool { self == .lineFeed || self == .carriageReturn }
}
