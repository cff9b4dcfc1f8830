/// One of the messages that a message too long for its target becomes.
public struct MarkupPart: Sendable, Hashable {
    /// 1 for the first.
    public let number: Int
    /// How many there are.
    public let count: Int
    /// What this part says of the message.
    public let content: MarkupDocument

    /// What is sent: the content behind its number, `(1/3)`; the content itself where there is only one part.
    public var document: MarkupDocument {
        count == 1 ? content : content.numbered("(\(number)/\(count))")
    }
}

/// What a target counts.
public enum MarkupUnit: Sendable, Hashable {
    /// UTF-16 code units, as JavaScript and Telegram count.
    case utf16
    /// Unicode scalars, as Go's runes and Python's characters.
    case scalars
    /// Bytes of UTF-8.
    case bytes

    /// The most bytes of UTF-8 that one unit can stand for.
    var mostBytes: Int {
        switch self {
        case .utf16: 3
        case .scalars: 4
        case .bytes: 1
        }
    }

    /// The length of a text in this unit.
    public func length(of text: String) -> Int {
        switch self {
        case .utf16: text.utf16.count
        case .scalars: text.unicodeScalars.count
        case .bytes: text.utf8.count
        }
    }
}

extension MarkupDocument {
    /// The message in parts of which each `fits` once it carries its number.
    ///
    /// Parts end between the blocks and the items of lists, else between the lines and sentences of a paragraph, else between words, else between graphemes;
    /// never inside markup, which is closed and opened again. Together the parts say all that the message says, in order. A part does not fit
    /// only if a single character with its number would not.
    public func split(fits: (MarkupDocument) -> Bool) -> [MarkupPart] {
        split(mostBytes: .max, fits: fits)
    }

    /// The message in parts of which each, as `render` writes it, has at most `limit` units. `render` leaves out no text.
    public func split(limit: Int, unit: MarkupUnit, render: (MarkupDocument) -> String) -> [MarkupPart] {
        split(mostBytes: limit * unit.mostBytes) { unit.length(of: render($0)) <= limit }
    }

    /// The message in parts that the target takes. One part where it has no limit.
    public func parts(for target: MarkupTarget) -> [MarkupPart] {
        split(mostBytes: target.mostBytes, fits: target.fits)
    }

    /// `mostBytes` is a bound on the bytes of the leaves beyond which nothing can fit.
    private func split(mostBytes: Int, fits: (MarkupDocument) -> Bool) -> [MarkupPart] {
        if isEmpty || LeafBytes.count(blocks) <= mostBytes && fits(self) {
            return [MarkupPart(number: 1, count: 1, content: self)]
        }
        // The number's own length depends on how many parts there are: first as if there were up to 9, then up to 99, and so on.
        var nines = "9"
        while true {
            let parts = withoutActuallyEscaping(fits) { fits in
                BlockDivider { blocks in
                    LeafBytes.count(blocks) <= mostBytes
                        && fits(MarkupDocument(clean: blocks).numbered("(\(nines)/\(nines))"))
                }.parts(of: blocks)
            }
            if String(parts.count).count <= nines.count {
                return parts.enumerated().map { position, blocks in
                    MarkupPart(number: position + 1, count: parts.count, content: MarkupDocument(clean: blocks))
                }
            }
            nines += "9"
        }
    }

    /// With a label before the first words.
    fileprivate func numbered(_ label: String) -> MarkupDocument {
        let mark = MarkupInline.text(label + " ")
        switch blocks.first {
        case .paragraph(let inlines):
            return MarkupDocument(clean: [.paragraph([mark] + inlines)] + blocks.dropFirst())
        case .heading(let level, let inlines):
            return MarkupDocument(clean: [.heading(level: level, [mark] + inlines)] + blocks.dropFirst())
        default:
            return MarkupDocument(clean: [.paragraph([.text(label)])] + blocks)
        }
    }
}
