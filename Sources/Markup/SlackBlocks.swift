public import Values

extension MarkupDocument {
    /// The `blocks` of a Slack message: a list of `rich_text`, `header` and `divider` blocks (Slack, Block Kit reference).
    ///
    /// Text in `rich_text` is never read for marks, mentions, emoji or links, so nothing needs an escape there. Tables are aligned columns in preformatted text.
    /// A sink sends `slackMrkdwn()` as `text` beside it.
    public func slackBlocks() -> Value {
        .list(blocks.map(SlackBlocks.block))
    }

    /// Whether Slack takes the blocks: at most 50, each of at most 3,000 characters (slack_sdk models), and 12,000 together, since `msg_blocks_too_long`
    /// was seen from 13,200 on (slackapi/bolt-js#2509).
    var fitsSlack: Bool {
        let lengths = blocks.map { MarkupDocument(clean: [$0]).slackBlocks().slackTextLength }
        return lengths.count <= 50 && lengths.allSatisfy { $0 <= 3000 } && lengths.reduce(0, +) <= 12_000
    }
}

extension Value {
    /// The UTF-16 units of all texts and addresses in a block.
    fileprivate var slackTextLength: Int {
        switch self {
        case .list(let list): list.reduce(0) { $0 + $1.slackTextLength }
        case .map(let map):
            map.reduce(0) { sum, pair in
                let isShown = pair.key == "text" || pair.key == "url"
                return sum + (isShown ? pair.value.string?.utf16.count ?? 0 : 0) + pair.value.slackTextLength
            }
        default: 0
        }
    }
}

private enum SlackBlocks {
    static func block(_ block: MarkupBlock) -> Value {
        switch block {
        case .heading(_, let inlines):
            let runs = StyledRun.runs(of: inlines)
            let text = runs.map(\.text).joined()
            // A header block is plain text of at most 150 characters.
            guard text.utf16.count <= 150, runs.allSatisfy({ $0.link == nil }) else {
                return richText([section(StyledRun.runs(of: inlines, style: .bold))])
            }
            return ["type": "header", "text": ["type": "plain_text", "text": .string(text), "emoji": false]]
        case .thematicBreak: return ["type": "divider"]
        default: return richText(elements(of: block, indent: 0))
        }
    }

    private static func richText(_ elements: [Value]) -> Value {
        ["type": "rich_text", "elements": .list(elements)]
    }

    /// The sections, lists, quotes and preformatted texts that show a block. `indent` counts the lists around it.
    private static func elements(of block: MarkupBlock, indent: Int) -> [Value] {
        switch block {
        case .paragraph(let inlines): [section(StyledRun.runs(of: inlines))]
        case .heading(_, let inlines): [section(StyledRun.runs(of: inlines, style: .bold))]
        case .list(let list): elements(of: list, indent: indent)
        case .quote(let blocks): [["type": "rich_text_quote", "elements": .list(texts(flat(blocks)))]]
        case .code(let text, _): [preformatted(text)]
        case .thematicBreak: [section([StyledRun(text: "———", style: [])])]
        case .table(let table):
            [preformatted(TableColumns.lines(of: table) { .init(PlainText().line($0)) }.joined(separator: "\n"))]
        }
    }

    private static func section(_ runs: [StyledRun]) -> Value {
        ["type": "rich_text_section", "elements": .list(texts(runs))]
    }

    private static func preformatted(_ text: String) -> Value {
        ["type": "rich_text_preformatted", "elements": [["type": "text", "text": .string(text)]]]
    }

    /// Lists hold nothing but lines; an inner list is one of its own with a deeper indent, and so is what follows it.
    private static func elements(of list: MarkupList, indent: Int) -> [Value] {
        var elements: [Value] = []
        var lines: [Value] = []
        for (position, item) in list.items.enumerated() {
            let (texts, inner) = split(item)
            lines.append(section(flat(texts)))
            guard !inner.isEmpty || position == list.items.count - 1 else { continue }
            let number = list.start.map { $0 + position + 1 - lines.count }
            elements.append(richTextList(lines, number: number, indent: indent))
            lines = []
            elements += inner.flatMap { self.elements(of: $0, indent: indent + 1) }
        }
        return elements
    }

    /// `number` is that of the first line, nil for bullets. Slack allows an indent of up to 8.
    private static func richTextList(_ lines: [Value], number: Int?, indent: Int) -> Value {
        var list: ValueMap = ["type": "rich_text_list", "style": number == nil ? "bullet" : "ordered"]
        list["indent"] = .int(Int64(min(indent, 8)))
        if let number, number > 1 { list["offset"] = .int(Int64(number - 1)) }
        list["elements"] = .list(lines)
        return .map(list)
    }

    /// An item's leading text, and the rest from the first block that is none.
    private static func split(_ item: [MarkupBlock]) -> (lines: [MarkupBlock], inner: [MarkupBlock]) {
        let lines = item.prefix { block in
            switch block {
            case .paragraph, .heading: true
            default: false
            }
        }
        return (Array(lines), Array(item.dropFirst(lines.count)))
    }

    /// Blocks as one text, for places that hold nothing else; lists and tables as their plain lines.
    private static func flat(_ blocks: [MarkupBlock]) -> [StyledRun] {
        blocks.enumerated().flatMap { position, block -> [StyledRun] in
            let runs =
                switch block {
                case .paragraph(let inlines): StyledRun.runs(of: inlines)
                case .heading(_, let inlines): StyledRun.runs(of: inlines, style: .bold)
                default: [StyledRun(text: MarkupDocument(clean: [block]).plainText(), style: [])]
                }
            return (position == 0 ? [] : [StyledRun(text: "\n", style: [])]) + runs
        }
    }

    /// Text and link elements; an element must have a text.
    private static func texts(_ runs: [StyledRun]) -> [Value] {
        let filled = StyledRun.merged(runs)
        guard !filled.isEmpty else { return [["type": "text", "text": " "]] }
        return filled.map { run in
            var element: ValueMap = ["type": .string(run.link == nil ? "text" : "link")]
            if let link = run.link { element["url"] = .string(link) }
            element["text"] = .string(run.text)
            let names: [(StyledRun.Style, String)] = [
                (.bold, "bold"), (.italic, "italic"), (.struck, "strike"), (.code, "code"),
            ]
            let styles = names.filter { run.style.contains($0.0) }.map { (Value.string($0.1), Value.bool(true)) }
            if !styles.isEmpty { element["style"] = .map(ValueMap(styles)) }
            return .map(element)
        }
    }
}
