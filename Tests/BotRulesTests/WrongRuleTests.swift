import BotRules
import Foundation
import Testing

/// Wrong rule files and, letter by letter, what is said of each.
///
/// `Golden/wrong-rules.txt` holds them one after the other: `=== name`, the file, `~~~`, the answer. With `POKYH_RECORD=1` in the
/// environment the answers are written anew, to be read before they are committed.
@Suite struct WrongRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let answer: String
        var testDescription: String { name }
    }

    static let path = URL(filePath: #filePath).appending(path: "../Golden/wrong-rules.txt").standardizedFileURL.path()

    static let cases: [Case] = {
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "=== ").map { block in
            let halves = block.split(separator: "~~~\n", maxSplits: 1, omittingEmptySubsequences: false)
            let lines = halves[0].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Case(
                name: String(lines[0]),
                text: lines.count > 1 ? String(lines[1]) : "",
                answer: halves.count > 1 ? String(halves[1]) : ""
            )
        }
    }()

    @Test(arguments: cases)
    func `a wrong file is told in the words that were agreed on`(example: Case) {
        #expect(TestSchool.complaints(about: example.text) == example.answer)
        #expect(TestSchool.load(example.text).hasErrors)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["POKYH_RECORD"] != nil, "only to write the answers anew"))
    func `the answers are written anew`() {
        let blocks = Self.cases.map { example in
            "=== \(example.name)\n\(example.text)~~~\n\(TestSchool.complaints(about: example.text))"
        }
        _ = FileManager.default.createFile(atPath: Self.path, contents: Data(blocks.joined().utf8))
    }
}
