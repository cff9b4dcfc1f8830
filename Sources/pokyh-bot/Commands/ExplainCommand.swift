import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot explain EVENT|DELIVERY|RULE`.
enum ExplainCommand {
    static let command = Command(
        "explain",
        operands: "EVENT|DELIVERY|RULE",
        "says why something was told, or why not",
        details: [
            "EVENT is an id from 'history': every rule is asked about it once more, and says what decided. The rules are those of",
            "now; the lines of the journal are what came of it then. DELIVERY is the id of a message: how it went, and why it was",
            "sent. RULE is the id of a rule: what it made of the latest events of its kind, or of its latest times. Events are kept",
            "for 30 days. Names appear here: the output is for the admin's eyes.",
        ],
        options: [CommandList.config],
        arity: 1...1,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let wanted = arguments.operands[0]
        let book = configuration.rules.book
        let now = world.clock.now
        let rule = book.summary.first { $0.id == wanted }
        let lines = try await StateReading.read(configuration) { store throws(StateError) -> [String]? in
            let events = try await RecordedEvents.all(in: store, at: now)
            let why = Why(
                configuration: configuration,
                store: store,
                context: try await StateReading.context(for: book, in: store, at: now)
            )
            if let rule { return try await why.lines(about: rule, events) }
            if let event = RecordedEvents.find(wanted, among: events) { return try await why.lines(about: event) }
            let all = try await store.deliveries(in: Set(DeliveryState.allCases), limit: RecordedEvents.most)
            return all.first { $0.payload.id == wanted }.map { why.lines(about: $0, events) }
        }
        guard let lines else { throw notFound(wanted, book) }
        for line in lines { world.terminal.print(TerminalText.line(line)) }
        return .fine
    }

    private static func notFound(_ wanted: String, _ book: RuleBook) -> CommandFailure {
        CommandFailure(
            UsageError(
                message: "'\(wanted)' is no event or message of the last 30 days and no rule without errors",
                cure: Spelling.question(about: wanted, among: book.summary.map(\.id))
                    ?? "'pokyh-bot history' lists events and messages, 'pokyh-bot check' rules"
            ),
            command: "explain"
        )
    }
}

/// Puts the answers to "why" together, from the rules of now and the journal of then.
private struct Why {
    let configuration: Configuration
    let store: SQLiteStore
    let context: RuleContext

    /// So many events or moments of one rule are explained.
    private static let most = 10

    private var book: RuleBook { configuration.rules.book }
    private var zone: Zone { configuration.installation.zone }

    // MARK: One event, all rules

    func lines(about event: Event) async throws(StateError) -> [String] {
        var lines = [RecordedEvents.title(of: event, zone: zone)]
        lines += event.changes.map { "  \($0.field): \(shown($0.old)) → \(shown($0.new))" }
        lines.append("rules:")
        let explanations = book.explain(event, in: context)
        for explanation in explanations where explanation.isAsked {
            lines.append("  \(explanation.rule): \(verdict(explanation))")
            lines += explanation.lines.map { "    " + $0 }
        }
        // Of hundreds of rules most hear of other things.
        let others = explanations.filter { !$0.isAsked }.map(\.rule)
        if !others.isEmpty {
            lines.append("  not asked about \(event.kind), or off: \(others.joined(separator: ", "))")
        }
        let notes = try await store.notes(about: event.id)
        lines.append("journal:" + (notes.isEmpty ? " no rule had anything to note" : ""))
        lines += notes.map { "  \($0.rule): \($0.outcome.words): \($0.reason)" }
        let all = try await store.deliveries(in: Set(DeliveryState.allCases), limit: RecordedEvents.most)
        let deliveries = RecordedEvents.deliveries(of: event, among: all.reversed(), book)
        lines.append("deliveries:" + (deliveries.isEmpty ? " none of this event alone" : ""))
        for delivery in deliveries { lines += self.lines(about: delivery) }
        return lines
    }

    private func verdict(_ explanation: RuleExplanation) -> String {
        if !explanation.matches { return "does not match" }
        return explanation.hasAudience ? "matches" : "matches, and nobody is told"
    }

    private func lines(about delivery: Delivery) -> [String] {
        let payload = delivery.payload
        let part = payload.parts > 1 ? " part \(payload.part)/\(payload.parts)" : ""
        let to = payload.recipient.isEmpty ? "" : " to \(payload.recipient)"
        let head =
            "  \(payload.id) \(delivery.state.rawValue) by \(payload.rule) through \(payload.sink)\(to)\(part)"
        let attempts = delivery.attempts.map { attempt in
            "    \(moment(attempt.at)) \(attempt.outcome)" + (attempt.answer.isEmpty ? "" : ": \(attempt.answer)")
        }
        return [head] + attempts
    }

    // MARK: One delivery

    func lines(about delivery: Delivery, _ events: [Event]) -> [String] {
        let payload = delivery.payload
        var lines = ["\(moment(payload.createdAt))  \(RecordedEvents.title(of: payload))"] + self.lines(about: delivery)
        // What was told together or at a time of day is about no single event.
        guard let event = events.first(where: { !RecordedEvents.deliveries(of: $0, among: [delivery], book).isEmpty })
        else { return lines + ["about no single event: rule \(payload.rule) told it at a time, or with others"] }
        lines.append("about:")
        lines.append("  " + RecordedEvents.title(of: event, zone: zone))
        for explanation in book.explain(event, rule: payload.rule, in: context) {
            lines.append("  \(explanation.rule): \(verdict(explanation)) now")
            lines += explanation.lines.map { "    " + $0 }
        }
        return lines
    }

    // MARK: One rule, its latest events or moments

    func lines(about rule: RuleSummary, _ events: [Event]) async throws(StateError) -> [String] {
        var lines = ["\(rule.id): \(rule.trigger) → \(rule.sends.joined(separator: ", "))"]
        if !rule.isEnabled { return lines + ["  the rule is off: enabled: false"] }
        if rule.isDryRun { lines.append("  dry run: it only records what it would send") }
        var found: [String] = []
        var count = 0
        for event in events where count < Self.most {
            guard let explanation = book.explain(event, rule: rule.id, in: context).first, explanation.isAsked else {
                continue
            }
            count += 1
            found.append("  " + RecordedEvents.title(of: event, zone: zone))
            found.append("    \(verdict(explanation)): \(explanation.lines.last ?? "")")
            let notes = try await store.notes(about: event.id).filter { $0.rule == rule.id }
            found += notes.map { "    journal: \($0.outcome.words): \($0.reason)" }
        }
        found += book.held(in: context.memory).filter { $0.rule == rule.id }.map { held in
            "  \(moment(held.until))  \(held.text), for \(held.audience.joined(separator: ", "))"
        }
        found += try await moments(of: rule)
        return lines + (found.isEmpty ? ["  nothing it is asked about has happened in the last 30 days"] : found)
    }

    private func moments(of rule: RuleSummary) async throws(StateError) -> [String] {
        let slots = book.slots(after: context.now - .days(7), through: context.now, in: context)
            .filter { $0.rule == rule.id }.suffix(Self.most)
        let fired = try await store.fired(Array(slots))
        var lines: [String] = []
        for slot in slots.reversed() {
            lines.append(
                "  \(moment(slot.due))  \(fired.contains(slot) ? "was due" : "did not come: the bot was not running")"
            )
            let notes = try await store.notes(about: slot.key).filter { $0.rule == rule.id }
            lines += notes.map { "    journal: \($0.outcome.words): \($0.reason)" }
        }
        for slot in book.upcoming(after: context.now, rule: rule.id, count: 1, in: context) {
            lines.append("  \(moment(slot.due))  comes next")
        }
        return lines
    }

    private func moment(_ instant: Timestamp) -> String {
        let (date, time) = zone.reading(at: instant)
        return "\(date) \(time)"
    }

    private func shown(_ value: Value) -> String { value.isNull ? "nothing" : value.plainText }
}

extension RuleNote.Outcome {
    fileprivate var words: String {
        switch self {
        case .told: "told"
        case .notMatched: "did not match"
        case .conditionFalse: "condition false"
        case .failed: "failed"
        case .dryRun: "dry run"
        case .skipped: "not told"
        case .waiting: "waits"
        }
    }
}
