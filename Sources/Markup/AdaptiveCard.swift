public import Values

extension MarkupDocument {
    /// The `content` of a Teams attachment of type `application/vnd.microsoft.card.adaptive`: an Adaptive Card 1.5 at full width (`msteams.width` must be `Full`:
    /// Microsoft, "Format cards in Teams").
    ///
    /// All text stands in `TextRun`s, which are not read for Markdown, so nothing needs an escape there; `<at>` means nothing without an entry in
    /// `msteams.entities`, of which there is none. Pictures are links.
    public func adaptiveCard() -> Value {
        var body: [Value] = []
        CardBody.append(blocks, to: &body, indent: 0)
        return [
            "type": "AdaptiveCard",
            "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
            "version": "1.5",
            "body": .list(body),
            "msteams": ["width": "Full"],
        ]
    }
}

private enum CardBody {
    /// Appends the elements of blocks. `indent` counts the lists around them.
    static func append(_ blocks: [MarkupBlock], to body: inout [Value], indent: Int) {
        var isBelowRule = false
        for block in blocks {
            guard block != .thematicBreak else {
                isBelowRule = true
                continue
            }
            let first = body.count
            append(block, to: &body, indent: indent)
            if isBelowRule, body.count > first { body[first] = body[first].with("separator", true) }
            isBelowRule = false
        }
    }

    private static func append(_ block: MarkupBlock, to body: inout [Value], indent: Int) {
        switch block {
        case .paragraph(let inlines): append(lines: StyledRun.runs(of: inlines), to: &body, indent: indent)
        case .heading(let level, let inlines):
            let size: Value = level == 1 ? "ExtraLarge" : level == 2 ? "Large" : "Medium"
            let runs = StyledRun.runs(of: inlines, style: .bold).map { textRun($0).with("size", size) }
            body.append(["type": "RichTextBlock", "inlines": .list(runs)])
        case .list(let list): append(list, to: &body, indent: indent)
        case .quote(let blocks):
            var inner: [Value] = []
            append(blocks, to: &inner, indent: 0)
            body.append(["type": "Container", "style": "emphasis", "items": .list(inner)])
        case .code(let text, _): body.append(code(text))
        case .thematicBreak: break
        case .table(let table): body.append(self.table(table))
        }
    }

    /// A text block for each line; a card has no line break inside one.
    private static func append(lines runs: [StyledRun], to body: inout [Value], indent: Int, mark: String? = nil) {
        let indentation = String(repeating: "\u{2003}", count: indent)
        for (position, line) in runs.split(omittingEmptySubsequences: false, whereSeparator: { $0.text == "\n" })
            .enumerated()
        {
            let start = position == 0 ? mark.map { indentation.dropLast() + $0 } ?? indentation[...] : indentation[...]
            let before = start.isEmpty ? [] : [textRun(StyledRun(text: String(start), style: []))]
            let texts = line.filter { !$0.text.isEmpty }.map(textRun)
            let inlines = (before + texts).isEmpty ? [textRun(StyledRun(text: " ", style: []))] : before + texts
            let block: Value = ["type": "RichTextBlock", "inlines": .list(inlines)]
            body.append(position == 0 && mark == nil ? block : block.with("spacing", position == 0 ? "Small" : "None"))
        }
    }

    private static func append(_ list: MarkupList, to body: inout [Value], indent: Int) {
        for (position, item) in list.items.enumerated() {
            let mark = list.start.map { "\($0 + position).\u{A0}" } ?? "•\u{A0}"
            var rest = item[...]
            var runs: [StyledRun] = []
            if case .paragraph(let inlines) = item.first {
                runs = StyledRun.runs(of: inlines)
                rest = item.dropFirst()
            }
            append(lines: runs, to: &body, indent: indent + 1, mark: mark)
            append(Array(rest), to: &body, indent: indent + 1)
        }
    }

    private static func textRun(_ run: StyledRun) -> Value {
        var value: ValueMap = ["type": "TextRun", "text": .string(run.text)]
        if run.style.contains(.bold) { value["weight"] = "Bolder" }
        if run.style.contains(.italic) { value["italic"] = true }
        if run.style.contains(.struck) { value["strikethrough"] = true }
        if run.style.contains(.code) { value["fontType"] = "Monospace" }
        if let link = run.link { value["selectAction"] = ["type": "Action.OpenUrl", "url": .string(link)] }
        return .map(value)
    }

    /// Code keeps its blanks as no-break spaces, since a card draws several blanks as one.
    private static func code(_ text: String) -> Value {
        let lines = text.codeLines.map { line -> Value in
            let kept = line.isEmpty ? "\u{A0}" : line.replacing(" ", with: "\u{A0}")
            let run = textRun(StyledRun(text: kept, style: .code))
            return ["type": "RichTextBlock", "spacing": "None", "inlines": [run]]
        }
        return ["type": "Container", "style": "emphasis", "items": .list(lines)]
    }

    private static func table(_ table: MarkupTable) -> Value {
        let row = { (cells: [[MarkupInline]], style: StyledRun.Style) -> Value in
            let filled = zip(cells, table.alignments).map { cell, alignment -> Value in
                var block: [Value] = []
                append(lines: StyledRun.runs(of: cell, style: style), to: &block, indent: 0)
                let items = block.map { $0.with("horizontalAlignment", .string(name(of: alignment))) }
                return ["type": "TableCell", "items": .list(items)]
            }
            return ["type": "TableRow", "cells": .list(filled)]
        }
        let header = table.header.isEmpty ? [] : [row(table.header, .bold)]
        let column: Value = ["width": 1]
        return [
            "type": "Table",
            "firstRowAsHeader": .bool(!table.header.isEmpty),
            "columns": .list(table.alignments.map { _ in column }),
            "rows": .list(header + table.rows.map { row($0, []) }),
        ]
    }

    private static func name(of alignment: MarkupTable.Alignment) -> String {
        switch alignment {
        case .none, .left: "Left"
        case .center: "Center"
        case .right: "Right"
        }
    }
}

extension Value {
    fileprivate func with(_ key: String, _ value: Value) -> Value {
        guard case .map(var map) = self else { return self }
        map[key] = value
        return .map(map)
    }
}
