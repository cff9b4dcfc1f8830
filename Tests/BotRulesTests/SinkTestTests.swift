import BotCore
import BotRules
import Testing
import Values

/// Tests in rule files that say how sinks answer.
@Suite struct SinkTestTests {
    /// A test of a rule on cancelled lessons; its event is the same each time.
    static func failures(_ scene: String, rule more: String = "") -> [String] {
        let text = """
            version: 1
            rules:
              - id: cancelled
                when: {event: lesson.cancelled}
            \(more)    message: {title: "Ausfall {{ lesson.subject }}"}
                send: [telegram-3a]
            tests:
              - name: t
                now: 2026-11-30T12:00
                events: [{event: lesson.cancelled, lesson: {subject: MAT, start: "2026-12-01T07:50", end: "2026-12-01T08:40"}}]
            \(scene)
            """
        return RuleTestsTests.run(text).results.flatMap(\.failures)
    }

    @Test func `a sink that fails is tried again until it delivers`() {
        let failures = Self.failures(
            """
                sinks: {telegram-3a: [fails, fails, delivers]}
                expect: [{rule: cancelled, state: waiting, tries: 1}]
                then:
                  at: 2026-11-30T12:01
                  expect: [{rule: cancelled, sink: telegram-3a, title: Ausfall MAT, state: delivered, tries: 3, count: 1}]
                  then: {at: 2026-12-05T12:00, expect: []}
            """
        )
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test func `a sink that fails for long is told to the admin, and so is its recovery`() {
        let failures = Self.failures(
            """
                sinks: {telegram-3a: fails}
                expect: [{rule: cancelled, state: waiting}]
                then:
                  at: 2026-11-30T12:10
                  expect:
                    - {rule: admin, sink: mail-admin, title: telegram-3a delivers nothing any more, count: 1}
                  then:
                    at: 2026-11-30T12:20
                    sinks: {telegram-3a: delivers}
                    expect: []
                    then:
                      at: 2026-11-30T14:00
                      expect:
                        - {rule: cancelled, state: delivered}
                        - {rule: admin, title: telegram-3a delivers again}
            """
        )
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test func `a message that is refused is a dead letter, and the admin is told`() {
        let failures = Self.failures(
            """
                sinks: {telegram-3a: refuses}
                expect:
                  - {rule: cancelled, sink: telegram-3a, state: dead_letter, count: 1}
                  - {rule: admin, contains: [cannot be delivered, cancelled]}
            """
        )
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test func `what is stale before the sink works again is dropped`() {
        let failures = Self.failures(
            """
                sinks: {telegram-3a: fails}
                expect: [{rule: cancelled, state: waiting}]
                then:
                  at: 2026-12-01T09:00
                  sinks: {telegram-3a: delivers}
                  then:
                    at: 2026-12-01T12:00
                    expect: [{rule: cancelled, state: dropped}, {rule: admin}]
            """
        )
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test func `a doubtful delivery is repeated once, then left to a person`() {
        let failures = Self.failures(
            """
                sinks: {telegram-3a: uncertain}
                expect: [{rule: cancelled, state: waiting}]
                then:
                  at: 2026-11-30T12:01
                  expect: [{rule: cancelled, state: held, tries: 2}, {rule: admin}]
            """
        )
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test func `nobody hears of a correction to a message that never arrived`() {
        let failures = Self.failures(
            """
                sinks: {telegram-3a: fails}
                expect: [{rule: cancelled, state: waiting}]
                then:
                  at: 2026-11-30T12:00
                  events: [{event: lesson.restored, lesson: {subject: MAT, start: "2026-12-01T07:50", end: "2026-12-01T08:40"}}]
                  sinks: {telegram-3a: delivers}
                  expect: [{rule: cancelled, state: dropped, count: 1}]
            """
        )
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test(arguments: [
        ("expect: [{rule: cancelled}]", "it is waiting to be tried again, expected 'state: delivered'"),
        (
            "expect: []",
            "nothing expected this message of rule 'cancelled' through 'telegram-3a': Ausfall MAT (it is waiting"
        ),
        ("expect: [{rule: cancelled, state: waiting, tries: 2}]", "it was tried 1 times, expected 2"),
    ])
    func `what became of a message is told where it was not expected`(expect: String, words: String) {
        let failures = Self.failures("    sinks: {telegram-3a: fails}\n    \(expect)")
        #expect(failures.joined().contains(words), "\(failures)")
    }
}
