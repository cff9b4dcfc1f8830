import BotCore
import BotRules
import Testing
import Values

@Suite struct CorrectionTests {
    static func rule(_ more: String, kinds: String = "lesson.cancelled") -> String {
        """
          - id: r
            when: {event: \(kinds)}
            \(more)
            message: {title: "{{ event.kind }} {{ lesson.subject }}"}
            send: [terminal, mail-admin]
        """
    }

    @Test func `who was told of a cancellation is told when it is withdrawn`() {
        var runner = RuleRunner(Self.rule(""))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        #expect(runner.told().count == 2)
        runner.decide(PolicyTests.restored("MAT", "2026-12-01T07:50"))
        #expect(runner.messages.first?.body.plain == "**MAT 1.12., 07:50**: Diese Meldung gilt nicht mehr.")
        #expect(runner.messages.last?.body.plain == "**MAT 1 December, 07:50**: This notice no longer holds.")
        #expect(
            runner.told() == [
                "terminal: Korrektur: lesson.cancelled MAT", "mail-admin: Correction: lesson.cancelled MAT",
            ]
        )
        runner.decide(PolicyTests.restored("MAT", "2026-12-01T07:50", revision: 3))
        #expect(runner.told() == [])
    }

    @Test func `a cancelled lesson that vanishes from the plan and is on it again is corrected`() {
        var runner = RuleRunner(Self.rule(""))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        _ = runner.told()
        let record = TestSchool.lessonRecord("MAT", "2026-12-01T07:50")
        runner.decide(TestSchool.event("lesson.added", record, revision: 3))
        #expect(runner.told().first == "terminal: Korrektur: lesson.cancelled MAT")
    }

    @Test func `cancelled, restored and cancelled again are three messages`() {
        var runner = RuleRunner(Self.rule(""))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        runner.decide(PolicyTests.restored("MAT", "2026-12-01T07:50"))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50", revision: 3))
        #expect(Set(runner.messages.map(\.id)).count == 6)
        #expect(runner.told().filter { $0.hasPrefix("terminal") }.count == 3)
    }

    @Test func `a rule that tells the opposite itself needs no correction`() {
        var runner = RuleRunner(Self.rule("", kinds: "[lesson.cancelled, lesson.restored]"))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        _ = runner.told()
        runner.decide(PolicyTests.restored("MAT", "2026-12-01T07:50"))
        #expect(runner.told() == ["terminal: lesson.restored MAT", "mail-admin: lesson.restored MAT"])
    }

    @Test(arguments: [("", true), ("follow: false", false), ("quiet: {from: \"21:30\", to: \"06:30\"}", true)])
    func `what is no longer so takes its messages back, and a correction says which`(more: String, corrects: Bool) {
        var runner = RuleRunner(Self.rule(more), at: "2026-11-30T20:00")
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-03T07:50"))
        let ids = runner.messages.map(\.id)
        #expect(ids.count == 2)
        _ = runner.told()
        runner.run(to: "2026-11-30T23:00")
        runner.decide(PolicyTests.restored("MAT", "2026-12-03T07:50"))
        // Also in quiet hours, which only the correction waits for.
        #expect(runner.withdrawn == (more == "follow: false" ? [] : ids))
        runner.run(to: "2026-12-01T07:00")
        #expect(runner.messages.map(\.corrects) == (corrects ? ids : []))
    }

    @Test func `a message that tells more than what is no longer so is corrected, not taken back`() {
        var runner = RuleRunner(
            """
              - id: r
                when: {event: lesson.cancelled}
                group: {by: lesson.date, wait: 5m}
                message: {title: "{{ group.events | size }}"}
                send: [terminal]
            """
        )
        runner.decide(
            PolicyTests.cancelled("MAT", "2026-12-01T07:50"),
            PolicyTests.cancelled("DEU", "2026-12-01T08:40")
        )
        runner.run(to: "2026-11-30T12:30")
        #expect(runner.told() == ["terminal: 2"])
        runner.decide(PolicyTests.restored("MAT", "2026-12-01T07:50"))
        #expect(runner.messages.map(\.corrects) == [nil])
        #expect(runner.withdrawn == [])
    }

    @Test(arguments: [
        ("follow: false", []), ("correction: {title: \"Doch: {{ lesson.subject }}\"}", ["Doch: MAT", "Doch: MAT"]),
    ])
    func `a rule may have its own correction, or none`(more: String, titles: [String]) {
        var runner = RuleRunner(Self.rule(more))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50"))
        _ = runner.told()
        runner.decide(PolicyTests.restored("MAT", "2026-12-01T07:50"))
        #expect(runner.messages.map(\.title.plain) == titles)
    }

    @Test func `another lesson, an older state and what is over are not corrected`() {
        var runner = RuleRunner(Self.rule(""))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-01T07:50", revision: 5))
        _ = runner.told()
        runner.decide(PolicyTests.restored("ITA", "2026-12-01T07:50", revision: 9))
        runner.decide(PolicyTests.restored("MAT", "2026-12-01T07:50", revision: 4))
        #expect(runner.told() == [])
        runner.clock = TestSchool.instant("2026-12-01T09:00")
        runner.decide(PolicyTests.cancelled("DEU", "2026-12-02T07:50"))
        _ = runner.told()
        runner.decide(PolicyTests.restored("MAT", "2026-12-01T07:50", revision: 9))
        #expect(runner.told() == [])
    }

    @Test func `a correction keeps quiet hours`() {
        var runner = RuleRunner(Self.rule("quiet: {from: \"21:30\", to: \"06:30\"}"))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-03T07:50"))
        _ = runner.told()
        runner.run(to: "2026-11-30T23:00")
        runner.decide(PolicyTests.restored("MAT", "2026-12-03T07:50"))
        #expect(runner.told() == [])
        runner.run(to: "2026-12-01T06:30")
        #expect(runner.told().first == "terminal: Korrektur: lesson.cancelled MAT")
    }

    @Test func `a deleted grade is corrected to the family that was told`() {
        var runner = RuleRunner(
            """
              - id: g
                when: {event: grade.added}
                message: {title: "{{ grade.subject }}: {{ grade.value }}"}
                send: [family]
            """
        )
        let record = TestSchool.gradeRecord("MAT", 5)
        runner.decide(TestSchool.event("grade.added", record, source: "anna-grades"))
        #expect(runner.told() == ["mail-rossi: MAT: 5.0"])
        runner.decide(TestSchool.event("grade.removed", record, source: "anna-grades", revision: 2))
        #expect(runner.told() == ["mail-rossi: Rettifica: MAT: 5.0"])
    }

    @Test func `several things of one message that are no longer so are corrected in one`() {
        var runner = RuleRunner(
            """
              - id: r
                when: {event: lesson.cancelled}
                digest: {at: "18:00"}
                message: {title: "{{ lesson.subject }}"}
                send: [terminal]
            """
        )
        let lessons = [("MAT", "2026-12-01T07:50"), ("DEU", "2026-12-01T08:40"), ("ITA", "2026-12-01T09:40")]
        runner.decide(all: lessons.map { PolicyTests.cancelled($0.0, $0.1) })
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == ["terminal: 3 Meldungen"])
        runner.decide(all: lessons.prefix(2).map { PolicyTests.restored($0.0, $0.1) })
        #expect(
            runner.messages.map(\.body.plain) == [
                "Diese Meldungen gelten nicht mehr:\n\n- MAT 1.12., 07:50\n- DEU 1.12., 08:40"
            ]
        )
        #expect(runner.told() == ["terminal: Korrektur: 3 Meldungen"])
        runner.decide(PolicyTests.restored("ITA", "2026-12-01T09:40"))
        #expect(runner.messages.map(\.body.plain) == ["**ITA 1.12., 09:40**: Diese Meldung gilt nicht mehr."])
    }

    @Test func `more than twenty corrections at once are one message`() {
        var runner = RuleRunner(
            """
              - id: r
                when: {event: lesson.cancelled}
                limit: none
                message: {title: "{{ lesson.subject }}"}
                send: [terminal]
            """
        )
        let lessons = (1...25).map { "S\($0)" }
        for subject in lessons { runner.decide(PolicyTests.cancelled(subject, "2026-12-01T07:50")) }
        #expect(runner.told().count == 25)
        runner.decide(all: lessons.map { PolicyTests.restored($0, "2026-12-01T07:50") })
        #expect(runner.told() == ["terminal: Korrektur: 25 Meldungen"])
    }

    @Test func `a correction that waits is dropped when what was told is so again`() {
        var runner = RuleRunner(Self.rule("quiet: {from: \"21:30\", to: \"06:30\"}"))
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-03T07:50"))
        _ = runner.told()
        runner.run(to: "2026-11-30T23:00")
        runner.decide(PolicyTests.restored("MAT", "2026-12-03T07:50"))
        runner.run(to: "2026-11-30T23:30")
        runner.decide(PolicyTests.cancelled("MAT", "2026-12-03T07:50", revision: 5))
        runner.run(to: "2026-12-01T06:30")
        #expect(runner.told() == ["terminal: lesson.cancelled MAT", "mail-admin: lesson.cancelled MAT"])
    }
}
