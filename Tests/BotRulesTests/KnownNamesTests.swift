import BotCore
import BotRules
import Testing
import Values

/// Names in rules that no configuration knows.
@Suite struct KnownNamesTests {
    static func rule(_ when: String, _ more: String = "") -> String {
        """
        version: 1
        rules:
          - id: r
            when: \(when)
        \(more)    message: {title: Hallo}
            send: [terminal]
        """
    }

    /// The installation with a student named for the grades.
    static var installation: Installation {
        var installation = TestSchool.installation()
        installation.sources = installation.sources.map { source in
            guard source.name == "anna-grades" else { return source }
            var source = source
            source.settings = Settings(name: source.name, values: ["student": "Anna"])
            return source
        }
        return installation
    }

    static func complaints(_ text: String) -> (text: String, hasErrors: Bool) {
        let set = RuleFiles.load([TestSchool.file(text)], in: installation)
        return (set.complaints.map(\.text).joined(), set.hasErrors)
    }

    @Test(arguments: [
        ("{event: grade.added, student: Ana}", ""), ("{event: grade.added}", "    match: {student: Ana}\n"),
    ])
    func `a student whom none of the sources is about is a mistake`(when: String, more: String) {
        let (text, hasErrors) = Self.complaints(Self.rule(when, more))
        #expect(hasErrors)
        #expect(text.contains("no source here is about a student 'Ana'\n"), "\(text)")
        #expect(text.contains("did you mean 'Anna'?\n  students here: Anna\n"), "\(text)")
    }

    @Test func `a condition on a student whom none of the sources is about is a mistake`() {
        let (text, _) = Self.complaints(Self.rule("{event: grade.added}", "    if: student.name == 'Ana'\n"))
        #expect(text.contains("'student.name' is never 'Ana'\n"), "\(text)")
    }

    @Test(arguments: [
        "{event: lesson.cancelled, student: Luka}", "{time_of: {field: lesson.start}, student: [Anna, Luka]}",
    ])
    func `a student whom the bot file does not know is warned of, since the school may`(when: String) {
        let (text, hasErrors) = Self.complaints(Self.rule(when))
        #expect(!hasErrors)
        #expect(text.contains("warning: no source and no family of the bot file names a student 'Luka'\n"), "\(text)")
        #expect(text.contains("did you mean 'Luca'?"))
    }

    @Test(arguments: [
        ("{event: lesson.cancelled, student: [Anna, Luca]}", ""), ("{event: grade.added, student: Anna}", ""),
        ("{event: grade.added, student: '4711'}", ""),
        ("{event: [grade.added, lesson.moved]}", "    if: student.name == 'Emil'\n"),
    ])
    func `students that are known, or may be, are fine`(when: String, more: String) {
        #expect(Self.complaints(Self.rule(when, more)).text == "")
    }

    @Test func `a class that is spelled in another way is warned of`() {
        var installation = Self.installation
        let plugin = AccountPlugin(kind: "test", "", needsSchool: false, settings: []) { _, _, _ in NoAccount() }
        let settings = Settings(name: "pokyh", values: ["class_name": "3A-INF"])
        installation.accounts = [AccountEntry(name: "pokyh", plugin: plugin, settings: settings)]
        func complaints(_ name: String) -> String {
            let text = Self.rule("{event: lesson.cancelled}", "    match: {lesson.classes: \(name)}\n")
            return RuleFiles.load([TestSchool.file(text)], in: installation).complaints.map(\.text).joined()
        }
        #expect(complaints("3a inf").contains("warning: the bot file writes this class in another way"))
        #expect(complaints("3a inf").contains("did you mean '3A-INF'?"))
        #expect(complaints("3B-INF") == "")
        #expect(complaints("3A-INF") == "")
    }

    private struct NoAccount: Account {
        func close(at now: Timestamp) async {}
    }
}
