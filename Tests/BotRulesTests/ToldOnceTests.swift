import BotCore
import BotRules
import Testing
import Values

/// A change is told once, however many accounts see it.
@Suite struct ToldOnceTests {
    static let installation = {
        var installation = TestSchool.installation()
        installation.sources.append(
            TestSchool.source("timetable-3b", TestSchool.timetable, account: "bianchi", school: TestSchool.school)
        )
        return installation
    }()

    static func runner(_ rule: String, at start: String = "2026-11-30T12:00") -> RuleRunner {
        RuleRunner(RuleFiles.load([TestSchool.file("version: 1\nrules:\n" + rule)], in: installation).book, at: start)
    }

    static func seen(_ subject: String, by source: String, kind: String = "lesson.room_changed") -> Event {
        var record = TestSchool.lessonRecord(subject, "2026-12-02T07:50")
        record.worldKey = subject
        return TestSchool.event(kind, record, source: source, world: "world/\(subject)/\(kind)")
    }

    @Test func `what a limit has put off is listed once`() {
        var runner = Self.runner(
            PolicyTests.rule("limit: {max: 1, per: 1h}", kinds: "lesson.room_changed")
        )
        for source in ["timetable-3a", "timetable-3b"] {
            for subject in ["MAT", "ITA", "DEU"] { runner.decide(Self.seen(subject, by: source)) }
        }
        #expect(runner.told() == ["terminal: MAT"])
        runner.run(to: "2026-11-30T13:00")
        #expect(runner.messages.map(\.body.values) == [["ITA", "DEU"]])
    }

    @Test func `a flood that another account sees with one change more tells that one alone`() {
        var runner = Self.runner(PolicyTests.rule("limit: none", kinds: "lesson.room_changed"))
        let subjects = (1...25).map { "S\($0)" }
        runner.decide(all: subjects.map { Self.seen($0, by: "timetable-3a") })
        #expect(runner.told() == ["terminal: 25 Meldungen"])
        runner.decide(all: (subjects + ["NEU"]).map { Self.seen($0, by: "timetable-3b") })
        #expect(runner.told() == ["terminal: NEU"])
    }

    @Test func `what was told one by one is not told again in another account's flood`() {
        var runner = Self.runner(PolicyTests.rule("limit: none", kinds: "lesson.room_changed"))
        let subjects = (1...25).map { "S\($0)" }
        runner.decide(all: subjects.prefix(10).map { Self.seen($0, by: "timetable-3a") })
        #expect(runner.told().count == 10)
        runner.decide(all: subjects.map { Self.seen($0, by: "timetable-3b") })
        #expect(runner.told().count == 15)
    }

    @Test(arguments: ["", "quiet: {from: \"07:00\", to: \"07:45\"}"])
    func `a lesson of two timetables is told of once before it begins`(more: String) {
        var runner = Self.runner(
            """
              - id: soon
                when: {time_of: {field: lesson.start, before: 10m}}
                \(more)
                message: {title: "{{ lesson.subject }}"}
                send: [terminal]
            """,
            at: "2026-12-01T07:00"
        )
        var shared = TestSchool.lessonRecord("MAT", "2026-12-01T07:50", key: "k")
        shared.worldKey = "4711"
        let own = TestSchool.lessonRecord("ITA", "2026-12-01T07:50", key: "i")
        for (source, account) in [("timetable-3a", "rossi"), ("timetable-3b", "bianchi")] {
            runner.snapshots[source] = SourceView(
                records: source == "timetable-3b" ? [shared, own] : [shared],
                takenAt: runner.clock,
                student: Student(id: account, name: account),
                account: account
            )
        }
        runner.fire(through: "2026-12-01T07:40")
        runner.run(to: "2026-12-01T07:46")
        let told = runner.messages.flatMap { $0.body.values.isEmpty ? [$0.title.plain] : $0.body.values }
        #expect(Set(told) == ["MAT", "ITA"])
        #expect(told.count == 2)
        // The second sight of it is no other message.
        #expect(Set(runner.messages.map(\.id)).count == runner.messages.count)
    }
}
