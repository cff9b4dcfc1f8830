import BotCore
import BotRules
import BotState
import Values

/// What a preview is of: an event, or a time at which the rule fires.
enum PreviewOccasion {
    case event(Event)
    case slot(Slot)

    var at: Timestamp {
        switch self {
        case .event(let event): event.at
        case .slot(let slot): slot.due
        }
    }

    /// `--event FILE`: something that is a path rather than an id.
    static func isPath(_ word: String) -> Bool {
        word.contains("/") || [".yaml", ".yml", ".json"].contains { word.hasSuffix($0) }
    }

    static func read(file path: String, for book: RuleBook, at now: Timestamp) throws(CommandFailure) -> Event {
        let (event, complaints) = EventFile.read(try Configuration.read(path), for: book, at: now)
        if let event, complaints == nil { return event }
        var failure = CommandFailure(.configuration)
        failure.lines = complaints.map { [$0.text] } ?? ["\(path): there is no event in it"]
        throw failure
    }

    /// What one rule tells of it, the waits of its policies run through.
    func outcome(of rule: String, in book: RuleBook, _ start: RuleContext) -> (messages: [Message], notes: [RuleNote]) {
        var context = start
        var decision =
            switch self {
            case .event(let event): book.decide(on: [event], in: context)
            case .slot(let slot): book.fire(slot, in: context)
            }
        var messages: [Message] = []
        var notes: [RuleNote] = []
        // Every wait ends within days, and each turn ends one.
        for _ in 0..<100 {
            messages += decision.messages.filter { $0.rule == rule }
            notes += decision.notes.filter { $0.rule == rule }
            guard messages.isEmpty, let due = decision.deadline else { break }
            context.memory.merge(decision.memory) { _, new in new }
            context.memory = context.memory.filter { !$0.value.isNull }
            context.now = max(due, context.now + .seconds(1))
            decision = book.decide(on: [], in: context)
        }
        return (messages, notes)
    }
}
