import BotRules
import Foundation
import Liquid
import Markup
import Testing
import Values

/// The handbooks of rule authors: every block in them is what it is said to be.
@Suite struct HandbookTests {
    @Test(arguments: Handbook.all.map(\.path))
    func `every example of the handbook loads and its tests pass`(path: String) {
        let handbook = Handbook(path)
        let examples = handbook.blocks.filter { $0.kind == "yaml" || $0.kind == "yaml mail" }
        #expect(examples.count >= 8)
        for example in examples {
            let file = TestSchool.file(example.text, "\(path) from line \(example.line)")
            let set = RuleFiles.load([file], in: ShippedRulesTests.installation)
            #expect(set.complaints.isEmpty, "\(set.complaints.map(\.text).joined())")
            let report = ShippedRulesTests.run([file])
            #expect(report.failed == 0, "\(report.results.flatMap(\.failures).joined(separator: "\n"))")
        }
    }

    @Test(arguments: Handbook.all.map(\.path))
    func `every mistake of the handbook is told in the words that stand below it`(path: String) {
        let mistakes = Handbook(path).answered("yaml wrong")
        #expect(mistakes.count >= 6)
        for (block, answer) in mistakes {
            let set = RuleFiles.load(
                [TestSchool.file(block.text, "rules/mine.yaml")],
                in: ShippedRulesTests.installation
            )
            #expect(set.complaints.map(\.text).joined() == answer.text, "\(path) line \(block.line)")
        }
    }

    // MARK: Texts

    private static let lesson: Value = [
        "subject": "MAT", "start": .timestamp(TestSchool.instant("2026-12-01T07:50")), "room": "T101", "text": "",
        "teachers": ["ROS", "BEI"],
    ]

    private static func render(_ template: String, _ locale: String) throws -> String {
        let context = LiquidContext(
            zone: TestSchool.rome,
            locale: LiquidLocale(rawValue: locale) ?? .de,
            now: TestSchool.instant("2026-11-30T17:00")
        )
        var variables = LiquidLanguage.exampleVariables
        variables["lesson"] = lesson
        return try LiquidTemplate(parsing: template).render(variables, context: context)
    }

    @Test(arguments: Handbook.all.map(\.path))
    func `every template of the handbook prints what stands below it`(path: String) throws {
        let handbook = Handbook(path)
        let templates = handbook.answered("liquid")
        #expect(templates.count >= 5)
        for (block, answer) in templates {
            let lines = try Self.render(block.text, handbook.locale).split(separator: "\n").joined(separator: "\n")
            #expect(lines + "\n" == answer.text, "\(path) line \(block.line)")
        }
        #expect(handbook.templateRows.count >= 10)
        for row in handbook.templateRows {
            try #require(row.count == 4)
            for (locale, wanted) in zip(["de", "it", "en"], row.dropFirst()) {
                #expect(try Self.render(row[0], locale) == wanted)
            }
        }
    }

    @Test(arguments: Handbook.all.map(\.path))
    func `the markup of the handbook becomes what it says in each sink`(path: String) throws {
        let handbook = Handbook(path)
        let body = try #require(handbook.blocks.first { $0.kind == "markdown" })
        let document = MarkupDocument.parse(MarkupSource(template: body.text, values: []))
        let forms = [
            "telegram": document.telegramHTML(), "discord": document.discordMarkdown(), "plain": document.plainText(),
        ]
        let shown = handbook.blocks.filter { $0.kind.hasPrefix("text ") }
        #expect(shown.count == forms.count)
        for block in shown {
            let form = try #require(forms[String(block.kind.dropFirst(5))])
            #expect(form.trimmingCharacters(in: .newlines) + "\n" == block.text, "\(path) line \(block.line)")
        }
    }

    @Test func `both handbooks have the same examples in the same order`() {
        let kinds = Handbook.all.map { $0.blocks.map(\.kind) }
        #expect(kinds[0] == kinds[1])
        #expect(Handbook.all[0].templateRows == Handbook.all[1].templateRows)
        for handbook in Handbook.all {
            for line in handbook.text.matches(of: /\]\(#([^)]+)\)/) {
                let headings = handbook.text.split(separator: "\n").filter { $0.hasPrefix("#") }
                    .map { ReferencePage.anchor(String($0.drop { "# ".contains($0) })) }
                #expect(headings.contains(String(line.output.1)), "\(handbook.path) has no heading #\(line.output.1)")
            }
        }
    }
}
