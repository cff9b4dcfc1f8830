import Testing

@testable import BotState
import Values

@Suite struct StoredValueTests {
    static let values: [Value] = [
        .null, true, 1, 1.0, -0.0, 1e300, .double(.nan), .double(.infinity), .uint(.max), "text \u{0} \" ß 👩‍👩‍👧",
        .bytes([0, 255]), .timestamp(Timestamp(seconds: -5, nanoseconds: 999)), .duration(.milliseconds(-1500)),
        [1, [2.5, nil]], ["a": ["b": .timestamp(Timestamp(seconds: 1))]], ["$": "timestamp", "is": "none"],
        .map(ValueMap([(.int(1), "one"), (.bool(true), "yes")])),
    ]

    @Test(arguments: values) func `what is stored comes back as the same kind`(value: Value) throws {
        #expect(try StoredValue.value(of: StoredValue.text(of: value)) == value)
    }

    @Test func `a value that nests deeper than the reader goes still comes back`() throws {
        var value: Value = .timestamp(Timestamp(seconds: 7))
        for level in 0..<400 { value = level % 2 == 0 ? [value] : ["x": value] }
        #expect(try StoredValue.value(of: StoredValue.text(of: value)) == value)
    }

    @Test func `a text that is no stored value is damage`() {
        #expect(throws: (any Error).self) { try StoredValue.value(of: "{") }
    }
}
