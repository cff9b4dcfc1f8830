import BotCore
import BotRules
import Testing
import Values

/// What waits is told as it is by then, and only if it is still true.
@Suite struct WaitingNewsTests {
    static let digest = "digest: {at: \"18:00\"}"

    static func rule(_ kinds: String, _ more: String, title: String) -> String {
        """
          - id: r
            when: {event: \(kinds)}
            \(more)
            message: {title: "\(title)"}
            send: [terminal]
        """
    }

    static func grade(_ kind: String, _ value: Double, revision: Int64) -> Event {
        var record = TestSchool.gradeRecord("MAT", value)
        record.key = "g"
        return TestSchool.event("grade.\(kind)", record, source: "anna-grades", revision: revision)
    }

    static func lesson(
        _ kind: String,
        _ start: String = "2026-12-02T07:50",
        room: String = "T101",
        state: String = "planned",
        changes: [FieldChange] = [],
        revision: Int64 = 1
    ) -> Event {
        var record = TestSchool.lessonRecord("MAT", start, state: state, key: "k")
        record.fields["room"] = .string(room)
        return TestSchool.event("lesson.\(kind)", record, changes: changes, revision: revision)
    }

    @Test(arguments: ["digest: {at: \"18:00\"}", "quiet: {from: \"11:00\", to: \"18:00\"}"])
    func `a grade that waits is told as it was changed meanwhile, and corrected once`(more: String) {
        var runner = RuleRunner(Self.rule("grade.added", more, title: "{{ grade.subject }} {{ grade.value }}"))
        runner.decide(Self.grade("added", 5, revision: 1))
        runner.decide(Self.grade("changed", 8, revision: 2))
        // An older state that comes late changes nothing.
        runner.decide(Self.grade("changed", 6, revision: 1))
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == ["terminal: MAT 8.0"])
        runner.decide(Self.grade("changed", 9, revision: 3))
        #expect(runner.told() == [])
        runner.decide(Self.grade("removed", 9, revision: 4))
        runner.decide(Self.grade("removed", 9, revision: 5))
        #expect(runner.told() == ["terminal: Korrektur: MAT 8.0"])
    }

    @Test func `a grade and its change in one digest do not contradict each other`() {
        let title = "{{ event.kind }} {{ grade.value }}"
        var runner = RuleRunner(Self.rule("[grade.added, grade.changed]", Self.digest, title: title))
        runner.decide(Self.grade("added", 5, revision: 1))
        runner.decide(Self.grade("changed", 8, revision: 2))
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.messages.flatMap(\.body.values) == ["grade.added 8.0", "grade.changed 8.0"])
    }

    @Test func `what no longer is what the rule asks for is not told`() {
        let more = "if: grade.value < 6.0\n    vars: {mark: string(grade.value)}\n    " + Self.digest
        var runner = RuleRunner(Self.rule("grade.added", more, title: "{{ vars.mark }}"))
        runner.decide(Self.grade("added", 5, revision: 1))
        runner.decide(Self.grade("changed", 4.5, revision: 2))
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == ["terminal: 4.5"])
        var improved = RuleRunner(Self.rule("grade.added", more, title: "{{ vars.mark }}"))
        improved.decide(Self.grade("added", 5, revision: 1))
        improved.decide(Self.grade("changed", 8, revision: 2))
        improved.run(to: "2026-11-30T18:00")
        #expect(improved.told() == [])
        #expect(improved.reasons().last == "not told: the condition 'if' is false by now (grade.changed has come)")
    }

    @Test func `a lesson that was moved meanwhile is told with its new time and in the group of its new day`() {
        let title = "{{ lesson.start | date: '%d.%m. %H:%M' }}"
        var runner = RuleRunner(Self.rule("lesson.added", Self.digest, title: title))
        runner.decide(Self.lesson("added", "2026-12-14T07:50"))
        runner.decide(Self.lesson("moved", "2026-12-07T08:40", revision: 2))
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == ["terminal: 07.12. 08:40"])
        for more in ["", "\n    " + Self.digest] {
            let group = "group: {by: lesson.date, wait: 5m}" + more
            var grouped = RuleRunner(
                Self.rule("lesson.added", group, title: "{{ group.key }} {{ group.events | size }}")
            )
            grouped.decide(Self.lesson("added", "2026-12-14T07:50"))
            grouped.run(to: more.isEmpty ? "2026-11-30T12:01" : "2026-11-30T12:10")
            grouped.decide(Self.lesson("moved", "2026-12-07T08:40", revision: 2))
            grouped.run(to: "2026-11-30T18:00")
            #expect(grouped.told() == ["terminal: 2026-12-07 1"])
        }
    }

    @Test(arguments: [
        ("2026-12-14T07:50", "2026-12-04T07:50", "2026-12-02T07:50"),
        ("2026-12-04T07:50", "2026-12-14T07:50", "2026-12-12T07:50"),
    ])
    func `what waits until its time is near is told when its new time is near`(old: String, new: String, told: String) {
        let title = "{{ lesson.start | date: '%d.%m.' }}"
        var runner = RuleRunner(Self.rule("lesson.added, within: 48h", "", title: title), at: "2026-11-30T12:00")
        runner.decide(Self.lesson("added", old))
        runner.decide(Self.lesson("moved", new, revision: 2))
        #expect(runner.deadline == TestSchool.instant(told))
        runner.run(to: told)
        #expect(runner.told() == ["terminal: \(new.dropFirst(8).prefix(2)).12."])
        runner.run(to: "2026-12-20T12:00")
        #expect(runner.told() == [])
    }

    @Test(arguments: ["room_changed", "moved", "added"])
    func `of a lesson that is off meanwhile nothing else is told`(kind: String) {
        var runner = RuleRunner(Self.rule("lesson.\(kind)", Self.digest, title: "{{ lesson.room }}"))
        runner.decide(Self.lesson(kind, room: "T9"))
        runner.decide(Self.lesson("cancelled", room: "T9", state: "cancelled", revision: 2))
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == [])
        #expect(runner.reasons().last?.hasPrefix("not told: lesson.cancelled has come meanwhile") == true)
    }

    @Test func `what is new and only uncertain by now is still told`() {
        var runner = RuleRunner(Self.rule("lesson.added", Self.digest, title: "{{ lesson.room }}"))
        runner.decide(Self.lesson("added", room: "T9"))
        runner.decide(Self.lesson("room_changed", room: "T10", state: "cancelled", revision: 2))
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == ["terminal: T10"])
    }

    @Test func `a cancellation that waits stays when the cancelled lesson changes`() {
        var runner = RuleRunner(Self.rule("lesson.cancelled", Self.digest, title: "{{ lesson.room }}"))
        runner.decide(Self.lesson("cancelled", room: "T9", state: "cancelled"))
        runner.decide(Self.lesson("room_changed", room: "T10", state: "cancelled", revision: 2))
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == ["terminal: T10"])
        runner.decide(Self.lesson("restored", room: "T10", revision: 3))
        #expect(runner.told() == ["terminal: Korrektur: T10"])
    }

    @Test func `what was undone, or is told anew in the same poll, is told once or not at all`() {
        let rule = Self.rule("lesson.room_changed", Self.digest, title: "{{ lesson.room }}")
        let change = [FieldChange(field: "room", old: "T101", new: "T9")]
        var undone = RuleRunner(rule)
        undone.decide(Self.lesson("room_changed", room: "T9", changes: change))
        undone.decide(Self.lesson("moved", "2026-12-02T08:40", room: "T101", revision: 2))
        undone.run(to: "2026-11-30T18:00")
        #expect(undone.told() == [])
        var anew = RuleRunner(rule)
        anew.decide(Self.lesson("room_changed", room: "T9", changes: change))
        anew.decide(
            Self.lesson("moved", "2026-12-02T08:40", room: "T10", revision: 2),
            Self.lesson("room_changed", "2026-12-02T08:40", room: "T10", revision: 2)
        )
        anew.run(to: "2026-11-30T18:00")
        #expect(anew.told() == ["terminal: T10"])
    }
}
