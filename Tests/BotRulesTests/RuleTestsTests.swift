import BotCore
import BotRules
import Testing
import Values

@Suite struct RuleTestsTests {
    static func run(_ text: String) -> TestReport {
        RuleTests.run(
            [TestSchool.file(text)],
            in: TestSchool.installation(admin: ["mail-admin"]),
            interpret: { source, before, after, now, _ in
                // Stands for differ and provider: a lesson that is cancelled now and was not before.
                after.filter { $0.fields["state"] == "cancelled" && !before.contains($0) }.map {
                    TestSchool.event("lesson.cancelled", $0, source: source.name)
                }
            },
            judge: TestSchool.judge
        )
    }

    static let rules = """
        version: 1
        rules:
          - id: cancelled
            when: {event: lesson.cancelled}
            match: {lesson.classes: 3A}
            if: lesson.subject != "REL"
            message: {title: "Ausfall {{ lesson.subject }}", body: "**{{ lesson.start | date: '%H:%M' }}**"}
            send: [telegram-3a]
          - id: soon
            when: {time_of: {field: reminder.remind_at}}
            message: {title: "{{ reminder.title }}"}
            send: [class-hook]
        tests:

        """

    @Test func `tests that hold pass`() {
        let report = Self.run(
            Self.rules + """
                  - name: told
                    now: 2026-11-30T12:00
                    events:
                      - {event: lesson.cancelled, lesson: {classes: [3A], subject: MAT, start: "2026-12-01T07:50"}}
                      - {event: lesson.cancelled, lesson: {classes: [3A], subject: REL, start: "2026-12-01T07:50"}}
                    expect:
                      - {rule: cancelled, sink: telegram-3a, title: Ausfall MAT, contains: ["07:50"], excludes: [REL]}
                  - name: nothing
                    now: 2026-11-30T12:00
                    events: [{event: lesson.cancelled, lesson: {classes: [4A]}}]
                    expect: []
                  - name: a poll
                    now: 2026-11-30T12:00
                    polls:
                      - source: timetable-3a
                        before: [{subject: MAT, date: 2026-12-01, classes: [3A]}]
                        after: [{subject: MAT, date: 2026-12-01, classes: [3A], state: cancelled}]
                    expect: [{rule: cancelled, count: 1}]
                  - name: a reminder in its time
                    now: 2026-11-30T12:00
                    polls: [{source: class-reminders, after: [{title: Buch, remind_at: "2026-12-01T17:00"}]}]
                    expect: []
                    then:
                      at: 2026-12-01T16:59
                      expect: []
                      then:
                        at: 2026-12-01T17:00
                        expect: [{title: Buch, count: 1}]
                        then: {at: 2026-12-05T12:00, expect: []}
                """
        )
        #expect(report.failed == 0, "\(report.results.flatMap(\.failures).joined(separator: "\n"))")
        #expect(report.results.map(\.name) == ["told", "nothing", "a poll", "a reminder in its time"])
        #expect(report.results.map(\.line) == [14, 21, 25, 32])
    }

    @Test(arguments: [
        "", ", lesson: {subject: MAT}", ", lesson: {date: 2026-11-30}", ", lesson: {start: 2026-11-30T11:30}",
    ])
    func `news of a lesson whose end a test does not tell are not stale`(lesson: String) {
        let report = Self.run(
            """
            version: 1
            rules:
              - {id: r, when: {event: lesson.cancelled}, message: {title: "x"}, send: [telegram-3a]}
            tests:
              - {now: 2026-11-30T12:00, events: [{event: lesson.cancelled\(lesson)}], expect: [{rule: r}]}
            """
        )
        #expect(report.passed == 1, "\(report.results.flatMap(\.failures))")
    }

    @Test(arguments: [
        ("expect: []", "nothing expected this message of rule 'cancelled' through 'telegram-3a': Ausfall MAT / 07:50"),
        ("expect: [{rule: cancelled, sink: class-hook}]", "expected a message, got none"),
        ("expect: [{rule: cancelled, contains: [ITA]}]", "it does not contain 'ITA'"),
        ("expect: [{rule: cancelled, excludes: [MAT]}]", "it contains 'MAT'"),
        ("expect: [{rule: cancelled, title: Ausfall}]", "its title is 'Ausfall MAT', expected 'Ausfall'"),
        ("expect: [{rule: cancelled, count: 2}]", "expected 2 messages, got 1"),
    ])
    func `a test that does not hold says what came instead`(expect: String, words: String) {
        let report = Self.run(
            Self.rules + """
                  - name: wrong
                    now: 2026-11-30T12:00
                    events: [{event: lesson.cancelled, lesson: {classes: [3A], subject: MAT, start: "2026-12-01T07:50"}}]
                    \(expect)
                """
        )
        let failures = report.results.flatMap(\.failures).joined(separator: "\n")
        #expect(report.failed == 1)
        #expect(failures.contains(words), "\(failures)")
    }

    @Test func `an expected message that did not come says why`() {
        let report = Self.run(
            Self.rules + """
                  - name: wrong
                    now: 2026-11-30T12:00
                    events: [{event: lesson.cancelled, lesson: {classes: [3A], subject: REL}}]
                    expect: [{rule: cancelled}]
                """
        )
        #expect(
            report.results.flatMap(\.failures).joined(separator: "").contains(
                "rule 'cancelled': the condition 'if' is false"
            )
        )
    }

    @Test(arguments: [
        ("now: 2026-13-01T12:00", "this must be a date and time"), ("nau: x", "unknown key 'nau'"),
        ("now: 2026-11-30T12:00\n    sinks: {telegram-3b: fails}", "did you mean 'telegram-3a'?"),
        ("now: 2026-11-30T12:00\n    sinks: {telegram-3a: failes}\n    expect: []", "did you mean 'fails'?"),
        ("now: 2026-11-30T12:00\n    sinks: {telegram-3a: []}\n    expect: []", "the sink answers nothing"),
        ("now: 2026-11-30T12:00\n    expect: [{state: deliverd}]", "did you mean 'delivered'?"),
        ("now: 2026-11-30T12:00\n    expect: [{rule: canceled}]", "did you mean 'cancelled'?"),
        ("now: 2026-11-30T12:00\n    events: [{event: lesson.cancelled, lesson: {subjekt: MAT}}]", "lesson.subject"),
        ("now: 2026-11-30T12:00\n    events: [{event: lesson.cancelled}]", "the test expects nothing"),
    ])
    func `what is wrong with a test is told, and its file's rules run`(test: String, words: String) {
        let set = TestSchool.load(Self.rules + "  - name: wrong\n    \(test)\n")
        let shown = set.complaints.map(\.text).joined()
        #expect(shown.contains(words), "\(shown)")
        #expect(set.inactive.isEmpty)
        #expect(Self.run(Self.rules + "  - name: wrong\n    \(test)\n").failed >= 1)
    }
}
