import Liquid
import Testing
import Values

/// What the reference says of the language is true.
@Suite struct LanguageListTests {
    static let entries = LiquidLanguage.filters + LiquidLanguage.tags

    @Test(arguments: entries)
    func `every filter and tag has a meaning, and prints what its example says`(entry: LiquidLanguage.Entry) throws {
        #expect(!entry.documentation.isEmpty && entry.syntax.contains(entry.name))
        guard !entry.template.isEmpty else {
            // These need partials, which rules do not have.
            #expect(["include", "render"].contains(entry.name))
            return
        }
        #expect(entry.template.contains(entry.name))
        #expect(try Rendering.render(entry.template, LiquidLanguage.exampleVariables) == entry.output)
    }

    @Test func `every directive of dates prints something, and no other letter does`() throws {
        let letters = Set(LiquidLanguage.dateDirectives.map(\.letter))
        let all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%"
        for letter in all {
            let text = try Rendering.render("{{ '2026-12-01T07:50' | date: '%\(letter)' }}")
            #expect((text != "%\(letter)") == letters.contains(letter), "%\(letter)")
        }
    }
}
