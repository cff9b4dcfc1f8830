import Markup
import Testing

/// Messages as rules send them, for the golden files.
struct SchoolMessage: Sendable, CustomTestStringConvertible {
    let name: String
    let title: String
    let language: String
    let source: MarkupSource

    var testDescription: String { name }
    var document: MarkupDocument { .parse(source) }

    private init(_ name: String, _ language: String, _ title: String, _ template: String, _ values: [String] = []) {
        self.name = name
        self.language = language
        self.title = title
        // In these texts a value stands as {0}, {1}, … so that they can be read.
        let filled = values.indices.reduce(template) { text, index in
            text.replacing("{\(index)}", with: MarkupSource.placeholder(index))
        }
        self.source = MarkupSource(template: filled, values: values)
    }

    static let all: [SchoolMessage] = [
        cancellations, gradeMail, mensa, mensaItalian, teacherMessage, roomChange, weekList, table, code, longWords,
        rightToLeft, emoji, links,
        hostile,
    ]

    private static let cancellations = SchoolMessage(
        "cancellations",
        "de",
        "Ausfall am 01.12.",
        """
        - **{0}** 07:50 – {1}
        - **{2}** 11:20
        - ~~{3}~~ entfällt *nicht* mehr
        """,
        ["MAT", "Fr. Müller ist krank; bitte Aufgaben S. 12–14 (Übungen *a* bis *d*)", "ITA", "INF"]
    )

    private static let gradeMail = SchoolMessage(
        "grade",
        "de",
        "Neue Note in Mathematik",
        """
        Liebe Familie {0},

        **{1}** hat eine neue Note in *{2}*:

        | Datum | Art | Note |
        |:------|:---:|-----:|
        | {3} | {4} | **{5}** |
        | 12.11. | Test | 7.5 |

        Durchschnitt: **6,8**

        ---

        Diese Nachricht wurde automatisch verschickt.
        """,
        ["Rossi & Söhne", "Anna", "Mathematik", "27.11.", "Schularbeit | Teil 2", "5+"]
    )

    private static let mensa = SchoolMessage(
        "mensa",
        "de",
        "Mensa am Montag",
        """
        # Mensa heute

        1. {0}
           - vegetarisch
           - *enthält: Gluten, Milch*
        2. {1}
        3. {2}

        Guten Appetit! 🍝
        """,
        ["Spätzle mit Käse & Röstzwiebeln", "Knödel (3 Stück) < 9,50 €", "Salatbuffet\n- Rucola\n- Radicchio"]
    )

    private static let mensaItalian = SchoolMessage(
        "mensa-it",
        "it",
        "Mensa di oggi",
        """
        ## Menù del giorno

        * **Primo**: {0}
        * **Secondo**: {1}
        * **Dolce**: {2}

        > Chi è allergico avvisi la cucina entro le 9:30. È importante!
        """,
        ["pasta e fagioli", "pollo all’arrabbiata *piccante*", "tiramisù"]
    )

    private static let teacherMessage = SchoolMessage(
        "message",
        "de",
        "Nachricht von Prof. Weiß",
        """
        **{0}** schreibt:

        > {1}

        [In WebUntis öffnen](https://lbs.webuntis.example/messages/{2})
        """,
        [
            "Prof. Weiß (@prof.weiss)",
            "Liebe Eltern,\n\nder Ausflug nach Bozen findet am 5. Dezember statt.\nMitzubringen: Jause, 12 €, gute Laune :-)\n\n"
                + "Fragen an m.weiss@schule.example oder https://schule.example/ausflug\n\n@everyone bitte lesen! <b>Danke</b>",
            "7/0?x=1",
        ]
    )

    private static let roomChange = SchoolMessage(
        "room",
        "de",
        "Raumänderung",
        "{0} am {1}: Raum ~~{2}~~ → **{3}**\\\nLehrperson: {4}",
        ["INF", "Do 07:50", "T101", "T205", "_BAU_"]
    )

    private static let weekList = SchoolMessage(
        "week-300",
        "de",
        "Alle Änderungen",
        "# Änderungen der Woche\n\n"
            + (0..<300).map { "- **Fach \($0)** um {\($0 % 7)} in Raum T\(100 + $0)" }.joined(separator: "\n"),
        ["07:50", "08:40", "09:45", "10:35", "11:25", "12:15", "13:05 (geändert: „Übung“)"]
    )

    private static let table = SchoolMessage(
        "table",
        "de",
        "Stundenplan",
        """
        | Stunde | Montag | Dienstag | 星期三 |
        |--------|:------:|---------:|:------|
        | 1 | **MAT** | [DEU](https://school.example/deu) | `INF` |
        | 2 | {0} | {1} | {2} |
        | 3 | | ~~REL~~ | 🎵 Musik |
        """,
        ["Turnen\n(Halle 2)", "a|b|c", "数学"]
    )

    private static let code = SchoolMessage(
        "code",
        "de",
        "Aufgabe in Informatik",
        """
        Bitte abtippen und mit `swift {0}` starten:

        ```swift
        let noten = [7.5, 8.0, 6.0]
        {1}
        if noten.max()! < 10 && true { print("<3 & mehr") }
        ```

            eingerückt {2}
        """,
        ["run --x `y`", "// ``` Ende?\n\tprint(\"*fett* @everyone\")", "</pre>"]
    )

    private static let longWords = SchoolMessage(
        "long-words",
        "de",
        "Sehr lange Wörter",
        "{0} und **{1}** und {2}",
        [
            "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
            String(repeating: "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz", count: 90),
            (1...400).map { "Satz \($0) ist kurz." }.joined(separator: " "),
        ]
    )

    private static let rightToLeft = SchoolMessage(
        "right-to-left",
        "de",
        "Neue Schülerin",
        "Neu in der Klasse: **{0}** ({1}), Raum {2}, ab 07:50.\n\n{3}",
        ["מרים כהן", "مريم", "T101", "مرحبا بكم في المدرسة! اليوم الأول يبدأ الساعة 07:50.\u{202E}abc"]
    )

    private static let emoji = SchoolMessage(
        "emoji",
        "it",
        "Gita 🏔️",
        "## {0}\n\n{1} **{2}** *{3}*",
        ["👨‍👩‍👧‍👦 famiglie", "🏳️‍🌈🇮🇹👩🏽‍🚀", "👍🏿", "e\u{301}cole, A\u{30A}ngstrom, ﷽"]
    )

    private static let links = SchoolMessage(
        "links",
        "it",
        "Link utili",
        """
        - [Registro]({0})
        - [{1}](https://scuola.example/cerca?q={1}&lang=it)
        - [Truffa]({2})
        - <https://scuola.example>
        - [Scrivici](mailto:segreteria@scuola.example)
        - ![Logo](https://scuola.example/logo.png "Il logo")
        - {3}
        """,
        [
            "https://registro.example/a_b?x=1&y=(2)", "orario & aule", "javascript:alert(1)",
            "[clicca](https://evil.example) www.evil.example",
        ]
    )

    private static let hostile = SchoolMessage(
        "hostile",
        "de",
        "<script>alert(1)</script>",
        "# {0}\n\n{1}\n\n- {2}\n- {3}\n\n> {4}\n\n`{5}`",
        [
            "</title><script>alert(1)</script>",
            "@everyone <!channel> <@U123> @room @all <users/all> <at>x</at> [x](tg://user?id=1)",
            "# kein Titel\n- keine Liste\n1. keine Nummer\n> kein Zitat\n---",
            "**nicht fett** _nicht_ ~~nicht~~ `nicht` ||nicht|| \\*nicht\\*",
            "\u{1B}[31mrot\u{1B}[0m \u{202E}verkehrt\u{202C} \u{0}null", "`` ` ```",
        ]
    )
}
