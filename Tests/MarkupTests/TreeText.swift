import Markup

extension MarkupDocument {
    /// All words of the leaves, in order, nothing between them.
    var leafText: String { blocks.map(\.leafText).joined() }
}

extension MarkupBlock {
    var leafText: String {
        switch self {
        case .paragraph(let inlines), .heading(_, let inlines): inlines.leafText
        case .list(let list): list.items.flatMap { $0 }.map(\.leafText).joined()
        case .quote(let blocks): blocks.map(\.leafText).joined()
        case .code(let text, _): text
        case .thematicBreak: ""
        case .table(let table): (table.header + table.rows.flatMap { $0 }).map(\.leafText).joined()
        }
    }
}

extension [MarkupInline] {
    var leafText: String {
        self.map { inline in
            switch inline {
            case .text(let text), .code(let text): text
            case .softBreak: " "
            case .lineBreak: "\n"
            case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, _, let inner):
                inner.leafText
            case .image(_, _, let alternative): alternative
            }
        }.joined()
    }
}

extension String {
    /// Without blanks, line ends and what is never seen, so that two ways of writing a text can be compared.
    var seen: String {
        var seen = String.UnicodeScalarView()
        for scalar in unicodeScalars
        where !scalar.properties.isWhitespace && !"\u{200B}\u{2068}\u{2069}".unicodeScalars.contains(scalar) {
            seen.append(scalar)
        }
        return String(seen)
    }
}
