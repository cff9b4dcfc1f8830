import BotCore
import CEL
import Values

/// One call of `RuleBook.decide`: asks the rules about each event, then tells what they matched.
struct DecisionRound {
    let book: RuleBook
    let context: RuleContext
    private var decision = Decision()
    private var matched: [Int: [MatchedEvent]] = [:]
    /// What is bound of the event at hand, by scope.
    private var bound: [Int: CELActivation] = [:]
    private let silences: [Silence]

    init(book: RuleBook, context: RuleContext) {
        self.book = book
        self.context = context
        silences = Silence.all(in: context.memory)
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
        if rule.variables.isEmpty, rule.condition == nil, rule.policies.group == nil {
            match(rule, at: place, MatchedEvent(event: event, vars: ValueMap()))
            return
        }
        switch rule.evaluate(
            activation(for: event, in: rule.scope),
            schoolDays: SchoolDays(rule.schoolDaySources, in: context.snapshots)
        ) {
        case .success(.some(let values)):
            match(rule, at: place, MatchedEvent(event: event, vars: values.vars, groupKey: values.groupKey))
        case .success(.none):
            note(rule, event.id, .conditionFalse, "the condition 'if' is false")
        case .failure(let failure):
            note(rule, event.id, .failed, failure.reason)
        }
    }

    private mutating func match(_ rule: Rule, at place: Int, _ matched: MatchedEvent) {
        if let silence = silences.first(where: { $0.silences(matched.event, of: rule.id, at: context.now) }) {
            note(rule, matched.event.id, .skipped, silence.reason)
        } else {
            self.matched[place, default: []].append(matched)
        }
    }

    private mutating func activation(for event: Event, in scope: RuleScope) -> CELActivation {
        if let activation = bound[scope.number] { return activation }
        let activation = scope.activation(for: event, at: context.now)
        bound[scope.number] = activation
        return activation
    }

    private mutating func note(_ rule: Rule, _ about: String, _ outcome: RuleNote.Outcome, _ reason: String) {
        decision.notes.append(RuleNote(rule: rule.id, about: about, outcome: outcome, reason: reason))
    }

    // MARK: Telling

    /// Tells what was matched and what has fallen due, in the order of the book.
    mutating func finish(_ events: [Event]) -> Decision {
        let gone = book.forgotten(context.memory)
        for (key, note) in gone {
            decision.memory[key] = .null
            if let note { decision.notes.append(note) }
        }
        for place in concerned(by: events).union(matched.keys).sorted() { run(place, events) }
        decision.deadline = book.deadline(of: context.memory, changed: decision.memory)
        return decision
    }

    /// The rules whose memory has something due, or something that these events may have overtaken. Where nothing has happened it is the
    /// time that is asked about: whatever waits is looked at, since a clock that was ahead has planned it for a time that is far away.
    private func concerned(by events: [Event]) -> Set<Int> {
        let types = Set(events.map(\.record.type))
        var concerned: Set<Int> = []
        for (key, stored) in context.memory {
            guard let place = book.place(ofMemory: key) else { continue }
            let due = PolicyMemory.due(in: stored)
            let isDue = due.map { events.isEmpty || $0 <= context.now } ?? false
            let isOpen = due != nil || !stored["told"].isNull
            let rule = book.rules[place]
            // What is kept under an earlier id moves to the new one.
            let isMoving = key != rule.id && !stored.isNull
            let isSwitchedOff = !rule.isEnabled && due != nil
            if isDue || isMoving || isSwitchedOff || (isOpen && !types.isDisjoint(with: rule.scope.records)) {
                concerned.insert(place)
            }
        }
        return concerned
    }

    private mutating func run(_ place: Int, _ events: [Event]) {
        let rule = book.rules[place]
        let (memory, stored, oldKey) = rule.memory(in: context.memory)
        var run = PolicyRun(rule: rule, vocabulary: book.vocabulary, context: context, memory: memory)
        let matched = self.matched[place] ?? []
        if !rule.isEnabled { run.switchOff() }
        run.compare(with: events, own: Set(matched.map(\.event.id)))
        run.release()
        run.take(matched)
        run.finish()
        decision.messages += run.messages
        decision.withdrawn += run.withdrawn
        decision.notes += run.notes
        keep(run.memory.value, of: rule, stored: stored, oldKey: oldKey)
    }

    private mutating func keep(_ value: Value, of rule: Rule, stored: Value, oldKey: String?) {
        if value != stored || oldKey != nil { decision.memory[rule.id] = value }
        if let oldKey { decision.memory[oldKey] = .null }
    }
}
