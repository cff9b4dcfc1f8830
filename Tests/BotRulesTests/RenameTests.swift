import BotCore
import BotRules
import Testing
import Values

/// `was:`, and what becomes of a rule's memory when files change.
@Suite struct RenameTests {
    static func rule(_ id: String, _ more: String = "") -> String {
        """
          - id: \(id)
        \(more)    when: {event: lesson.cancelled}
            digest: {at: "18:00"}
            message: {title: "{{ lesson.subject }}"}
            send: [terminal]

        """
    }

    static func load(_ rules: String, previous: RuleBook? = nil) -> RuleSet {
        TestSchool.load("version: 1\nrules:\n" + rules, previous: previous)
    }

    static let event = TestSchool.event("lesson.cancelled", TestSchool.lessonRecord("MAT", "2026-12-01T07:50"))

    /// A runner with one collected event under `old`, going on with another book.
    static func runner(going book: RuleBook) -> RuleRunner {
        var first = RuleRunner(load(rule("old")).book)
        first.decide(event)
        var second = RuleRunner(book)
        second.memory = first.memory
        second.decide(all: [])
        return second
    }

    @Test func `a renamed rule goes on with what it has collected and told`() {
        var runner = Self.runner(going: Self.load(Self.rule("new", "    was: old\n")).book)
        #expect(Set(runner.memory.keys) == ["new"])
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == ["terminal: MAT"])
        let record = TestSchool.lessonRecord("MAT", "2026-12-01T07:50")
        runner.decide(TestSchool.event("lesson.restored", record, revision: 2))
        #expect(runner.told() == ["terminal: Korrektur: MAT"])
    }

    @Test func `a rule that is gone drops what it has collected, and says so`() {
        var runner = Self.runner(going: Self.load(Self.rule("other")).book)
        #expect(runner.memory.isEmpty)
        #expect(runner.reasons() == ["the rule is gone: 1 collected notice is dropped"])
    }

    @Test func `a renamed rule with a mistake keeps the memory, and runs on as it was`() {
        let before = Self.load(Self.rule("old"))
        let broken = Self.rule("new", "    was: old\n").split(separator: "\n").map {
            $0.contains("send") ? "    send: [nowhere]" : String($0)
        }
        let set = Self.load(broken.joined(separator: "\n") + "\n", previous: before.book)
        #expect(set.inactive == ["new"])
        #expect(set.book.summary.map(\.id) == ["old"])
        var runner = Self.runner(going: set.book)
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == ["terminal: MAT"])
        let cold = Self.load(broken.joined(separator: "\n") + "\n")
        #expect(!Self.runner(going: cold.book).memory.isEmpty)
    }

    @Test func `an id that another file still has is no earlier id`() {
        let text = "version: 1\nrules:\n"
        let set = RuleFiles.load(
            [
                TestSchool.file(text + Self.rule("new", "    was: old\n"), "rules/a.yaml"),
                TestSchool.file(text + Self.rule("old"), "rules/b.yaml"),
            ],
            in: TestSchool.installation()
        )
        #expect(set.inactive == ["new"])
        #expect(set.book.summary.map(\.id) == ["old"])
        let shown = set.complaints.map(\.text).joined()
        #expect(shown.contains("rules/a.yaml:4:10: error: there still is a rule 'old'"), "\(shown)")
        #expect(shown.contains("it is at rules/b.yaml:3:9 and keeps its own memory"), "\(shown)")
    }

    @Test func `a rule that takes the place of another beside its own tells what both have collected, once`() {
        let both = Self.load(Self.rule("old") + Self.rule("new")).book
        var first = RuleRunner(both)
        first.decide(Self.event)
        #expect(Set(first.memory.keys) == ["old", "new"])
        var second = RuleRunner(Self.load(Self.rule("new", "    was: old\n")).book)
        second.memory = first.memory
        second.decide(all: [])
        #expect(Set(second.memory.keys) == ["new"])
        second.run(to: "2026-11-30T18:00")
        #expect(second.told() == ["terminal: MAT"])
        #expect(second.deadline == nil, "a moment that has passed must not be asked for again and again")
    }
}
