import CBench
import CEL
import CELSuite
import Foundation
import Values

/// The subcommands about the `CEL` room.
enum CELBench {
    static let subcommands = [
        BotBench.Subcommand(name: "cel", usage: "CONDITIONS.json EVENT.json SECONDS", run: speeds),
        BotBench.Subcommand(name: "cel-cases", usage: "CASES.json SECONDS", run: cases),
        BotBench.Subcommand(name: "cel-conformance", usage: "DIRECTORY", run: conformance),
    ]

    // MARK: Conformance

    private static func conformance(_ arguments: [String]) -> Int32 {
        guard let directory = arguments.first,
            let names = try? FileManager.default.contentsOfDirectory(atPath: directory)
        else {
            print("usage: bot-bench cel-conformance DIRECTORY")
            return 64
        }
        var conformance = CELConformance()
        for name in names.sorted() where name.hasSuffix(".json") {
            guard let bytes = contents(of: directory + "/" + name), let suite = try? Value(json: bytes) else {
                print("cannot read \(name)")
                return 66
            }
            conformance.run(file: String(name.dropLast(5)), suite)
        }
        for (file, score) in conformance.scores { print("\(file.padded(20)) \(score.passed)/\(score.run)") }
        for failure in conformance.failures { print("FAILED \(failure.replacingOccurrences(of: "\n", with: " "))") }
        let (core, extensions) = (conformance.core, conformance.extensionScore)
        print("cel-conformance core \(core.passed)/\(core.run) extensions \(extensions.passed)/\(extensions.run)")
        return 0
    }

    // MARK: Speed

    private static func speeds(_ arguments: [String]) -> Int32 {
        guard arguments.count == 3, let seconds = Double(arguments[2]), let conditions = json(arguments[0]),
            let event = json(arguments[1]), let map = event.map
        else {
            print("usage: bot-bench cel CONDITIONS.json EVENT.json SECONDS")
            return 64
        }
        let environment = CELEnvironment(
            variables: map.pairs.map {
                CELVariable($0.key.plainText, shape: shape(of: $0.value, named: $0.key.plainText))
            }
        )
        let activation = CELActivation(map, in: environment)
        let binding = nanoseconds(seconds) { keep(CELActivation(map, in: environment)) }
        print("ours  binding \(count(of: event) - 1) values  \(Int(binding)) ns")
        for condition in conditions["conditions"].list ?? [] {
            let source = condition["expr"].plainText
            guard let program = try? CELProgram.compile(source, in: environment, expecting: .bool) else {
                print("ours  \(condition["id"].plainText)  does not compile")
                return 1
            }
            guard case .success(let truth) = program.test(activation), truth == condition["expect"].bool else {
                print("ours  \(condition["id"].plainText)  wrong result \(program.test(activation))")
                return 1
            }
            let compile = nanoseconds(seconds / 3) {
                keep(try? CELProgram.compile(source, in: environment, expecting: .bool))
            }
            let fresh = nanoseconds(seconds) { keep(program.test(CELActivation(map, in: environment))) }
            let shared = nanoseconds(seconds) { keep(program.test(activation)) }
            let allocations = allocations { keep(program.test(activation)) }
            print(
                "ours  \(condition["id"].plainText.padded(14))  compile \(String(format: "%.1f", compile / 1000)) us"
                    + "  fresh \(Int(1e9 / fresh))/s  shared \(Int(1e9 / shared))/s  \(allocations) allocations in 1000"
            )
        }
        return 0
    }

    private static func cases(_ arguments: [String]) -> Int32 {
        guard arguments.count == 2, let seconds = Double(arguments[1]), let cases = json(arguments[0]) else {
            print("usage: bot-bench cel-cases CASES.json SECONDS")
            return 64
        }
        for test in cases["cases"].list ?? [] {
            let variables = (test["variables"].map ?? [:]).compactMap { name, type in
                (try? CELConformanceEnvironment.type(type.plainText)).map { CELVariable(name.plainText, $0) }
            }
            let environment = CELEnvironment(variables: variables)
            guard let program = try? CELProgram.compile(test["expr"].plainText, in: environment),
                let data = test["data"].map
            else {
                print("\(test["name"].plainText) does not compile")
                return 1
            }
            let activation = CELActivation(data, in: environment)
            guard case .success(true) = program.test(activation) else {
                print("\(test["name"].plainText) gives \(program.test(activation))")
                return 1
            }
            let time = nanoseconds(seconds) { keep(program.test(activation)) }
            print("\(test["name"].plainText.padded(26)) \(Int(time))")
        }
        return 0
    }

    private static func json(_ path: String) -> Value? { contents(of: path).flatMap { try? Value(json: $0) } }

    /// What a provider would declare for such an event.
    private static func shape(of value: Value, named name: String) -> Shape {
        switch value {
        case .bool: .bool
        case .int: .int
        case .uint: .uint
        case .double: .double
        case .string: .string
        case .list(let list): .list(list.first.map { shape(of: $0, named: name) } ?? .any)
        case .map(let map):
            .record(
                RecordShape(
                    name,
                    fields: map.pairs.map { key, value in
                        // c4 asks for `exam` with has(): a field that may be missing.
                        FieldShape(
                            key.plainText,
                            shape(of: value, named: key.plainText),
                            optional: key.plainText == "exam"
                        )
                    }
                )
            )
        default: .any
        }
    }

    private static func count(of value: Value) -> Int {
        switch value {
        case .list(let list): list.reduce(1) { $0 + count(of: $1) }
        case .map(let map): map.pairs.reduce(1) { $0 + count(of: $1.value) }
        default: 1
        }
    }

    /// The best of three, in processor time for one call.
    private static func nanoseconds(_ seconds: Double, _ body: () -> Void) -> Double {
        var best = Double.infinity
        for _ in 0..<3 {
            let start = cbench_thread_nanoseconds()
            var count = 0
            var batch = 1
            var elapsed: UInt64 = 0
            repeat {
                for _ in 0..<batch { body() }
                count += batch
                batch = min(batch * 2, 10_000)
                elapsed = cbench_thread_nanoseconds() - start
            } while Double(elapsed) < seconds * 1e9 / 3
            best = min(best, Double(elapsed) / Double(count))
        }
        return best
    }

    private static func allocations(_ body: () -> Void) -> UInt64 {
        body()
        let before = cbench_allocations()
        for _ in 0..<1000 { body() }
        return cbench_allocations() - before
    }

    /// Keeps the optimiser from leaving out what is measured.
    @inline(never)
    private static func keep<Anything>(_ value: Anything) { withExtendedLifetime(value) {} }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }
}
