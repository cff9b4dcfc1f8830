import Foundation
import Liquid
import Values

/// `liquid TEMPLATE EVENT SECONDS` and `liquid-conformance FILE`.
enum LiquidBench {
    static let subcommands = [
        BotBench.Subcommand(name: "liquid", usage: "TEMPLATE EVENT SECONDS", run: speed),
        BotBench.Subcommand(name: "liquid-conformance", usage: "FILE", run: conformance),
    ]

    private static let context = LiquidContext(zone: .utc, locale: .en, now: Timestamp(seconds: 1_780_000_000))

    // MARK: Speed

    @Sendable private static func speed(_ arguments: [String]) -> Int32 {
        guard arguments.count == 3, let seconds = Double(arguments[2]) else {
            print("usage: bot-bench liquid TEMPLATE EVENT SECONDS")
            return 64
        }
        guard let template = contents(of: arguments[0]), let event = contents(of: arguments[1]) else { return 66 }
        let source = String(decoding: template, as: UTF8.self)
        do {
            guard case .map(let variables) = withLessons(try Value(json: event)) else { return 65 }
            let parseTime = try bestTime(of: seconds / 4) { _ = try LiquidTemplate(parsing: source) }
            let parsed = try LiquidTemplate(parsing: source)
            let text = try parsed.render(variables, context: context)
            let renderTime = try bestTime(of: seconds) { _ = try parsed.render(variables, context: context) }
            let bytes = text.utf8.count
            print("ours  parse \(microseconds(parseTime)) us  \(Int(1 / renderTime)) renders/s  \(bytes) bytes")
            return 0
        } catch {
            print("\(arguments[0]): \(error)")
            return 65
        }
    }

    /// The event with three lessons made of its one, as the other engines' bench does it, if it has none.
    private static func withLessons(_ event: Value) -> Value {
        guard case .map(var map) = event, map["lessons"] == nil, case .map(let lesson)? = map["lesson"] else {
            return event
        }
        map["lessons"] = .list(
            ["MATH", "GER", "ENG"].enumerated().map { index, subject in
                var lesson = lesson
                lesson["period"] = .int(Int64(index + 1))
                lesson["subject"] = .string(subject)
                lesson["note"] = "R&B <Konferenz>"
                return .map(lesson)
            }
        )
        return .map(map)
    }

    private static func microseconds(_ time: Double) -> String { String(format: "%.1f", time * 1e6) }

    /// Seconds of processor time for one call: the best of three rounds that together take the given time.
    private static func bestTime(of seconds: Double, _ body: () throws -> Void) rethrows -> Double {
        var best = Double.infinity
        var batch = 1
        for _ in 0..<3 {
            let start = clock()
            var count = 0
            var elapsed = 0.0
            repeat {
                for _ in 0..<batch { try body() }
                count += batch
                elapsed = Double(clock() - start) / Double(CLOCKS_PER_SEC)
                if elapsed < seconds / 30 { batch = min(batch * 2, 100_000) }
            } while elapsed < seconds / 3
            best = min(best, elapsed / Double(count))
        }
        return best
    }

    // MARK: Conformance

    @Sendable private static func conformance(_ arguments: [String]) -> Int32 {
        guard arguments.count == 1 else {
            print("usage: bot-bench liquid-conformance FILE")
            return 64
        }
        guard let bytes = contents(of: arguments[0]) else { return 66 }
        guard let tests = (try? Value(json: bytes))?["tests"].list else {
            print("\(arguments[0]): no list 'tests'")
            return 65
        }
        var passed = 0
        for test in tests {
            if let failure = failure(of: test) {
                print("\(test["name"].string ?? "?"): \(failure)")
            } else {
                passed += 1
            }
        }
        print("liquid-conformance \(passed)/\(tests.count)")
        return 0
    }

    /// What is wrong with our answer to a test of golden-liquid; nil if it is right.
    private static func failure(of test: Value) -> String? {
        var options = LiquidOptions(strictness: .lax)
        for pair in test["templates"].map ?? [:] { options.partials[pair.key.string ?? ""] = pair.value.string }
        let mustFail = test["invalid"].bool == true
        let wanted = test["results"].list?.compactMap(\.string) ?? [test["result"].string ?? ""]
        do {
            let template = try LiquidTemplate(parsing: test["template"].string ?? "", options: options)
            let text = try template.render(test["data"].map ?? [:], context: context)
            if mustFail { return "is rendered as \(text.debugDescription), but must be refused" }
            return wanted.contains(text) ? nil : "is \(text.debugDescription), but should be \(wanted)"
        } catch {
            return mustFail ? nil : "is refused: \(error)"
        }
    }
}
