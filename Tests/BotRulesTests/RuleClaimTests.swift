import BotRules
import Testing
import Values

/// An id that stands in two files is the file's that had it first, whatever the files are called.
@Suite struct RuleClaimTests {
    static func rule(_ id: String, _ title: String, _ event: String = "lesson.cancelled") -> String {
        """
          - id: \(id)
            when: {event: \(event)}
            message: {title: \(title)}
            send: [terminal]

        """
    }

    static func file(_ path: String, _ rules: String...) -> SourceFile {
        TestSchool.file("version: 1\nrules:\n" + rules.joined(), path)
    }

    static let good = file("rules/good.yaml", rule("r", "gut"), rule("other", "anders"))
    /// It sorts before the good file.
    static let intruder = file("rules/a-new.yaml", rule("r", "fremd"), rule("new", "neu"))

    static func load(_ files: SourceFile..., after set: RuleSet? = nil, restarted: Bool = false) -> RuleSet {
        RuleFiles.load(
            files,
            in: TestSchool.installation(),
            previous: restarted ? nil : set?.book,
            homes: set?.homes ?? [:]
        )
    }

    /// Which file each rule that runs is from.
    static func running(_ set: RuleSet) -> [String: String] {
        Dictionary(uniqueKeysWithValues: set.book.summary.map { ($0.id, $0.file) })
    }

    static func complaints(_ set: RuleSet) -> [String: String] {
        Dictionary(uniqueKeysWithValues: set.complaints.map { (String($0.text.prefix { $0 != ":" }), $0.text) })
    }

    @Test func `where no file had the id before, the first file has it`() {
        let set = Self.load(Self.intruder, Self.good)
        #expect(Self.running(set) == ["r": "rules/a-new.yaml", "new": "rules/a-new.yaml", "other": "rules/good.yaml"])
        #expect(Self.complaints(set).keys.sorted() == ["rules/good.yaml"])
    }

    @Test(arguments: [false, true])
    func `a new file cannot take a good rule's id, neither on reload nor after a restart`(restarted: Bool) {
        let set = Self.load(Self.intruder, Self.good, after: Self.load(Self.good), restarted: restarted)
        #expect(Self.running(set) == ["r": "rules/good.yaml", "new": "rules/a-new.yaml", "other": "rules/good.yaml"])
        let complaints = Self.complaints(set)
        #expect(complaints.keys.sorted() == ["rules/a-new.yaml"])
        let text = complaints["rules/a-new.yaml"] ?? ""
        #expect(text.contains("rules/a-new.yaml:3:9: error: the rule id 'r' is used twice"), "\(text)")
        #expect(text.contains("its first use is at rules/good.yaml:3:9"), "\(text)")
        #expect(text.contains("this rule 'r' is not active; all other rules are."), "\(text)")
    }

    @Test func `what is known of ids outlives one mistake after the other`() {
        let first = Self.load(Self.intruder, Self.good, after: Self.load(Self.good))
        let second = Self.load(Self.intruder, Self.good, after: first, restarted: true)
        #expect(Self.running(second)["r"] == "rules/good.yaml")
    }

    @Test func `a good file that is broken at the same time keeps its id and its last good rule`() {
        let broken = Self.file(
            "rules/good.yaml",
            Self.rule("r", "gut", "lesson.canceled"),
            Self.rule("other", "anders")
        )
        let before = Self.load(Self.good)
        let set = Self.load(Self.intruder, broken, after: before)
        #expect(Self.running(set)["r"] == "rules/good.yaml")
        #expect(Self.complaints(set).count == 2)
        // After a restart there is no last good version: then nobody tells under that id.
        let restarted = Self.load(Self.intruder, broken, after: before, restarted: true)
        #expect(Self.running(restarted) == ["new": "rules/a-new.yaml", "other": "rules/good.yaml"])
    }

    @Test(arguments: [false, true])
    func `a good file that cannot be read keeps its ids`(restarted: Bool) {
        let unreadable = TestSchool.file("rules: [\n", "rules/good.yaml")
        let set = Self.load(Self.intruder, unreadable, after: Self.load(Self.good), restarted: restarted)
        #expect(Self.running(set)["r"] == (restarted ? nil : "rules/good.yaml"))
        #expect(
            Self.complaints(set)["rules/a-new.yaml"]?
                .contains("the rule id 'r' is that of a rule in rules/good.yaml, which cannot be read now") == true
        )
        #expect(set.homes["r"] == "rules/good.yaml" && set.homes["other"] == "rules/good.yaml")
    }

    @Test func `a rule that moves to another file is no intruder`() {
        let rest = Self.file("rules/good.yaml", Self.rule("other", "anders"))
        let set = Self.load(Self.intruder, rest, after: Self.load(Self.good))
        #expect(Self.running(set)["r"] == "rules/a-new.yaml" && !set.hasErrors)
        let renamed = Self.load(Self.intruder, after: Self.load(Self.good))
        #expect(Self.running(renamed)["r"] == "rules/a-new.yaml" && !renamed.hasErrors)
    }

    @Test func `an id twice in one file is told at the second place`() {
        let set = Self.load(Self.file("rules/a.yaml", Self.rule("r", "eins"), Self.rule("r", "zwei")))
        #expect(set.book.summary.count == 1)
        #expect(Self.complaints(set)["rules/a.yaml"]?.contains("rules/a.yaml:7:9: error") == true)
    }

    // MARK: Half-written files

    static let digest = """
          - id: evening
            when: {event: lesson.cancelled}
            digest: {at: "18:00"}
            message: {title: "{{ lesson.subject }}"}
            send: [terminal]

        """

    /// The file as an editor, rsync or git leaves it for a moment.
    @Test(arguments: [
        "version: 1\nrules:\n  - id: first\n    when:", "", " \n", "version: 1\nrules:\n  - id: first\n    whe", "ver",
    ])
    func `a half-written file loses no rule and no memory, neither on reload nor after a restart`(half: String) {
        let whole = Self.file("rules/good.yaml", Self.rule("first", "eins"), Self.digest)
        let before = Self.load(whole)
        var runner = RuleRunner(before.book)
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        let file = TestSchool.file(half, "rules/good.yaml")
        let set = Self.load(file, after: before)
        #expect(set.hasErrors && Self.running(set)["evening"] == "rules/good.yaml")
        // After a restart it cannot run, and what it has collected waits until the file is whole.
        let restarted = Self.load(file, after: before, restarted: true)
        #expect(Self.running(restarted)["evening"] == nil && restarted.homes["evening"] == "rules/good.yaml")
        var broken = RuleRunner(restarted.book)
        broken.memory = runner.memory
        broken.decide()
        #expect(broken.memory == runner.memory)
        var mended = RuleRunner(Self.load(whole, after: restarted, restarted: true).book, at: "2026-11-30T17:00")
        mended.memory = broken.memory
        mended.decide()
        mended.run(to: "2026-11-30T18:00")
        #expect(mended.told() == ["terminal: MAT"])
    }

    @Test func `a rule that is taken out of a file without errors is gone, whatever is wrong with others`() {
        let before = Self.load(Self.good, Self.file("rules/z.yaml", Self.digest))
        let set = Self.load(
            Self.file("rules/good.yaml", Self.rule("other", "anders")),
            Self.file("rules/z.yaml", Self.digest, Self.rule("wrong", "x", "lesson.canceled")),
            after: before
        )
        #expect(Self.running(set).keys.sorted() == ["evening", "other"])
        var runner = RuleRunner(set.book)
        runner.memory = ["r": ["told": [1]]]
        runner.decide()
        #expect(runner.memory["r"] == nil)
    }

    @Test func `a rule that is taken out of a file with errors goes on, and the file's complaints say so`() {
        let wrong = Self.rule("wrong", "x", "lesson.canceled")
        let before = Self.load(Self.good)
        let one = Self.load(Self.file("rules/good.yaml", Self.rule("other", "anders"), wrong), after: before)
        #expect(Self.running(one).keys.sorted() == ["other", "r"])
        let text = Self.complaints(one)["rules/good.yaml"] ?? ""
        let notice = "'r' is not written in this file any more; it goes on until the file has no errors."
        #expect(text.contains(notice) && text.contains("rule 'wrong' is not active"), "\(text)")
        let both = Self.complaints(Self.load(Self.file("rules/good.yaml", wrong), after: before))["rules/good.yaml"]
        #expect(both?.contains("any more go on until the file has no errors: 'r', 'other'.") == true, "\(both ?? "")")
        let mended = Self.load(Self.file("rules/good.yaml", Self.rule("other", "anders")), after: one)
        #expect(Self.running(mended).keys.sorted() == ["other"] && mended.complaints.isEmpty)
    }

    @Test func `a file that is wrong from end to end is told of in bounds`() {
        let text = "version: 1\nrules:\n" + String(repeating: "  - id: x\n", count: 2000)
        let complaints = TestSchool.complaints(about: text)
        #expect(complaints.contains("rules/test.yaml: ") && complaints.contains("more; mend these first"))
        #expect(complaints.utf8.count < 200_000)
    }
}
