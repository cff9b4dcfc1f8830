/// The marks around a value's number, and how a leaf's text is taken apart at them.
///
/// U+E000 and U+E001 are private-use characters, which no school writes; cmark-gfm takes them for letters.
enum Placeholder {
    static let opening: Unicode.Scalar = "\u{E000}"
    static let closing: Unicode.Scalar = "\u{E001}"

    /// A stretch of a leaf: what the author wrote, or a value in full.
    enum Piece: Equatable {
        case written(String)
        case value(String)
    }

    /// The pieces of a leaf's text. A number without a value gives nothing; a mark alone is left out.
    static func pieces(of text: String, values: [String]) -> [Piece] {
        // Both marks begin with this byte, and few other characters do.
        guard text.utf8.contains(0xEE), text.unicodeScalars.contains(where: { $0 == opening || $0 == closing }) else {
            return text.isEmpty ? [] : [.written(text)]
        }
        var pieces: [Piece] = []
        var written = String.UnicodeScalarView()
        let scalars = text.unicodeScalars
        var position = scalars.startIndex
        while position < scalars.endIndex {
            let scalar = scalars[position]
            scalars.formIndex(after: &position)
            if scalar == closing { continue }
            guard scalar == opening else {
                written.append(scalar)
                continue
            }
            guard let (number, end) = number(in: scalars, at: position) else { continue }
            position = end
            guard let number, values.indices.contains(number) else { continue }
            if !written.isEmpty { pieces.append(.written(String(written))) }
            written = String.UnicodeScalarView()
            pieces.append(.value(values[number]))
        }
        if !written.isEmpty { pieces.append(.written(String(written))) }
        return pieces
    }

    /// The digits from `start` to the closing mark, and the place behind it; nil where this is no placeholder. The number is nil if it does not fit an `Int`.
    private static func number(
        in scalars: String.UnicodeScalarView,
        at start: String.Index
    ) -> (number: Int?, end: String.Index)? {
        var end = start
        while end < scalars.endIndex, ("0"..."9").contains(scalars[end]) { scalars.formIndex(after: &end) }
        guard end > start, end < scalars.endIndex, scalars[end] == closing else { return nil }
        return (Int(String(scalars[start..<end])), scalars.index(after: end))
    }
}
