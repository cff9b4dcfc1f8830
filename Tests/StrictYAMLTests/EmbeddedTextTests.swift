import StrictYAML
import Testing
import Values

/// Complaints about a language inside a scalar point at the true place in the file.
struct EmbeddedTextTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let style: String
        let yaml: String
        /// A piece of the scalar's text, and what stands in the file for it.
        let piece: String
        let inFile: String
        /// Where it begins, from 1.
        let place: String

        var testDescription: String { style }
    }

    static let cases: [Case] = [
        Case(style: "plain", yaml: "if: a < bad && c\n", piece: "bad", inFile: "bad", place: "1:9"),
        Case(style: "plain after wide letters", yaml: "wänn: ä < bad\n", piece: "bad", inFile: "bad", place: "1:11"),
        Case(style: "plain over lines", yaml: "if: a &&\n\n   bad\n", piece: "bad", inFile: "bad", place: "3:4"),
        Case(style: "plain, the fold", yaml: "if: a\n   b\n", piece: " ", inFile: "\n   ", place: "1:6"),
        Case(style: "single quotes", yaml: "if: 'a == bad'\n", piece: "bad", inFile: "bad", place: "1:11"),
        Case(
            style: "single quotes, doubled",
            yaml: "if: 'x == ''y'' && bad'\n",
            piece: "'y'",
            inFile: "''y''",
            place: "1:11"
        ),
        Case(
            style: "single quotes, behind doubled",
            yaml: "if: 'x == ''y'' && bad'\n",
            piece: "bad",
            inFile: "bad",
            place: "1:20"
        ),
        Case(
            style: "single quotes over lines",
            yaml: "if: 'it''s\n  one  \n\n  bad'\n",
            piece: "bad",
            inFile: "bad",
            place: "4:3"
        ),
        Case(style: "double quotes", yaml: #"if: "a == bad""#, piece: "bad", inFile: "bad", place: "1:11"),
        Case(
            style: "double quotes, escaped",
            yaml: #"if: "x == \"y\" && bad""#,
            piece: "bad",
            inFile: "bad",
            place: "1:20"
        ),
        Case(
            style: "double quotes, the escape",
            yaml: #"if: "x \u00e4 \U0001F600 y""#,
            piece: "😀",
            inFile: #"\U0001F600"#,
            place: "1:15"
        ),
        Case(
            style: "double quotes, two-letter escape",
            yaml: #"if: "x\ty\/bad""#,
            piece: "/bad",
            inFile: #"\/bad"#,
            place: "1:10"
        ),
        Case(
            style: "double quotes over lines",
            yaml: "if: \"a\n\n  b \\\n  bad\"\n",
            piece: "bad",
            inFile: "bad",
            place: "4:3"
        ),
        Case(
            style: "double quotes, escaped line end",
            yaml: "if: \"a\\\n  bad\"\n",
            piece: "abad",
            inFile: "a\\\n  bad",
            place: "1:6"
        ),
        Case(style: "literal", yaml: "body: |\n  one\n  two bad\n", piece: "bad", inFile: "bad", place: "3:7"),
        Case(
            style: "literal, indented more",
            yaml: "body: |\n  one\n    two\n\n  bad\n",
            piece: "bad",
            inFile: "bad",
            place: "5:3"
        ),
        Case(
            style: "literal, stated indentation",
            yaml: "a:\n  - body: |2-\n        one\n      bad\n",
            piece: "bad",
            inFile: "bad",
            place: "4:7"
        ),
        Case(
            style: "literal, kept",
            yaml: "a:\n  - |+ # why\n    one\n    bad\n\n",
            piece: "bad\n\n",
            inFile: "bad\n\n",
            place: "4:5"
        ),
        Case(
            style: "literal, Windows",
            yaml: "body: |\r\n  one\r\n  bad\r\n",
            piece: "\nbad",
            inFile: "\r\n  bad",
            place: "2:6"
        ),
        Case(style: "folded", yaml: "body: >\n  one\n  two\n\n  bad\n", piece: "bad", inFile: "bad", place: "5:3"),
        Case(
            style: "folded over the fold",
            yaml: "body: >-\n  one\n  bad\n",
            piece: "one bad",
            inFile: "one\n  bad",
            place: "2:3"
        ),
        Case(
            style: "folded, indented more",
            yaml: "body: >\n  one\n    two\n  bad\n",
            piece: "  two\nbad",
            inFile: "  two\n  bad",
            place: "3:3"
        ),
        Case(style: "after a byte order mark", yaml: "\u{FEFF}if: bad\n", piece: "bad", inFile: "bad", place: "1:5"),
        Case(style: "in brackets", yaml: "x: [a, {if: 'b bad'}]\n", piece: "bad", inFile: "bad", place: "1:16"),
    ]

    @Test(arguments: cases)
    func `a place inside a text is a place in the file`(item: Case) throws {
        let bytes = Array(item.yaml.utf8)
        let document = YAMLDocument.read(bytes: bytes, file: "f")
        #expect(document.complaints == [])
        let node = try #require(document.root.flatMap { Self.find(item.piece, in: $0) })
        let text = Array((node.scalar?.text ?? "").utf8)
        let piece = Array(item.piece.utf8)
        let start = try #require(text.indices.first { text[$0...].starts(with: piece) })

        let span = node.span(ofText: start..<start + piece.count)
        #expect(String(decoding: bytes[span], as: UTF8.self) == item.inFile)
        let place = document.source.place(of: span.lowerBound)
        #expect("\(place.line):\(place.column)" == item.place)
    }

    private static func find(_ piece: String, in node: YAMLNode) -> YAMLNode? {
        if let scalar = node.scalar { return scalar.text.contains(piece) ? node : nil }
        for child in node.items + node.pairs.map(\.value) {
            if let found = find(piece, in: child) { return found }
        }
        return nil
    }

    @Test func `the end of a text is the end of it in the file`() throws {
        let document = YAMLDocument.read(bytes: Array("if: 'a'' '\nbody: |\n  b\n\n".utf8), file: "f")
        let quoted = try #require(document.root?["if"])
        #expect(quoted.span(ofText: 3..<3) == 9..<9)
        let literal = try #require(document.root?["body"])
        #expect(literal.span(ofText: 2..<2).lowerBound == 23)
        #expect(literal.span(ofText: 9..<99).lowerBound == 23)
    }

    @Test func `an empty text has its own place`() throws {
        let document = YAMLDocument.read(bytes: Array("a: ''\nb:\n".utf8), file: "f")
        #expect(document.root?["a"]?.span(ofText: 0..<0) == 3..<5)
        #expect(document.root?["b"]?.span(ofText: 0..<0) == 8..<8)
    }
}
