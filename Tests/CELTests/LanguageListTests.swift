import CEL
import Testing
import Values

/// What the reference says of the language is true.
@Suite struct LanguageListTests {
    static let entries = CELLanguage.functions + CELLanguage.operators + CELLanguage.macros

    @Test(arguments: entries)
    func `every function, operator and macro has a meaning, and an example that is true`(entry: CELLanguage.Entry)
        throws
    {
        #expect(!entry.documentation.isEmpty && !entry.signatures.isEmpty)
        #expect(entry.example.contains(entry.name))
        let environment = CELEnvironment()
        let program = try CELProgram.compile(entry.example, in: environment, expecting: .bool)
        #expect(program.test(CELActivation([:], in: environment)) == .success(true))
    }

    @Test func `the lists hold what the language has`() {
        #expect(CELLanguage.functions.contains { $0.name == "startsWith" })
        #expect(CELLanguage.operators.contains { $0.name == "in" })
        #expect(CELLanguage.macros.contains { $0.name == "exists" })
        #expect(Self.entries.count > 80)
    }
}
