/// Reads the raw source of `|` and `>` scalars (YAML 1.2.2, section 8.1) the way libyaml does.
struct BlockScalarReader {
    private enum Chomping { case strip, clip, keep }

    private let bytes: [UInt8]
    private let blockIndent: Int
    private var offset: Int
    private var chomping = Chomping.clip
    /// The column in which the text begins; 0 until it is known.
    private var indent = 0
    /// The line end before the current line, and those of the empty lines behind it: not yet written.
    private var leadingBreak: Range<Int>?
    private var emptyLines: [Range<Int>] = []

    init(_ bytes: [UInt8], start: Int, blockIndent: Int) {
        self.bytes = bytes
        self.blockIndent = blockIndent
        offset = start
    }

    mutating func read(into layout: inout ScalarLayout, isFolded: Bool) {
        readHeader()
        skipEmptyLines()
        var followsIndented = false
        while offset < bytes.count, isAtContent {
            let isIndented = bytes[offset].isBlank
            if let pending = leadingBreak {
                if isFolded, !followsIndented, !isIndented {
                    if emptyLines.isEmpty { layout.append([.space], for: pending) }
                } else {
                    layout.append([.lineFeed], for: pending)
                }
            }
            for line in emptyLines { layout.append([.lineFeed], for: line) }
            emptyLines = []
            followsIndented = isIndented
            let end = bytes[offset...].firstIndex { $0.isBreak } ?? bytes.count
            layout.append(bytes[offset..<end])
            offset = end
            leadingBreak = readBreak()
            skipEmptyLines()
        }
        if chomping != .strip, let leadingBreak { layout.append([.lineFeed], for: leadingBreak) }
        if chomping == .keep {
            for line in emptyLines { layout.append([.lineFeed], for: line) }
        }
    }

    private mutating func readHeader() {
        offset += 1
        header: while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "-"): chomping = .strip
            case UInt8(ascii: "+"): chomping = .keep
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                indent = max(blockIndent, 0) + Int(bytes[offset] - UInt8(ascii: "0"))
            default: break header
            }
            offset += 1
        }
        offset = bytes[min(offset, bytes.count)...].firstIndex { $0.isBreak } ?? bytes.count
        _ = readBreak()
    }

    private mutating func readBreak() -> Range<Int>? {
        guard offset < bytes.count, bytes[offset].isBreak else { return nil }
        let start = offset
        let isPair = bytes[offset] == .carriageReturn && offset + 1 < bytes.count && bytes[offset + 1] == .lineFeed
        offset += isPair ? 2 : 1
        return start..<offset
    }

    /// Skips indentation and empty lines. Before the text begins, its indentation is found: that of the first line that is not
    /// empty, but never less than the widest empty line before it.
    private mutating func skipEmptyLines() {
        var widest = 0
        while true {
            let lineStart = offset
            while offset < bytes.count, bytes[offset] == .space, indent == 0 || offset - lineStart < indent {
                offset += 1
            }
            widest = max(widest, offset - lineStart)
            guard let end = readBreak() else {
                column = offset - lineStart
                break
            }
            emptyLines.append(end)
        }
        if indent == 0 { indent = max(widest, blockIndent + 1, 1) }
    }

    private var column = 0
    private var isAtContent: Bool { column == indent }
}
