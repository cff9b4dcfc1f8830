import Markup
import Testing

private func parse(_ template: String, _ values: String...) -> [MarkupBlock] {
    MarkupDocument.parse(MarkupSource(template: template, values: values)).blocks
}

private let first = MarkupSource.placeholder(0)

@Suite struct ParsingTests {
    @Test func `every construct of CommonMark has its node`() {
        let blocks = parse(
            """
            ## H *e*

            a **b** ~~c~~ `d` [e](https://x.example "t") ![f](https://x.example/f.png)\\
            g

            3. i
            4. j

            - k

              l
            - m

            > q

            ```swift
            let a = 1
            ```

            ---

            | A | B | C |
            |:--|:-:|--:|
            | 1 | 2 | 3 |
            """
        )
        #expect(
            blocks == [
                .heading(level: 2, [.text("H "), .emphasis([.text("e")])]),
                .paragraph([
                    .text("a "), .strong([.text("b")]), .text(" "), .strikethrough([.text("c")]), .text(" "),
                    .code("d"),
                    .text(" "), .link(target: "https://x.example", title: "t", [.text("e")]), .text(" "),
                    .image(source: "https://x.example/f.png", title: "", alternative: "f"), .lineBreak, .text("g"),
                ]),
                .list(MarkupList(start: 3, items: [[.paragraph([.text("i")])], [.paragraph([.text("j")])]])),
                .list(
                    MarkupList(
                        isTight: false,
                        items: [[.paragraph([.text("k")]), .paragraph([.text("l")])], [.paragraph([.text("m")])]]
                    )
                ),
                .quote([.paragraph([.text("q")])]),
                .code("let a = 1", language: "swift"),
                .thematicBreak,
                .table(
                    MarkupTable(
                        alignments: [.left, .center, .right],
                        header: [[.text("A")], [.text("B")], [.text("C")]],
                        rows: [[[.text("1")], [.text("2")], [.text("3")]]]
                    )
                ),
            ]
        )
    }

    @Test(arguments: [
        "**x**", "# x", "- x", "> x", "`x`", "[x](https://evil.example)", "<b>x</b>", "1. x", "| a |", "***",
        "<https://evil.example>",
    ])
    func `a value is text, whatever it looks like`(value: String) {
        #expect(parse(first, value) == [.paragraph([.text(value)])])
        #expect(parse("# " + first, value) == [.heading(level: 1, [.text(value)])])
        #expect(parse("**\(first)**", value) == [.paragraph([.strong([.text(value)])])])
        #expect(parse("`\(first)`", value) == [.paragraph([.code(value)])])
    }

    @Test func `line breaks in a value are line breaks, and a blank line begins a paragraph`() {
        #expect(
            parse("a " + first, "b\r\nc\n\nd\n") == [
                .paragraph([.text("a b"), .lineBreak, .text("c")]), .paragraph([.text("d")]),
            ]
        )
        #expect(parse("# " + first, "a\nb") == [.heading(level: 1, [.text("a b")])])
        #expect(parse("`\(first)`", "a\nb") == [.paragraph([.code("a b")])])
        #expect(parse("```\n\(first)\n```", "a\n\tb") == [.code("a\n\tb", language: "")])
        let table = parse("| A |\n|---|\n| \(first) |", "a\nb|c")
        #expect(table == [.table(MarkupTable(alignments: [.none], header: [[.text("A")]], rows: [[[.text("a b|c")]]]))])
    }

    @Test(arguments: [
        ("https://x.example/a", "https://x.example/a"), ("HTTP://x.example", "http://x.example"),
        ("https://x.example/a b\"<>(c)", "https://x.example/a%20b%22%3C%3E%28c%29"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("https://schüle.example/ü", "https://schüle.example/%C3%BC"),
        ("https://x.example/100%", "https://x.example/100%25"),
    ])
    func `a link from a value leads where it says`(value: String, target: String) {
        #expect(parse("[t](\(first))", value) == [.paragraph([.link(target: target, title: "", [.text("t")])])])
    }

    @Test(arguments: [
        "javascript:alert(1)", "java\nscript:alert(1)", " javascript:x", "data:text/html,x", "tg://user?id=1",
        "file:///etc/passwd", "//x.example",
        "x.example", "", "https:", "https://", "https://user@evil.example", "https://good.example\\@evil.example",
        "https://a b/", "http:x",
        "ftp://x.example", "https://x\u{202E}.example", "mailto:", "https://x\u{0}.example", "vbscript:x",
    ])
    func `a link that leads elsewhere is its text alone`(value: String) {
        #expect(parse("[t](\(first))", value) == [.paragraph([.text("t")])])
        #expect(parse("![t](\(first))", value) == [.paragraph([.text("t")])])
    }

    @Test func `a value inside an address stays in its place`() {
        let blocks = parse("[t](https://x.example/\(first)/z?q=\(first))", "a/../b?c=d&e#f")
        let target = "https://x.example/a%2F..%2Fb%3Fc%3Dd%26e%23f/z?q=a%2F..%2Fb%3Fc%3Dd%26e%23f"
        #expect(blocks == [.paragraph([.link(target: target, title: "", [.text("t")])])])
        #expect(
            parse("[t](mailto:\(first))", "a@b.example?cc=c@d.example")
                == [.paragraph([.link(target: "mailto:a@b.example%3Fcc%3Dc@d.example", title: "", [.text("t")])])]
        )
    }

    @Test func `a picture from a value is a link, so that data loads nothing`() {
        let link = MarkupInline.link(target: "https://x.example/p.png", title: "", [.text("t")])
        #expect(parse("![t](\(first))", "https://x.example/p.png") == [.paragraph([link])])
        let image = MarkupInline.image(source: "https://x.example/p.png", title: "", alternative: "t")
        #expect(parse("![t](https://x.example/\(first).png)", "p") == [.paragraph([image])])
    }

    @Test func `raw HTML of the template is text`() {
        #expect(parse("a <b>\(first)</b>", "x") == [.paragraph([.text("a <b>x</b>")])])
        #expect(
            parse("<div>\n\(first)\n</div>", "x") == [
                .paragraph([.text("<div>"), .lineBreak, .text("x"), .lineBreak, .text("</div>")])
            ]
        )
    }

    @Test(arguments: [
        "\u{E000}7\u{E001}", "\u{E000}\u{E001}", "\u{E001}", "\u{E000}", "\u{E000}99999999999999999999\u{E001}",
    ])
    func `a placeholder without a value is nothing`(broken: String) {
        #expect(parse("a\(broken)b", "x") == [.paragraph([.text("ab")])])
    }

    @Test func `a value that looks like a placeholder is not filled in again`() {
        #expect(
            parse("\(first) \(MarkupSource.placeholder(1))", "\u{E000}1\u{E001}", "secret") == [
                .paragraph([.text("1 secret")])
            ]
        )
    }

    @Test func `empty values leave no empty marks behind`() {
        #expect(
            parse("a **\(first)** *\(first)* ~~\(first)~~ `\(first)` [\(first)](\(first)) b", "") == [
                .paragraph([.text("a b")])
            ]
        )
        #expect(parse("# \(first)\n\n\(first)\n\n> \(first)", "") == [])
        #expect(
            parse("[\(first)](https://x.example)", "")
                == [.paragraph([.link(target: "https://x.example", title: "", [.text("https://x.example")])])]
        )
    }

    @Test func `blanks at the edge of an emphasis stand outside of it`() {
        #expect(parse("a**\(first)**b", " x  y ") == [.paragraph([.text("a "), .strong([.text("x y")]), .text(" b")])])
    }

    @Test func `control characters and overrides vanish, right-to-left values are isolated`() {
        #expect(parse(first, "a\u{1B}[31m\u{0}\u{202E}b\u{2066}\u{FEFF}\u{9B}c") == [.paragraph([.text("a[31mbc")])])
        #expect(parse("x \(first) 07:50", "שלום\u{202E}") == [.paragraph([.text("x \u{2068}שלום\u{2069} 07:50")])])
    }

    @Test func `columns in the terminal stand below each other, whatever a painted cell begins with`() {
        let table = MarkupDocument.parse(
            MarkupSource(template: "| A | B |\n|---|---|\n| **\(first)** | x |\n| abc | y |", values: ["\u{301}bc"])
        )
        let lines = table.ansi().split(separator: "\n").suffix(2).map {
            $0.replacing(/\u{1B}\[[0-9;]+m/.matchingSemantics(.unicodeScalar), with: "")
        }
        #expect(lines == ["\u{301}bc   x", "abc  y"])
    }

    @Test func `plain text has no markup but its lines`() {
        let document = MarkupDocument.parse(MarkupSource(plain: "# a\n*b*\n\n- c"))
        #expect(document.blocks == [.paragraph([.text("# a"), .lineBreak, .text("*b*")]), .paragraph([.text("- c")])])
        #expect(MarkupDocument.parse(MarkupSource(plain: " \n ")).isEmpty)
    }

    @Test func `endless nesting ends`() {
        let quotes = MarkupDocument.parse(
            MarkupSource(template: String(repeating: ">", count: 50_000) + " deep", values: [])
        )
        #expect(quotes.leafText.contains("deep"))
        let emphasis = MarkupDocument.parse(
            MarkupSource(
                template: String(repeating: "*a ", count: 3000) + "deep" + String(repeating: "*", count: 3000),
                values: []
            )
        )
        #expect(emphasis.leafText.contains("deep"))
        let lists = (0..<500).map { String(repeating: "  ", count: $0) + "- x" }.joined(separator: "\n")
        #expect(MarkupDocument.parse(MarkupSource(template: lists + " deep", values: [])).leafText.contains("deep"))
    }

    @Test func `many messages are parsed at once`() async {
        let expected = parse("~~a~~ | x\n\n| A |\n|---|\n| ~~b~~ |")
        let agree = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { parse("~~a~~ | x\n\n| A |\n|---|\n| ~~b~~ |") == expected }
            }
            return await group.allSatisfy { $0 }
        }
        #expect(agree)
        #expect(expected.count == 2)
    }
}
