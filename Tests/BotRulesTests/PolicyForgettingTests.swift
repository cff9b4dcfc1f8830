import BotCore
import BotRules
import Testing
import Values

/// A student who is forgotten is in nothing that still waits to be told.
@Suite struct PolicyForgettingTests {
    static func forgetting(_ memory: [String: Value]) -> (left: Value, removed: Int) {
        let subject = PolicyForgetting.Subject(
            isStudent: { id, name in id.isEmpty ? name == "Anna Rossi" : id == "11" },
            isKey: { $0.hasPrefix("11/") },
            isNamed: { $0.contains("Anna Rossi") },
            sources: ["anna-grades"]
        )
        let (left, removed) = PolicyForgetting.forget(subject, in: memory["r"] ?? .null, under: "r")
        return (left, removed)
    }

    @Test
    func `what a scheduled rule said of a student and holds for the morning is forgotten with the student`() {
        var runner = RuleRunner(
            """
              - id: r
                when: {at: "05:00"}
                query: {day: timetable.day}
                quiet: {from: "21:30", to: "06:30"}
                message: {title: "{{ day.lessons | map: 'subject' | join: ', ' }}"}
                send: [terminal]
            """,
            at: "2026-11-30T04:00"
        )
        runner.snapshots["timetable-3a"] = SourceView(
            records: [TestSchool.lessonRecord("MAT", "2026-11-30T07:50")],
            takenAt: runner.clock,
            student: Student(id: "11", name: "Anna Rossi"),
            account: "rossi"
        )
        runner.fire(through: "2026-11-30T05:00")
        let (left, removed) = Self.forgetting(runner.memory)
        #expect(removed == 1)
        #expect(left.isNull)
    }

    @Test func `what waits of somebody else and names the student is forgotten, and the rest stays`() {
        var runner = RuleRunner(PolicyTests.rule("digest: {at: \"18:00\"}"))
        var named = TestSchool.lessonRecord("MAT", "2026-12-01T07:50")
        named.fields["text"] = "Referat Anna Rossi"
        let luca = Student(id: "12", name: "Luca")
        runner.decide(
            TestSchool.event("lesson.cancelled", named, student: luca),
            TestSchool.event("lesson.cancelled", TestSchool.lessonRecord("DEU", "2026-12-01T08:40"), student: luca)
        )
        let (left, removed) = Self.forgetting(runner.memory)
        #expect(removed == 1)
        #expect(!left.json.contains("Anna Rossi"))
        #expect(left.json.contains("DEU"))
    }
}
