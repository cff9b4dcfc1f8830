import CEL
import Glibc
import Values

/// Runs the conformance suite of cel-spec in its JSON form: all tests that need no protobuf.
struct CELConformance {
    /// The files whose tests are counted as extensions; the others that are run are the core.
    static let extensions: Set<String> = [
        "string_ext", "optionals", "macros2", "bindings_ext", "type_deductions", "encoders_ext", "math_ext",
    ]
    /// Extensions of cel-go's that are left out: optimiser output, and network addresses.
    static let leftOut: Set<String> = ["block_ext", "network_ext"]

    struct Score {
        var run = 0
        var passed = 0
    }

    private(set) var scores: [(file: String, score: Score)] = []
    private(set) var failures: [String] = []

    var core: Score { total { !Self.extensions.contains($0) } }
    var extensionScore: Score { total { Self.extensions.contains($0) } }

    private func total(_ isCounted: (String) -> Bool) -> Score {
        scores.reduce(into: Score()) { total, entry in
            guard isCounted(entry.file) else { return }
            total.run += entry.score.run
            total.passed += entry.score.passed
        }
    }

    mutating func run(file name: String, _ suite: Value) {
        guard !Self.leftOut.contains(name) else { return }
        var score = Score()
        for section in suite["sections"].list ?? [] {
            for test in section["tests"].list ?? [] where test["needs"].string == "none" {
                score.run += 1
                if let reason = Self.failure(of: test) {
                    let name = "\(name)/\(section["name"].plainText)/\(test["name"].plainText)"
                    failures.append("\(name)\t\(test["expr"].plainText)\t\(reason)")
                } else {
                    score.passed += 1
                }
            }
        }
        if score.run > 0 { scores.append((name, score)) }
    }

    /// Why a test fails; nil if it passes.
    private static func failure(of test: Value) -> String? {
        let expected = test["expect"]
        let outcome = outcome(of: test)
        if !expected["error"].isNull || !expected["error_any"].isNull {
            if case .success(let value) = outcome { return "no error, but \(value.map { "\($0)" } ?? "a type")" }
            return nil
        }
        switch outcome {
        case .failure(let problem): return problem.text
        case .success(let value):
            guard let value else { return nil }
            return CELConformanceValue.matches(expected["value"], value) ? nil : "got \(value)"
        }
    }

    private struct Problem: Error {
        let text: String
    }

    /// The value; nil where only the type was asked for, and is right.
    private static func outcome(of test: Value) -> Result<Datum?, Problem> {
        let environment: CELEnvironment
        let program: CELProgram
        do {
            environment = try CELConformanceEnvironment.make(test)
            program = try CELProgram.compile(test["expr"].plainText, in: environment)
        } catch let error as CELComplaints {
            return .failure(Problem(text: error.complaints.map(\.message).joined(separator: "; ")))
        } catch {
            return .failure(Problem(text: "\(error)"))
        }
        if let type = test["expect"]["type"].string, program.resultType.name != type {
            return .failure(Problem(text: "type \(program.resultType.name) instead of \(type)"))
        }
        if test["check_only"].bool == true { return .success(nil) }
        var values: [String: Value] = [:]
        for (name, binding) in test["bindings"].map ?? [:] {
            values[name.plainText] = CELConformanceValue.value(binding["value"])
        }
        switch program.evaluateToDatum(CELActivation(values, in: environment)) {
        case .error(let failure): return .failure(Problem(text: failure.error.message))
        case let value: return .success(value)
        }
    }
}

/// The environment of a test: its declared variables and functions.
enum CELConformanceEnvironment {
    struct Unreadable: Error {
        let type: String
    }

    static func make(_ test: Value) throws -> CELEnvironment {
        var variables: [CELVariable] = []
        var functions: [CELFunction] = []
        for declaration in test["type_env"].list ?? [] {
            let name = declaration["name"].plainText
            if declaration["kind"].string == "variable" {
                variables.append(CELVariable(name, try type(declaration["type"].plainText)))
            } else {
                functions.append(try function(name, declaration))
            }
        }
        for (name, _) in test["bindings"].map ?? [:] where !variables.contains(where: { $0.name == name.plainText }) {
            variables.append(CELVariable(name.plainText, .dyn))
        }
        var options = CELEnvironment.Options()
        options.isChecked = test["disable_check"].bool != true
        return CELEnvironment(
            variables: variables,
            functions: functions,
            container: test["container"].plainText,
            options: options
        )
    }

    private static func function(_ name: String, _ declaration: Value) throws -> CELFunction {
        let overloads = try (declaration["overloads"].list ?? []).map { overload in
            CELFunction.Overload(
                try (overload["params"].list ?? []).map { try type($0.plainText) },
                try type(overload["result"].plainText),
                receiverStyle: overload["instance"].bool ?? false
            )
        }
        return CELFunction(name, overloads: overloads) { _ in .failure(CELError(.host, "only declared")) }
    }

    /// A type as the suite writes it: `map(string, dyn)`.
    static func type(_ text: String) throws -> CELType {
        let (name, parameters) = try parts(text)
        switch (name, parameters.count) {
        case ("dyn", 0), ("any", 0): return .dyn
        case ("null_type", 0): return .null
        case ("bool", 0): return .bool
        case ("int", 0): return .int
        case ("uint", 0): return .uint
        case ("double", 0): return .double
        case ("string", 0): return .string
        case ("bytes", 0): return .bytes
        case ("timestamp", 0): return .timestamp
        case ("duration", 0): return .duration
        case ("list", 1): return .list(try type(parameters[0]))
        case ("map", 2): return .map(key: try type(parameters[0]), value: try type(parameters[1]))
        case ("wrapper", 1): return .wrapper(try type(parameters[0]))
        case ("optional_type", 1): return .optional(try type(parameters[0]))
        case ("type", 1): return .type(try type(parameters[0]))
        case ("param", 1): return .parameter(parameters[0])
        default: return .abstract(name, try parameters.map { try type($0) })
        }
    }

    private static func parts(_ text: String) throws -> (name: String, parameters: [String]) {
        guard let open = text.firstIndex(of: "(") else { return (text, []) }
        guard text.last == ")" else { throw Unreadable(type: text) }
        var parameters: [String] = []
        var current = ""
        var depth = 0
        for letter in text[text.index(after: open)...].dropLast() {
            if letter == ",", depth == 0 {
                parameters.append(current)
                current = ""
            } else if letter != " " || !current.isEmpty {
                depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
                current.append(letter)
            }
        }
        return (String(text[..<open]), parameters + [current])
    }
}
