@testable import CEL
import Testing
import Values

/// Hostile and accidental extremes: a clear error, no crash, no endless work.
@Suite struct RobustnessTests {
    private static let empty = CELEnvironment(variables: [CELVariable("l", .list(.int)), CELVariable("s", .string)])

    private func complaint(_ source: String) -> String? {
        do throws(CELComplaints) {
            _ = try CELProgram.compile(source, in: Self.empty)
            return nil
        } catch {
            return error.complaints.first?.message
        }
    }

    private func result(_ source: String, _ values: [String: Value] = [:]) throws -> Result<Value, CELError> {
        try CELProgram.compile(source, in: Self.empty).evaluate(CELActivation(values, in: Self.empty))
    }

    @Test(arguments: [
        String(repeating: "(", count: 50_000), String(repeating: "[", count: 50_000),
        String(repeating: "!", count: 50_000) + "true",
        String(repeating: "-", count: 50_000) + "1", String(repeating: "{1:", count: 20_000),
        "1" + String(repeating: " + 1", count: 20_000),
        "l" + String(repeating: "[0]", count: 30_000), "true" + String(repeating: " ? true : true", count: 5000),
        String(repeating: "size(", count: 10_000), "s" + String(repeating: ".trim()", count: 10_000),
        "l" + String(repeating: ".map(x, l", count: 1000),
    ])
    func `deep nesting is refused`(source: String) {
        let message = complaint(source)
        #expect(message != nil)
    }

    @Test(
        arguments: [
            (String(repeating: "1 + (", count: 190) + "1" + String(repeating: ")", count: 190), Value.int(191)),
            (String(repeating: "cel.bind(a, 1, ", count: 190) + "a" + String(repeating: ")", count: 190), .int(1)),
            (
                String(repeating: "true ? ", count: 1) + String(repeating: "(true ? ", count: 180) + "1"
                    + String(repeating: " : 2)", count: 180) + " : 3", .int(1)
            ),
            (
                String(repeating: "[1].map(x, ", count: 150) + "x" + String(repeating: ")", count: 150) + ".size()",
                .int(1)
            ),
        ] as [(String, Value)]
    )
    func `whatever may be nested can be evaluated and explained`(source: String, due: Value) throws {
        #expect(try result(source) == .success(due))
        let program = try CELProgram.compile(source, in: Self.empty)
        #expect(program.explain(CELActivation([:] as [String: Value], in: Self.empty)).result == .success(due))
        #expect(
            try CELProgram.compile(program.canonicalSource, in: Self.empty).canonicalSource == program.canonicalSource
        )
    }

    @Test func `long conditions without depth are fine`() throws {
        let source = "true" + String(repeating: " && l[0] == 1", count: 5000)
        #expect(try result(source, ["l": [1]]) == .success(true))
    }

    @Test func `a hundred thousand characters may be written, and not one more`() throws {
        #expect(try result("1" + String(repeating: " ", count: 99_999)) == .success(1))
        #expect(
            complaint("1" + String(repeating: " ", count: 100_000))
                == "this expression is longer than 100000 characters"
        )
        let umlauts = "'" + String(repeating: "ä", count: 99_990) + "' == ''"
        #expect(try result(umlauts) == .success(false))
    }

    @Test(arguments: [
        "l.all(x, l.all(y, l.all(z, x + y + z >= 0)))",
        "l.map(x, l.map(y, l.map(z, l)))",
        "l.map(x, l).map(x, x.map(y, l))",
        "cel.bind(a, s + s + s + s, cel.bind(b, a + a + a + a, cel.bind(c, b + b + b + b, l.map(x, c + c + c + c))))",
        "l.exists(x, l.exists(y, s.matches('(a*)*b' + string(x))))",
        "l.map(x, s).join(s).size() > 0 && l.map(x, s).join(s).size() > 1 && l.map(x, s).join(s).size() > 2",
        "l.all(x, s.replace('', s).size() > 0)",
        "l.filter(x, l.filter(y, y in l).size() > 0).size() > 0",
    ])
    func `work stops at the cost limit`(source: String) throws {
        let list = Value.list((0..<1000).map { .int($0) })
        let result = try result(source, ["l": list, "s": .string(String(repeating: "a", count: 2000))])
        guard case .failure(let error) = result else { return #expect(Bool(false), "no error: \(source)") }
        #expect(error.kind == .costLimit)
    }

    @Test(arguments: [
        "a == b", "[a] == [b] || true", "'%s'.format([a]) == ''", "a", "[a, a] in [[b, b]]", "a == dyn(1) || a == b",
    ])
    func `lists that share parts do not explode`(use: String) throws {
        var source = use
        for name in ["a", "b"] {
            var value = "dyn([1, 1])"
            for _ in 0..<30 { value = "cel.bind(z, \(value), dyn([z, z]))" }
            source = "cel.bind(\(name), \(value), \(source))"
        }
        let result = try result(source)
        guard case .failure(let error) = result else { return #expect(Bool(false), "no error") }
        #expect(error.kind == .costLimit)
    }

    @Test func `a literal that costs too much is refused when it is compiled`() {
        var options = CELEnvironment.Options()
        options.costLimit = 20
        let environment = CELEnvironment(options: options)
        let numbers = (0..<30).map(String.init).joined(separator: ", ")
        let error = #expect(throws: CELComplaints.self) {
            try CELProgram.compile("[\(numbers)].map(x, x + 1)", in: environment)
        }
        #expect(error?.complaints.first?.message.hasPrefix("this costs at least") == true)
    }

    @Test(arguments: [
        "", " ", "\u{0}", "\"", "'''", "b'", "`", "`a", "1.", "1..2", ".", "..", "a.", "a[", "a(", "a{", "{", "[,]",
        "?", "a ? b", "0x", "1e", "1e+",
        "\\", "a b", "\u{FEFF}1", "1\u{A0}+ 2", "'\\u12'", "'\\ud800'", "'\\U00110000'", "\"\\777\"", "b'\\u0041'",
        "a.b.", "[1", "{1", "{1:", "has()",
        "has(1)", "x.all(1, 2)", "cel.bind(1, 2, 3)", "1e999", "99999999999999999999u", "0x1FFFFFFFFFFFFFFFF",
        "9223372036854775808", "T{1: 2}", "T{a}",
        "🎉", "a🎉", "é", "[1,,2]", "f(,)", "a?.b", "a.?", "a[?]", "//", "1 //", "{a: 1, a}", "in", "1 in", "!", "-",
        "a..b", "true false",
    ])
    func `broken sources are refused with a complaint inside the source`(source: String) {
        do throws(CELComplaints) {
            _ = try CELProgram.compile(source, in: Self.empty)
        } catch {
            #expect(!error.complaints.isEmpty)
            for complaint in error.complaints { #expect(complaint.span.upperBound <= source.utf8.count, "\(source)") }
        }
    }

    @Test(arguments: 0..<20)
    func `cut and shaken sources never crash`(seed: Int) throws {
        var generator = ExpressionGenerator(seed: UInt64(1000 + seed))
        for _ in 0..<60 {
            var bytes = Array(generator.expression().utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator.random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator.random)
                switch Int.random(in: 0..<3, using: &generator.random) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &generator.random)
                default: bytes.insert(bytes.randomElement(using: &generator.random) ?? 0x28, at: place)
                }
            }
            let source = String(decoding: bytes, as: UTF8.self)
            guard let program = try? CELProgram.compile(source, in: ExpressionGenerator.environment) else { continue }
            _ = program.evaluate(ExpressionGenerator.activation)
        }
    }
}

/// Inputs that once broke something, found by `scripts/fuzz-cel`.
@Suite struct FuzzingRegressionTests {
    @Test(arguments: [
        // The cure for days written as a number multiplied without a limit.
        "Lesose-922-3372036238547758084d ==uhl", "duration('9223372036854775807d')", "1 < 9223372036854775807days",
    ])
    func `an input that once broke something is refused`(source: String) {
        #expect(throws: CELComplaints.self) { try CELProgram.compile(source, in: ExpressionGenerator.environment) }
    }
}
