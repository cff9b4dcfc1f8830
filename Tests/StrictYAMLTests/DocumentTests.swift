import StrictYAML
import Testing
import Values

struct DocumentTests {
    @Test func `nodes know their spans and places`() throws {
        let yaml = "version: 1\nrules:\n  - id: \"ä b\"\n    send: [x, {y: z}]\n    body: |\n      one\n\n# end\n"
        let bytes = Array(yaml.utf8)
        let document = YAMLDocument.read(bytes: bytes, file: "rules/a.yaml")
        #expect(document.complaints == [])
        func text(_ node: YAMLNode?) -> String? { node.map { String(decoding: bytes[$0.span], as: UTF8.self) } }
        let rule = document.root?["rules"]?.items.first
        #expect(text(document.root?.pairs.first?.key) == "version")
        #expect(text(rule?["id"]) == "\"ä b\"")
        #expect(text(rule?["send"]) == "[x, {y: z}]")
        #expect(text(rule?["send"]?.items.last) == "{y: z}")
        #expect(text(rule?["body"]) == "|\n      one")
        #expect(text(rule).map { $0.hasPrefix("id") && $0.hasSuffix("one") } == true)
        #expect(document.source.address(of: try #require(rule?["send"]?.span.lowerBound)) == "rules/a.yaml:4:11")
    }

    @Test(arguments: ["", "# only a comment\n", "---\n", "\u{FEFF}", "\n\n"])
    func `a file without content is an empty scalar`(yaml: String) {
        let document = YAMLDocument.read(bytes: Array(yaml.utf8), file: "f")
        #expect(document.isUsable)
        #expect(document.root?.isEmpty == true)
    }

    @Test func `a byte order mark and Windows line ends are accepted`() {
        let plain = YAMLDocument.read(bytes: Array("id: a\nbody: |\n  b\n  c\n".utf8), file: "f")
        let windows = YAMLDocument.read(bytes: Array("\u{FEFF}id: a\r\nbody: |\r\n  b\r\n  c\r\n".utf8), file: "f")
        #expect(windows.isUsable)
        #expect(windows.root?.pairs.map(\.name) == plain.root?.pairs.map(\.name))
        #expect(windows.root?["body"]?.scalar?.text == "b\nc\n")
    }

    @Test func `a file of 256 KiB is read and a larger one refused`() {
        let line = Array("- abcdefgh ijkl\n".utf8)
        let largest = Array(repeatElement(line, count: 256 * 1024 / line.count).joined())
        #expect(YAMLDocument.read(bytes: largest, file: "f").root?.items.count == largest.count / line.count)
        let document = YAMLDocument.read(bytes: largest + [0x0A], file: "f")
        #expect(document.complaints.map(\.message) == ["the file has 262145 bytes; at most 262144 (256 KiB) are read"])
        #expect(ComplaintPrinter(document.source).text(document.complaints).hasPrefix("f:1:1: error: the file has"))
    }

    @Test func `64 levels are read and 65 refused`() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(YAMLDocument.read(bytes: nested(64), file: "f").isUsable)
        #expect(!YAMLDocument.read(bytes: nested(65), file: "f").isUsable)
        #expect(!YAMLDocument.read(bytes: Array(repeating: UInt8(ascii: "["), count: 200_000), file: "f").isUsable)
        #expect(!YAMLDocument.read(bytes: Array(repeating: UInt8(ascii: "{"), count: 200_000), file: "f").isUsable)
    }

    @Test func `a warning does not stop a file`() {
        let document = YAMLDocument.read(bytes: Array("room: Raum #3\n".utf8), file: "f")
        #expect(document.complaints.map(\.severity) == [.warning])
        #expect(document.isUsable)
    }

    @Test(arguments: [
        "title: „Ausfall“ heute\n", "a: x#y\n", "a: b # c\n", "a: b  #\n", "a: Guten\u{A0}Tag\n", "a: |\n  \u{A0}b\n",
        "a: # c\n  b: d\n",
    ])
    func `what only resembles a trap is read in peace`(yaml: String) {
        #expect(YAMLDocument.read(bytes: Array(yaml.utf8), file: "f").complaints == [])
    }

    static let floods = [
        "[\(String(repeating: "!a x,", count: 10_000))]", "{\(String(repeating: "a: b,", count: 10_000))}",
        "- \(String(repeating: " \t", count: 30_000))a", "a \(String(repeating: "\u{A0} ", count: 20_000))b",
        "[\(String(repeating: "{{a}},", count: 8_000))]", "[\(String(repeating: "\u{201C}a,", count: 10_000))]",
        String(repeating: "a: &b\n", count: 8_000), String(repeating: "%TAG !a! b\n", count: 4_000),
        String(repeating: "\n", count: 60_000), "a: \"" + String(repeating: "\\n\n", count: 20_000) + "\"",
        String(repeating: "\(String(repeating: "k", count: 50_000)): b\n", count: 3),
    ]

    @Test(arguments: floods.indices)
    func `a flood of mistakes is cut to what can be read`(index: Int) {
        let document = YAMLDocument.read(bytes: Array(Self.floods[index].utf8), file: "f")
        #expect(document.complaints.count <= 101)
        #expect(ComplaintPrinter(document.source).text(document.complaints).utf8.count < 100_000)
    }

    @Test func `damaged files never crash and are shown within their bounds`() {
        var random = SeededGenerator(seed: 2026)
        let sample = Array(
            "a: \"b\\u00e4\"\n- {c: 'd', e: [f, |]}\n? *g\n&h !i {{ j }}\n\t> k\n\u{A0}\u{FEFF}“l”: #m\r\n--- %n\n".utf8
        )
        for _ in 0..<4000 {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(sample[Int.random(in: 0..<sample.count, using: &random)], at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
                }
                if bytes.isEmpty { bytes = sample }
            }
            let document = YAMLDocument.read(bytes: bytes, file: "f")
            for complaint in document.complaints {
                #expect(0 <= complaint.span.lowerBound && complaint.span.upperBound <= bytes.count)
                #expect(!complaint.message.contains("\n"))
            }
            #expect(document.root != nil || !document.complaints.isEmpty)
            #expect(ComplaintPrinter(document.source).text(document.complaints).utf8.count < 100_000)
        }
    }
}
