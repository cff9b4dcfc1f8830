import Liquid
import Testing
import Values

struct StrictTests {
    @Test(arguments: [
        ("{{ a }}", "a"), ("x {{ b.c.d }}", "b.c.d"), ("{{ list[3] }}", "list[3]"), ("{{ a | upcase }}", "a"),
        ("{% assign y = a | upcase %}", "a"), ("{% assign y = a %}{{ y }}", "y"), ("{% echo b.x %}", "b.x"),
        ("{{ a | default: b.x }}", "b.x"),
    ])
    func `printing what is missing is an error with its place`(source: String, path: String) throws {
        let error = try #require(try Rendering.error(source, ["b": ["c": nil], "list": [1]]))
        #expect(error.reason == .missing)
        #expect(error.message == "'\(path)' is missing")
        #expect(Rendering.excerpt(error.span, of: source) == path)
    }

    @Test(arguments: [
        ("{% if a %}x{% else %}-{% endif %}", "-"), ("{{ a | default: '-' }}", "-"),
        ("{{ a | strip | default: '-' }}", "-"),
        ("{% for x in a %}{{ x }}{% else %}-{% endfor %}", "-"), ("{% unless a.b == 1 %}-{% endunless %}", "-"),
        ("{% assign y = a %}{% if y == nil %}-{% endif %}", "-"), ("{{ nothing }}-", "-"),
        ("{% case a %}{% else %}-{% endcase %}", "-"),
    ])
    func `asking for what is missing, and null, are no errors`(source: String, text: String) throws {
        #expect(try Rendering.render(source, ["nothing": nil]) == text)
    }

    @Test(arguments: [
        ("{{ 1 | divided_by: 0 }}", "'divided_by' divides by zero", "divided_by"),
        ("{% if 1 < 'a' %}{% endif %}", "'<' cannot compare an int with a string", "1 < 'a'"),
        ("{{ 'x' | base64_decode }}", "this is not Base64 of a text", "base64_decode"),
        (
            "{% for i in (1..3) limit: 'x' %}{% endfor %}", "'limit' is not a whole number",
            "{% for i in (1..3) limit: 'x' %}"
        ),
    ])
    func `what cannot be worked with is an error with its place`(source: String, message: String, excerpt: String)
        throws
    {
        let error = try #require(try Rendering.error(source))
        #expect(error.reason == .unsuitable)
        #expect(error.message == message)
        #expect(Rendering.excerpt(error.span, of: source) == excerpt)
    }

    @Test func `an error inside a partial names it`() throws {
        let options = LiquidOptions(partials: ["p": "..{{ x }}"])
        let error = try #require(try Rendering.error("{% render 'p' %}", options: options))
        #expect(error.partial == "p")
        #expect(error.description == "partial 'p': 'x' is missing")
        #expect(error.span == 5..<6)
    }

    @Test func `errors do not tell values`() throws {
        let secret: Value = "Anna Rossi"
        for source in ["{% if s < 1 %}{% endif %}", "{{ s | base64_decode }}", "{% include s %}", "{{ s | slice: s }}"]
        {
            let error = try #require(try Rendering.error(source, ["s": secret]))
            #expect(!error.description.contains("Anna"))
        }
    }
}
