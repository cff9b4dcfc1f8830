import BotCore
import BotRules
import Testing
import Values

/// Whatever the policies and the order of things: nothing is lost, and nothing waits for ever.
@Suite struct PolicyPropertyTests {
    static let policies = [
        "group: {by: lesson.date, wait: 5m}", "digest: {at: \"18:00\"}", "digest: {at: \"02:30\", days: [sun, mon]}",
        "quiet: {from: \"21:30\", to: \"06:30\"}", "quiet: {from: \"02:00\", to: \"03:00\", then: drop}",
        "limit: {max: 2, per: 6h}", "limit: {max: 1, per: 1h, then: drop}", "expires: 8h", "follow: false",
    ]

    @Test func `every event that a rule matches is told or accounted for, over both changes of the clock`() {
        for seed in 0..<300 {
            var random = SeededGenerator(seed: UInt64(seed))
            let chosen = Self.policies.shuffled(using: &random).prefix(Int(random.next() % 4))
            // One of a kind: a key may stand once.
            var keys: Set<Substring> = []
            let unique = chosen.filter { keys.insert($0.prefix { $0 != ":" }).inserted }
            let within = random.next() % 2 == 0 ? ", within: 12h" : ""
            let title = keys.contains("group") ? "{{ group.key }}" : "{{ lesson.subject }}"
            let head = ["  - id: r", "    when: {event: lesson.cancelled\(within)}"]
            let lines =
                head + unique.map { "    \($0)" } + ["    message: {title: \"\(title)\"}", "    send: [terminal]"]
            var runner = RuleRunner(
                lines.joined(separator: "\n"),
                at: seed.isMultiple(of: 2) ? "2026-03-28T18:00" : "2026-10-24T18:00"
            )
            let start = runner.clock
            var matched: Set<String> = []
            for number in 0..<12 {
                let lesson = TestSchool.rome.reading(at: start + .hours(Int64(random.next() % 60) + 1))
                let event = PolicyTests.cancelled("S\(number)", "\(lesson.date)T\(lesson.time)")
                matched.insert(event.id)
                runner.decide(event)
                if random.next() % 4 == 0 {
                    runner.decide(PolicyTests.restored("S\(number)", "\(lesson.date)T\(lesson.time)"))
                }
                let next = TestSchool.rome.reading(at: runner.clock + .minutes(Int64(random.next() % 180)))
                runner.run(to: "\(next.date)T\(next.time)")
            }
            runner.run(to: "2026-12-31T12:00")
            let settled = Set(runner.notes.filter { $0.outcome != .waiting }.map(\.about))
            #expect(matched.subtracting(settled).isEmpty, "seed \(seed): \(lines)")
            #expect(runner.deadline == nil, "seed \(seed): \(lines)")
            #expect(Set(runner.messages.map(\.id)).count == runner.messages.count, "seed \(seed)")
        }
    }

    @Test func `a recorded test is a test that passes`() {
        let lesson = TestSchool.lessonRecord("MAT", "2026-12-01T07:50", key: "1")
        let event = TestSchool.event(
            "lesson.cancelled",
            lesson,
            old: TestSchool.lessonRecord("MAT", "2026-12-01T08:40")
        )
        for isAnonymous in [false, true] {
            let test = TestRecording.test(
                of: event,
                told: [("r", "terminal", "MAT")],
                zone: TestSchool.rome,
                isAnonymous: isAnonymous
            )
            let text = "version: 1\nrules:\n" + PolicyTests.rule("if: student.name != \"\"") + "\ntests:\n" + test
            let report = RuleTestsTests.run(text)
            #expect(report.failed == 0, "\(text)\n\(report.results.flatMap(\.failures).joined(separator: "\n"))")
            #expect(report.results.count == 1)
            #expect(text.contains("Anna") != isAnonymous)
        }
    }
}
