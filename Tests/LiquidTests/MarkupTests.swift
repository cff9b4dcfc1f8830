import Liquid
import Testing
import Values

struct MarkupTests {
    private func markup(_ source: String, _ variables: ValueMap = [:]) throws -> (template: String, values: [String]) {
        try LiquidTemplate(parsing: source).renderMarkup(variables, context: Rendering.context())
    }

    @Test func `a value becomes a placeholder and never part of the markup`() throws {
        let (template, values) = try markup(
            "**{{ subject }}** in {{ room }}",
            ["subject": "MAT*", "room": "[R1](http://x)"]
        )
        #expect(template == "**\u{E000}0\u{E001}** in \u{E000}1\u{E001}")
        #expect(values == ["MAT*", "[R1](http://x)"])
    }

    @Test func `data that looks like a placeholder stays text`() throws {
        let forged = "\u{E000}0\u{E001}"
        let source = "{{ a }}{% capture both %}{{ a }}!{{ b }}{% endcapture %}{{ both }}{{ both | upcase }}"
        let (template, values) = try markup(source, ["a": "x", "b": .string(forged)])
        #expect(template == "\u{E000}0\u{E001}\u{E000}1\u{E001}!\u{E000}2\u{E001}\u{E000}3\u{E001}")
        #expect(values == ["x", "x", forged, "X!" + forged])
    }

    @Test(arguments: ["\u{E000}", "a\u{E001}b", "{{ '\u{E000}' }}", "{% raw %}\u{E001}{% endraw %}"])
    func `a template cannot contain the placeholder's characters`(source: String) {
        let complaints = Rendering.complaints(source)
        #expect(complaints.map(\.message) == ["U+E000 and U+E001 cannot stand in a template"])
        #expect(Rendering.excerpt(complaints[0].span, of: source).unicodeScalars.count == 1)
    }

    @Test func `a partial cannot contain them either`() {
        let options = LiquidOptions(partials: ["p": "line\n \u{E000}"])
        #expect(
            Rendering.complaints("{% render 'p' %}", options: options).map(\.message)
                == ["partial 'p', line 2, column 2: U+E000 and U+E001 cannot stand in a template"]
        )
    }

    @Test func `captured markup stays markup as long as no filter touches it`() throws {
        let source =
            "{% capture line %}- **{{ a }}**{% endcapture %}{% assign same = line %}{{ same }}|{{ line | append: '!' }}"
        let (template, values) = try markup(source, ["a": "*x*"])
        #expect(template == "- **\u{E000}0\u{E001}**|\u{E000}1\u{E001}")
        #expect(values == ["*x*", "- ***x***!"])
    }

    @Test func `conditions and cases read captured markup as plain text`() throws {
        let source = """
            {% capture c %}{{ a }}{% endcapture %}{% if c == 'x' %}same{% endif %}{% if c contains 'x' %} has{% endif %}\
            {% case c %}{% when 'x' %} case{% endcase %}{% if c.size == 1 %} size{% endif %}
            """
        #expect(try markup(source, ["a": "x"]).template == "same has case size")
    }

    @Test func `echo, cycle and counters print values too`() throws {
        let source = "{% echo a %}{% cycle a, 'y' %}{% increment n %}{% decrement n %}"
        let (template, values) = try markup(source, ["a": "<b>"])
        #expect(template == "\u{E000}0\u{E001}\u{E000}1\u{E001}\u{E000}2\u{E001}\u{E000}3\u{E001}")
        #expect(values == ["<b>", "<b>", "0", "0"])
    }

    @Test func `an unchanged value is not shown again, whatever its placeholder`() throws {
        let source = "{% for x in list %}{% ifchanged %}{{ x }},{% endifchanged %}{% endfor %}"
        let (template, values) = try markup(source, ["list": ["a", "a", "b"]])
        #expect(template == "\u{E000}0\u{E001},\u{E000}2\u{E001},")
        #expect(values == ["a", "a", "b"])
    }

    @Test func `partials pass captured markup on`() throws {
        let options = LiquidOptions(partials: ["p": "> {{ text }}"])
        let template = try LiquidTemplate(
            parsing: "{% capture t %}*{{ a }}*{% endcapture %}{% render 'p', text: t %}",
            options: options
        )
        let (text, values) = try template.renderMarkup(["a": "v"], context: Rendering.context())
        #expect(text == "> *\u{E000}0\u{E001}*")
        #expect(values == ["v"])
    }

    @Test func `filling the placeholders gives what a plain render gives`() throws {
        let source = """
            {% for l in lessons -%}
            {% capture line %}{{ forloop.index }}. {{ l.subject | upcase }}{% if l.text %} ({{ l.text }}){% endif %}{% endcapture %}
            {{ line }} {{ line | size }}
            {% endfor %}
            """
        let lessons: Value = [["subject": "mat", "text": "a & b"], ["subject": "äöü"]]
        let template = try LiquidTemplate(parsing: source)
        let plain = try template.render(["lessons": lessons], context: Rendering.context())
        var (text, values) = try template.renderMarkup(["lessons": lessons], context: Rendering.context())
        for (index, value) in values.enumerated() { text = text.replacing("\u{E000}\(index)\u{E001}", with: value) }
        #expect(text == plain)
    }
}
