import Markup
import Testing
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

    /// A template with values in it.
    struct Template: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let count: Int
        /// The values inside code, and inside the table, which is code where a target has no tables.
        let codePlaces: [Int]

        /// In `text` a value stands as {0}, {1}, … so that it can be read.
        fileprivate init(_ name: String, count: Int, codePlaces: [Int], _ text: String) {
            testDescription = name
            self.text = (0..<count).reduce(text) { $0.replacing("{\($1)}", with: MarkupSource.placeholder($1)) }
            self.count = count
            self.codePlaces = codePlaces
        }
    }

    static let templates = [template, rareTemplate]

    /// A value in every kind of leaf.
    static let template = Template(
        "usual places",
        count: 15,
        codePlaces: [10, 11, 12],
        """
        # Titel {0}

        Text {1} und **{2}**, *{3}*, ~~{4}~~.
        {5}

        - {6}
        - x [{7}](https://school.example/a) y
        - z **a {8}** b

        > {9}

        1. `x{10}y`

        ```
        x{11}y
        ```

        | A | B |
        |---|--:|
        | {12} | `c` |

        [q](https://school.example/?q={13}){14}![p](https://school.example/p.png)
        """
    )

    /// In titles and addresses, side by side, beside marks, and in leaves within lists within quotes.
    static let rareTemplate = Template(
        "rare places",
        count: 22,
        codePlaces: [7, 8, 9, 10, 11, 12, 13, 15],
        """
        [{0}](https://school.example/?q={1} "{2}") ![{3}](https://school.example/?q={4} "{5}") [k]({6})

        | {7} | **{8}** |
        |-----|:-----:|
        | [{9}](https://school.example/b) | `{10}` |
        | x{11}{12}y | *{13}* |

        > - {14}
        >
        >   ```
        >   x{15}y
        >   ```

        {16}**{17}**{18}*{19}*~~{20}~~

        ###### {21}
        """
    )
}
