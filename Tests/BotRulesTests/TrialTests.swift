import BotCore
import BotRules
import Testing
import Values

/// A rule that is only tried owes nothing for it later.
@Suite struct TrialTests {
    static func runner(_ more: String, isTrial: Bool, after earlier: RuleRunner? = nil) -> RuleRunner {
        var runner = RuleRunner(PolicyTests.rule(more + (isTrial ? "\n    dry_run: true" : "")))
        guard let earlier else { return runner }
        runner.memory = earlier.memory
        runner.clock = earlier.clock
        runner.deadline = earlier.deadline
        return runner
    }

    @Test func `what a trial would have told is corrected in the trial alone`() {
        var trial = Self.runner("follow: true", isTrial: true)
        trial.decide(PolicyTests.cancelled("MAT", "2026-12-02T07:50"))
        var earnest = Self.runner("follow: true", isTrial: false, after: trial)
        earnest.decide(PolicyTests.restored("MAT", "2026-12-02T07:50"))
        #expect(earnest.told() == [])
        trial.decide(PolicyTests.restored("MAT", "2026-12-02T07:50"))
        #expect(trial.reasons().last == "would be sent: terminal: Korrektur: MAT")
    }

    @Test func `a correction that a trial holds in quiet hours is not sent in earnest`() {
        let quiet = "quiet: {from: \"21:30\", to: \"06:30\"}"
        var trial = Self.runner(quiet, isTrial: true)
        trial.decide(PolicyTests.cancelled("MAT", "2026-12-02T07:50"))
        trial.run(to: "2026-11-30T23:00")
        trial.decide(PolicyTests.restored("MAT", "2026-12-02T07:50"))
        var earnest = Self.runner(quiet, isTrial: false, after: trial)
        earnest.run(to: "2026-12-01T12:00")
        #expect(earnest.told() == [])
    }

    @Test func `the messages of a trial do not count towards the limit`() {
        let limit = "limit: {max: 1, per: 1h}"
        var trial = Self.runner(limit, isTrial: true)
        trial.decide(PolicyTests.cancelled("MAT", "2026-12-02T07:50"))
        trial.decide(PolicyTests.cancelled("DEU", "2026-12-02T08:40"))
        #expect(trial.reasons().last?.contains("over the limit") == true)
        var earnest = Self.runner(limit, isTrial: false, after: trial)
        earnest.decide(PolicyTests.cancelled("ITA", "2026-12-02T08:40"))
        #expect(earnest.told() == ["terminal: ITA"])
    }

    @Test func `what was told in earnest is corrected after a trial, and counts`() {
        let limit = "limit: {max: 1, per: 1h}"
        var before = Self.runner(limit, isTrial: false)
        before.decide(PolicyTests.cancelled("MAT", "2026-12-02T07:50"))
        var trial = Self.runner(limit, isTrial: true, after: before)
        trial.decide(PolicyTests.cancelled("DEU", "2026-12-02T08:40"))
        #expect(trial.reasons().last?.contains("over the limit") == true)
        var after = Self.runner(limit, isTrial: false, after: trial)
        after.decide(PolicyTests.restored("MAT", "2026-12-02T07:50"))
        #expect(after.told() == ["terminal: Korrektur: MAT"])
    }
}
