import BotCore
import StrictYAML
import Values

/// A test of a rule file, read.
struct RuleTestCase: Sendable {
    let name: String
    let file: String
    let line: Int
    let now: Timestamp
    let stages: [Stage]

    /// Whether sinks answer as it says: then the admin is told of them, too.
    var setsSinks: Bool { stages.contains { !$0.sinks.isEmpty } }

    /// What happens at one moment, and what is expected of it.
    struct Stage: Sendable {
        var at: Timestamp
        var events: [Event] = []
        var polls: [Poll] = []
        /// How sinks answer from now on.
        var sinks: [String: [SinkAnswer]] = [:]
        /// Nil where this stage only makes things happen.
        var expectations: [Expectation]?
    }

    /// An answer of a source.
    struct Poll: Sendable {
        let source: SourceEntry
        /// Nil for a first answer, which is only learnt.
        let before: [Record]?
        let after: [Record]
        let student: Student
        let calendar: SchoolCalendar?
    }

    /// What a message must be like.
    struct Expectation: Sendable {
        let line: Int
        var rule: String?
        var sink: String?
        var count: Int?
        var state = RehearsedState.delivered
        /// How often it was tried so far.
        var tries: Int?
        var title: String?
        var contains: [String] = []
        var excludes: [String] = []
    }
}
