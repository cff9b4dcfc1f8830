/// Counts inlines and takes them apart at a number of characters. Emphases and links around the place are closed before it and opened behind it.
enum InlineMeasure {
    /// What a reader takes for one character. A break and a picture count one.
    case graphemes
    /// The last resort for graphemes longer than any message.
    case scalars

    /// The first `count` characters.
    func prefix(of inlines: [MarkupInline], _ count: Int) -> [MarkupInline] {
        prefix(of: inlines, count).kept
    }

    /// The first `count` characters, and how many there are.
    private func prefix(of inlines: [MarkupInline], _ count: Int) -> (kept: [MarkupInline], taken: Int) {
        var taken = 0
        var kept: [MarkupInline] = []
        for inline in inlines {
            if taken >= count { break }
            let part = prefix(of: inline, count - taken)
            kept.append(part.kept)
            taken += part.taken
        }
        return (kept, taken)
    }

    private func prefix(of inline: MarkupInline, _ count: Int) -> (kept: MarkupInline, taken: Int) {
        let inside = { (inner: [MarkupInline], make: ([MarkupInline]) -> MarkupInline) -> (MarkupInline, Int) in
            let part: (kept: [MarkupInline], taken: Int) = prefix(of: inner, count)
            return (make(part.kept), part.taken)
        }
        switch inline {
        case .text(let text):
            let (end, taken) = place(in: text, count)
            return (.text(String(text[..<end])), taken)
        case .code(let text):
            let (end, taken) = place(in: text, count)
            return (.code(String(text[..<end])), taken)
        case .softBreak, .lineBreak, .image: return (inline, 1)
        case .emphasis(let inner): return inside(inner) { .emphasis($0) }
        case .strong(let inner): return inside(inner) { .strong($0) }
        case .strikethrough(let inner): return inside(inner) { .strikethrough($0) }
        case .link(let target, let title, let inner):
            return inside(inner) { .link(target: target, title: title, $0) }
        }
    }

    /// All but the first `count` characters.
    func suffix(of inlines: [MarkupInline], _ count: Int) -> [MarkupInline] {
        suffix(of: inlines, count).kept
    }

    /// All but the first `count` characters, and how many were left out.
    private func suffix(of inlines: [MarkupInline], _ count: Int) -> (kept: [MarkupInline], taken: Int) {
        var taken = 0
        for (position, inline) in inlines.enumerated() {
            guard taken < count else { return (Array(inlines[position...]), taken) }
            let part = suffix(of: inline, count - taken)
            taken += part.taken
            if let kept = part.kept { return ([kept] + inlines[(position + 1)...], taken) }
        }
        return ([], taken)
    }

    private func suffix(of inline: MarkupInline, _ count: Int) -> (kept: MarkupInline?, taken: Int) {
        let inside = { (inner: [MarkupInline], make: ([MarkupInline]) -> MarkupInline) -> (MarkupInline?, Int) in
            let part: (kept: [MarkupInline], taken: Int) = suffix(of: inner, count)
            return (part.kept.isEmpty ? nil : make(part.kept), part.taken)
        }
        switch inline {
        case .text(let text):
            let (end, taken) = place(in: text, count)
            return (end == text.endIndex ? nil : .text(String(text[end...])), taken)
        case .code(let text):
            let (end, taken) = place(in: text, count)
            return (end == text.endIndex ? nil : .code(String(text[end...])), taken)
        case .softBreak, .lineBreak, .image: return (nil, 1)
        case .emphasis(let inner): return inside(inner) { .emphasis($0) }
        case .strong(let inner): return inside(inner) { .strong($0) }
        case .strikethrough(let inner): return inside(inner) { .strikethrough($0) }
        case .link(let target, let title, let inner):
            return inside(inner) { .link(target: target, title: title, $0) }
        }
    }

    /// The place behind the first `count` characters of a text, or its end; and how many characters lie before it.
    private func place(in text: String, _ count: Int) -> (end: String.Index, taken: Int) {
        if self == .graphemes {
            let end = text.index(text.startIndex, offsetBy: count, limitedBy: text.endIndex)
            return end.map { ($0, count) } ?? (text.endIndex, text.count)
        }
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex)
        return end.map { ($0, count) } ?? (scalars.endIndex, scalars.count)
    }
}
