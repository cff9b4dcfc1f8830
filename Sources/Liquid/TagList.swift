/// A tag as the reference shows it.
struct TagDeclaration: Sendable {
    let name: String
    let syntax: String
    let documentation: String
    /// A template with it; nil where it needs what rules do not have.
    let template: String?
    let output: String

    init(_ name: String, _ syntax: String, _ documentation: String, _ template: String?, _ output: String = "") {
        self.name = name
        self.syntax = syntax
        self.documentation = documentation
        self.template = template
        self.output = output
    }

    /// All tags that the parser knows, by name; suggestions for misspelt ones come from here.
    static let all: [TagDeclaration] = [
        TagDeclaration(
            "assign",
            "{% assign name = value %}",
            "A variable.",
            #"{% assign name = "Anna" %}{{ name }}"#,
            "Anna"
        ),
        TagDeclaration(
            "break",
            "{% break %}",
            "Ends the loop around it.",
            "{% for i in (1..9) %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}",
            "12"
        ),
        TagDeclaration(
            "capture",
            "{% capture name %}…{% endcapture %}",
            "A variable that holds what is printed within.",
            #"{% capture name %}Anna {{ "Muster" }}{% endcapture %}{{ name }}"#,
            "Anna Muster"
        ),
        TagDeclaration(
            "case",
            "{% case value %}{% when a, b %}…{% else %}…{% endcase %}",
            "What fits the value.",
            #"{% assign state = "cancelled" %}{% case state %}{% when "cancelled" %}entfällt{% when "moved", "replaced" %}geändert{% else %}wie geplant{% endcase %}"#,
            "entfällt"
        ),
        TagDeclaration(
            "comment",
            "{% comment %}…{% endcomment %}",
            "Prints nothing.",
            "a{% comment %} nicht zu sehen {% endcomment %}b",
            "ab"
        ),
        TagDeclaration(
            "continue",
            "{% continue %}",
            "Goes on with the next round.",
            "{% for i in (1..3) %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}",
            "13"
        ),
        TagDeclaration(
            "cycle",
            #"{% cycle "a", "b" %}"#,
            "One after the other, each time it is reached.",
            #"{% for i in (1..3) %}{% cycle "a", "b" %}{% endfor %}"#,
            "aba"
        ),
        TagDeclaration(
            "decrement",
            "{% decrement name %}",
            "A counter of its own that goes down from -1, and prints it.",
            "{% decrement n %} {% decrement n %}",
            "-1 -2"
        ),
        TagDeclaration(
            "doc",
            "{% doc %}…{% enddoc %}",
            "A comment about the template itself.",
            "a{% doc %} Wofür das ist {% enddoc %}b",
            "ab"
        ),
        TagDeclaration(
            "echo",
            "{% echo value %}",
            "The same as `{{ value }}`.",
            #"{% echo "Anna" | upcase %}"#,
            "ANNA"
        ),
        TagDeclaration(
            "else",
            "{% else %}",
            "Otherwise: in `if`, `unless`, `case`, and in `for` when the list is empty.",
            "{% if false %}a{% else %}b{% endif %}",
            "b"
        ),
        TagDeclaration(
            "elsif",
            "{% elsif condition %}",
            "Otherwise, if a condition holds.",
            "{% if false %}a{% elsif true %}b{% endif %}",
            "b"
        ),
        TagDeclaration(
            "for",
            "{% for x in list limit: 3 offset: 1 reversed %}…{% else %}…{% endfor %}",
            "Once for each element; `forloop.index`, `.index0`, `.first`, `.last`, `.length`, `.rindex`, `.parentloop` say where.",
            "{% for m in marks limit: 2 %}{{ forloop.index }}. {{ m.subject }}{% unless forloop.last %}, {% endunless %}{% endfor %}",
            "1. MAT, 2. ENG"
        ),
        TagDeclaration(
            "if",
            "{% if condition %}…{% endif %}",
            #"If a condition holds: == != < > <= >= contains and or. Empty texts and lists count as true: ask `!= ""`."#,
            #"{% if marks.size > 2 and marks[0].subject == "MAT" %}viele{% endif %}"#,
            "viele"
        ),
        TagDeclaration(
            "ifchanged",
            "{% ifchanged %}…{% endifchanged %}",
            "Only if it prints something else than in the round before.",
            "{% for x in (1..2) %}{% ifchanged %}a{% endifchanged %}{{ x }}{% endfor %}",
            "a12"
        ),
        TagDeclaration(
            "include",
            #"{% include "name" %}"#,
            "A partial that sees all variables; a host of the language provides partials, rules have none.",
            nil
        ),
        TagDeclaration(
            "increment",
            "{% increment name %}",
            "A counter of its own that goes up from 0, and prints it.",
            "{% increment n %} {% increment n %}",
            "0 1"
        ),
        TagDeclaration(
            "liquid",
            "{% liquid … %}",
            "Several tags, one a line, without their brackets.",
            #"{% liquid\#nassign name = "Anna"\#necho name\#n%}"#,
            "Anna"
        ),
        TagDeclaration(
            "raw",
            "{% raw %}…{% endraw %}",
            "Prints braces as they are.",
            "{% raw %}{{ so }}{% endraw %}",
            "{{ so }}"
        ),
        TagDeclaration(
            "render",
            #"{% render "name", key: value %}"#,
            "A partial that sees its arguments alone.",
            nil
        ),
        TagDeclaration(
            "tablerow",
            "{% tablerow x in list cols: 2 %}…{% endtablerow %}",
            "Rows of an HTML table; in a body they are text.",
            "{% tablerow x in (1..1) %}{{ x }}{% endtablerow %}",
            #"<tr class="row1">\#n<td class="col1">1</td></tr>\#n"#
        ),
        TagDeclaration(
            "unless",
            "{% unless condition %}…{% endunless %}",
            "If a condition does not hold.",
            "{% unless marks.size == 0 %}da{% endunless %}",
            "da"
        ),
        TagDeclaration(
            "when",
            "{% when value, other %}",
            "A branch of `case`.",
            "{% case 2 %}{% when 1, 2 %}klein{% endcase %}",
            "klein"
        ),
    ]
}
