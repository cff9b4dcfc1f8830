/// A stretch of text in one style: how targets see inlines that mark every stretch instead of nesting them.
struct StyledRun {
    struct Style: OptionSet {
        let rawValue: Int
        static let bold = Style(rawValue: 1)
        static let italic = Style(rawValue: 2)
        static let struck = Style(rawValue: 4)
        static let code = Style(rawValue: 8)
    }

    var text: String
    var style: Style
    /// Where the stretch leads, if it is a link.
    var link: String?

    /// The stretches of inlines, in order; a line break is a "\n" of its own.
    static func runs(of inlines: [MarkupInline], style: Style = [], link: String? = nil) -> [StyledRun] {
        inlines.flatMap { inline -> [StyledRun] in
            switch inline {
            case .text(let text): [StyledRun(text: text, style: style, link: link)]
            case .softBreak: [StyledRun(text: " ", style: style, link: link)]
            case .lineBreak: [StyledRun(text: "\n", style: style, link: link)]
            case .code(let text): [StyledRun(text: text, style: style.union(.code), link: link)]
            case .emphasis(let inner): runs(of: inner, style: style.union(.italic), link: link)
            case .strong(let inner): runs(of: inner, style: style.union(.bold), link: link)
            case .strikethrough(let inner): runs(of: inner, style: style.union(.struck), link: link)
            case .link(let target, _, let inner): runs(of: inner, style: style, link: target)
            case .image(let source, _, let alternative):
                [StyledRun(text: alternative.isEmpty ? source : alternative, style: style, link: link ?? source)]
            }
        }
    }

    /// The same with neighbours of one style as one stretch, and without empty ones.
    static func merged(_ runs: [StyledRun]) -> [StyledRun] {
        runs.reduce(into: []) { merged, run in
            if let last = merged.last, last.style == run.style, last.link == run.link {
                merged[merged.count - 1].text += run.text
            } else if !run.text.isEmpty {
                merged.append(run)
            }
        }
    }
}
