/// Which bytes of a scalar's text come from which bytes of the file.
///
/// Computed from the raw source, in pieces: a piece that stands in the file as it is, or one that replaces something (an escape, a
/// folded line end) and is never pointed into.
struct ScalarLayout {
    struct Piece {
        /// Where the piece begins in the text, and how long it is there.
        let textStart: Int
        let textLength: Int
        let source: Range<Int>
        /// Byte for byte the same in the file.
        let isVerbatim: Bool
    }

    private(set) var pieces: [Piece] = []
    /// The text, for the proof that this reading and libyaml's are the same.
    private(set) var text: [UInt8] = []
    private let whole: Range<Int>

    init(of scalar: YAMLScalar, at span: Range<Int>, in source: SourceText) {
        whole = span
        switch scalar.style {
        case .plain: readFlow(FlowScalarReader(bytes: source.bytes, span: span, quote: nil))
        case .singleQuoted, .doubleQuoted:
            let inner = min(span.lowerBound + 1, span.upperBound)..<max(span.lowerBound + 1, span.upperBound - 1)
            let quote = scalar.style == .singleQuoted ? UInt8.singleQuote : .doubleQuote
            readFlow(FlowScalarReader(bytes: source.bytes, span: inner, quote: quote))
        case .literal, .folded:
            var reader = BlockScalarReader(source.bytes, start: span.lowerBound, blockIndent: scalar.blockIndent)
            reader.read(into: &self, isFolded: scalar.style == .folded)
        }
    }

    private mutating func readFlow(_ reader: FlowScalarReader) {
        var reader = reader
        reader.read(into: &self)
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        let source = bytes.startIndex..<bytes.endIndex
        pieces.append(Piece(textStart: text.count, textLength: bytes.count, source: source, isVerbatim: true))
        text += bytes
    }

    mutating func append(_ replacement: [UInt8], for source: Range<Int>) {
        guard !replacement.isEmpty else { return }
        pieces.append(Piece(textStart: text.count, textLength: replacement.count, source: source, isVerbatim: false))
        text += replacement
    }

    /// The span in the file of a range of the text.
    func span(of range: Range<Int>) -> Range<Int> {
        guard let last = pieces.last else { return whole }
        guard range.lowerBound < text.count else { return last.source.upperBound..<last.source.upperBound }
        let start = start(of: range.lowerBound)
        guard !range.isEmpty else { return start..<start }
        return start..<max(start, end(of: min(range.upperBound, text.count) - 1))
    }

    private func start(of offset: Int) -> Int {
        let piece = piece(at: offset)
        return piece.isVerbatim ? piece.source.lowerBound + offset - piece.textStart : piece.source.lowerBound
    }

    /// Behind the byte at an offset.
    private func end(of offset: Int) -> Int {
        let piece = piece(at: offset)
        return piece.isVerbatim ? piece.source.lowerBound + offset - piece.textStart + 1 : piece.source.upperBound
    }

    private func piece(at offset: Int) -> Piece {
        var low = 0
        var high = pieces.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].textStart <= offset { low = middle } else { high = middle }
        }
        return pieces[low]
    }
}
