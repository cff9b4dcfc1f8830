import Markup
import Testing
import Values

/// Messages that have to be cut inside something.
struct LongMessage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let document: MarkupDocument

    private init(_ name: String, _ template: String, _ values: [String] = []) {
        testDescription = name
        let filled = values.indices.reduce(template) { text, index in
            text.replacing("{\(index)}", with: MarkupSource.placeholder(index))
        }
        document = .parse(MarkupSource(template: filled, values: values))
    }

    static let all = [
        LongMessage("a word of 5,000 letters", "**{0}** und *{0}*", [String(repeating: "ß", count: 5000)]),
        LongMessage("a word of emoji", "~~{0}~~", [String(repeating: "👩🏽‍🚀", count: 700)]),
        LongMessage("letters beyond UTF-16's first plane", "{0}", [String(repeating: "𝔄", count: 3000)]),
        LongMessage("letters of three bytes", "> {0}", [String(repeating: "数学", count: 1200)]),
        LongMessage("characters that are escaped", "- {0}", [String(repeating: "&<*_ ", count: 1200)]),
        LongMessage("quotes and line ends", "{0}", [String(repeating: "\"\\\t'\n", count: 1200)]),
        LongMessage(
            "marks over many sentences",
            "**{0} *{0}* [{0}](https://school.example/a)**",
            [(1...300).map { "Satz w\($0)q ist da." }.joined(separator: " ")]
        ),
        LongMessage("code", "```swift\n{0}\n```", [(1...250).map { "let w\($0)q = \"`*_\"" }.joined(separator: "\n")]),
        LongMessage("one line of code", "```\n{0}\n```", [String(repeating: "x`", count: 3000)]),
        LongMessage(
            "a table",
            "| A | **B** |\n|---|--:|\n" + (1...150).map { "| w\($0)q | **{0}** |" }.joined(separator: "\n"),
            ["a|b\nc"]
        ),
        LongMessage("a long cell", "| A |\n|---|\n| {0} |", [String(repeating: "Wort ", count: 2000)]),
        LongMessage("a list in a list in a quote", "> - x\n>   - {0}", [String(repeating: "Wort. ", count: 2000)]),
        LongMessage("a heading", "# {0}", [String(repeating: "Wort. ", count: 1000)]),
    ]
}

extension MarkupTarget {
    /// Whether the far end takes a text, by its documented limit and in its own unit; told here apart from `fits`, by which the parts are made.
    fileprivate func takes(_ document: MarkupDocument) -> Bool {
        switch self {
        case .mail, .plain, .ansi: true
        // Discord, "Create Message": 2,000 characters.
        case .discord: document.discordMarkdown().unicodeScalars.count <= 2000
        // Telegram Bot API, sendMessage: 4,096 UTF-16 units after entities parsing.
        case .telegram: document.telegramHTML().withoutTags.utf16.count <= 4096
        // Slack, "Blocks": 50; a text has 3,000 characters.
        case .slack:
            document.slackBlocks().list.map { $0.count <= 50 && $0.allSatisfy { $0.texts.count <= 3000 } } ?? false
        // Matrix, "Size limits": 65,536 bytes for the whole event; 2,000 are left for what the server adds.
        case .matrix:
            Value.map(["body": .string(document.matrixBody()), "formatted_body": .string(document.matrixHTML())]).json
                .utf8.count
                <= 63_536
        // Mattermost, posts: 16,383 runes.
        case .mattermost: document.mattermostMarkdown().unicodeScalars.count <= 16_383
        // Rocket.Chat, Message_MaxAllowedSize: 5,000 as JavaScript counts.
        case .rocketChat: document.rocketChatMarkdown().utf16.count <= 5000
        // Microsoft, "Create incoming webhooks": 28 KB.
        case .teams: document.adaptiveCard().json.utf8.count <= 28_000
        // Google Chat, "Message size": 32,000 bytes.
        case .googleChat: document.googleChatText().utf8.count <= 32_000
        // ntfy, "Limitations": 4,096 bytes.
        case .ntfy: document.ntfyMarkdown().utf8.count <= 4096
        }
    }
}

extension String {
    /// What Telegram counts: no tags, and one character for an entity.
    fileprivate var withoutTags: String {
        replacing(/<[^>]*>/.matchingSemantics(.unicodeScalar), with: "")
            .replacing(/&[a-z0-9#]+;/.matchingSemantics(.unicodeScalar), with: "x")
    }
}

extension Value {
    /// All texts in a block, one behind the other.
    fileprivate var texts: String {
        switch self {
        case .list(let list): list.map(\.texts).joined()
        case .map(let map):
            map.map { $0.key == "text" && $0.value.string != nil ? $0.value.plainText : $0.value.texts }.joined()
        default: ""
        }
    }
}

@Suite struct PartTests {
    @Test(arguments: LongMessage.all, MarkupTarget.allCases)
    func `parts are within the far end's own limit, number included, and nothing is lost`(
        message: LongMessage,
        target: MarkupTarget
    ) {
        let parts = message.document.parts(for: target)
        for part in parts {
            #expect(target.takes(part.document), "part \(part.number) of \(parts.count)")
            #expect(part.document.isVisible)
        }
        #expect(parts.map(\.content.leafText).joined().seen == message.document.leafText.seen)
        guard parts.count > 1 else { return }
        #expect(parts.allSatisfy { $0.document.plainText().hasPrefix("(\($0.number)/\(parts.count))") })
    }

    @Test(arguments: LongMessage.all.filter { $0.document.leafText.contains("w1q") })
    func `each part is whole markup by itself`(message: LongMessage) {
        for target in [MarkupTarget.discord, .mattermost, .ntfy] {
            var words: [String] = []
            for part in message.document.parts(for: target) {
                let read = MarkupDocument.parse(MarkupSource(template: target.render(part.document), values: []))
                words += read.leafText.matches(of: /w\d+q/).map { String($0.output) }
                let isCode = read.blocks.contains { if case .code = $0 { true } else { false } }
                #expect(isCode || read.leafText.firstMatch(of: /[*\[\]`]/) == nil, "\(target) \(part.number)")
            }
            #expect(words == message.document.leafText.matches(of: /w\d+q/).map { String($0.output) })
        }
        for part in message.document.parts(for: .telegram) {
            var open: [Substring] = []
            for tag in part.document.telegramHTML().matches(of: /<(\/?)([a-z]+)[^>]*>/) {
                if tag.output.1.isEmpty { open.append(tag.output.2) } else { #expect(open.popLast() == tag.output.2) }
            }
            #expect(open.isEmpty)
        }
    }
}
