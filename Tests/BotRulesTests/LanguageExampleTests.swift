import BotRules
import Testing

/// The first example of the promise to rule authors.
@Suite struct LanguageExampleTests {
    static let example = """
        # yaml-language-server: $schema=./rules.schema.json
        version: 1
        rules:
          - id: cancelled-3a                        # unique in the installation; keys its memory
            description: Cancelled lessons of the next two days to the class chat
            when:
              event: [lesson.cancelled, lesson.replaced, lesson.moved]
              source: timetable-3a                  # optional; a name or a list
              within: 48h                           # told once the lesson is that near, if still true
            match:                                  # AND over keys; a list is OR; on a list field: any overlap
              lesson.classes: [3A-INF, 3B-INF]
            vars: {early: 'local(lesson.start).hour < 8'}   # CEL, computed in order before `if`; read as vars.early
            if: lesson.subject != "REL"
            group: {by: lesson.date, wait: 5m, max_wait: 20m}
            quiet: {from: "21:30", to: "06:30", then: hold}
            message:
              title: "Ausfall am {{ group.key | date: '%d.%m.' }}"
              body: |
                {% for e in group.events -%}
                - **{{ e.lesson.subject }}** {{ e.lesson.start | date: "%H:%M" }}{% if e.lesson.text %} — {{ e.lesson.text }}{% endif %}
                {% endfor %}
            send: [telegram-3a]

        tests:
          - name: a cancellation tomorrow is told, one in two weeks waits for its day
            now: 2026-11-30T12:00
            events:
              - {event: lesson.cancelled, lesson: {classes: [3A-INF], subject: MAT, date: 2026-12-01, start: "2026-12-01T07:50"}}
              - {event: lesson.cancelled, lesson: {classes: [3A-INF], subject: ITA, date: 2026-12-14, start: "2026-12-14T07:50"}}
            expect:
              - {rule: cancelled-3a, sink: telegram-3a, contains: ["MAT 07:50"], excludes: [ITA]}
            then:
              at: 2026-12-12T12:00
              expect: [{rule: cancelled-3a, contains: ["ITA 07:50"]}]
        """

    @Test(arguments: [true, false])
    func `the example loads without a complaint and its test passes`(isReal: Bool) {
        let file = TestSchool.file(Self.example)
        let installation = isReal ? ShippedRulesTests.installation : TestSchool.installation()
        let set = RuleFiles.load([file], in: installation)
        #expect(set.complaints.isEmpty, "\(set.complaints.map(\.text).joined())")
        let report = RuleTests.run(
            [file],
            in: installation,
            interpret: { _, _, _, _, _ in [] },
            judge: TestSchool.judge
        )
        #expect(report.failed == 0, "\(report.results.flatMap(\.failures).joined(separator: "\n"))")
    }
}
