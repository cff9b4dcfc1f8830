import BotCore
import BotRules
import Testing
import Values

@Suite struct ExplanationTests {
    static let text = """
        version: 1
        rules:
          - id: moved
            when: {event: lesson.moved}
            message: {title: a}
            send: [terminal]
          - id: class
            when: {event: lesson.cancelled, source: timetable-3a}
            match: {lesson.classes: [4A, 4B]}
            message: {title: a}
            send: [terminal]
          - id: subject
            when: {event: lesson.cancelled, student: Anna}
            match: {lesson.classes: 3A}
            vars: {early: local(lesson.start).hour < 8}
            if: vars.early && lesson.subject != "REL" && lesson.merged < 3
            message: {title: a}
            send: [terminal]
          - id: told
            when: {event: lesson.cancelled}
            message: {title: a}
            send: [terminal]
        """

    @Test func `each rule says what decided, with both values`() {
        let lesson = TestSchool.lessonRecord("REL", "2026-12-01T07:50", classes: ["3A", "2C"])
        let event = TestSchool.event("lesson.cancelled", lesson)
        let book = TestSchool.load(Self.text).book
        let explanations = book.explain(event, in: RuleContext(now: TestSchool.now))
        #expect(explanations.map(\.matches) == [false, false, false, true])
        #expect(explanations[0].lines == ["event: lesson.cancelled is none of lesson.moved"])
        #expect(explanations[1].lines.last == "match lesson.classes: 3A, 2C, wanted 4A or 4B")
        #expect(
            explanations[2].lines == [
                "event: lesson.cancelled", "student: Anna", "match lesson.classes: 3A, 2C, wanted 3A",
                "vars.early: true", "if: false", "  'lesson.subject != \"REL\"' is false (lesson.subject: \"REL\")",
            ]
        )
        #expect(explanations[3].lines == ["event: lesson.cancelled"])
        #expect(book.explain(event, rule: "told", in: RuleContext(now: TestSchool.now)).count == 1)
    }

    @Test func `the coming times of scheduled rules are listed in order`() {
        let book = TestSchool.load(
            """
            version: 1
            rules:
              - id: noon
                when: {at: "12:30", days: [mon-fri]}
                message: {title: a}
                send: [terminal]
              - id: often
                when: {every: 6h}
                message: {title: a}
                send: [terminal]
            """
        ).book
        let context = RuleContext(now: TestSchool.now)
        let slots = book.upcoming(after: TestSchool.now, count: 4, in: context)
        #expect(slots.map(\.rule) == ["noon", "often", "often", "often"])
        let noon = book.upcoming(after: TestSchool.now, rule: "noon", count: 6, in: context)
        #expect(noon.last?.key == "2026-12-07T12:30")
    }

    @Test func `tests tell what they did not reach`() {
        let report = RuleTests.run(
            [
                TestSchool.file(
                    Self.text + """

                        tests:
                          - name: "told <once> # really"
                            now: 2026-11-30T12:00
                            events: [{event: lesson.cancelled, student: Anna, lesson: {classes: [3A], subject: MAT, start: "2026-12-01T07:50"}}]
                            expect: [{rule: subject}, {rule: told, count: 2}]
                        """
                )
            ],
            in: TestSchool.installation(),
            interpret: { _, _, _, _, _ in [] },
            judge: TestSchool.judge
        )
        let gaps = report.coverage.gaps.map { "\($0.rule): \($0.missing.joined(separator: "; "))" }
        #expect(gaps.prefix(2) == ["moved: nothing was ever told", "class: nothing was ever told"])
        #expect(gaps.last?.contains("if: 'lesson.subject != \"REL\"' was never false") == true, "\(gaps)")
        #expect(report.coverage.ruleCount == 4)
        #expect(
            report.tap.hasPrefix("TAP version 13\n1..1\nnot ok 1 - rules/test.yaml: told <once> \\# really\n  # line ")
        )
        #expect(report.junit.contains("<testsuite name=\"rules/test.yaml\" tests=\"1\" failures=\"1\">"))
        #expect(report.junit.contains("name=\"told &lt;once&gt; # really\""))
    }

    /// A rule that matches and reaches nobody is the worst kind of silence.
    @Test func `a match that no family hears of says so, why, and how to mend it`() {
        let book = TestSchool.load(
            """
            version: 1
            rules:
              - id: family
                when: {event: lesson.cancelled}
                message: {title: a}
                send: [family]
              - id: both
                when: {event: lesson.cancelled}
                message: {title: a}
                send: [terminal, family]
            """
        ).book
        let lesson = TestSchool.lessonRecord("MAT", "2026-12-01T07:50")
        let context = RuleContext(now: TestSchool.now)
        func explain(_ student: Student) -> [RuleExplanation] {
            book.explain(TestSchool.event("lesson.cancelled", lesson, student: student), in: context)
        }
        let unknown = explain(Student(id: "12", name: "Muster Anna"))
        #expect(unknown.map(\.matches) == [true, true] && unknown.map(\.hasAudience) == [false, true])
        let why =
            "no family has the student 'Muster Anna'; there are: rossi (Anna, Luca). Write that name under 'families:', "
        #expect(unknown[0].lines.last?.hasPrefix("nobody is told: " + why) == true, "\(unknown[0].lines)")
        #expect(unknown[1].lines.last?.hasPrefix("family: " + why) == true, "\(unknown[1].lines)")
        #expect(explain(.nobody)[0].lines.last?.contains("it is about no student") == true)
        #expect(
            explain(Student(id: "11", name: "Anna")).map(\.lines) == [
                ["event: lesson.cancelled"], ["event: lesson.cancelled"],
            ]
        )
        // The journal says the same of what happened, and keeps nobody's name.
        let event = TestSchool.event("lesson.cancelled", lesson, student: Student(id: "12", name: "Muster Anna"))
        let notes = book.decide(on: [event], in: context).notes.filter { $0.rule == "family" }
        let kept =
            "nobody is told: no family has this student. Write the student's name under 'families:', or the family's name for the "
            + "student as 'student:' of the source"
        #expect(notes.map(\.outcome) == [.skipped] && notes.map(\.reason) == [kept])
    }

    @Test func `a time inside a record is called by the record's name`() {
        let book = TestSchool.load(
            """
            version: 1
            rules:
              - id: soon
                when: {time_of: {field: lesson.start, before: 10m}}
                message: {title: a}
                send: [terminal]
            """
        ).book
        let lesson = TestSchool.lessonRecord("MAT", "2026-12-01T07:50", key: "4711/99")
        let view = SourceView(records: [lesson], takenAt: TestSchool.now)
        let context = RuleContext(now: TestSchool.now, snapshots: ["timetable-3a": view])
        let slots = book.upcoming(after: TestSchool.now, count: 3, in: context)
        #expect(slots.map { book.words(for: $0, in: context) } == ["MAT 07:50, timetable-3a"])
    }
}
