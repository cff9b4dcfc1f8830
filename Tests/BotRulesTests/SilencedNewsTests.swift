import BotCore
import BotRules
import Testing
import Values

/// A silence also holds for what a rule had collected before it.
@Suite struct SilencedNewsTests {
    static func silence(_ runner: inout RuleRunner, match: [String: [String]] = [:]) {
        let silence = Silence(
            id: "1",
            rule: "r",
            match: match,
            comment: "krank",
            from: runner.clock,
            until: runner.clock + .days(3)
        )
        runner.memory[Silence.memoryKey] = Silence.value(of: [silence])
    }

    @Test(arguments: [
        ("digest: {at: \"18:00\"}", "lesson.cancelled"), ("group: {by: lesson.date}", "lesson.cancelled"),
        ("quiet: {from: \"11:00\", to: \"18:00\"}", "lesson.cancelled"), ("", "lesson.cancelled, within: 24h"),
    ])
    func `what waits when a silence begins is not told`(more: String, kinds: String) {
        let title = more.hasPrefix("group") ? "{{ group.events | size }}" : "{{ lesson.subject }}"
        let rule = PolicyTests.rule(more, kinds: kinds).replacing("{{ lesson.subject }}", with: title)
        var runner = RuleRunner(rule)
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-02T07:50"))
        Self.silence(&runner)
        runner.run(to: "2026-12-02T12:00")
        #expect(runner.told() == [])
        #expect(runner.reasons().last?.hasPrefix("silenced by 1 (krank) until") == true)
        #expect(runner.deadline == nil)
    }

    @Test func `what is over the limit is silenced as well, and only what the silence is about`() {
        var runner = RuleRunner(PolicyTests.rule("limit: {max: 1, per: 1h}"))
        for subject in ["MAT", "ITA", "DEU"] { runner.decide(PolicyTests.cancelled(subject, "2026-12-02T07:50")) }
        #expect(runner.told() == ["terminal: MAT"])
        Self.silence(&runner, match: ["lesson.subject": ["ITA"]])
        runner.run(to: "2026-11-30T13:00")
        #expect(runner.told() == ["terminal: DEU"])
    }

    @Test func `what was told is corrected in a silence`() {
        var runner = RuleRunner(PolicyTests.rule(""))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-02T07:50"))
        _ = runner.told()
        Self.silence(&runner)
        runner.decide(PolicyTests.restored("MAT", "2026-12-02T07:50"))
        #expect(runner.told() == ["terminal: Korrektur: MAT"])
    }
}
