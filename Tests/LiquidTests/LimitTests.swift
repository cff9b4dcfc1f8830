import Liquid
import Testing
import Values

struct LimitTests {
    private static let small = LiquidOptions(
        partials: [
            "self": "{% include 'self' %}", "twice": "{% include 'twice' %}{% include 'twice' %}",
            "rendered": "x{% render 'rendered' %}",
        ],
        limits: LiquidLimits(outputBytes: 10_000, loopSteps: 10_000, nesting: 20)
    )

    @Test(arguments: [
        "{% for i in (1..1000000000000) %}{% endfor %}",
        "{% for i in (1..1000) %}{% for j in (1..1000) %}{% endfor %}{% endfor %}",
        "{% for i in (-9223372036854775807..9223372036854775807) %}{% endfor %}",
        "{{ (1..1000000000000) | join }}",
        "{{ (-9223372036854775807..9223372036854775807) | reverse }}",
        "{% tablerow i in (1..100000000) %}{% endtablerow %}",
        "{% for i in (1..9999) %}0123456789{% endfor %}",
        "{% assign s = 'x' %}{% for i in (1..100) %}{% assign s = s | append: s %}{% endfor %}",
        "{% assign s = 'ab' %}{% for i in (1..100) %}{% assign s = s | replace: '', s %}{% endfor %}",
        "{% capture s %}x{% endcapture %}{% for i in (1..100) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}",
        "{% assign l = 'a,b' | split: ',' %}{% for i in (1..100) %}{% assign l = l | concat: l %}{% endfor %}",
        "{% assign s = 'x' %}{% for i in (1..9) %}{% assign s = s | append: s %}{% endfor %}{% for i in (1..9999) %}{% assign t = s | upcase %}{% endfor %}",
        "{% for i in (1..2000) %}" + String(repeating: "{% assign x = 1 %}", count: 10) + "{% endfor %}",
        "{% for i in (1..2000) %}{{ ''" + String(repeating: " | upcase", count: 10) + " }}{% endfor %}",
        "{% for i in (1..2000) %}{% if true" + String(repeating: " and true", count: 10) + " %}{% endif %}{% endfor %}",
        "{% include 'self' %}",
        "{% include 'twice' %}",
        "{% render 'rendered' %}",
        "{{ 'now' | date: '%99999999999999999999d%100d' | append: '' }}{% for i in (1..9999) %}{{ 'now' | date: '%100d' }}{% endfor %}",
    ])
    func `a template that would take for ever is stopped`(source: String) throws {
        let template = try LiquidTemplate(parsing: source, options: Self.small)
        for isMarkup in [false, true] {
            do throws(LiquidError) {
                if isMarkup {
                    _ = try template.renderMarkup([:], context: Rendering.context())
                } else {
                    _ = try template.render([:], context: Rendering.context())
                }
                Issue.record("it was not stopped")
            } catch {
                #expect(error.reason == .limit)
            }
        }
    }

    private static let long = String(repeating: "äö ü", count: 800)
    private static let data: ValueMap = [
        "long": .string(long), "short": "x", "maps": [["k": .list(Array(repeating: 1, count: 1000))]],
        "nested": [.list(Array(repeating: 1, count: 500))], "same": [.list(Array(repeating: 1, count: 500))],
    ]
    private static let many =
        "{% assign l = long | split: '#' %}{% for i in (1..9) %}{% assign l = l | concat: l %}{% endfor %}"

    @Test(arguments: [
        "{% capture s %}{{ long }}{% endcapture %}{% for i in (1..100) %}{{ s }}{% endfor %}",
        "{% capture s %}{{ long }}{% endcapture %}{% capture t %}{{ s }}{{ s }}{{ s }}{% endcapture %}{{ t | size }}",
        many + "{{ l }}",
        many + "{{ 'a' | replace: l, '' }}",
        many + "{{ short | date: l }}",
        many + "{{ l | where: 'q' | size }}",
        many + "{{ l | sort | size }}",
        many + "{{ l | sort_natural | size }}",
        many + "{{ l | uniq | size }}",
        many + "{% if l contains 'q' %}{% endif %}" + many
            + "{% if l contains long %}{% endif %}{{ l | map: 'q' | size }}",
        "{% for i in (1..6) %}{% assign maps = maps | concat: maps %}{% endfor %}{{ maps | map: 'k' | average }}",
        "{% for i in (1..1000) %}{% if nested == same %}{% endif %}{% endfor %}",
        "{% for i in (1..1000) %}{% case nested %}{% when same %}{% endcase %}{% endfor %}",
        "{% for i in (1..2000) %}{% assign n = long.size %}{% endfor %}",
        "{% for i in (1..2000) %}{{ '' | remove: long }}{% endfor %}",
        "{% for i in (1..2000) %}{% if short contains long %}{% endif %}{% endfor %}",
        "{% for i in (1..1000) %}{{ '' | default: ''" + String(repeating: ", allow_false: true", count: 50)
            + " }}{% endfor %}",
        "{% for i in (1..1000) %}{% cycle ''" + String(repeating: ", ''", count: 1000) + " %}{% endfor %}",
    ])
    func `long texts and lists in lists cannot be read for ever either`(source: String) throws {
        let template = try LiquidTemplate(parsing: source, options: Self.small)
        for isMarkup in [false, true] {
            #expect(throws: LiquidError.self) {
                do throws(LiquidError) {
                    if isMarkup {
                        _ = try template.renderMarkup(Self.data, context: Rendering.context())
                    } else {
                        _ = try template.render(Self.data, context: Rendering.context())
                    }
                } catch {
                    #expect(error.reason == .limit)
                    throw error
                }
            }
        }
    }

    @Test func `a template that is too long is refused`() {
        let source = String(repeating: "x", count: LiquidLimits().sourceBytes + 1)
        #expect(Rendering.complaints(source).map(\.message) == ["a template of more than 262144 bytes"])
        #expect(Rendering.complaints(String(source.dropLast())).isEmpty)
    }

    @Test func `of very many mistakes some are told`() throws {
        let names = (0..<2000).map { "{% assign name\($0) = 1 %}" }.joined()
        let template = try LiquidTemplate(parsing: names + String(repeating: "{{ b }}", count: 20_000))
        let complaints = template.check(against: [FieldShape]())
        #expect(complaints.count == 200)
        #expect(complaints.first?.message == "there is no variable 'b'")
        let longName = String(repeating: "upcas", count: 40_000)
        #expect(Rendering.complaints("{{ 1 | \(longName) }}").map(\.cures) == [[]])
    }

    @Test(arguments: [
        (String(repeating: "{% if a %}", count: 5000), "blocks are nested more than 64 deep"),
        ("{{ " + String(repeating: "a[", count: 5000) + " }}", "brackets are nested more than 64 deep"),
        ("{{ " + String(repeating: "(", count: 5000) + " }}", "brackets are nested more than 64 deep"),
        ("{{ a" + String(repeating: ".b", count: 65) + " }}", "a path of more than 64 steps"),
        ("{% " + String(repeating: "liquid ", count: 5000) + " %}", "blocks are nested more than 64 deep"),
    ])
    func `a template that is nested too deeply is refused`(source: String, message: String) {
        #expect(Rendering.complaints(source).contains { $0.message == message })
    }

    @Test func `the deepest template that is accepted is rendered`() throws {
        let count = LiquidLimits().nesting
        let source =
            String(repeating: "{% if true %}", count: count) + "x" + String(repeating: "{% endif %}", count: count)
        #expect(try Rendering.render(source) == "x")
    }

    @Test func `partials that name each other without end are stopped, within the usual limits too`() throws {
        let open = "{% if true %}{% for i in (1..2) %}{% case 1 %}{% when 1 %}{% capture x %}"
        let close = "{% endcapture %}{% endcase %}{% endfor %}{% endif %}"
        var partials: [String: String] = [:]
        for number in 0..<300 { partials["p\(number)"] = open + "{% include 'p\((number + 1) % 300)' %}" + close }
        let options = LiquidOptions(partials: partials)
        #expect(try Rendering.error("{% include 'p0' %}", options: options)?.reason == .limit)
        let template = try LiquidTemplate(parsing: "{% include 'p0' %}{{ x }}", options: options)
        #expect(template.check(against: [FieldShape]()).map(\.message) == ["'x' may be missing"])
    }

    @Test func `long flat templates are no problem`() throws {
        let condition = "{% if " + Array(repeating: "true", count: 5000).joined(separator: " and ") + " %}x{% endif %}"
        let filters = "{{ 'y'" + String(repeating: " | upcase", count: 5000) + " }}"
        let path = "{{ a" + String(repeating: ".b", count: 64) + " | default: 'z' }}"
        #expect(try Rendering.render(condition + filters + path) == "xYz")
    }

    @Test func `a list of 300 lessons stays far within the limits`() throws {
        let lessons = Value.list((0..<300).map { ["subject": .string("S\($0 % 9)"), "period": .int(Int64($0 % 10))] })
        let source = """
            {% for l in lessons %}{% assign same = lessons | where: 'subject', l.subject %}{{ l.subject }} {{ same | size }}
            {% endfor %}
            """
        #expect(try Rendering.render(source, ["lessons": lessons]).hasPrefix("S0 34\nS1 34\n"))
    }

    @Test(arguments: 1...20)
    func `templates put together at random are refused or rendered, and never crash`(seed: Int) {
        let parts = [
            "{{", "}}", "{%", "%}", "{{-", "-%}", "-", " ", "\n", "if ", "endif", "for x in (1..3)", "endfor", "case a",
            "when 1",
            "endcase", "assign a = ", "capture c", "endcapture", "raw", "endraw", "comment", "endcomment", "liquid ",
            "a", ".b", "[0]",
            "[a]", "'t'", "\"", "'", "1", "-2.5", "| upcase", "| split: ''", "| date: '%c %U %z'", "| slice: -1, 9",
            ": ", ", ", "..",
            "(", ")", "ä", "🙂", "\u{E000}", "\u{0}", "cycle a, 'b'", "include 'p'", "render 'p' for a", "else",
            "| sort", "| relative",
            "| number: 3", "| average", "tablerow x in a cols: 2", "endtablerow", "increment a", "== ", "contains ",
            "#", "break", "\r\n",
        ]
        var generator = SeededGenerator(seed: UInt64(seed))
        let options = LiquidOptions(
            strictness: seed.isMultiple(of: 2) ? .lax : .strict,
            partials: ["p": "{{ p | default: 1 }}"],
            limits: LiquidLimits(outputBytes: 10_000, loopSteps: 10_000)
        )
        let data: ValueMap = ["a": ["x", 1, nil, 2.5, ["b": "2026-11-30"]], "x": "ä\r\nb"]
        for _ in 0..<60 {
            let source = (0..<Int.random(in: 1...14, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined()
            for wrapped in [
                source, "{{ a \(source) }}", "{% \(source) %}{% endif %}", "{% if \(source) %}x{% endif %}",
            ] {
                guard let template = try? LiquidTemplate(parsing: wrapped, options: options) else { continue }
                _ = template.check(against: [(name: "a", shape: .list(.any))])
                _ = template.references
                _ = try? template.render(data, context: Rendering.context())
                _ = try? template.renderMarkup(data, context: Rendering.context())
            }
        }
    }
}
