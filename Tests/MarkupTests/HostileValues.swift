import Markup
import Values

extension SeededGenerator {
    /// One of some elements; there has to be one.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }
}

/// Values as an enemy, or an unlucky teacher, would write them.
struct HostileValues {
    private static let pieces: [String] = [
        "*", "**", "_", "__", "~", "~~", "`", "```", "\\", "|", "||", "[", "]", "(", ")", "![", "](", "<", ">", "&",
        "\"", "'", "#", "# ",
        "- ", "+ ", "* ", "1. ", "2) ", "> ", "---", "===", "***", ":-:", "    ", "\t", "&amp;", "&lt;", "&#60;",
        "&#x3c;", "&nbsp;",
        "<b>", "</b>", "<script>", "</div>", "<!--", "-->", "<![CDATA[", "<br>", "<a href=\"https://evil.example\">",
        "</a>", "</pre>",
        "@everyone", "@here", "@channel", "@all", "@room", "@anna", "foo@everyone", "<!channel>", "<!here|x>",
        "<@U123>", "<@123>", "<@!1>",
        "<@&2>", "<#C1>", "<users/all>", "<at>x</at>", "tg://user?id=1", "[x](tg://user?id=1)",
        "[x](https://evil.example)",
        "<https://evil.example|x>", "https://evil.example", "http://a.b", "www.evil.example", "evil.example",
        "javascript:alert(1)",
        "m.rossi@example.org", "mailto:a@b.c", ":smile:", ":+1:", "07:50", "$x$", "$$", "\\(", "{{", "}}", "%s", "{0}",
        "\u{E000}0\u{E001}", "\u{E000}", "\u{E001}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{1B}[31m", "\u{9B}1m",
        "\u{0}", "\u{7}", "\u{FEFF}",
        "\u{FFFE}", "\u{1FFFF}", "\u{200B}", "\u{2028}", "\u{301}", "<\u{301}", "*\u{301}", "é", "ß", "👨‍👩‍👧", "🏳️‍🌈", "🇮🇹",
        "שלום", "مرحبا", "日本", "a", "MAT", " ", " ",
        "word", "wörter", "T101", "7.5",
    ]
    private static let lineEnds = ["\n", "\n\n", "\r\n", "\r"]

    /// One value of up to 12 pieces. Without `lines` it has no line end.
    static func value(_ random: inout SeededGenerator, lines: Bool) -> String {
        let count = Int.random(in: 1...12, using: &random)
        return (0..<count).map { _ in
            lines && Int.random(in: 0..<8, using: &random) == 0 ? random.pick(lineEnds) : random.pick(pieces)
        }.filter { lines || !$0.contains(where: \.isNewline) }.joined()
    }

    /// A template that has a placeholder in every kind of leaf, with `count` of them.
    static let template = """
        # Titel \(MarkupSource.placeholder(0))

        Text \(MarkupSource.placeholder(1)) und **\(MarkupSource.placeholder(2))**, *\(MarkupSource.placeholder(3))*, ~~\(MarkupSource.placeholder(4))~~.
        \(MarkupSource.placeholder(5))

        - \(MarkupSource.placeholder(6))
        - x [\(MarkupSource.placeholder(7))](https://school.example/a) y
        - z **a \(MarkupSource.placeholder(8))** b

        > \(MarkupSource.placeholder(9))

        1. `x\(MarkupSource.placeholder(10))y`

        ```
        x\(MarkupSource.placeholder(11))y
        ```

        | A | B |
        |---|--:|
        | \(MarkupSource.placeholder(12)) | `c` |

        [q](https://school.example/?q=\(MarkupSource.placeholder(13)))\(MarkupSource.placeholder(14))![p](https://school.example/p.png)
        """
    static let count = 15
    /// The placeholders inside code, and inside the table, which is code where a target has no tables.
    static let codePlaces = [10, 11, 12]
}
