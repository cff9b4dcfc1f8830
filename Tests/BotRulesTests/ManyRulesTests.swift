import BotCore
import BotRules
import Testing
import Values

/// Many rules, many events: what the index has to bear.
@Suite struct ManyRulesTests {
    static func rules(_ count: Int) -> [SourceFile] {
        let kinds = [
            "lesson.cancelled", "lesson.restored", "lesson.replaced", "lesson.moved", "lesson.room_changed",
            "lesson.added", "lesson.removed", "grade.added", "grade.changed", "dish.added",
        ]
        return stride(from: 0, to: count, by: 500).map { start in
            var text = "version: 1\nrules:\n"
            for number in start..<min(count, start + 500) {
                let kind = kinds[number % kinds.count]
                let record = kind.prefix { $0 != "." }
                let key = record == "lesson" ? "lesson.classes" : record == "grade" ? "grade.subject" : "dish.name"
                text += """
                      - id: rule-\(number)
                        when: {event: \(kind)}
                        match: {\(key): [class-\(number)]}
                        message: {title: Hallo}
                        send: [terminal]

                    """
            }
            return TestSchool.file(text, "rules/\(start).yaml")
        }
    }

    @Test func `an event is only held against the rules that name its values`() {
        let set = RuleFiles.load(Self.rules(2000), in: TestSchool.installation())
        #expect(set.complaints.isEmpty)
        #expect(set.ruleCount == 2000)
        let events = (0..<2000).map { number in
            TestSchool.event(
                "lesson.cancelled",
                TestSchool.lessonRecord("S\(number)", "2026-12-01T07:50", classes: ["class-\(number)", "other"])
            )
        }
        let decision = set.book.decide(on: events, in: RuleContext(now: TestSchool.now))
        #expect(Set(decision.messages.map(\.rule)) == Set(stride(from: 0, to: 2000, by: 10).map { "rule-\($0)" }))
        #expect(decision.notes.count == 200)
    }
}
