import BotCore
import BotRules
import Values

/// A book at work over time, as the engine would have it: what it remembers goes in again, deadlines are kept.
struct RuleRunner {
    let book: RuleBook
    var clock: Timestamp
    var memory: [String: Value] = [:]
    var snapshots: [String: SourceView] = [:]
    var deadline: Timestamp?
    var messages: [Message] = []
    /// Ids of messages that were taken back, ever.
    var withdrawn: [String] = []
    var notes: [RuleNote] = []

    init(_ rule: String, at start: String = "2026-11-30T12:00", admin: [String] = []) {
        let set = TestSchool.load("version: 1\nrules:\n" + rule, admin: admin)
        for complaint in set.complaints { print(complaint.text) }
        precondition(set.complaints.isEmpty, "the rule of the test has errors")
        self.init(set.book, at: start)
    }

    init(_ book: RuleBook, at start: String = "2026-11-30T12:00") {
        self.book = book
        clock = TestSchool.instant(start)
    }

    private var context: RuleContext { RuleContext(now: clock, snapshots: snapshots, memory: memory) }

    mutating func decide(_ events: Event...) { keep(book.decide(on: events, in: context)) }

    mutating func decide(all events: [Event]) { keep(book.decide(on: events, in: context)) }

    /// Runs on to a local time, keeping every deadline on the way.
    mutating func run(to text: String) {
        let end = TestSchool.instant(text)
        while let due = deadline, due <= end {
            clock = max(clock, due)
            keep(book.decide(on: [], in: context))
        }
        clock = end
    }

    /// Fires what falls due on the way to a local time.
    mutating func fire(through text: String) {
        let end = TestSchool.instant(text)
        for slot in book.slots(after: clock, through: end, in: context) {
            clock = slot.due
            keep(book.fire(slot, in: context))
        }
        clock = end
    }

    private mutating func keep(_ decision: Decision) {
        messages += decision.messages
        withdrawn += decision.withdrawn
        notes += decision.notes
        memory.merge(decision.memory) { _, new in new }
        memory = memory.filter { !$0.value.isNull }
        deadline = decision.deadline
    }

    /// What was told since the last call: sink and title.
    mutating func told() -> [String] {
        defer { messages = [] }
        return messages.map { "\($0.sink): \($0.title.plain)" }
    }

    /// The reasons noted since the last call.
    mutating func reasons() -> [String] {
        defer { notes = [] }
        return notes.map(\.reason)
    }
}
