import Values

/// Cleans what stands inside lines: blanks are single and never at the edge of a line or of an emphasis, nothing is empty, nothing is nested in
/// its own kind, links point where links may point.
struct InlineCleaning {
    /// Whether line breaks are allowed here; elsewhere they are blanks.
    private let breaks: Bool
    /// The kinds around this place.
    private let outer: Set<Kind>

    private enum Kind {
        case emphasis, strong, strikethrough, link
    }

    /// The inlines of a heading, a table cell or a link: one line.
    static func line(_ inlines: [MarkupInline]) -> [MarkupInline] {
        trimmed(InlineCleaning(breaks: false, outer: []).clean(inlines)).core
    }

    /// The inlines of a paragraph, which is several where two or more line breaks stand together.
    static func paragraphs(_ inlines: [MarkupInline]) -> [[MarkupInline]] {
        var paragraphs: [[MarkupInline]] = [[]]
        var breaks = 0
        for inline in InlineCleaning(breaks: true, outer: []).clean(inlines) {
            switch inline {
            case .lineBreak: breaks += 1
            case _ where breaks > 0 && inline.isBlank: continue
            default:
                if breaks > 1 { paragraphs.append([]) }
                if breaks == 1 { paragraphs[paragraphs.count - 1].append(.lineBreak) }
                breaks = 0
                paragraphs[paragraphs.count - 1].append(inline)
            }
        }
        return paragraphs.map { singleSpaced(trimmed($0).core) }.filter { !$0.isEmpty }
    }

    // MARK: - One inline after the other

    private func clean(_ inlines: [MarkupInline]) -> [MarkupInline] {
        Self.merged(inlines.flatMap(clean))
    }

    private func clean(_ inline: MarkupInline) -> [MarkupInline] {
        switch inline {
        case .text(let text): return Self.spaced(LeafText.cleanedLine(text))
        case .softBreak: return [.text(" ")]
        case .lineBreak: return [breaks ? .lineBreak : .text(" ")]
        case .code(let text): return code(text)
        case .emphasis(let inner): return nested(inner, .emphasis) { .emphasis($0) }
        case .strong(let inner): return nested(inner, .strong) { .strong($0) }
        case .strikethrough(let inner): return nested(inner, .strikethrough) { .strikethrough($0) }
        case .link(let target, let title, let inner): return link(target, title, inner)
        case .image(let source, let title, let alternative): return image(source, title, alternative)
        }
    }

    private func nested(
        _ inner: [MarkupInline],
        _ kind: Kind,
        _ make: ([MarkupInline]) -> MarkupInline
    ) -> [MarkupInline] {
        let inside = InlineCleaning(breaks: breaks && kind != .link, outer: outer.union([kind]))
        let (before, core, after) = Self.trimmed(inside.clean(inner))
        guard !core.isEmpty else { return before + after }
        if outer.contains(kind) { return before + core + after }
        return before + [make(Self.singleSpaced(core))] + after
    }

    private func link(_ target: String, _ title: String, _ inner: [MarkupInline]) -> [MarkupInline] {
        guard let cleaned = LinkTarget.cleaned(target), !outer.contains(.link) else { return clean(inner) }
        let title = Self.cleanedTitle(title)
        let link = nested(inner, .link) { .link(target: cleaned, title: title, $0) }
        // A link without a text shows where it leads.
        let isEmpty = link.allSatisfy { $0.isBlank || $0.isLineBreak }
        return isEmpty ? [.link(target: cleaned, title: title, [.text(cleaned)])] : link
    }

    private func image(_ source: String, _ title: String, _ alternative: String) -> [MarkupInline] {
        let words = Self.cleanedTitle(alternative)
        guard let cleaned = LinkTarget.cleaned(source), !cleaned.hasPrefix("mailto:") else {
            return words.isEmpty ? [] : [.text(words)]
        }
        return [.image(source: cleaned, title: Self.cleanedTitle(title), alternative: words)]
    }

    private func code(_ text: String) -> [MarkupInline] {
        let line = LeafText.cleanedLine(text)
        return line.allSatisfy { $0 == " " } ? (line.isEmpty ? [] : [.text(" ")]) : [.code(line)]
    }

    private static func cleanedTitle(_ title: String) -> String {
        LeafText.cleanedLine(title).split(separator: " ").joined(separator: " ")
    }

    // MARK: - Blanks

    /// A text with its blanks single and those at its edges set apart, so that they can be moved.
    private static func spaced(_ text: String) -> [MarkupInline] {
        if text.isTidyLine { return text.isEmpty ? [] : [.text(text)] }
        let words = text.split(separator: " ")
        guard !words.isEmpty else { return text.isEmpty ? [] : [.text(" ")] }
        let middle = MarkupInline.text(words.joined(separator: " "))
        return (text.hasPrefix(" ") ? [.text(" ")] : []) + [middle] + (text.hasSuffix(" ") ? [.text(" ")] : [])
    }

    /// Only one blank where several meet, and none beside a line break; two line breaks stay two.
    private static func merged(_ inlines: [MarkupInline]) -> [MarkupInline] {
        var merged: [MarkupInline] = []
        for inline in inlines {
            if let last = merged.last {
                if inline.isBlank, last.isBlank || last.isLineBreak { continue }
                if inline.isLineBreak, last.isBlank { merged.removeLast() }
            }
            merged.append(inline)
        }
        return merged
    }

    /// What stands at the edges apart from the rest: blanks and line breaks.
    private static func trimmed(
        _ inlines: [MarkupInline]
    ) -> (before: [MarkupInline], core: [MarkupInline], after: [MarkupInline]) {
        let isInner = { (inline: MarkupInline) in !inline.isBlank && !inline.isLineBreak }
        guard let first = inlines.firstIndex(where: isInner), let last = inlines.lastIndex(where: isInner) else {
            return (inlines, [], [])
        }
        return (Array(inlines[..<first]), singleTexts(inlines[first...last]), Array(inlines[(last + 1)...]))
    }

    /// Neighbouring texts as one.
    private static func singleTexts(_ inlines: some Sequence<MarkupInline>) -> [MarkupInline] {
        var joined: [MarkupInline] = []
        for inline in inlines {
            if case .text(let more) = inline, case .text(let text) = joined.last {
                joined[joined.count - 1] = .text(text + more)
            } else {
                joined.append(inline)
            }
        }
        return joined
    }

    /// One line break where several stand together inside an emphasis.
    private static func singleSpaced(_ inlines: [MarkupInline]) -> [MarkupInline] {
        inlines.enumerated().filter {
            $0.offset == 0 || !$0.element.isLineBreak || !inlines[$0.offset - 1].isLineBreak
        }
        .map(\.element)
    }
}

extension MarkupInline {
    /// A single blank, which can be moved.
    fileprivate var isBlank: Bool {
        if case .text(let text) = self { text == " " } else { false }
    }

    fileprivate var isLineBreak: Bool {
        if case .lineBreak = self { true } else { false }
    }
}
