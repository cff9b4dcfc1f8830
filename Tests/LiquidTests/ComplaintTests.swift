import Liquid
import Testing
import Values

struct ComplaintTests {
    @Test(arguments: [
        ("{{ a", "{{", "'{{' is never closed"),
        ("{% if a", "{%", "'{%' is never closed"),
        ("{% if a %}x", "{% if a %}", "'if' is never closed"),
        ("{% for a in b %}{% if c %}{% endfor %}", "{% if c %}", "'if' is never closed"),
        ("x{% endif %}", "{% endif %}", "'endif' closes nothing here"),
        ("{% else %}", "{% else %}", "'else' stands outside the block it belongs to"),
        ("{% whn 1 %}", "whn", "there is no tag 'whn'"),
        ("{% %}", "{% %}", "a tag without a name"),
        ("{{ a | upcas }}", "upcas", "there is no filter 'upcas'"),
        ("{{ a | append }}", "append", "'append' takes one argument, not 0"),
        ("{{ a | slice }}", "slice", "'slice' takes 1 to 2 arguments, not 0"),
        ("{{ a | upcase: 1 }}", "upcase", "'upcase' takes no argument, not 1"),
        ("{{ a | default: 1, allow: true }}", "default", "'default' has no argument 'allow'"),
        ("{{ a | date: 'medum' }}", "date", "'date' has no style 'medum'"),
        ("{{ a b }}", "b", "'b' is not expected here"),
        ("{{ 'a }}", "'a ", "this text is never closed"),
        ("{{ a | default: “x” }}", "“", "'“' is a typographic quote"),
        ("{{ a\u{A0}| upcase }}", "\u{A0}", "this is a no-break space"),
        ("{% if a = 1 %}{% endif %}", "=", "'=' does not compare"),
        ("{% if a && b %}{% endif %}", "&&", "there is no '&&'"),
        ("{% if !a %}{% endif %}", "!", "there is no '!'"),
        ("{% if a | size > 1 %}{% endif %}", "|", "a condition takes no filters"),
        ("{{ a + 1 }}", "+", "there is no operator '+'"),
        ("{{ a. }}", "", "the name of a field is expected here, but nothing follows"),
        ("{% for a of b %}{% endfor %}", "of", "'in' is expected here, but found 'of'"),
        ("{% for a in b limt: 1 %}{% endfor %}", "limt", "a loop has no argument 'limt'"),
        ("{% render name %}", "name", "'render' takes the partial's name in quotes"),
        ("{% render 'x' %}", "{% render 'x' %}", "there is no partial 'x'"),
        ("{%- # a\n b -%}", "b", "a line of a comment does not start with '#'"),
        ("{% raw %}x", "{% raw %}", "'raw' is never closed"),
        ("ä{{ a | ö }}", "ö", "'ö' is not expected here"),
    ])
    func `a mistake is told with its place`(source: String, excerpt: String, message: String) {
        let complaints = Rendering.complaints(source)
        #expect(complaints.map(\.message) == [message])
        if let first = complaints.first { #expect(Rendering.excerpt(first.span, of: source) == excerpt) }
    }

    @Test(arguments: [
        ("{{ a | upcas }}", "did you mean 'upcase'?"),
        ("{% iff a %}", "did you mean 'if'?"),
        ("{{ a | date: 'medum' }}", "did you mean 'medium'?"),
        ("{% if a = 1 %}{% endif %}", "write '=='"),
        ("{% if a %}", "add {% endif %}"),
        ("{{ a * 2 }}", "use a filter: plus, minus, times, divided_by, modulo"),
    ])
    func `a mistake is told with its cure`(source: String, cure: String) {
        #expect(Rendering.complaints(source).first?.cures.first == cure)
    }

    @Test func `all mistakes are told at once`() {
        let source = "{{ a | x1 }}{% if %}{{ 'b }}{% endif %}{% foo %}{{ c | append }}"
        #expect(Rendering.complaints(source).map(\.span.lowerBound) == [7, 17, 23, 42, 55])
    }

    @Test func `a lax template passes over filters that nobody knows`() throws {
        #expect(try Rendering.render("{{ 'a' | nope }}{{ b }}", options: LiquidOptions(strictness: .lax)) == "a")
    }
}
