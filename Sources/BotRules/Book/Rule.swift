import BotCore
import CEL
import Values

/// A rule, checked and ready to be asked. Rules are many and live long: one object each, and nothing of the file it came from.
final class Rule: Sendable {
    let id: String
    /// The id that it had before, whose memory it goes on with.
    let formerID: String?
    /// The file it is in; empty for the shorthand `admin:`.
    let file: String
    let description: String
    let isEnabled: Bool
    let isDryRun: Bool
    let trigger: Trigger
    let scope: RuleScope
    let zone: Zone
    /// The language of everything it tells; nil for the recipient's.
    let locale: String?
    let match: [MatchCondition]
    let variables: [RuleVariable]
    let condition: CELProgram?
    let queries: [RuleQuery]
    let message: MessagePlan
    let audience: [AudienceEntry]
    let policies: Policies
    /// The sources that answer where it asks `school_day`; empty where it does not.
    let schoolDaySources: [String]

    init(_ draft: RuleDraft, trigger: Trigger, scope: RuleScope, message: MessagePlan) {
        id = draft.id
        formerID = draft.formerID
        file = draft.file
        description = draft.description
        isEnabled = draft.isEnabled
        isDryRun = draft.isDryRun
        self.trigger = trigger
        self.scope = scope
        zone = draft.zone
        locale = draft.locale
        match = draft.match
        variables = draft.variables
        condition = draft.condition
        queries = draft.queries
        self.message = message
        audience = draft.audience
        policies = draft.policies
        schoolDaySources = draft.schoolDaySources
    }

    /// The trigger of a rule on events.
    var onEvents: EventTrigger? {
        if case .events(let trigger) = trigger { return trigger }
        return nil
    }

    /// The schedule of a rule on the times of records.
    var onRecordTimes: RecordSchedule? {
        if case .recordTime(let schedule) = trigger { return schedule }
        return nil
    }
}

/// What sets a rule going.
enum Trigger: Sendable {
    case events(EventTrigger)
    case wallClock(WallClockSchedule)
    case recordTime(RecordSchedule)
    case interval(IntervalSchedule)
}

/// On each event of these kinds.
struct EventTrigger: Sendable {
    let kinds: [String]
    /// Names of sources; nil for all.
    let sources: Set<String>?
    /// Names or ids of students; nil for all.
    let students: Set<String>?

    /// Whether an event of one of the kinds is of the right source and student.
    func accepts(_ event: Event) -> Bool {
        if let sources, !sources.contains(event.source) { return false }
        if let students, !students.contains(event.student.name), !students.contains(event.student.id) { return false }
        return true
    }
}

/// One of `vars`.
struct RuleVariable: Sendable {
    let name: String
    let program: CELProgram
    /// The scope's environment with this variable and those before it.
    let environment: CELEnvironment
}

/// One of `query`.
struct RuleQuery: Sendable {
    /// What conditions and texts call the answer.
    let name: String
    /// One, or all of one student.
    let sources: [String]
    let declaration: QueryDeclaration
}

/// What a rule is made of while it is read.
struct RuleDraft {
    var id = ""
    var formerID: String?
    var file = ""
    var description = ""
    var isEnabled = true
    var isDryRun = false
    var zone = Zone.utc
    var locale: String?
    var match: [MatchCondition] = []
    var variables: [RuleVariable] = []
    /// The scope's environment with all of `vars`, those with mistakes included.
    var environment: CELEnvironment?
    var condition: CELProgram?
    var queries: [RuleQuery] = []
    var audience: [AudienceEntry] = []
    var policies = Policies()
    var schoolDaySources: [String] = []

    /// Whether an expression of it asks `school_day`, so that the school's calendar must be known.
    var asksSchoolDays: Bool {
        let programs = variables.map(\.program) + [condition, policies.group?.key].compactMap(\.self)
        return programs.contains { $0.hostFunctions.contains("school_day") }
    }
}
