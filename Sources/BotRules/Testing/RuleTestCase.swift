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

    /// What happens at one moment, and what is expected of it.
    struct Stage: Sendable {
        var at: Timestamp
        var events: [Event] = []
        var polls: [Poll] = []
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
        var title: String?
        var contains: [String] = []
        var excludes: [String] = []
    }
}
