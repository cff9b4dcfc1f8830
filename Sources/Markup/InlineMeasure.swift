/// Counts inlines and takes them apart at a number of characters. Emphases and links around the place are closed before it and opened behind it.
enum InlineMeasure {
    /// What a reader takes for one character. A break and a picture count one.
    case graphemes
    /// The last resort for graphemes longer than any message.
    case scalars

    func length(of inlines: [MarkupInline]) -> Int {
        inlines.reduce(0) { $0 + length(of: $1) }
    }

    private func length(of inline: MarkupInline) -> Int {
        switch inline {
        case .text(let text), .code(let text): length(of: text)
        case .softBreak, .lineBreak, .image: 1
        case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, _, let inner):
            length(of: inner)
        }
    }

    private func length(of text: String) -> Int {
        self == .graphemes ? text.count : text.unicodeScalars.count
    }

    /// The first `count` characters.
    func prefix(of inlines: [MarkupInline], _ count: Int) -> [MarkupInline] {
        var left = count
        var prefix: [MarkupInline] = []
        for inline in inlines where left > 0 {
            let (kept, taken) = split(inline, at: left).head
            if let kept { prefix.append(kept) }
            left -= taken
        }
        return prefix
    }

    /// All but the first `count` characters.
    func suffix(of inlines: [MarkupInline], _ count: Int) -> [MarkupInline] {
        var left = count
        for (position, inline) in inlines.enumerated() {
            guard left > 0 else { return Array(inlines[position...]) }
            let (head, tail) = split(inline, at: left)
            left -= head.taken
            if let tail { return [tail] + inlines[(position + 1)...] }
        }
        return []
    }

    private typealias Split = (head: (kept: MarkupInline?, taken: Int), tail: MarkupInline?)

    private func split(_ inline: MarkupInline, at count: Int) -> Split {
        switch inline {
        case .text(let text): split(text, at: count) { .text($0) }
        case .code(let text): split(text, at: count) { .code($0) }
        case .softBreak, .lineBreak, .image: ((inline, 1), nil)
        case .emphasis(let inner): split(inner, at: count) { .emphasis($0) }
        case .strong(let inner): split(inner, at: count) { .strong($0) }
        case .strikethrough(let inner): split(inner, at: count) { .strikethrough($0) }
        case .link(let target, let title, let inner):
            split(inner, at: count) { .link(target: target, title: title, $0) }
        }
    }

    private func split(_ text: String, at count: Int, _ make: (String) -> MarkupInline) -> Split {
        let end: String.Index? =
            if self == .graphemes {
                text.index(text.startIndex, offsetBy: count, limitedBy: text.endIndex)
            } else {
                text.unicodeScalars.index(text.startIndex, offsetBy: count, limitedBy: text.endIndex)
            }
        guard let end, end < text.endIndex else { return ((make(text), length(of: text)), nil) }
        return ((make(String(text[..<end])), count), make(String(text[end...])))
    }

    private func split(_ inner: [MarkupInline], at count: Int, _ make: ([MarkupInline]) -> MarkupInline) -> Split {
        let prefix = prefix(of: inner, count)
        let suffix = suffix(of: inner, count)
        return ((make(prefix), length(of: prefix)), suffix.isEmpty ? nil : make(suffix))
    }
}
