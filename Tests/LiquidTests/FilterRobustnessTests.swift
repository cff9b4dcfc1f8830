@testable import Liquid
import Testing
import Values

struct FilterRobustnessTests {
    static let values: [Value] = [
        nil, true, .int(.min), .int(.max), -1, .uint(.max), 1e308, .double(.nan), .double(-.infinity), "",
        "ä\r\n🙂 -9.9",
        "9223372036854775808", "2026-11-30T07:50:00Z", .bytes([0, 255]), .timestamp(Timestamp(seconds: .max)),
        .timestamp(Timestamp(seconds: .min)), .duration(TimeSpan(seconds: .min)),
        [[1, [nil, "x"]], ["k": "v"], -2.5], ["k": [1]],
    ]
    static let second: [Value] = [.int(.min), "k"]

    /// Results and errors alike are fine; the process must live.
    private func run(_ template: LiquidTemplate, _ variables: ValueMap) {
        _ = try? template.render(variables, context: Rendering.context(.it))
    }

    @Test(arguments: FilterTable.standard.names)
    func `a filter survives every kind of value`(name: String) throws {
        let arity = try #require(FilterTable.standard[name]).arity
        let limits = LiquidLimits(outputBytes: 10_000, loopSteps: 10_000)
        let calls = ["{{ v | \(name) }}", "{{ v | \(name): a }}", "{{ v | \(name): a, b }}"]
        for (count, call) in calls.enumerated() where arity.contains(count) {
            let template = try LiquidTemplate(parsing: call, options: LiquidOptions(limits: limits))
            for value in Self.values {
                for first in count > 0 ? Self.values : [nil] {
                    for second in count > 1 ? Self.second : [nil] {
                        run(template, ["v": value, "a": first, "b": second])
                    }
                }
            }
        }
    }

    @Test func `ranges, indexes and comparisons survive every kind of value`() throws {
        let source = """
            {% for i in (v..a) limit: 2 %}{{ i }}{% endfor %}{% assign r = (v..a) %}{{ r.size }}{{ r[v] | default: 0 }}{{ r.last | default: 0 }}\
            {% if v == a %}{% elsif v contains a %}{% elsif l[v] %}{% elsif v < a %}{% endif %}{% for i in l limit: v %}{% endfor %}
            """
        let loops = try LiquidTemplate(
            parsing:
                "{% for i in l offset: v %}{% endfor %}{% for i in (a..v) offset: v reversed %}{{ i }}{% endfor %}",
            options: LiquidOptions(limits: LiquidLimits(loopSteps: 1000))
        )
        let table = try LiquidTemplate(parsing: "{% tablerow i in l cols: v %}{{ tablerowloop.row }}{% endtablerow %}")
        let template = try LiquidTemplate(parsing: source)
        for value in Self.values {
            for other in Self.values {
                for template in [template, loops, table] { run(template, ["v": value, "a": other, "l": [1, 2, 3]]) }
            }
        }
    }
}
