import Foundation
import Markup
import Testing
import Values

/// Writes what parsers that others made are to judge: `scripts/markup-corpus FILE` sets the variable, `scripts/judge-telegram` and `scripts/judge-html` read the file.
private let corpusPath = ProcessInfo.processInfo.environment["MARKUP_JUDGE_CORPUS"]

@Suite(.enabled(if: corpusPath != nil, "MARKUP_JUDGE_CORPUS names no file to write the corpus to"))
struct JudgeCorpusTests {
    @Test func `the corpus is written`() throws {
        let path = try #require(corpusPath)
        var lines: [String] = []
        // 667 templates with 15 or 22 values each: 12,000 hostile values.
        for seed in 0..<667 {
            var random = SeededGenerator(seed: UInt64(seed) + 1000)
            let template = HostileValues.templates[seed % 2]
            let values = (0..<template.count).map { _ in HostileValues.value(&random, lines: true) }
            let document = MarkupDocument.parse(MarkupSource(template: template.text, values: values))
            lines += Self.cases(document, targets: seed < 200 ? MarkupTarget.judged : [.telegram])
        }
        for seed in 0..<9500 {
            var random = SeededGenerator(seed: UInt64(seed) + 50_000)
            let values = (0..<2).map { _ in HostileValues.value(&random, lines: true) }
            let document = MarkupDocument.parse(
                MarkupSource(template: Self.short[seed % Self.short.count], values: values)
            )
            lines += Self.cases(document, targets: [.telegram])
        }
        #expect(lines.count { $0.contains(#""target":"telegram""#) } >= 10_000)
        for seed in 0..<200 {
            var generator = TreeGenerator(seed: UInt64(seed) + 1000)
            lines += Self.cases(generator.document(blocks: 8), targets: MarkupTarget.judged)
        }
        for message in SchoolMessage.all {
            lines += Self.cases(message.document, targets: MarkupTarget.judged)
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    }

    /// One construct each, around hostile values.
    private static let short = [
        "{0}", "**{0}** {1}", "[{0}](https://school.example/{1})", "- {0}\n- {1}", "> {0}\n\n{1}", "`{0}` ~~{1}~~",
        "# {0}\n\n{1}",
        "| a | b |\n|---|---|\n| {0} | {1} |", "```\n{0}\n```\n\n*{1}*",
    ].map { $0.replacing("{0}", with: MarkupSource.placeholder(0)).replacing("{1}", with: MarkupSource.placeholder(1)) }

    private static func cases(_ document: MarkupDocument, targets: [MarkupTarget]) -> [String] {
        targets.flatMap { target in
            document.parts(for: target).map { part in
                let marked = part.document
                let entities = ValueMap(
                    marked.entities.sorted { $0.key < $1.key }.map { (.string($0.key), .string($0.value.seen)) }
                )
                let line: Value = [
                    "target": .string(target.rawValue), "text": .string(target.render(marked)),
                    "leaves": .list(marked.blocks.flatMap(\.leaves).map { .string($0.seen) }),
                    "entities": .map(entities),
                ]
                return line.json
            }
        }
    }
}

extension MarkupTarget {
    fileprivate static let judged: [MarkupTarget] = [.telegram, .mail, .matrix, .slack]
}

extension MarkupDocument {
    /// For each kind of mark, the text below it.
    fileprivate var entities: [String: String] {
        blocks.reduce(into: [:]) { $1.collect(into: &$0) }
    }
}

extension MarkupBlock {
    fileprivate var leaves: [String] {
        switch self {
        case .paragraph(let inlines), .heading(_, let inlines): inlines.leaves
        case .list(let list): list.items.flatMap { $0 }.flatMap(\.leaves)
        case .quote(let blocks): blocks.flatMap(\.leaves)
        case .code(let text, _): text.split(separator: "\n").map(String.init)
        case .thematicBreak: []
        case .table(let table): (table.header + table.rows.flatMap { $0 }).flatMap(\.leaves)
        }
    }

    fileprivate func collect(into entities: inout [String: String]) {
        switch self {
        case .paragraph(let inlines): inlines.collect(into: &entities, [])
        case .heading(_, let inlines): inlines.collect(into: &entities, ["Bold"])
        case .list(let list): list.items.flatMap { $0 }.forEach { $0.collect(into: &entities) }
        case .quote(let blocks): blocks.forEach { $0.collect(into: &entities) }
        case .code(let text, _): entities["Pre", default: ""] += text
        case .thematicBreak, .table: break
        }
    }
}

extension [MarkupInline] {
    fileprivate var leaves: [String] {
        flatMap { inline -> [String] in
            switch inline {
            case .text(let text), .code(let text): [text]
            case .softBreak, .lineBreak: []
            case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, _, let inner):
                inner.leaves
            case .image(_, _, let alternative): [alternative]
            }
        }
    }

    /// The text below each mark, marks around it included.
    fileprivate func collect(into entities: inout [String: String], _ marks: Set<String>) {
        for inline in self {
            switch inline {
            case .text(let text): marks.forEach { entities[$0, default: ""] += text }
            case .softBreak, .lineBreak: break
            case .code(let text): marks.union(["Code"]).forEach { entities[$0, default: ""] += text }
            case .emphasis(let inner): inner.collect(into: &entities, marks.union(["Italic"]))
            case .strong(let inner): inner.collect(into: &entities, marks.union(["Bold"]))
            case .strikethrough(let inner): inner.collect(into: &entities, marks.union(["Strikethrough"]))
            case .link(let target, _, let inner):
                inner.collect(into: &entities, target.hasPrefix("mailto:") ? marks : marks.union(["TextUrl"]))
            case .image(_, _, let alternative):
                marks.union(["TextUrl"]).forEach { entities[$0, default: ""] += alternative }
            }
        }
    }
}
