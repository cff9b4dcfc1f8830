import BotCore
import BotRules
import Testing
import Values

@Suite struct PolicyTests {
    static func rule(_ policies: String, kinds: String = "lesson.cancelled", send: String = "terminal") -> String {
        """
          - id: r
            when: {event: \(kinds)}
            \(policies)
            message: {title: "{{ lesson.subject }}"}
            send: [\(send)]
        """
    }

    static func cancelled(_ subject: String, _ start: String, revision: Int64 = 1, world: String? = nil) -> Event {
        TestSchool.event(
            "lesson.cancelled",
            TestSchool.lessonRecord(subject, start),
            changes: [FieldChange(field: "state", old: "planned", new: "cancelled")],
            revision: revision,
            world: world
        )
    }

    static func restored(_ subject: String, _ start: String, revision: Int64 = 2) -> Event {
        TestSchool.event("lesson.restored", TestSchool.lessonRecord(subject, start), revision: revision)
    }

    // MARK: within

    static let near = """
          - id: r
            when: {event: lesson.cancelled, within: 24h}
            message: {title: "{{ lesson.subject }} {{ lesson.room }}"}
            send: [terminal]
        """

    @Test func `a far lesson is told once, when it is near enough, as it is then`() {
        var runner = RuleRunner(Self.near)
        runner.decide(Self.cancelled("MAT", "2026-12-16T18:00"), Self.cancelled("ITA", "2026-12-01T07:50"))
        #expect(runner.told() == ["terminal: ITA T101"])
        #expect(runner.deadline == TestSchool.instant("2026-12-15T18:00"))
        var now = TestSchool.lessonRecord("MAT", "2026-12-16T18:00", state: "cancelled")
        now.fields["room"] = "T205"
        runner.snapshots["timetable-3a"] = SourceView(records: [now], takenAt: runner.clock)
        runner.run(to: "2026-12-15T17:59")
        #expect(runner.told() == [])
        runner.run(to: "2026-12-15T18:00")
        #expect(runner.told() == ["terminal: MAT T205"])
        runner.run(to: "2026-12-20T18:00")
        #expect(runner.told() == [])
        #expect(runner.book.readSources == ["timetable-3a"])
    }

    @Test func `a far lesson that is reinstated is never told`() {
        var runner = RuleRunner(Self.near)
        runner.decide(Self.cancelled("MAT", "2026-12-16T18:00"))
        runner.clock = TestSchool.instant("2026-12-10T12:00")
        runner.decide(Self.restored("MAT", "2026-12-16T18:00"))
        runner.run(to: "2026-12-20T18:00")
        #expect(runner.told() == [])
        #expect(runner.memory.isEmpty)
    }

    @Test func `a far lesson that is found taken back when its time comes is not told`() {
        var runner = RuleRunner(Self.near)
        runner.decide(Self.cancelled("MAT", "2026-12-16T18:00"))
        let back = TestSchool.lessonRecord("MAT", "2026-12-16T18:00")
        runner.snapshots["timetable-3a"] = SourceView(records: [back], takenAt: runner.clock)
        runner.run(to: "2026-12-20T18:00")
        #expect(runner.told() == [])
        #expect(runner.reasons().contains("not told: it has been taken back meanwhile"))
    }

    // MARK: group

    static let grouped = """
          - id: r
            when: {event: [lesson.cancelled, lesson.room_changed]}
            group: {by: lesson.date, wait: 5m, max_wait: 12m}
            message:
              title: "{{ group.key }}: {% for e in group.events %}{{ e.lesson.subject }} {% endfor %}"
            send: [terminal]
        """

    @Test func `events of one key are told in one message after the wait`() {
        var runner = RuleRunner(Self.grouped)
        runner.decide(Self.cancelled("MAT", "2026-12-01T07:50"), Self.cancelled("ITA", "2026-12-02T07:50"))
        runner.run(to: "2026-11-30T12:04")
        runner.decide(Self.cancelled("DEU", "2026-12-01T08:40"))
        #expect(runner.told() == [])
        runner.run(to: "2026-11-30T12:05")
        #expect(runner.told() == ["terminal: 2026-12-02: ITA"])
        runner.run(to: "2026-11-30T12:09")
        #expect(runner.told() == ["terminal: 2026-12-01: MAT DEU"])
    }

    @Test func `a row of events cannot put a group off for ever`() {
        var runner = RuleRunner(Self.grouped)
        for minute in stride(from: 0, through: 12, by: 4) {
            runner.run(to: "2026-11-30T12:\(minute < 10 ? "0" : "")\(minute)")
            runner.decide(Self.cancelled("S\(minute)", "2026-12-01T07:50"))
        }
        #expect(runner.told() == ["terminal: 2026-12-01: S0 S4 S8"])
        runner.run(to: "2026-11-30T13:00")
        #expect(runner.told() == ["terminal: 2026-12-01: S12"])
    }

    @Test func `what is taken back while a group waits is not in it`() {
        var runner = RuleRunner(Self.grouped)
        runner.decide(Self.cancelled("MAT", "2026-12-01T07:50"), Self.cancelled("ITA", "2026-12-01T08:40"))
        runner.decide(Self.restored("MAT", "2026-12-01T07:50"))
        runner.run(to: "2026-11-30T13:00")
        #expect(runner.told() == ["terminal: 2026-12-01: ITA"])
    }

    // MARK: families

    @Test func `in a message of many each family reads of its own children alone`() {
        var installation = TestSchool.installation()
        installation.families = [
            Family(name: "a", students: ["Anna"], sinks: ["terminal"]),
            Family(name: "b", students: ["Luca"], sinks: ["class-hook"]),
        ]
        let text = "version: 1\nrules:\n" + Self.rule("digest: {at: \"18:00\"}", send: "family")
        var runner = RuleRunner(RuleFiles.load([TestSchool.file(text)], in: installation).book)
        for (name, subject) in [("Anna", "MAT"), ("Anna", "ITA"), ("Luca", "DEU"), ("Luca", "ENG")] {
            var event = Self.cancelled(subject, "2026-12-01T07:50")
            event.student = Student(id: name, name: name)
            runner.decide(event)
        }
        runner.run(to: "2026-11-30T18:00")
        #expect(
            runner.messages.map { "\($0.sink) \($0.body.values.joined(separator: " "))" } == [
                "terminal MAT ITA", "class-hook DEU ENG",
            ]
        )
    }

    @Test func `a classmate's sight of what is collected or told already adds nothing`() {
        var runner = RuleRunner(Self.rule("digest: {at: \"18:00\"}"))
        runner.decide(Self.cancelled("MAT", "2026-12-01T07:50", world: "w"))
        runner.decide(Self.cancelled("MAT", "2026-12-01T07:50", world: "w"))
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == ["terminal: MAT"])
        runner.decide(Self.cancelled("MAT", "2026-12-01T07:50", world: "w"))
        runner.run(to: "2026-12-01T18:00")
        #expect(runner.told() == [])
    }

    // MARK: Silences, dry runs, renaming

    @Test func `what is silenced is not told until the silence is over`() {
        var runner = RuleRunner(Self.rule(""))
        let silence = Silence(
            id: "s1",
            rule: "r",
            match: ["lesson.subject": ["MAT"]],
            comment: "Projektwoche",
            from: runner.clock,
            until: runner.clock + .days(1)
        )
        runner.memory[Silence.memoryKey] = Silence.value(of: [silence])
        runner.decide(Self.cancelled("MAT", "2026-12-03T07:50"), Self.cancelled("ITA", "2026-12-03T07:50"))
        #expect(runner.told() == ["terminal: ITA"])
        #expect(runner.reasons().first?.hasPrefix("silenced by s1 (Projektwoche) until") == true)
        runner.clock = runner.clock + .days(1)
        runner.decide(Self.cancelled("MAT", "2026-12-03T08:40"))
        #expect(runner.told() == ["terminal: MAT"])
        #expect(Silence.all(in: runner.memory) == [silence])
    }

    @Test func `a rule that is only tried keeps its policies and sends nothing`() {
        var runner = RuleRunner(Self.rule("dry_run: true\n    digest: {at: \"18:00\"}"))
        runner.decide(Self.cancelled("MAT", "2026-12-01T07:50"))
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == [])
        #expect(runner.reasons().last == "would be sent: terminal: MAT")
    }

    @Test func `a renamed rule goes on with its memory, a removed one drops what it had collected and says so`() {
        var runner = RuleRunner(Self.rule("digest: {at: \"18:00\"}"))
        runner.decide(Self.cancelled("MAT", "2026-12-01T07:50"))
        let renamed = Self.rule("was: r\n    digest: {at: \"18:00\"}").replacing("id: r", with: "id: neu")
        var after = RuleRunner(renamed)
        after.memory = runner.memory
        after.decide()
        #expect(Set(after.memory.keys) == ["neu"])
        after.run(to: "2026-11-30T18:00")
        #expect(after.told() == ["terminal: MAT"])
        var without = RuleRunner(Self.rule("").replacing("id: r", with: "id: other"))
        without.memory = runner.memory
        without.decide()
        #expect(without.memory.isEmpty)
        #expect(without.reasons() == ["the rule is gone: 1 collected notice is dropped"])
    }

    @Test func `a rule that cannot run now keeps what it has collected`() {
        let text = "version: 1\nrules:\n" + Self.rule("digest: {at: \"18:00\"}")
        var runner = RuleRunner(TestSchool.load(text).book)
        runner.decide(Self.cancelled("MAT", "2026-12-01T07:50"))
        var broken = RuleRunner(TestSchool.load(text.replacing("terminal", with: "nowhere")).book)
        broken.memory = runner.memory
        broken.decide()
        #expect(broken.memory == runner.memory)
    }
}
