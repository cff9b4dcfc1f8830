import HTMLText
import Testing

@Suite struct HTMLTextTests {
    @Test(arguments: [
        ("", ""),
        ("Heizung aus", "Heizung aus"),
        ("Im Trakt B <b>keine</b> Heizung.", "Im Trakt B keine Heizung."),
        ("Wahrscheinlichkeit &amp; Statistik", "Wahrscheinlichkeit & Statistik"),
        ("S. 45 Nr. 3&nbsp;a–c<br/>", "S. 45 Nr. 3 a–c"),
        ("eins<br>zwei<br><br><br>drei", "eins\nzwei\n\ndrei"),
        ("<p>eins</p><p>zwei</p>", "eins\n\nzwei"),
        ("<div>eins</div><div>zwei</div>", "eins\nzwei"),
        ("<ul><li>Helm</li><li>Schuhe</li></ul>", "- Helm\n- Schuhe"),
        ("<table><tr><td>Mo</td><td>7:50</td></tr><tr><td>Di</td></tr></table>", "Mo 7:50\nDi"),
        ("a<script>alert(1)</script><style>b{}</style>c", "ac"),
        ("a<!-- still -->b", "ab"),
        ("Zeile 1\nZeile 2 &amp; mehr", "Zeile 1\nZeile 2 & mehr"),
        ("  Bitte  Buch\u{00A0}mitbringen\u{00A0}\n", "Bitte Buch mitbringen"),
        ("<pre>a\n b</pre>", "a\nb"),
        ("3 < 4 und 5 > 2", "3 < 4 und 5 > 2"),
    ])
    func `markup becomes readable text`(html: String, text: String) {
        #expect(HTMLText.plainText(html) == text)
    }

    @Test func `entities are decoded once, so that escaped markup stays text`() {
        #expect(HTMLText.plainText("&lt;script&gt;alert(1)&lt;/script&gt;") == "<script>alert(1)</script>")
        #expect(HTMLText.plainText("&amp;lt;b&amp;gt;") == "&lt;b&gt;")
        #expect(HTMLText.plainText("&quot;Aula&quot; &#8211; &ndash;") == "\"Aula\" – –")
    }

    @Test(arguments: [
        String(repeating: "<div>", count: 60_000),
        String(repeating: "<b x=1>", count: 60_000) + "Ende",
        String(repeating: "<ul><li>", count: 30_000),
        String(repeating: "&", count: 300_000),
        String(repeating: "<p", count: 100_000),
        "\u{0}\u{0}<\u{0}>&#0;&#xD800;&#99999999;",
        String(repeating: "x", count: 3_000_000),
    ])
    func `hostile markup neither crashes nor grows`(html: String) {
        #expect(HTMLText.plainText(html).utf8.count <= 2 * HTMLText.longestInput)
    }
}
