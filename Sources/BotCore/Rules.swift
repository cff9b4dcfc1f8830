public import Values

/// What decides who must know: the rule files, as the engine sees them.
///
/// Every function is pure: all that is known comes in, all that follows goes out. The engine commits both together.
public protocol Rules: Sendable {
    /// What the rules say to events of one poll, and what has fallen due in their policies. Called without events at
    /// `Decision.deadline`.
    func decide(on events: [Event], in context: RuleContext) -> Decision

    /// The moments of scheduled rules after `start` up to and including `end`, earliest first. `grace` is applied by the engine.
    func slots(after start: Timestamp, through end: Timestamp, in context: RuleContext) -> [Slot]

    /// The first moment after an instant at which a scheduled rule may fire, for the scheduler's next waking; nil if none within a
    /// year. It may be early (a day that turns out to be free), never late.
    func nextSlot(after instant: Timestamp, in context: RuleContext) -> Timestamp?

    /// What a scheduled rule says at one of its moments.
    func fire(_ slot: Slot, in context: RuleContext) -> Decision

    /// Names of the sources whose stored records the functions above read, the records of events aside.
    var readSources: Set<String> { get }

    /// The ids of all rules, those that cannot run now included.
    var ids: Set<String> { get }

    /// Rules that heard of some of these events and have nothing to say of any, by id, with how many they heard of.
    func unmatched(by events: [Event], in context: RuleContext) -> [String: Int]
}

extension Rules {
    /// For rules that want everything they hear of.
    public func unmatched(by events: [Event], in context: RuleContext) -> [String: Int] { [:] }
}

/// What the rules know of the world at one moment.
public struct RuleContext: Sendable {
    public var now: Timestamp
    /// The last good snapshot of every source in `Rules.readSources` that has one.
    public var snapshots: [String: SourceView]
    /// What the policies remembered, by rule id.
    public var memory: [String: Value]

    public init(now: Timestamp, snapshots: [String: SourceView] = [:], memory: [String: Value] = [:]) {
        self.now = now
        self.snapshots = snapshots
        self.memory = memory
    }
}

/// The last good snapshot of one source.
public struct SourceView: Sendable {
    public var records: [Record]
    /// When the far end last answered.
    public var takenAt: Timestamp
    public var student: Student
    public var account: String
    public var calendar: SchoolCalendar?

    public init(
        records: [Record],
        takenAt: Timestamp,
        student: Student = .nobody,
        account: String = "",
        calendar: SchoolCalendar? = nil
    ) {
        self.records = records
        self.takenAt = takenAt
        self.student = student
        self.account = account
        self.calendar = calendar
    }
}

/// One moment of a scheduled rule.
public struct Slot: Sendable, Hashable {
    public var rule: String
    /// Unique for the rule: `2026-11-30T10:30` for a wall-clock time (so that it fires once for each local date), source, record key
    /// and instant for a time inside a record.
    public var key: String
    public var due: Timestamp
    /// How late it may still fire.
    public var grace: TimeSpan
    /// Sources to refresh before it fires, if older than their interval.
    public var needs: [String]

    public init(rule: String, key: String, due: Timestamp, grace: TimeSpan, needs: [String] = []) {
        self.rule = rule
        self.key = key
        self.due = due
        self.grace = grace
        self.needs = needs
    }
}

/// What rules made of something.
public struct Decision: Sendable {
    public var messages: [Message]
    /// Ids of earlier messages that are no longer true: what cannot have arrived of them yet is not sent any more.
    public var withdrawn: [String]
    /// The changed part of the policies' memory, by rule id; `.null` forgets.
    public var memory: [String: Value]
    /// Why what happened happened, one for each rule that was asked.
    public var notes: [RuleNote]
    /// When a policy wants to be asked again (a group's wait, the end of quiet hours); nil if never.
    public var deadline: Timestamp?

    public init(
        messages: [Message] = [],
        withdrawn: [String] = [],
        memory: [String: Value] = [:],
        notes: [RuleNote] = [],
        deadline: Timestamp? = nil
    ) {
        self.messages = messages
        self.withdrawn = withdrawn
        self.memory = memory
        self.notes = notes
        self.deadline = deadline
    }
}

/// One line of the answer to "why": what a rule did with an event or at a slot.
public struct RuleNote: Sendable, Hashable {
    /// What the rule did, or why it did nothing.
    public enum Outcome: String, Sendable, Hashable {
        case told, notMatched, conditionFalse, failed, dryRun, skipped
        /// To be told later: a policy has put it off.
        case waiting
    }

    public var rule: String
    /// The event's id or the slot's key.
    public var about: String
    public var outcome: Outcome
    /// In words for the admin, free of secrets; may name values of the record, so it stays in the state folder.
    public var reason: String

    public init(rule: String, about: String, outcome: Outcome, reason: String) {
        self.rule = rule
        self.about = about
        self.outcome = outcome
        self.reason = reason
    }
}
