import StrictYAML
import Testing
import Values

struct PrinterTests {
    @Test func `a complaint looks as the rule language promises`() {
        let lines = Array(repeating: "#", count: 8) + [#"    if: grade.valu < 6.0 || grade.subject in ["MATH"]"#, ""]
        let source = SourceText(Array(lines.joined(separator: "\n").utf8), file: "rules/grades.yaml")
        let start = 8 * 2 + 8
        let complaint = Complaint(
            at: start..<start + 10,
            "event 'grade.added' has no field 'grade.valu'",
            cures: ["did you mean 'grade.value'? Fields of 'grade': date, kind, subject, subject_long, text, value"]
        )
        let text = ComplaintPrinter(source).text([complaint]) { _ in
            "rule 'anna-new-grade' is not active; all other rules are."
        }
        #expect(
            text == """
                rules/grades.yaml:9:9: error: event 'grade.added' has no field 'grade.valu'
                   9 |     if: grade.valu < 6.0 || grade.subject in ["MATH"]
                     |         ^^^^^^^^^^
                  did you mean 'grade.value'? Fields of 'grade': date, kind, subject, subject_long, text, value
                  rule 'anna-new-grade' is not active; all other rules are.

                """
        )
    }

    /// What is marked, in front of it, and how many columns the caret stands in and takes.
    static let carets: [(before: String, marked: String, column: Int, indent: Int, width: Int)] = [
        ("abc ", "de", 5, 4, 2),
        ("", "a", 1, 0, 1),
        ("abc", "", 4, 3, 1),
        ("\t", "a", 2, 4, 1),
        ("ab\t", "\tc", 4, 4, 5),
        ("ä", "ö", 2, 1, 1),
        ("a\u{308}", "u\u{308}x", 2, 1, 2),
        ("数学", "体", 3, 4, 2),
        ("👩‍👩‍👧", "🇮🇹🇦🇹", 2, 2, 4),
        ("☎️", "☎", 2, 2, 1),
        ("한", "ﾊ", 2, 2, 1),
        ("\u{1B}", "x", 2, 1, 1),
    ]

    @Test(arguments: carets.indices)
    func `the caret stands under what it means`(index: Int) {
        let (before, marked, column, indent, width) = Self.carets[index]
        let source = SourceText(Array("\(before)\(marked) and more\n".utf8), file: "f")
        let start = before.utf8.count
        let text = ComplaintPrinter(source).text([Complaint(at: start..<start + marked.utf8.count, "x")])
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "f:1:\(column): error: x")
        #expect(lines[2] == "     | " + String(repeating: " ", count: indent) + String(repeating: "^", count: width))
    }

    @Test func `complaints come in the order of the file, warnings by their name`() {
        let source = SourceText(Array("ab\ncd".utf8), file: "f")
        let complaints = [Complaint(at: 3..<5, "later"), Complaint(.warning, at: 1..<4, "earlier")]
        #expect(
            ComplaintPrinter(source).text(complaints) == """
                f:1:2: warning: earlier
                   1 | ab
                     |  ^
                f:2:1: error: later
                   2 | cd
                     | ^^

                """
        )
    }

    @Test func `a complaint behind the last line is shown there`() {
        let source = SourceText(Array("ab\n".utf8), file: "f")
        #expect(ComplaintPrinter(source).text([Complaint(at: 3..<3, "end")]) == "f:2:1: error: end\n   2 |\n     | ^\n")
        #expect(
            ComplaintPrinter(SourceText([], file: "f")).text([Complaint(at: 0..<0, "x")]).hasPrefix("f:1:1: error: x")
        )
    }

    @Test func `a message cannot steer the terminal`() {
        let text = ComplaintPrinter(SourceText([], file: "f")).text([
            Complaint(at: 0..<0, "a\u{1B}[2Jb\nc", cures: ["d\u{202E}"])
        ])
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}") && text.split(separator: "\n").count == 4)
    }
}
