import BotCore
import CEL
import Values

/// An event that a rule has something to say about.
struct MatchedEvent: Sendable {
    let event: Event
    /// The values of the rule's `vars`.
    let vars: ValueMap
}

/// One call of `RuleBook.decide`: asks the rules about each event, then tells what they matched.
struct DecisionRound {
    let book: RuleBook
    let context: RuleContext
    private var decision = Decision()
    private var matched: [Int: [MatchedEvent]] = [:]
    /// What is bound of the event at hand, by scope.
    private var bound: [Int: CELActivation] = [:]

    init(book: RuleBook, context: RuleContext) {
        self.book = book
        self.context = context
    }

    mutating func take(_ event: Event) {
        bound.removeAll(keepingCapacity: true)
        for place in book.index.candidates(for: event) {
            let rule = book.rules[place]
            guard let trigger = rule.onEvents, trigger.accepts(event), rule.match.allSatisfy({ $0.accepts(event) })
            else { continue }
            ask(rule, at: place, about: event)
        }
    }

    private mutating func ask(_ rule: Rule, at place: Int, about event: Event) {
        if rule.variables.isEmpty, rule.condition == nil {
            matched[place, default: []].append(MatchedEvent(event: event, vars: ValueMap()))
            return
        }
        switch rule.evaluate(activation(for: event, in: rule.scope), schoolDays: schoolDays(of: rule)) {
        case .success(.some(let vars)):
            matched[place, default: []].append(MatchedEvent(event: event, vars: vars))
        case .success(.none):
            note(rule, event.id, .conditionFalse, "the condition 'if' is false")
        case .failure(let failure):
            note(rule, event.id, .failed, failure.reason)
        }
    }

    private mutating func activation(for event: Event, in scope: RuleScope) -> CELActivation {
        if let activation = bound[scope.number] { return activation }
        let activation = scope.activation(for: event, at: context.now)
        bound[scope.number] = activation
        return activation
    }

    private func schoolDays(of rule: Rule) -> SchoolDays? {
        guard rule.asksSchoolDays else { return nil }
        return SchoolDays(views: book.vocabulary.calendarSources(ofSchool: nil).compactMap { context.snapshots[$0] })
    }

    private mutating func note(_ rule: Rule, _ about: String, _ outcome: RuleNote.Outcome, _ reason: String) {
        decision.notes.append(RuleNote(rule: rule.id, about: about, outcome: outcome, reason: reason))
    }

    /// Tells what was matched, in the order of the book.
    mutating func finish() -> Decision {
        for (place, events) in matched.sorted(by: { $0.key < $1.key }) {
            let telling = EventTelling(rule: book.rules[place], vocabulary: book.vocabulary, now: context.now)
            if events.count > EventTelling.mostSingle {
                decision.add(telling.many(events))
            } else {
                for event in events { decision.add(telling.single(event)) }
            }
        }
        return decision
    }
}

extension Decision {
    mutating func add(_ other: (messages: [Message], notes: [RuleNote])) {
        messages += other.messages
        notes += other.notes
    }
}
