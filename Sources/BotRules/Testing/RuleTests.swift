import BotCore
import Values

/// Runs the `tests:` of rule files.
public enum RuleTests {
    /// Runs all tests of these files, each with the rules of its own file alone.
    ///
    /// Pure: time is the test's own, nothing is sent. A file with errors counts as a failed test of its own, so that no test passes
    /// because its rule is not there.
    ///
    /// - Parameters:
    ///   - interpret: what the house makes of a poll with `before` and `after`.
    ///   - judge: what it makes of a try to deliver, for tests that set the answers of sinks.
    public static func run(
        _ files: [SourceFile],
        in installation: Installation,
        interpret: @escaping PollInterpreter,
        judge: @escaping DeliveryJudge
    ) -> TestReport {
        let vocabulary = Vocabulary(installation)
        var report = TestReport()
        var collector = CoverageCollector()
        var books: [RuleBook] = []
        for reading in RuleFiles.read(files, vocabulary: vocabulary) {
            let complaints = reading.complaints(inactive: reading.inactive, keptOn: [])
            if let complaints, complaints.hasErrors {
                report.results.append(
                    TestResult(name: "the file can be read", file: reading.file, line: 1, failures: [complaints.text])
                )
            }
            let book = RuleBook(reading.rules, vocabulary: vocabulary)
            books.append(book)
            let admins = installation.admin.isEmpty ? [] : AdminRule.rules(in: vocabulary)
            let withAdmin = RuleBook(reading.rules + admins, vocabulary: vocabulary)
            for test in reading.tests {
                // What it expects may be missing because its rule is not there.
                if complaints?.hasErrors ?? false {
                    let failure = "not run: the file has errors"
                    report.results.append(
                        TestResult(name: test.name, file: test.file, line: test.line, failures: [failure])
                    )
                    continue
                }
                let house = test.setsSinks ? withAdmin : book
                var run = RuleTestRun(book: house, test: test, interpret: interpret, judge: judge)
                let failures = run.failures(&collector)
                report.results.append(
                    TestResult(name: test.name, file: test.file, line: test.line, failures: failures)
                )
            }
        }
        report.coverage = collector.coverage(of: books)
        return report
    }
}
