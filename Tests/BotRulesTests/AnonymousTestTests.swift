import BotCore
import BotRules
import Testing
import Values

/// What `record --anonymous` gives away.
@Suite struct AnonymousTestTests {
    static func written(_ fields: ValueMap, isAnonymous: Bool = true) -> String {
        let record = Record(key: "4711", type: "item", fields: fields)
        let event = TestSchool.event("item.added", record)
        return TestRecording.test(of: event, told: [], zone: TestSchool.rome, isAnonymous: isAnonymous)
    }

    private static let personal: [(String, Value)] = [
        ("phone", "+39 333 1234567"), ("matricola", "20231187"), ("key", "4711"), ("number", .int(393_331_234_567)),
        ("pupil_id", .int(4711)), ("values", ["phone": "0471 123456"]), ("values", ["Anna Rossi": 3]),
        ("values", ["anna.rossi": true]),
    ]

    private static let usual: [(String, Value)] = [
        ("mark", "7.5"), ("date", "2026-12-01"), ("due", "2026-12-01"), ("time", "07:50–08:40"), ("period", "3–4"),
        ("value", .int(7)), ("subject", "MAT"),
    ]

    @Test(arguments: personal)
    func `numbers and names of persons are replaced wherever they stand`(field: String, value: Value) {
        let text = Self.written(ValueMap([(.string(field), value)]))
        for secret in ["333 123", "20231187", "4711", "39333", "0471", "Anna", "anna."] {
            #expect(!text.contains(secret), "\(text)")
        }
    }

    @Test(arguments: usual)
    func `what rules ask for stays`(field: String, value: Value) {
        #expect(Self.written(ValueMap([(.string(field), value)])).contains("\(field): \(value.json)"))
    }

    @Test func `names of a foreign list that mean something in YAML are quoted`() {
        let text = Self.written(["values": ["a: b}": 1, "5": 2]], isAnonymous: false)
        #expect(text.contains("{\"a: b}\": 1, \"5\": 2}"), "\(text)")
    }
}
