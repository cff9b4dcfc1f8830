import Foundation
import Markup
import Testing
import Values

/// A document from hostile values, and the same template with a harmless letter everywhere.
private func documents(
    _ template: HostileValues.Template,
    _ seed: UInt64,
    lines: Bool = false,
    code: Bool = true
) -> (hostile: MarkupDocument, harmless: MarkupDocument) {
    var random = SeededGenerator(seed: seed)
    // An `x` on both sides keeps every leaf filled, so that both trees have the same nodes.
    let values = (0..<template.count).map { place in
        let value = HostileValues.value(&random, lines: lines)
        return code || !template.codePlaces.contains(place) ? "x\(value)x" : "x"
    }
    let harmless = values.map { _ in "x" }
    return (
        .parse(MarkupSource(template: template.text, values: values)),
        .parse(MarkupSource(template: template.text, values: harmless))
    )
}

private let seeds = (0..<40).map { UInt64($0) }

/// The tags of HTML in order, with the addresses' values left out.
private func tags(_ html: String) -> [String] {
    html.matches(of: /<[^<>]*>/.matchingSemantics(.unicodeScalar)).map {
        String($0.output).replacing(/(q=|title="|alt=")[^"]*/) { String($0.output.1) }
    }
}

private func count(_ characters: String, in text: String) -> [Int] {
    let shown = text.replacing(/\?q=[^|)>]*/, with: "")
    return characters.unicodeScalars.map { mark in shown.unicodeScalars.count { $0 == mark } }
}

@Suite struct HostileValueTests {
    @Test(arguments: HostileValues.templates, seeds)
    func `values make no tag in HTML`(template: HostileValues.Template, seed: UInt64) {
        let (hostile, harmless) = documents(template, seed)
        #expect(
            tags(hostile.mailHTML(title: "<x", language: "de")) == tags(harmless.mailHTML(title: "y", language: "de"))
        )
        #expect(tags(hostile.matrixHTML()) == tags(harmless.matrixHTML()))
        #expect(tags(hostile.telegramHTML()) == tags(harmless.telegramHTML()))
        for html in [hostile.mailHTML(title: "", language: ""), hostile.matrixHTML(), hostile.telegramHTML()] {
            let entities = html.matches(of: /&(?!(amp|lt|gt|quot|#39);)/.matchingSemantics(.unicodeScalar))
            #expect(entities.isEmpty)
        }
    }

    @Test(arguments: HostileValues.templates, seeds)
    func `values make no mark in Markdown: it reads back as the same tree`(
        template: HostileValues.Template,
        seed: UInt64
    ) {
        let (hostile, _) = documents(template, seed, lines: true)
        let mattermost = MarkupDocument.parse(MarkupSource(template: hostile.mattermostMarkdown(), values: []))
        #expect(mattermost.leafText.seen.withoutEscapes == hostile.leafText.seen.withoutEscapes)
        #expect(mattermost.shape.joined == hostile.shape.joined)
        let ntfy = MarkupDocument.parse(MarkupSource(template: hostile.ntfyMarkdown(), values: []))
        #expect(ntfy.shape.joined == hostile.shape.joined.map { $0 == "table" ? "code" : $0 })
    }

    @Test(arguments: HostileValues.templates, seeds)
    func `values make no mark where there are no escapes`(template: HostileValues.Template, seed: UInt64) {
        let (hostile, harmless) = documents(template, seed, code: false)
        #expect(count("*`~<", in: hostile.slackMrkdwn()) == count("*`~<", in: harmless.slackMrkdwn()))
        #expect(count("*`~", in: hostile.rocketChatMarkdown()) == count("*`~", in: harmless.rocketChatMarkdown()))
        #expect(count("*`~", in: hostile.googleChatText()) == count("*`~", in: harmless.googleChatText()))
        let bare = hostile.googleChatText().replacing(/<https:\/\/school[^|>]*\|/, with: "")
        #expect(bare.firstMatch(of: /<[^\u{200B}]/) == nil)
    }

    @Test(arguments: HostileValues.templates, seeds)
    func `values make no mark in Discord, where a backslash takes the meaning of any`(
        template: HostileValues.Template,
        seed: UInt64
    ) {
        let (hostile, harmless) = documents(template, seed, code: false)
        let marks = { (document: MarkupDocument) in
            let text = document.discordMarkdown().replacing(
                /\\[^\p{L}\p{N}\s]/.matchingSemantics(.unicodeScalar),
                with: "x"
            )
            let starts = text.matches(of: /^ *(#+ |- |> |>>> |[0-9]+[.)] )/.anchorsMatchLineEndings()).count
            return count("*_~`|<[", in: text) + [starts]
        }
        #expect(marks(hostile) == marks(harmless))
    }

    @Test(arguments: HostileValues.templates, seeds)
    func `values add nothing to a card or a block but text`(template: HostileValues.Template, seed: UInt64) {
        let (hostile, harmless) = documents(template, seed)
        #expect(hostile.slackBlocks().withoutTexts == harmless.slackBlocks().withoutTexts)
        #expect(hostile.adaptiveCard().withoutTexts == harmless.adaptiveCard().withoutTexts)
    }

    @Test(arguments: HostileValues.templates, seeds)
    func `SEC-06 values call nobody`(template: HostileValues.Template, seed: UInt64) {
        // Code is read for nothing but mentions, so that the addresses in it need no care.
        let (hostile, _) = documents(template, seed, lines: true, code: false)
        let chats = [
            hostile.discordMarkdown(), hostile.mattermostMarkdown(), hostile.rocketChatMarkdown(),
            hostile.slackMrkdwn(),
            hostile.googleChatText(), hostile.telegramHTML(), hostile.matrixHTML(), hostile.matrixBody(),
        ]
        for text in chats {
            #expect(text.firstMatch(of: /@(everyone|here|channel|all|room)/) == nil)
            #expect(text.firstMatch(of: /(^|[^\w.])@\w/) == nil)
        }
        for text in [hostile.discordMarkdown(), hostile.mattermostMarkdown(), hostile.slackMrkdwn()] {
            #expect(text.firstMatch(of: /(^|[^\\])<[@!#]/) == nil)
        }
        for text in [hostile.discordMarkdown(), hostile.mattermostMarkdown(), hostile.rocketChatMarkdown()] {
            #expect(text.firstMatch(of: /(^|[^\\])\]\((?!https:\/\/school)/) == nil)
        }
        for text in chats.prefix(5) {
            let known = text.replacing(/https:\/\/school\.example\/[^|)>]*[|)>]/, with: "")
            #expect(known.firstMatch(of: /https?:\/\//) == nil)
        }
    }

    @Test(arguments: HostileValues.templates, seeds)
    func `values send no control characters to the terminal`(template: HostileValues.Template, seed: UInt64) {
        let (hostile, _) = documents(template, seed, lines: true)
        let text = hostile.ansi().replacing(/\u{1B}\[[0-9;]+m/.matchingSemantics(.unicodeScalar), with: "")
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" })
        #expect(!text.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
    }

    @Test(arguments: [
        "https://matrix.to/#/@anna:school.example", "HTTPS://MATRIX.TO:443/#/%40anna:school.example?via=x",
    ])
    func `a link from a value is no mention in Matrix`(target: String) {
        let source = MarkupSource(template: "[Anna](\(MarkupSource.placeholder(0)))", values: [target])
        #expect(MarkupDocument.parse(source).matrixHTML() == "<p>Anna</p>")
        #expect(MarkupDocument.parse(source).telegramHTML().contains("<a href="))
    }

    @Test(arguments: [
        ("@everyone", "@\u{200B}everyone"), ("a@everyone", "a@\u{200B}everyone"),
        ("m.rossi@example.org", "m.rossi@example.org"), ("5 @ 3", "5 @ 3"),
        ("(@anna)", "(@\u{200B}anna)"),
    ])
    func `a mail address stays whole where it calls nobody`(value: String, written: String) {
        #expect(MarkupDocument.parse(MarkupSource(plain: value)).matrixBody() == written)
    }
}

extension MarkupDocument {
    /// The nodes of the tree without their texts. Line breaks inside paragraphs do not count, since a value brings them along.
    var shape: [String] { blocks.flatMap(\.shape) }
}

extension MarkupBlock {
    fileprivate var shape: [String] {
        switch self {
        case .paragraph(let inlines): ["p"] + inlines.shape
        case .heading(let level, let inlines): ["h\(level)"] + inlines.shape
        case .list(let list): ["list"] + list.items.flatMap { ["item"] + $0.flatMap(\.shape) }
        case .quote(let blocks): ["quote"] + blocks.flatMap(\.shape) + ["/quote"]
        case .code: ["code"]
        case .thematicBreak: ["rule"]
        case .table: ["table"]
        }
    }
}

extension [MarkupInline] {
    fileprivate var shape: [String] {
        flatMap { inline -> [String] in
            switch inline {
            case .text, .softBreak, .lineBreak: []
            case .code: ["code"]
            case .emphasis(let inner): ["em"] + inner.shape + ["/em"]
            case .strong(let inner): ["strong"] + inner.shape + ["/strong"]
            case .strikethrough(let inner): ["del"] + inner.shape + ["/del"]
            case .link(let target, _, let inner): ["a " + target] + inner.shape + ["/a"]
            // Chats show a picture as a link.
            case .image(let source, _, _): ["a " + source, "/a"]
            }
        }
    }
}

extension [String] {
    /// Two nodes of a kind side by side as one, since an emphasis over several lines is written line by line.
    fileprivate var joined: [String] {
        reduce(into: []) { nodes, node in
            if nodes.last == "/" + node { nodes.removeLast() } else { nodes.append(node) }
        }
    }
}

extension String {
    /// Backslashes may be added and taken away where a parser other than cmark would read them.
    fileprivate var withoutEscapes: String { replacing("\\", with: "") }
}

extension Value {
    /// The value with every text and address emptied.
    fileprivate var withoutTexts: Value {
        switch self {
        case .list(let list): .list(list.map(\.withoutTexts))
        case .map(let map):
            .map(
                ValueMap(
                    map.map { pair in
                        (
                            pair.key,
                            ["text", "url"].contains(pair.key.string) && pair.value.string != nil
                                ? "" : pair.value.withoutTexts
                        )
                    }
                )
            )
        default: self
        }
    }
}
