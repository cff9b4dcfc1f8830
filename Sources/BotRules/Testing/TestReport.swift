public import BotCore
public import Values

/// What became of the `tests:` of rule files.
public struct TestReport: Sendable, Hashable {
    /// In the order of the files and of the tests in them.
    public var results: [TestResult]

    /// What no test reached.
    public var coverage: RuleCoverage

    public init(results: [TestResult] = [], coverage: RuleCoverage = RuleCoverage()) {
        self.results = results
        self.coverage = coverage
    }

    public var passed: Int { results.count { $0.passed } }
    public var failed: Int { results.count - passed }
}

/// One test and how it went.
public struct TestResult: Sendable, Hashable {
    /// The test's `name:`.
    public var name: String
    public var file: String
    /// The line of the test in its file, from 1.
    public var line: Int
    /// What was not as expected, with what came instead; empty for a test that passed.
    public var failures: [String]

    public init(name: String, file: String, line: Int, failures: [String]) {
        self.name = name
        self.file = file
        self.line = line
        self.failures = failures
    }

    public var passed: Bool { failures.isEmpty }
}

/// Turns the `before` and `after` of a test's poll into events: what differ and provider make of two answers.
///
/// Handed in by the executable, since this room knows neither. Called only for polls that have both.
/// - Parameters: the source; its records before and after, with all fields of their shape; the test's `now`; what earlier polls of the
///   test have left, to which this one adds.
public typealias PollInterpreter = @Sendable (SourceEntry, [Record], [Record], Timestamp, inout PollHistory) -> [Event]

/// What the polls of one test have left so far: a lesson that is cancelled, restored and cancelled again is news each time.
public struct PollHistory: Sendable {
    /// How many polls there were.
    public var count: Int64 = 0
    /// What is known of things that several accounts see, by world key.
    public var worlds: [String: WorldState] = [:]

    public init() {}
}
