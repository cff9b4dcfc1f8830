import Liquid
import Testing
import Values

/// Faults that other notifiers' texts had.
struct TextCaseTests {
    private static let lesson = RecordShape(
        "lesson",
        fields: [
            FieldShape("subject", .string), FieldShape("room", .string, optional: true),
            FieldShape("teacher", .string, optional: true),
        ]
    )
    private static let variables = [
        FieldShape("new", .record(lesson)), FieldShape("old", .record(lesson), optional: true),
    ]

    @Test func `TMPL-02 a mistyped name is an error of the file, and what is missing leaves a gap that can be seen`()
        throws
    {
        let wrong = try LiquidTemplate(parsing: "{{ old.room | default: '–' }} → {{ nwe.teacher }}")
        #expect(wrong.check(against: Self.variables).map(\.message) == ["there is no variable 'nwe'"])
        let right = "{{ old.room | default: '–' }} → {{ new.room | default: '–' }}"
        #expect(try LiquidTemplate(parsing: right).check(against: Self.variables).isEmpty)
        let event: ValueMap = ["new": ["subject": "MAT", "room": "T101"], "old": .null]
        #expect(try Rendering.render(right, event) == "– → T101")
    }

    @Test(arguments: LiquidLocale.allCases)
    func `TMPL-10 a year is the calendar's, whatever the machine is set to, and letters of other patterns are told`(
        locale: LiquidLocale
    ) throws {
        #expect(try Rendering.render("{{ d | date: '%d.%m.%Y' }}", ["d": "2025-12-30"], locale: locale) == "30.12.2025")
        #expect(try Rendering.render("{{ d | date: '%G' }}", ["d": "2025-12-30"], locale: locale) == "2026")
        let wrong = Rendering.complaints("{{ new.subject | date: 'dd.MM.YYYY' }}")
        #expect(wrong.map(\.message) == ["'date' has no style 'dd.MM.YYYY'"])
    }

    @Test func `TMPL-11 what is missing takes its brackets with it, and no inner word is ever shown`() throws {
        let unguarded = try LiquidTemplate(parsing: "{{ new.subject }} ({{ new.room }}) – {{ new.teacher }}")
        #expect(unguarded.check(against: Self.variables).count == 2)
        let text =
            "{{ new.subject }}{% if new.room != blank %} ({{ new.room }}){% endif %}"
            + "{% if new.teacher != blank %} – {{ new.teacher }}{% endif %}"
        #expect(try LiquidTemplate(parsing: text).check(against: Self.variables).isEmpty)
        #expect(try Rendering.render(text, ["new": ["subject": "MAT", "room": .null, "teacher": ""]]) == "MAT")
        #expect(
            try Rendering.render(text, ["new": ["subject": "MAT", "room": "T1", "teacher": "BA"]]) == "MAT (T1) – BA"
        )
        let nothing: ValueMap = ["a": .null, "b": [], "c": [.null, ""], "d": ""]
        #expect(try Rendering.render("{{ a }}{{ b }}{{ c }}{{ d }}{{ a | upcase }}", nothing) == "")
    }
}
