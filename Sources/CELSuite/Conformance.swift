import CEL
package import Values

/// Runs the conformance suite of cel-spec in its JSON form: all tests that need no protobuf.
package struct CELConformance {
    /// The files whose tests are counted as extensions; the others that are run are the core.
    package static let extensions: Set<String> = [
        "string_ext", "optionals", "macros2", "bindings_ext", "type_deductions", "encoders_ext", "math_ext",
    ]
    /// Extensions of cel-go's that are left out: optimiser output, and network addresses.
    package static let leftOut: Set<String> = ["block_ext", "network_ext"]

    /// How many tests were run, and how many passed.
    package struct Score: Equatable {
        package var run = 0
        package var passed = 0

        package init(run: Int = 0, passed: Int = 0) {
            self.run = run
            self.passed = passed
        }
    }

    /// By file, in the order of the files.
    package private(set) var scores: [(file: String, score: Score)] = []
    /// Name, expression and reason of each failed test.
    package private(set) var failures: [String] = []

    package var core: Score { total { !Self.extensions.contains($0) } }
    package var extensionScore: Score { total { Self.extensions.contains($0) } }

    private func total(_ isCounted: (String) -> Bool) -> Score {
        scores.reduce(into: Score()) { total, entry in
            guard isCounted(entry.file) else { return }
            total.run += entry.score.run
            total.passed += entry.score.passed
        }
    }

    package init() {}

    /// Runs the tests of one file; the files that are left out are passed over.
    package mutating func run(file name: String, _ suite: Value) {
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
