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

    /// Values that are alike on paper: texts with quotes and marks in them, numbers with one digit more, maps in another order.
    static let doubles: [Value] =
        values + [
            "a", "a\"", "a\",\"b\":\"c", "a\\", "$", "", "\n", "\u{2028}", 0, 10, 12, -1, 1.5, 1.25, 15, 1e21, false,
            "true", "null", "1",
            .int(.max), .int(.min), [], [[]], ["a"], ["a", "b"], ["a\",\"b"], [1, 2], [12], [:], ["a": 1],
            ["a": 1, "b": 2], ["b": 2, "a": 1],
            ["a": "1,\"b\":2"], ["a\":1,\"b": 2], ["$": "uint", "is": "18446744073709551615"],
            ["$": "double", "is": "nan"], ["a": [:]],
            ["a": ["b": 1]], ["a": nil], ["": 1],
        ]

    @Test(arguments: doubles) func `a value is taken for what is stored only where both are equal`(value: Value) {
        for other in Self.doubles {
            let isWritten = isWritten(value, as: StoredValue.text(of: other))
            #expect(!isWritten || value == other, "\(value) and \(other)")
        }
    }

    @Test func `what is stored without an escape is known again`() {
        let plain: [Value] = [
            nil, true, -12, 0, .int(.min), 1.5, -0.0, 1e21, "Äpfel, 1. Stunde", ["Mathe", 3, [:], []],
            ["room": "R1", "ids": [900_123]],
            .timestamp(Timestamp(seconds: -5, nanoseconds: 999)), ["cost": "$5", "length": .duration(.minutes(50))],
        ]
        for value in plain { #expect(isWritten(value, as: StoredValue.text(of: value)), "\(value)") }
    }

    @Test func `what only begins like a value, or is cut off, is not taken for it`() {
        let text = StoredValue.text(of: ["a": ["b", 12, true, 1.5]])
        for end in 1..<text.count { #expect(!isWritten(["a": ["b", 12, true, 1.5]], as: String(text.prefix(end)))) }
        #expect(!isWritten(["a": 1], as: "{\"a\":1}}"))
        #expect(!isWritten(1, as: "01"))
        #expect(!isWritten(.int(.max), as: "92233720368547758070"))
        #expect(!isWritten("", as: ""))
    }

    private func isWritten(_ value: Value, as text: String) -> Bool {
        var text = text
        return text.withUTF8 { StoredValueMatching.isWritten(value, as: $0) }
    }

    @Test func `a text that is no stored value is damage`() {
        #expect(throws: (any Error).self) { try StoredValue.value(of: "{") }
    }
}
