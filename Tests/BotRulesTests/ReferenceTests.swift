import BotCore
import BotRules
import PokyhProvider
import Testing
import Values
import WebUntisProvider

@Suite struct ReferenceTests {
    static let schema = RuleSchema(TestSchool.installation()).document

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

    @Test func `the schema knows the same keys as the reader`() {
        func keys(_ definition: String) -> [String] {
            Self.schema["definitions"][definition]["properties"].map?.keys.compactMap(\.string) ?? []
        }
        for key in keys("rule") {
            let shown = TestSchool.complaints(about: "version: 1\nrules:\n  - {id: r, \(key)s-x: 1}\n")
            #expect(shown.contains("Known keys: ") && shown.contains(key), "\(key)")
        }
        #expect(keys("test") == ["name", "now", "events", "polls", "expect", "then"])
        #expect(keys("message") == ["title", "body", "text", "html", "de", "it", "en", "many", "priority", "link"])
    }

    @Test func `every reference in the schema leads somewhere`() {
        let definitions = Self.schema["definitions"].map?.keys.compactMap(\.string) ?? []
        func references(_ value: Value) -> [String] {
            switch value {
            case .list(let items): items.flatMap(references)
            case .map(let map):
                map.flatMap { key, value in key == "$ref" ? [value.string ?? ""] : references(value) }
            default: []
            }
        }
        let all = Set(references(Self.schema))
        #expect(all.isSubset(of: definitions.map { "#/definitions/\($0)" }))
        #expect(all.count > 8)
    }

    @Test func `the reference page has every field of every provider`() {
        let settings = Settings(name: "x", values: ValueMap())
        let sources = (WebUntisPlugins.sources + PokyhPlugins.sources).map { ($0.name, $0.schema(settings)) }
        let page = RuleReference.page(of: sources)
        for (_, schema) in sources {
            for event in schema.events { #expect(page.contains("| `\(event.kind)` |")) }
            for field in schema.records.flatMap(\.fields) { #expect(page.contains("| `\(field.name)` |")) }
        }
        #expect(page.contains("| `local(timestamp) → local` |"))
    }
}
