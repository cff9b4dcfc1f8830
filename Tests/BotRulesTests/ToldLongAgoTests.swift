import BotCore
import BotRules
import Testing
import Values

/// How long news are fresh, and how long what was told of them is corrected.
@Suite struct ToldLongAgoTests {
    @Test func `'expires' ends the telling of a cancellation, not its correction`() {
        var runner = RuleRunner(PolicyTests.rule("expires: 12h"))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-10T07:50"))
        #expect(runner.told() == ["terminal: MAT"])
        runner.run(to: "2026-12-01T01:00")
        runner.decide(PolicyTests.restored("MAT", "2026-12-10T07:50"))
        #expect(runner.told() == ["terminal: Korrektur: MAT"])
    }

    @Test func `what was told of a lesson is corrected until it is over, however far ahead it was told`() {
        for (day, corrects) in [("2027-02-20T12:00", true), ("2027-02-21T09:00", false)] {
            var runner = RuleRunner(PolicyTests.rule(""))
            runner.decide(PolicyTests.cancelled("MAT", "2027-02-21T07:50"))
            _ = runner.told()
            runner.run(to: day)
            runner.decide(PolicyTests.restored("MAT", "2027-02-21T07:50"))
            #expect(runner.told().isEmpty != corrects, "\(day)")
        }
    }

    @Test(arguments: ["", "expires: 1h"])
    func `news that are stale after days are corrected after them as well`(more: String) {
        var runner = RuleRunner(
            """
              - id: r
                when: {event: reminder.added}
                \(more)
                message: {title: "{{ reminder.title }}"}
                send: [terminal]
            """
        )
        let record = Record(
            key: "1",
            type: "reminder",
            fields: ["id": "1", "title": "Buch", "remind_at": .timestamp(TestSchool.now), "done": false]
        )
        runner.decide(TestSchool.event("reminder.added", record, source: "class-reminders"))
        #expect(runner.told() == ["terminal: Buch"])
        runner.run(to: "2026-12-04T14:00")
        runner.decide(TestSchool.event("reminder.removed", record, source: "class-reminders", revision: 2))
        #expect(runner.told() == ["terminal: Korrektur: Buch"])
    }

    @Test func `what 'within' held back is fresh from the moment at which it is let go`() {
        let more = "expires: 12h\n    quiet: {from: \"07:00\", to: \"09:00\"}"
        var runner = RuleRunner(PolicyTests.rule(more, kinds: "lesson.cancelled, within: 48h"))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-10T07:50"))
        runner.run(to: "2026-12-08T08:30")
        #expect(runner.told() == [])
        runner.run(to: "2026-12-08T09:00")
        #expect(runner.messages.map(\.expires) == [TestSchool.instant("2026-12-08T19:50")])
        #expect(runner.told() == ["terminal: MAT"])
    }
}
