import BotCore
import Markup
import Values

/// Compares what was told with what a test expects.
struct ExpectationCheck {
    private let messages: [ToldMessage]
    private let notes: [RuleNote]

    /// A message as people read it.
    private struct ToldMessage {
        let rule: String
        let sink: String
        let title: String
        /// Title and body in plain text.
        let text: String
        let state: RehearsedState
        let tries: Int
        /// Whether somebody has to expect it.
        let isNews: Bool

        init(_ delivery: RehearsedDelivery) {
            let message = delivery.message
            state = delivery.state
            tries = delivery.claimed.attempts
            isNews = delivery.isNews
            rule = message.rule
            sink = message.sink
            title = message.title.plain
            let source = MarkupSource(template: message.body.template, values: message.body.values)
            let body = message.plainOverride ?? MarkupDocument.parse(source).plainText()
            text = title.isEmpty ? body : title + "\n" + body
        }

        /// For a failure: where it went and what it said.
        var shown: String {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: true).joined(separator: " / ")
            let fate = state == .delivered ? "" : " (it \(state.words))"
            return "rule '\(rule)' through '\(sink)': \(lines)\(fate)"
        }
    }

    init(deliveries: [RehearsedDelivery], notes: [RuleNote]) {
        messages = deliveries.map(ToldMessage.init)
        self.notes = notes
    }

    /// Each message must be expected, and each expectation met.
    func failures(of expectations: [RuleTestCase.Expectation]) -> [String] {
        var failures: [String] = []
        var expected: Set<Int> = []
        for expectation in expectations {
            let addressed = messages.indices.filter { isAddressed(messages[$0], expectation) }
            let fitting = addressed.filter { faults(of: messages[$0], expectation).isEmpty }
            expected.formUnion(fitting)
            if let count = expectation.count {
                if fitting.count != count {
                    failures.append(
                        "\(words(expectation)): expected \(count.counted("message")), got \(fitting.count)"
                            + explanation(expectation, addressed)
                    )
                }
            } else if fitting.isEmpty {
                failures.append(
                    "\(words(expectation)): expected a message, got none" + explanation(expectation, addressed)
                )
            }
        }
        for place in messages.indices where messages[place].isNews && !expected.contains(place) {
            failures.append("nothing expected this message of \(messages[place].shown)")
        }
        return failures
    }

    private func isAddressed(_ message: ToldMessage, _ expectation: RuleTestCase.Expectation) -> Bool {
        (expectation.rule.map { $0 == message.rule } ?? true) && (expectation.sink.map { $0 == message.sink } ?? true)
    }

    private func faults(of message: ToldMessage, _ expectation: RuleTestCase.Expectation) -> [String] {
        var faults: [String] = []
        if message.state != expectation.state {
            faults.append("it \(message.state.words), expected 'state: \(expectation.state.rawValue)'")
        }
        if let tries = expectation.tries, tries != message.tries {
            faults.append("it was tried \(message.tries) times, expected \(tries)")
        }
        if let title = expectation.title, title != message.title {
            faults.append("its title is '\(message.title)', expected '\(title)'")
        }
        faults += expectation.contains.filter { !message.text.contains($0) }.map { "it does not contain '\($0)'" }
        faults += expectation.excludes.filter { message.text.contains($0) }.map { "it contains '\($0)'" }
        return faults
    }

    private func words(_ expectation: RuleTestCase.Expectation) -> String {
        let rule = expectation.rule.map { " of rule '\($0)'" } ?? ""
        let sink = expectation.sink.map { " through '\($0)'" } ?? ""
        return "line \(expectation.line)\(rule)\(sink)"
    }

    /// What came instead, or why nothing came.
    private func explanation(_ expectation: RuleTestCase.Expectation, _ addressed: [Int]) -> String {
        if !addressed.isEmpty {
            let lines = addressed.map { place in
                let faults = faults(of: messages[place], expectation)
                let reason = faults.isEmpty ? "it fits" : faults.joined(separator: ", ")
                return "\n    \(messages[place].shown)\n      \(reason)"
            }
            return lines.joined()
        }
        let reasons = notes.filter { note in expectation.rule.map { $0 == note.rule } ?? true }
            .filter { $0.outcome != .told }
            .map { "\n    rule '\($0.rule)': \($0.reason)" }
        return reasons.isEmpty ? "; no event was matched" : reasons.joined()
    }
}
