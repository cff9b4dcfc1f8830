import BotRules
import Testing

/// What policies had planned by a clock that was ahead.
@Suite struct ClockJumpTests {
    @Test(arguments: [
        ("digest: {at: \"18:00\"}", "2026-11-30T18:00"),
        ("quiet: {from: \"11:00\", to: \"13:00\"}", "2026-12-01T13:00"),
    ])
    func `SCHED-07 what waits since the clock was a year ahead is told in time, even if nothing else happens`(
        policy: String,
        latest: String
    ) {
        var runner = RuleRunner(PolicyTests.rule(policy))
        runner.clock = TestSchool.instant("2027-11-30T12:00")
        runner.decide(PolicyTests.cancelled("MAT", "2027-12-20T07:50"))
        #expect(runner.told() == [])
        runner.clock = TestSchool.instant("2026-11-30T12:00")
        // The engine asks once when it has noticed.
        runner.decide(all: [])
        runner.run(to: latest)
        #expect(runner.told() == ["terminal: MAT"])
    }

    @Test func `SCHED-07 what is over the limit since the clock was a year ahead is told within the span`() {
        var runner = RuleRunner(PolicyTests.rule("limit: {max: 1, per: 1h}"))
        runner.clock = TestSchool.instant("2027-11-30T12:00")
        runner.decide(PolicyTests.cancelled("MAT", "2027-12-20T07:50"))
        runner.decide(PolicyTests.cancelled("DEU", "2027-12-20T08:40"))
        #expect(runner.told() == ["terminal: MAT"])
        runner.clock = TestSchool.instant("2026-11-30T12:00")
        runner.decide(all: [])
        runner.run(to: "2026-11-30T13:00")
        #expect(runner.told() == ["terminal: DEU"])
    }
}
