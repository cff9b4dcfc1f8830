/// Cuts the inlines of a paragraph too long for one part.
struct InlineDivider {
    /// Whether inlines fit into one part.
    let fits: ([MarkupInline]) -> Bool

    /// As much as fits, and the rest. The head always takes something away.
    func cut(_ inlines: [MarkupInline]) -> (head: [MarkupInline], tail: [MarkupInline]) {
        // There are no more characters than bytes and breaks, and bytes are counted at once.
        let bound = LeafBytes.count([.paragraph(inlines)]) + 1
        for measure in [InlineMeasure.graphemes, .scalars] {
            let most = BlockDivider.largest(upTo: bound) { fits(measure.prefix(of: inlines, $0)) }
            guard most > 0 else { continue }
            let place = measure == .graphemes ? Self.goodPlace(in: inlines, upTo: most) : most
            return (
                Self.trimmedAtEnd(measure.prefix(of: inlines, place)),
                Self.trimmedAtStart(measure.suffix(of: inlines, place))
            )
        }
        // Not even one character fits. Perhaps it does without the address it leads to; else it goes as it is.
        let bare = inlines.flatMap(\.withoutTargets)
        if bare != inlines { return cut(bare) }
        return (InlineMeasure.graphemes.prefix(of: inlines, 1), InlineMeasure.graphemes.suffix(of: inlines, 1))
    }

    /// Where to cut at or before `most` graphemes: behind a line break, a sentence, a word, whichever comes first in this order in the second half; not
    /// inside a link that begins there.
    private static func goodPlace(in inlines: [MarkupInline], upTo most: Int) -> Int {
        let seen = InlineMeasure.graphemes.prefix(of: inlines, most + 1)
        let characters = seen.flatMap { $0.characters(isLink: false) }
        guard characters.count > most else { return most }
        var places: [Quality: Int] = [:]
        for place in (max(most / 2, 1)...most).reversed() {
            let before = characters[place - 1]
            let quality: Quality? =
                if before.isLink, characters[place].isLink {
                    nil
                } else if before.character.isNewline {
                    .line
                } else if before.character.isWhitespace {
                    place > 1 && ".!?…".contains(characters[place - 2].character) ? .sentence : .word
                } else {
                    before.isLink != characters[place].isLink ? .link : nil
                }
            if let quality, places[quality] == nil { places[quality] = place }
        }
        return places[.line] ?? places[.sentence] ?? places[.word] ?? places[.link] ?? most
    }

    private enum Quality {
        case line, sentence, word, link
    }

    /// Without blanks and breaks at the end, where nobody sees them.
    private static func trimmedAtEnd(_ inlines: [MarkupInline]) -> [MarkupInline] {
        var trimmed = inlines
        while let last = trimmed.popLast() {
            let kept = last.edited(trimmedAtEnd) { text in
                text.lastIndex { !$0.isWhitespace }.map { String(text[...$0]) } ?? ""
            }
            if let kept { return trimmed + [kept] }
        }
        return []
    }

    private static func trimmedAtStart(_ inlines: [MarkupInline]) -> [MarkupInline] {
        for (position, first) in inlines.enumerated() {
            let kept = first.edited(trimmedAtStart) { String($0.drop(while: \.isWhitespace)) }
            if let kept { return [kept] + inlines[(position + 1)...] }
        }
        return []
    }
}

extension MarkupInline {
    /// With its texts and inner inlines changed; nil where nothing is left.
    fileprivate func edited(
        _ inside: ([MarkupInline]) -> [MarkupInline],
        _ text: (String) -> String
    ) -> MarkupInline? {
        switch self {
        case .text(let old):
            let new = text(old)
            return new.isEmpty ? nil : .text(new)
        case .softBreak, .lineBreak: return nil
        case .code, .image: return self
        case .emphasis(let inner): return inside(inner).nonEmpty.map { .emphasis($0) }
        case .strong(let inner): return inside(inner).nonEmpty.map { .strong($0) }
        case .strikethrough(let inner): return inside(inner).nonEmpty.map { .strikethrough($0) }
        case .link(let target, let title, let inner):
            return inside(inner).nonEmpty.map { .link(target: target, title: title, $0) }
        }
    }

    /// The characters a reader sees, a line end for a break, and whether they belong to a link.
    fileprivate func characters(isLink: Bool) -> [(character: Character, isLink: Bool)] {
        switch self {
        case .text(let text), .code(let text): text.map { ($0, isLink) }
        case .softBreak: [(" ", isLink)]
        case .lineBreak: [("\n", isLink)]
        case .image: [("\u{FFFC}", isLink)]
        case .emphasis(let inner), .strong(let inner), .strikethrough(let inner):
            inner.flatMap { $0.characters(isLink: isLink) }
        case .link(_, _, let inner): inner.flatMap { $0.characters(isLink: true) }
        }
    }

    /// The same without addresses: links as their text, pictures as their words.
    fileprivate var withoutTargets: [MarkupInline] {
        switch self {
        case .link(_, _, let inner): inner.flatMap(\.withoutTargets)
        case .image(_, _, let alternative): alternative.isEmpty ? [] : [.text(alternative)]
        case .emphasis(let inner): [.emphasis(inner.flatMap(\.withoutTargets))]
        case .strong(let inner): [.strong(inner.flatMap(\.withoutTargets))]
        case .strikethrough(let inner): [.strikethrough(inner.flatMap(\.withoutTargets))]
        case .text, .softBreak, .lineBreak, .code: [self]
        }
    }
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
