import Liquid
import Testing
import Values

struct CheckTests {
    static let grade = RecordShape(
        "grade",
        fields: [
            FieldShape("date", .string), FieldShape("kind", .string), FieldShape("subject", .string),
            FieldShape("subject_long", .string), FieldShape("text", .string, optional: true),
            FieldShape("value", .double),
        ]
    )
    static let lesson = RecordShape(
        "lesson",
        fields: [
            FieldShape("subject", .string), FieldShape("start", .timestamp), FieldShape("teachers", .list(.string)),
            FieldShape("info", .record(RecordShape("info", fields: [FieldShape("title", .string)])), optional: true),
            FieldShape("grades", .list(.record(grade))), FieldShape("extra", .any), FieldShape("period", .int),
        ]
    )
    static let variables: [FieldShape] = [
        FieldShape("grade", .record(grade)), FieldShape("lesson", .record(lesson)),
        FieldShape("old", .record(lesson), optional: true), FieldShape("lessons", .list(.record(lesson))),
    ]

    private func complaints(_ source: String, partials: [String: String] = [:]) throws -> [Complaint] {
        try LiquidTemplate(parsing: source, options: LiquidOptions(partials: partials)).check(against: Self.variables)
    }

    @Test func `a mistyped field is told with its place, the likely one and all there are`() throws {
        let source = "Note: {{ grade.valu | number }}"
        let complaints = try complaints(source)
        #expect(complaints.count == 1)
        #expect(Rendering.excerpt(complaints[0].span, of: source) == "grade.valu")
        #expect(
            complaints[0].lines == [
                "'grade' has no field 'valu'", "did you mean 'grade.value'?",
                "Fields of 'grade': date, kind, subject, subject_long, text, value",
            ]
        )
    }

    @Test func `a mistyped variable is told with the likely one and all there are`() throws {
        let complaints = try complaints("{{ lessn.subject }}")
        #expect(
            complaints.map(\.lines) == [
                ["there is no variable 'lessn'", "did you mean 'lesson'?", "Variables: grade, lesson, lessons, old"]
            ]
        )
    }

    @Test func `variables may be handed over as pairs`() throws {
        let template = try LiquidTemplate(parsing: "{{ grade.valu }}{{ x }}")
        let complaints = template.check(against: [(name: "grade", shape: .record(Self.grade))])
        #expect(complaints.map(\.message) == ["'grade' has no field 'valu'", "there is no variable 'x'"])
    }

    @Test(arguments: [
        "{{ grade.text }}",
        "{{ grade.text | upcase }}",
        "{% assign t = grade.text | upcase %}",
        "{% assign t = grade.text %}{{ t }}",
        "{% if grade.value %}{{ grade.text }}{% endif %}",
        "{% if grade.text or grade.value > 5 %}{{ grade.text }}{% endif %}",
        "{% if grade.text %}{% else %}{{ grade.text }}{% endif %}",
        "{% unless grade.text %}{{ grade.text }}{% endunless %}",
        "{% if grade.text == nil %}{{ grade.text }}{% endif %}",
        "{% if grade.text != 'x' %}{{ grade.text }}{% endif %}",
        "{% if grade.text %}{% endif %}{{ grade.text }}",
        "{{ old.subject }}",
        "{{ grade.text | default: old.subject }}",
        "{{ lesson.info.title }}",
        "{% if old %}{{ old.info.title }}{% endif %}",
        "{{ lesson.teachers[0] }}",
        "{{ lesson.teachers.first }}",
        "{% if lesson.period == 1 %}{% assign x = 1 %}{% endif %}{{ x }}",
        "{% for l in lessons %}{% assign x = 1 %}{% endfor %}{{ x }}",
        "{% for g in lesson.grades %}{{ g.text }}{% endfor %}",
        "{% if grade.text %}{% for grade in lesson.grades %}{{ grade.text }}{% endfor %}{% endif %}",
    ])
    func `an optional value that is printed unguarded is told`(source: String) throws {
        let complaints = try complaints(source)
        #expect(complaints.count == 1)
        #expect(complaints.first?.severity == .error)
        #expect(complaints.first?.message.hasSuffix("may be missing") == true)
    }

    @Test func `the cure of an unguarded optional can be copied`() throws {
        let complaint = try #require(try complaints("{{ grade.text }}").first)
        for cure in complaint.cures {
            let start = try #require(cure.firstIndex(of: "{"))
            let cured = cure[start...].replacing("…", with: "{{ grade.text }}")
            #expect(try complaints(String(cured)).isEmpty)
        }
    }

    @Test(arguments: [
        "{% if grade.text %}{{ grade.text | upcase }}{% endif %}",
        "{{ grade.text | default: '-' }}",
        "{{ grade.text | strip | default: '-' }}",
        "{{ grade.text | default: grade.subject }}",
        "{% if grade.value > 5 and grade.text %}{{ grade.text }}{% endif %}",
        "{% unless grade.text == blank %}{{ grade.text }}{% endunless %}",
        "{% unless grade.text %}{% else %}{{ grade.text }}{% endunless %}",
        "{% if grade.text == nil %}-{% else %}{{ grade.text }}{% endif %}",
        "{% if grade.text == nil or grade.value > 5 %}-{% elsif grade.text != '' %}{{ grade.text }}{% endif %}",
        "{% if grade.text == 'x' %}{{ grade.text }}{% endif %}",
        "{% if grade.text contains 'x' %}{{ grade.text }}{% endif %}",
        "{% case grade.text %}{% when 'x', 'y' %}{{ grade.text }}{% endcase %}",
        "{% if lesson.info.title %}{{ lesson.info.title }}{% endif %}",
        "{% if lesson.info %}{{ lesson.info.title }}{% endif %}",
        "{% assign t = grade.text | default: '' %}{{ t }}",
        "{% if lesson.period == 1 %}{% assign x = 1 %}{% else %}{% assign x = 2 %}{% endif %}{{ x }}",
        "{% if lesson.teachers[0] %}{{ lesson.teachers[0] }}{% endif %}",
        "{% for l in lessons %}{{ forloop.index }} {{ l.subject }}{% endfor %}",
        "{% for l in lessons %}{% if l.start != last %}{{ l.start | date: 'day' }}{% endif %}{% assign last = l.start %}{% endfor %}",
        "{% tablerow l in lessons cols: 2 %}{{ tablerowloop.col }}{{ l.subject }}{% endtablerow %}",
        "{{ lesson.extra.whatever.there.is }}{% for x in lesson.extra %}{{ x.y }}{% endfor %}",
        "{{ lessons | map: 'subject' | join: ', ' }} {{ lesson.grades | average: 'value' | number }}",
        "{% assign first = lessons | where: 'period', 1 | first %}{{ first.subject }}",
        "{% increment n %}{{ n }}{% capture c %}x{% endcapture %}{{ c }}{{ lesson.subject.size }}{{ lessons.size }}",
        "{% for t in old.teachers %}{{ t }}{% endfor %}",
        "{% for i in (1..lesson.period) %}{{ i }}{% endfor %}",
    ])
    func `a guarded or certain value is accepted`(source: String) throws {
        #expect(try complaints(source).map(\.message) == [])
    }

    @Test(arguments: [
        ("{% for x in lesson.subject %}{% endfor %}", "'lesson.subject' is a string, not a list"),
        ("{% for x in lesson.period %}{% endfor %}", "'lesson.period' is an int, not a list"),
        ("{% for x in lesson %}{% endfor %}", "'lesson' is a lesson, not a list"),
        ("{{ lesson.subject.long }}", "'lesson.subject' is string and has no field 'long'"),
        ("{{ lessons.subject }}", "'lessons' is list(lesson) and has no field 'subject'"),
        ("{% for l in lessons %}{{ l.subjct }}{% endfor %}", "'l' has no field 'subjct'"),
        ("{% for l in lessons %}{{ forloop.indx }}{% endfor %}", "'forloop' has no field 'indx'"),
        ("{% for l in lessons %}{% endfor %}{{ l.subject }}", "there is no variable 'l'"),
        ("{{ lessons | map: 'subjct' | join }}", "'lesson' has no field 'subjct'"),
        ("{% assign x = lessons | where: 'perod', 1 %}", "'lesson' has no field 'perod'"),
        ("{% assign x = lessons | first %}{{ x.subjct }}", "'x' has no field 'subjct'"),
        ("{% if lesson.perod == 1 %}{% endif %}", "'lesson' has no field 'perod'"),
        ("{% if lesson.period > '3' %}{% endif %}", "'>' cannot compare int with string"),
        ("{{ lesson.subject | append: lesson.rom }}", "'lesson' has no field 'rom'"),
        ("{% case lesson.stat %}{% when 1 %}{% endcase %}", "'lesson' has no field 'stat'"),
        ("{% cycle lesson.stat %}", "'lesson' has no field 'stat'"),
    ])
    func `what cannot be is told`(source: String, message: String) throws {
        #expect(try complaints(source).map(\.message) == [message])
    }

    @Test func `a record printed whole is a warning`() throws {
        let complaints = try complaints("{{ lesson }}{{ lessons }}")
        #expect(complaints.map(\.severity) == [.warning, .warning])
        #expect(
            complaints.map(\.message) == [
                "'lesson' is a whole 'lesson', not a text", "'lessons' is a list, not a text",
            ]
        )
    }

    @Test func `all mistakes are told at once, in the order of the source`() throws {
        let complaints = try complaints("{{ a }}\n{{ grade.b }}\n{% if c %}{{ grade.text }}{% endif %}")
        #expect(
            complaints.map(\.message) == [
                "there is no variable 'a'", "'grade' has no field 'b'", "there is no variable 'c'",
                "'grade.text' may be missing",
            ]
        )
    }

    @Test func `a rendered partial sees its arguments only, an included one everything`() throws {
        let partials = ["p": "{{ lesson.subject }}{{ x.subjct }}"]
        #expect(
            try complaints("{% render 'p', x: lesson %}", partials: partials).map(\.message) == [
                "partial 'p': there is no variable 'lesson'", "partial 'p': 'x' has no field 'subjct'",
            ]
        )
        #expect(
            try complaints("{% include 'p', x: lesson %}", partials: partials).map(\.message)
                == ["partial 'p': 'x' has no field 'subjct'"]
        )
    }

    @Test func `partials that name each other are checked once`() throws {
        let partials = ["a": "{% include 'b' %}{{ nope }}", "b": "{% include 'a' %}{% include 'a' %}"]
        #expect(
            try complaints("{% include 'a' %}", partials: partials).map(\.message) == [
                "partial 'a': there is no variable 'nope'"
            ]
        )
    }

    @Test func `a lax template's unknown filters are told by the check`() throws {
        let template = try LiquidTemplate(parsing: "{{ 1 | upcas }}", options: LiquidOptions(strictness: .lax))
        #expect(
            template.check(against: [FieldShape]()).map(\.lines) == [
                ["there is no filter 'upcas'", "did you mean 'upcase'?"]
            ]
        )
    }

    @Test func `references follow loops and assignments to the variables handed over`() throws {
        let source = """
            {% assign l = lesson %}{{ l.subject }}{% for e in group.events %}{{ e.lesson.start }}{{ forloop.index }}{% endfor %}
            {% if old %}{{ items[0].name }}{% endif %}{% render 'p', x: student.name %}
            """
        let template = try LiquidTemplate(
            parsing: source,
            options: LiquidOptions(partials: ["p": "{{ x }}{{ hidden }}"])
        )
        let paths = template.references.map { $0.path.joined(separator: ".") }
        #expect(
            Set(paths) == [
                "lesson", "lesson.subject", "group.events", "group.events.[].lesson.start", "old", "items.[].name",
                "student.name",
            ]
        )
        let first = try #require(template.references.first)
        #expect(Rendering.excerpt(first.span, of: source) == "lesson")
    }
}
