import Liquid
import Testing
import Values

/// Every tag and the corners of the standard filters, in the words of people who write rules.
struct TagTests {
    static let variables: ValueMap = [
        "lessons": [
            ["subject": "MAT", "period": 1, "text": "Ausfall"], ["subject": "GER", "period": 2],
            ["subject": "ENG", "period": 3],
        ],
        "names": ["Rossi", "Gruber"], "empty_list": [], "name": "Anna", "umlauts": "Äpfel",
    ]

    @Test(arguments: [
        ("{% assign x = name | upcase %}{{ x }}", "ANNA"),
        ("{% capture x %}<{{ name }}>{% endcapture %}{{ x | size }}", "6"),
        ("{% if name == 'x' %}a{% elsif names contains 'Rossi' %}b{% else %}c{% endif %}", "b"),
        ("{% unless name == 'x' %}a{% else %}b{% endunless %}", "a"),
        ("{% case name %}{% when 'x' or 'Anna' %}a{% else %}b{% endcase %}", "a"),
        (
            "{% for l in lessons %}{{ l.subject }}{% unless forloop.last %}, {% endunless %}{% endfor %}",
            "MAT, GER, ENG"
        ),
        ("{% for l in empty_list %}x{% else %}none{% endfor %}", "none"),
        ("{% for l in lessons %}{% if l.period == 2 %}{% continue %}{% endif %}{{ l.period }}{% endfor %}", "13"),
        ("{% for l in lessons %}{% if l.period == 2 %}{% break %}{% endif %}{{ l.period }}{% endfor %}", "1"),
        ("{% for l in lessons reversed limit: 2 offset: 1 %}{{ l.period }}{% endfor %}", "32"),
        (
            "{% for i in (1..2) %}{% for j in (1..2) %}{{ forloop.parentloop.index }}{{ j }} {% endfor %}{% endfor %}",
            "11 12 21 22 "
        ),
        ("{% for i in (1..4) %}{% cycle 'a', 'b' %}{% endfor %}", "abab"),
        ("{% increment n %}{% increment n %}{% decrement n %}", "011"),
        ("{% comment %}{{ broken {% endcomment %}a{# no comment #}", "a{# no comment #}"),
        ("{% # a note %}a{% raw %}{{ name }}{% endraw %}", "a{{ name }}"),
        ("{% liquid\n assign x = 1\n if x == 1\n echo 'one'\n endif %}", "one"),
        ("a  {%- if true -%}  b  {%- endif -%}  c {{- name -}} d", "abcAnnad"),
        ("{% if true %}  {% assign x = 1 %}\n{% endif %}|", "|"),
        (
            "{% render 'greet', who: name %}{% render 'greet' for names as who %}",
            "Hallo Anna!Hallo Rossi!Hallo Gruber!"
        ),
        ("{% include 'greet' with name as who %}", "Hallo Anna!"),
        ("{% for n in names %}{% ifchanged %}{{ n | size | at_least: 6 }}{% endifchanged %}{% endfor %}", "6"),
        ("{{ lessons | where: 'text' | map: 'subject' | join }}", "MAT"),
        (
            "{{ umlauts | upcase }} {{ umlauts | slice: 0 }} {{ umlauts | size }} {{ umlauts | truncate: 4, '…' }}",
            "ÄPFEL Ä 5 Äpf…"
        ),
        (
            "{{ 'a\r\nb' | split: '\n' | last }}{{ 'a\r\nb' | strip_newlines }}{{ 'x' | replace_last: 'x', 'y' }}",
            "baby"
        ),
        ("{{ '<b>x</b><!-- c --><script>1</script>' | strip_html }}{{ 'a&b <' | escape }}", "xa&amp;b &lt;"),
        (
            "{{ 0.1 | plus: 0.2 }} {{ 7 | divided_by: 2 }} {{ -7 | modulo: 3 }} {{ 2.345 | round: 2 }} {{ '3.7' | floor }}",
            "0.3 3 2 2.35 3"
        ),
        ("{{ 'a%+1b%-0%zz%4' | url_decode }}{{ '%C3%a4' | url_decode }}", "a% 1b%-0%zz%4ä"),
        ("{{ 9223372036854775807 | plus: 1 }} {{ 'abc' | times: 2 }}", "9.223372036854776e+18 0"),
        ("{{ 'b,a,C' | split: ',' | sort | join }} {{ 'b,a,C' | split: ',' | sort_natural | join }}", "C a b a b C"),
    ])
    func `tags and filters do what they say`(source: String, wanted: String) throws {
        let options = LiquidOptions(partials: ["greet": "Hallo {{ who }}!"])
        #expect(try Rendering.render(source, Self.variables, options: options) == wanted)
    }

    @Test func `one template renders many times, side by side, with the same result`() async throws {
        let template = try LiquidTemplate(parsing: "{% for l in lessons %}{% increment n %}{{ l.subject }}{% endfor %}")
        let wanted = try template.render(Self.variables, context: Rendering.context())
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<50 {
                group.addTask { try? template.render(Self.variables, context: Rendering.context()) }
            }
            for await text in group { #expect(text == wanted) }
        }
    }

    @Test func `instants print in the zone, lists side by side, maps as JSON`() throws {
        let instant = Timestamp(rfc3339: "2026-11-30T06:50:00Z") ?? Timestamp(seconds: 0)
        let variables: ValueMap = [
            "t": .timestamp(instant), "l": [1, "a", 2.0], "m": ["k": [1]], "d": .duration(.minutes(1)),
        ]
        #expect(
            try Rendering.render("{{ t }} {{ l }} {{ m }} {{ d }}", variables)
                == "2026-11-30T07:50:00+01:00 1a2.0 {\"k\":[1]} 60s"
        )
    }
}
