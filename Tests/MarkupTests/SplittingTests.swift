import Markup
import Testing
import Values

private func items(_ count: Int) -> MarkupDocument {
    .parse(
        MarkupSource(
            template: "# Woche\n\n"
                + (0..<count).map { "- **Fach \($0)** um \(MarkupSource.placeholder($0))" }.joined(separator: "\n"),
            values: (0..<count).map { "0\($0 % 10):50 🏫" }
        )
    )
}

@Suite struct SplittingTests {
    @Test(arguments: (0..<16).map { UInt64($0) }, [60, 200, 500])
    func `nothing is lost, and every part fits`(seed: UInt64, limit: Int) {
        var generator = TreeGenerator(seed: seed)
        let document = generator.document(blocks: 8)
        let parts = document.split(limit: limit, unit: .utf16) { $0.plainText() }
        #expect(parts.map(\.content.leafText).joined().seen == document.leafText.seen)
        #expect(parts.map(\.number) == Array(1...parts.count))
        if limit >= 200 {
            #expect(parts.allSatisfy { $0.document.plainText().utf16.count <= limit })
        }
    }

    @Test(arguments: (0..<4).map { UInt64($0) + 3000 })
    func `lists in quotes in lists fit in parts`(seed: UInt64) {
        var generator = TreeGenerator(seed: seed)
        let inner = generator.document(blocks: 16).blocks
        let document = MarkupDocument([.quote([.list(MarkupList(items: [[.quote(inner)], inner]))])])
        let parts = document.parts(for: .telegram)
        #expect(parts.count > 1)
        #expect(parts.allSatisfy { MarkupTarget.telegram.fits($0.document) })
        #expect(parts.map(\.content.leafText).joined().seen == document.leafText.seen)
    }

    @Test(arguments: MarkupTarget.allCases)
    func `a list of 300 items is cut between items`(target: MarkupTarget) {
        let document = items(300)
        let parts = document.parts(for: target)
        #expect(parts.allSatisfy { target.fits($0.document) })
        #expect(parts.map(\.content.leafText).joined().seen == document.leafText.seen)
        let sizes = parts.flatMap(\.content.blocks).map { if case .list(let list) = $0 { list.items.count } else { 0 } }
        #expect(sizes.reduce(0, +) == 300)
        #expect(
            parts.count == 1 || parts.allSatisfy { $0.document.plainText().hasPrefix("(\($0.number)/\(parts.count))") }
        )
    }

    @Test(arguments: MarkupTarget.allCases, [UInt64(1), 2])
    func `long hostile messages fit in parts`(target: MarkupTarget, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let values = (0..<HostileValues.template.count).map { _ in
            (0..<40).map { _ in HostileValues.value(&random, lines: true) }.joined(
                separator: random.pick([" ", "", "\n"])
            )
        }
        let document = MarkupDocument.parse(MarkupSource(template: HostileValues.template.text, values: values))
        let parts = document.parts(for: target)
        #expect(parts.allSatisfy { target.fits($0.document) })
        #expect(parts.map(\.content.leafText).joined().seen == document.leafText.seen)
    }

    @Test func `a paragraph is cut behind a sentence, else behind a word, else behind a grapheme`() {
        let cut = { (text: String, limit: Int) in
            MarkupDocument.parse(MarkupSource(plain: text)).split(limit: limit, unit: .scalars) { $0.plainText() }
                .map { $0.document.plainText() }
        }
        #expect(
            cut("Erster Satz. Zweiter Satz. Dritter.", 24) == [
                "(1/3) Erster Satz.", "(2/3) Zweiter Satz.", "(3/3) Dritter.",
            ]
        )
        #expect(cut("eins zwei drei vier", 17) == ["(1/2) eins zwei", "(2/2) drei vier"])
        #expect(cut("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 13) == ["(1/3) 👨‍👩‍👧", "(2/3) 👨‍👩‍👧", "(3/3) 👨‍👩‍👧"])
    }

    @Test func `marks are closed at the end of a part and opened again`() {
        let bold = MarkupDocument.parse(
            MarkupSource(template: "**\(MarkupSource.placeholder(0))**", values: ["eins zwei drei vier"])
        )
        let parts = bold.split(limit: 24, unit: .utf16) { $0.telegramHTML() }
        #expect(parts.map { $0.content.telegramHTML() } == ["<b>eins zwei</b>", "<b>drei vier</b>"])
    }

    @Test func `numbers of a list go on in the next part, a heading never ends one`() {
        let list = MarkupDocument.parse(
            MarkupSource(template: "Text davor\n\n## Kopf\n\n5. aaaa\n6. bbbb\n7. cccc", values: [])
        )
        let parts = list.split(limit: 19, unit: .utf16) { $0.plainText() }
        #expect(
            parts.map { $0.document.plainText() } == [
                "(1/4) Text davor", "(2/4) Kopf\n\n5. aaaa", "(3/4)\n\n6. bbbb", "(4/4)\n\n7. cccc",
            ]
        )
    }

    @Test func `one grapheme longer than any message is cut all the same`() {
        let family = Array(repeating: "👩", count: 3000).joined(separator: "\u{200D}")
        let zalgo = "a" + String(repeating: "\u{301}", count: 9000)
        for value in [family, zalgo] {
            let document = MarkupDocument.parse(MarkupSource(plain: value))
            for target in MarkupTarget.allCases {
                let parts = document.parts(for: target)
                #expect(parts.allSatisfy { target.fits($0.document) })
                #expect(
                    Array(parts.map(\.content.leafText).joined().unicodeScalars)
                        == Array(document.leafText.unicodeScalars)
                )
            }
        }
    }

    @Test func `a limit that nothing fits ends all the same`() {
        let parts = items(3).split(limit: 1, unit: .bytes) { $0.plainText() }
        #expect(parts.map(\.content.leafText).joined().seen == items(3).leafText.seen)
    }

    @Test func `a message that fits carries no number`() {
        let parts = items(2).parts(for: .telegram)
        #expect(parts.count == 1)
        #expect(parts[0].document == items(2))
        #expect(MarkupDocument([]).parts(for: .discord).count == 1)
    }
}
