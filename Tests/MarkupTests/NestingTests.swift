import Markup
import Testing
import Values

/// Trees in which any node may stand inside any other that allows it, each leaf a word of its own.
struct TreeGenerator {
    var random: SeededGenerator
    private var words = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func document(blocks count: Int) -> MarkupDocument {
        MarkupDocument((0..<count).map { _ in block(depth: 0) })
    }

    private mutating func word() -> String {
        words += 1
        return "w\(words)q"
    }

    mutating func block(depth: Int) -> MarkupBlock {
        switch Int.random(in: 0..<(depth > 2 ? 5 : 8), using: &random) {
        case 0, 1: return .paragraph(inlines(depth: 0))
        case 2: return .heading(level: Int.random(in: 1...6, using: &random), inlines(depth: 0))
        case 3: return .code("\(word()) \(word())\n  \(word())", language: random.pick(["", "swift"]))
        case 4:
            let row = { (generator: inout TreeGenerator) in (0..<2).map { _ in generator.inlines(depth: 1) } }
            let header = row(&self)
            let rows = (0..<2).map { _ in row(&self) }
            return .table(MarkupTable(alignments: [.none, .right], header: header, rows: rows))
        case 5: return .quote((0..<2).map { _ in block(depth: depth + 1) })
        default:
            let items = (0..<3).map { _ in
                (0..<Int.random(in: 1...2, using: &random)).map { _ in block(depth: depth + 1) }
            }
            return .list(
                MarkupList(start: random.pick([nil, 1, 7]), isTight: random.pick([true, false]), items: items)
            )
        }
    }

    mutating func inlines(depth: Int) -> [MarkupInline] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in inline(depth: depth) }
    }

    private mutating func inline(depth: Int) -> MarkupInline {
        switch Int.random(in: 0..<(depth > 2 ? 5 : 9), using: &random) {
        case 0: return .text(word())
        case 1: return .text(" \(word())! ")
        case 2: return .code(word())
        case 3: return .image(source: "https://x.example/i", title: word(), alternative: word())
        case 4: return random.pick([.lineBreak, .softBreak])
        case 5: return .emphasis(inlines(depth: depth + 1))
        case 6: return .strong(inlines(depth: depth + 1))
        case 7: return .strikethrough(inlines(depth: depth + 1))
        default: return .link(target: "https://x.example/l", title: "", inlines(depth: depth + 1))
        }
    }
}

@Suite struct NestingTests {
    @Test(arguments: (0..<25).map { UInt64($0) }, MarkupTarget.allCases)
    func `every node in every other keeps its words, in order`(seed: UInt64, target: MarkupTarget) {
        var generator = TreeGenerator(seed: seed)
        let document = generator.document(blocks: 6)
        let words = document.leafText.matches(of: /w\d+q/).map { String($0.output) }
        let rendered = target.render(document)
        // A picture's title is shown by HTML alone, so only what all targets show is compared.
        let shown = rendered.replacing(/title="[^"]*"/, with: "").matches(of: /w\d+q/).map { String($0.output) }
        #expect(shown == words)
    }

    @Test(arguments: (0..<60).map { UInt64($0) })
    func `the Markdown of Mattermost and ntfy reads back as the same tree`(seed: UInt64) {
        var generator = TreeGenerator(seed: seed)
        let document = generator.document(blocks: 4)
        for text in [document.mattermostMarkdown(), document.ntfyMarkdown(), document.discordMarkdown()] {
            let read = MarkupDocument.parse(MarkupSource(template: text, values: []))
            let words = read.leafText.matches(of: /w\d+q/).map { String($0.output) }
            #expect(words == document.leafText.matches(of: /w\d+q/).map { String($0.output) })
            // No mark is left over as text.
            #expect(read.leafText.firstMatch(of: /[*\[\]]/) == nil, "\(text)")
        }
    }
}
