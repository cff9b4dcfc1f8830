import BotCore
import BotRules
import PokyhProvider
import Testing
import Values
import WebUntisProvider

@Suite struct ReferenceTests {
    static let schema = RuleSchema(TestSchool.installation()).document
    static let catalogue = PluginCatalogue(
        accounts: [WebUntisPlugins.account, PokyhPlugins.account],
        providers: WebUntisPlugins.sources + PokyhPlugins.sources,
        sinks: []
    )

    @Test func `the schema names what this installation has`() {
        #expect(Self.schema["$schema"].string == "http://json-schema.org/draft-07/schema#")
        let text = Self.schema.json
        for name in [
            "lesson.cancelled", "lesson.*", "source.failing", "timetable-3a", "mail-rossi", "mensa.today",
            "reminder.remind_at",
        ] {
            #expect(text.contains("\"\(name)\""), "\(name)")
        }
    }

    /// A file with a key that nobody knows in one mapping, and the definition of that mapping in the schema.
    @Test(
        arguments: [
            ("rule", "rules: [{id: r, zzz: 1}]"), ("when", "rules: [{id: r, when: {zzz: 1}}]"),
            ("time_of", "rules: [{id: r, when: {time_of: {zzz: 1}}}]"),
            ("query", "rules: [{id: r, when: {at: \"07:00\"}, query: {a: {query: mensa.today, zzz: 1}}}]"),
            ("group", "rules: [{id: r, when: {event: lesson.moved}, group: {zzz: 1}}]"),
            ("digest", "rules: [{id: r, when: {event: lesson.moved}, digest: {zzz: 1}}]"),
            ("quiet", "rules: [{id: r, when: {event: lesson.moved}, quiet: {zzz: 1}}]"),
            ("limit", "rules: [{id: r, when: {event: lesson.moved}, limit: {zzz: 1}}]"),
            ("message", "rules: [{id: r, when: {event: lesson.moved}, message: {zzz: 1}}]"),
            ("text", "rules: [{id: r, when: {event: lesson.moved}, message: {de: {zzz: 1}}}]"),
            ("texts", "rules: [{id: r, when: {event: lesson.moved}, message: {title: a, many: {zzz: 1}}}]"),
            ("recipients", "rules: [{id: r, when: {event: lesson.moved}, send: [{zzz: 1}]}]"),
            ("test", "tests: [{zzz: 1}]"), ("stage", "tests: [{now: 2026-11-30T12:00, then: {zzz: 1}}]"),
            ("poll", "tests: [{now: 2026-11-30T12:00, polls: [{source: mensa, zzz: 1}]}]"),
            ("expectation", "tests: [{now: 2026-11-30T12:00, expect: [{zzz: 1}]}]"),
        ] as [(String, String)]
    )
    func `the schema knows the same keys as the reader`(definition: String, file: String) throws {
        let keys = Self.schema["definitions"][definition]["properties"].map?.keys.compactMap(\.string) ?? []
        let complaints = TestSchool.complaints(about: "version: 1\n\(file)\n")
        let known = try #require(complaints.firstMatch(of: /'zzz'[^']*?Known keys: ([^\n]+)/), "\(complaints)")
        #expect(Set(keys) == Set(known.output.1.split(separator: ", ").map(String.init)))
    }

    @Test func `every reference in a schema leads somewhere`() {
        func references(_ value: Value) -> [String] {
            switch value {
            case .list(let items): items.flatMap(references)
            case .map(let map):
                map.flatMap { key, value in key == "$ref" ? [value.string ?? ""] : references(value) }
            default: []
            }
        }
        for schema in [
            Self.schema, RuleSchema(of: Self.catalogue).document, BotFileSchema(of: Self.catalogue).document,
        ] {
            let definitions = schema["definitions"].map?.keys.compactMap(\.string) ?? []
            let all = Set(references(schema))
            #expect(all.isSubset(of: definitions.map { "#/definitions/\($0)" }))
            #expect(all.count > 8)
        }
    }

    @Test func `the reference has every event, field and query of every provider`() throws {
        let pages = RuleReference.pages(of: Self.catalogue)
        let events = try #require(pages.first { $0.name == "events" }?.text)
        let queries = try #require(pages.first { $0.name == "queries" }?.text)
        let settings = Settings(name: "x", values: ValueMap())
        for schema in Self.catalogue.providers.map({ $0.schema(settings) }) {
            for event in schema.events { #expect(events.contains("| `\(event.kind)` |")) }
            for field in schema.records.flatMap(\.fields) { #expect(events.contains("| `\(field.name)` |")) }
            for query in schema.queries { #expect(queries.contains("## \(query.name)\n")) }
        }
    }

    @Test func `everything on the reference pages is explained`() {
        for page in RuleReference.pages(of: Self.catalogue) {
            for line in page.text.split(separator: "\n") where line.hasPrefix("| ") {
                let cells = line.replacing("\\|", with: "").split(separator: "|", omittingEmptySubsequences: false)
                let meaning = cells.dropFirst(page.name == "conditions" || page.name == "texts" ? 2 : 3).first ?? ""
                #expect(meaning.contains { $0.isLetter || $0.isNumber || $0 == "`" }, "\(page.name): \(line)")
            }
        }
    }

    @Test func `the examples of the bot's own functions are true`() throws {
        let page = try #require(RuleReference.pages(of: Self.catalogue).first { $0.name == "conditions" }?.text)
        let section = page.split(separator: "## Functions of the bot\n").last?.split(separator: "\n## ").first ?? ""
        let examples = section.matches(of: /\| `([^`]+)` \|\n/).map { String($0.output.1) }
        #expect(examples.count >= 4)
        let rules = examples.enumerated().map { number, example in
            """
              - id: r\(number)
                when: {event: lesson.cancelled}
                if: |
                  \(example)
                message: {title: "\(number)"}
                send: [terminal]

            """
        }
        let expectations = examples.indices.map { "{rule: r\($0), count: 1}" }.joined(separator: ", ")
        let file = TestSchool.file(
            "version: 1\nrules:\n" + rules.joined()
                + "tests:\n  - now: 2026-11-30T12:00\n    events: [{event: lesson.cancelled, lesson: {start: \"2026-11-30T14:00\", end: \"2026-11-30T14:50\"}}]\n    expect: [\(expectations)]\n"
        )
        let set = RuleFiles.load([file], in: ShippedRulesTests.installation)
        #expect(set.complaints.isEmpty, "\(set.complaints.map(\.text).joined())")
        let report = ShippedRulesTests.run([file])
        #expect(report.failed == 0, "\(report.results.flatMap(\.failures).joined(separator: "\n"))")
    }

    @Test func `headings have the anchors that GitHub gives them`() {
        #expect(ReferencePage.anchor("kind: webuntis") == "kind-webuntis")
        #expect(ReferencePage.anchor("Was fehlen kann, und mehr") == "was-fehlen-kann-und-mehr")
    }
}
