import BotCore
import BotRules
import Testing
import Values

/// Policies that hold news back: digests, quiet hours, limits.
@Suite struct HoldingPolicyTests {
    // MARK: digest, quiet hours

    @Test func `a digest tells once a day what is still true, under a heading`() {
        var runner = RuleRunner(PolicyTests.rule("digest: {at: \"18:00\"}"))
        runner.decide(
            PolicyTests.cancelled("MAT", "2026-12-01T07:50"),
            PolicyTests.cancelled("ITA", "2026-12-01T08:40")
        )
        runner.decide(PolicyTests.cancelled("OLD", "2026-11-30T14:00"))
        runner.decide(PolicyTests.cancelled("DEU", "2026-12-01T09:30"))
        runner.decide(PolicyTests.restored("DEU", "2026-12-01T09:30"))
        runner.run(to: "2026-11-30T17:59")
        #expect(runner.messages.isEmpty)
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.messages.map(\.body.plain) == ["In der Zwischenzeit gesammelt:\n\n- MAT\n- ITA"])
        #expect(runner.told() == ["terminal: 2 Meldungen"])
        #expect(runner.reasons().contains("not told: stale since 2026-11-30 14:50"))
    }

    @Test func `a digest with one piece of news is that message`() {
        var runner = RuleRunner(PolicyTests.rule("digest: {at: \"18:00\", days: [tue]}"))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-02T07:50"))
        runner.run(to: "2026-12-01T18:00")
        #expect(runner.told() == ["terminal: MAT"])
    }

    @Test(arguments: [
        ("hold", ["terminal: 2 Meldungen"], "2026-12-01T06:30"), ("drop", [], "2026-12-01T06:30"),
    ])
    func `quiet hours hold or drop`(then: String, told: [String], at: String) {
        var runner = RuleRunner(
            PolicyTests.rule("quiet: {from: \"21:30\", to: \"06:30\", then: \(then)}"),
            at: "2026-11-30T23:00"
        )
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        runner.run(to: "2026-12-01T02:00")
        runner.decide(PolicyTests.cancelled("ITA", "2026-12-01T08:40"))
        #expect(runner.told() == [])
        runner.run(to: at)
        #expect(runner.told() == told)
        runner.decide(PolicyTests.cancelled("DEU", "2026-12-01T08:40"))
        #expect(runner.told() == ["terminal: DEU"])
    }

    @Test func `quiet hours can be silent where the sink can`() {
        var runner = RuleRunner(
            PolicyTests.rule("quiet: {from: \"21:30\", to: \"06:30\", then: silent}", send: "telegram-3a"),
            at: "2026-11-30T23:00"
        )
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        #expect(runner.messages.map(\.isSilent) == [true])
        let text = "version: 1\nrules:\n" + PolicyTests.rule("quiet: {from: \"21:30\", to: \"06:30\", then: silent}")
        #expect(TestSchool.complaints(about: text).contains("the sink 'terminal' cannot deliver without a sound"))
    }

    @Test(arguments: ["2026-03-28T23:00", "2026-10-24T23:00"])
    func `quiet hours end at their time of day on the days when clocks change`(start: String) {
        var runner = RuleRunner(PolicyTests.rule("quiet: {from: \"21:30\", to: \"06:30\"}"), at: start)
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        let due = runner.deadline.map { TestSchool.rome.reading(at: $0).time.description }
        #expect(due == "06:30")
    }

    @Test func `high priority passes quiet hours, digests and limits`() {
        var runner = RuleRunner(
            """
              - id: r
                when: {event: lesson.cancelled}
                quiet: {from: "21:30", to: "06:30"}
                digest: {at: "18:00"}
                limit: {max: 1, per: 1h}
                message: {title: "{{ lesson.subject }}", priority: high}
                send: [terminal]
            """,
            at: "2026-11-30T23:00"
        )
        runner.decide(
            PolicyTests.cancelled("MAT", "2026-12-01T07:50"),
            PolicyTests.cancelled("ITA", "2026-12-01T08:40")
        )
        #expect(runner.told() == ["terminal: MAT", "terminal: ITA"])
    }

    @Test func `a scheduled rule waits for the end of quiet hours and is asked again`() {
        var runner = RuleRunner(
            """
              - id: r
                when: {at: "05:00"}
                query: {menu: mensa.today}
                quiet: {from: "21:30", to: "06:30"}
                message: {title: "{{ menu.dishes | map: 'name' | join: ', ' }}"}
                send: [terminal]
            """,
            at: "2026-11-30T04:00"
        )
        func menu(_ name: String) -> SourceView {
            let fields: ValueMap = ["name": .string(name), "date": "2026-11-30", "price": 1.0]
            return SourceView(records: [Record(key: name, type: "dish", fields: fields)], takenAt: runner.clock)
        }
        runner.snapshots["mensa"] = menu("Suppe")
        runner.fire(through: "2026-11-30T05:00")
        #expect(runner.told() == [])
        runner.snapshots["mensa"] = menu("Pizza")
        runner.run(to: "2026-11-30T06:30")
        #expect(runner.told() == ["terminal: Pizza"])
        runner.run(to: "2026-11-30T12:00")
        #expect(runner.told() == [])
    }

    // MARK: limit

    @Test func `more than the limit comes in one message at the end of the span`() {
        var runner = RuleRunner(PolicyTests.rule("limit: {max: 2, per: 1h}"))
        for number in 1...5 {
            runner.decide(PolicyTests.cancelled("S\(number)", "2026-12-01T07:50"))
            runner.clock = runner.clock + .minutes(1)
        }
        #expect(runner.told() == ["terminal: S1", "terminal: S2"])
        runner.decide(PolicyTests.restored("S4", "2026-12-01T07:50"))
        runner.run(to: "2026-11-30T12:59")
        #expect(runner.told() == [])
        runner.run(to: "2026-11-30T13:00")
        #expect(
            runner.messages.map(\.body.plain) == [
                "Zurückgehalten, weil es in kurzer Zeit zu viele waren:\n\n- S3\n- S5"
            ]
        )
        _ = runner.told()
        runner.run(to: "2026-11-30T13:30")
        runner.decide(PolicyTests.cancelled("S6", "2026-12-01T07:50"))
        #expect(runner.told() == ["terminal: S6"])
    }

    @Test func `each recipient has a limit of their own, and 30 an hour is the standard`() {
        var runner = RuleRunner(PolicyTests.rule("", send: "terminal, class-hook"))
        for number in 1...35 { runner.decide(PolicyTests.cancelled("S\(number)", "2026-12-01T07:50")) }
        #expect(runner.told().count == 60)
        runner.run(to: "2026-11-30T13:00")
        #expect(runner.told() == ["terminal: 5 Meldungen", "class-hook: 5 Meldungen"])
        var free = RuleRunner(PolicyTests.rule("limit: none"))
        for number in 1...35 { free.decide(PolicyTests.cancelled("S\(number)", "2026-12-01T07:50")) }
        #expect(free.told().count == 35)
    }

    @Test func `a limit may drop the rest`() {
        var runner = RuleRunner(PolicyTests.rule("limit: {max: 1, per: 1h, then: drop}"))
        runner.decide(PolicyTests.cancelled("A", "2026-12-01T07:50"), PolicyTests.cancelled("B", "2026-12-01T07:50"))
        runner.run(to: "2026-11-30T14:00")
        #expect(runner.told() == ["terminal: A"])
        #expect(runner.reasons().contains("over the limit of 1 in 1h for terminal: dropped"))
    }

    @Test func `a clock that is set back does not make a limit last for ever`() {
        var runner = RuleRunner(PolicyTests.rule("limit: {max: 1, per: 1h}"), at: "2027-11-30T12:00")
        runner.decide(PolicyTests.cancelled("A", "2027-12-01T07:50"))
        runner.clock = TestSchool.instant("2026-11-30T12:00")
        runner.decide(PolicyTests.cancelled("B", "2026-12-01T07:50"), PolicyTests.cancelled("C", "2026-12-01T07:50"))
        runner.run(to: "2026-11-30T13:00")
        #expect(Set(runner.told()).isSuperset(of: ["terminal: A", "terminal: B", "terminal: C"]))
    }

    // MARK: What is held

    @Test(arguments: [
        ("digest: {at: \"18:00\"}", "1 notice collected for the digest", "2026-11-30T18:00"),
        ("quiet: {from: \"11:00\", to: \"13:00\"}", "1 notice held by quiet hours", "2026-11-30T13:00"),
        ("group: {by: lesson.date, wait: 5m}", "1 notice being grouped", "2026-11-30T12:05"),
    ])
    func `what is held back is listed with its reason, count, audience and end`(
        policy: String,
        text: String,
        at: String
    ) {
        var runner = RuleRunner(PolicyTests.rule(policy).replacing("{{ lesson.subject }}", with: "Ausfall"))
        #expect(runner.book.held(in: runner.memory).isEmpty)
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        let held = runner.book.held(in: runner.memory)
        #expect(held.map(\.text) == [text])
        #expect(held.map(\.audience) == [["terminal"]] && held.map(\.until) == [TestSchool.instant(at)])
        runner.run(to: at)
        #expect(runner.book.held(in: runner.memory).isEmpty)
    }

    @Test func `what is over the limit and what waits for its time is listed too, families by their name`() {
        var limited = RuleRunner(PolicyTests.rule("limit: {max: 1, per: 1h}"))
        for subject in ["MAT", "ITA", "DEU"] { limited.decide(PolicyTests.cancelled(subject, "2026-12-01T07:50")) }
        #expect(limited.book.held(in: limited.memory).map(\.text) == ["2 notices over the limit"])
        let far = PolicyTests.rule("").replacing("{event:", with: "{within: 1h, event:").replacing(
            "terminal",
            with: "family"
        )
        var waiting = RuleRunner(TestSchool.load("version: 1\nrules:\n" + far).book)
        waiting.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        let held = waiting.book.held(in: waiting.memory)
        #expect(held.map(\.reason) == [.within] && held.map(\.audience) == [["family rossi"]], "\(held)")
    }

    @Test func `a rule that is switched off drops what it had collected, and says so`() {
        let rule = PolicyTests.rule("digest: {at: \"18:00\"}")
        var runner = RuleRunner(rule)
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        var off = RuleRunner(rule + "\n    enabled: false")
        off.memory = runner.memory
        off.decide()
        #expect(off.reasons() == ["the rule is off: 1 collected notice is dropped"])
        off.run(to: "2026-11-30T20:00")
        #expect(off.told() == [])
        // Back on, it begins with nothing collected.
        var again = RuleRunner(rule, at: "2026-11-30T17:00")
        again.memory = off.memory
        again.decide()
        again.run(to: "2026-11-30T20:00")
        #expect(again.told() == [])
    }
}
