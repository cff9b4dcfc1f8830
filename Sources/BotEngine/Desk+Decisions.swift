import BotCore
import Values

/// Rules, then sinks' `prepare`, then the commit.
extension Desk {
    /// Decides what a step means and writes all of it, or nothing.
    func conclude(_ step: Draft) async throws(StateError) {
        let decided = try await decide(step)
        try await write([decided.draft.commit])
        keep(decided)
    }

    /// Writes steps, all of them or none. The outbox is another one only when that is done: whoever looked at it meanwhile looks again.
    func write(_ commits: [Commit]) async throws(StateError) {
        try await store.commit(commits)
        if commits.contains(where: \.touchesOutbox) { outboxRevision += 1 }
    }

    /// A step that has been thought through.
    struct Decided {
        var draft: Draft
        var memory: [String: Value]
        var outcome: RoundOutcome
    }

    func decide(_ step: Draft) async throws(StateError) -> Decided {
        var draft = step
        let inForce = draft.successors ?? inForce
        var memory = try await currentMemory()
        var outcome = RoundOutcome()
        if let decision = draft.decision {
            take(decision, about: [], of: inForce, into: &draft, &memory, &outcome)
        }
        var events = draft.events + (draft.notices + outcome.notices).map { $0.event(at: draft.commit.at) }
        var asks = draft.asksPolicies
        // What fails while the rules decide is told in a second round; what fails in telling it is only logged.
        for _ in 0..<2 where !events.isEmpty || asks {
            draft.commit.events += events
            outcome.asked = true
            let context = try await context(of: inForce.rules, at: draft.commit.at, memory, fresh: draft.views)
            outcome.notices = []
            let decision = inForce.rules.decide(on: events, in: context)
            take(decision, about: events, of: inForce, into: &draft, &memory, &outcome)
            events = outcome.notices.map { $0.event(at: draft.commit.at) }
            asks = false
        }
        for event in events { log(.error, "\(event.kind): \(event.record.fields["error"]?.string ?? "")") }
        draft.commit.checkedThrough = checkedThrough
        return Decided(draft: draft, memory: memory, outcome: outcome)
    }

    /// Takes what a step has brought into the copies. Of answers that are taken in together that is done before they are written: only
    /// the steps that follow may go by it.
    func keep(_ decided: Decided) {
        let (draft, outcome) = (decided.draft, decided.outcome)
        policyMemory = decided.memory
        if let successors = draft.successors {
            inForce = successors
            // Copies are kept up to date only of what the rules read.
            views = [:]
        }
        // A deadline that has come is over only when the policies have been asked.
        if outcome.asked, let due = deadline, due <= draft.commit.at { deadline = nil }
        // Rules that ask for a moment that has passed are asked a second later, not at once for ever.
        let soonest = draft.commit.at + .seconds(1)
        deadline = [deadline, outcome.deadline.map { max($0, soonest) }].compactMap(\.self).min()
        ruleHealth.merge(draft.commit.rules) { _, new in new }
        rests.merge(draft.commit.rests) { _, new in new }
        for update in draft.commit.sources { states[update.source] = update.state }
        for name in draft.outdated { views[name] = nil }
        views.merge(draft.views) { _, new in new }
    }

    private func currentMemory() async throws(StateError) -> [String: Value] {
        if let policyMemory { return policyMemory }
        return try await store.policyMemory()
    }

    /// What rules may know at this moment.
    private func context(
        of rules: any Rules,
        at now: Timestamp,
        _ memory: [String: Value],
        fresh: [String: SourceView] = [:]
    ) async throws(StateError) -> RuleContext {
        var context = RuleContext(now: now, memory: memory)
        for name in rules.readSources {
            if let view = fresh[name] {
                context.snapshots[name] = view
            } else {
                context.snapshots[name] = try await view(of: name)
            }
        }
        return context
    }

    func context(at now: Timestamp) async throws(StateError) -> RuleContext {
        try await context(of: inForce.rules, at: now, currentMemory())
    }

    func view(of source: String) async throws(StateError) -> SourceView? {
        if let view = views[source] { return view }
        let view = try await store.view(of: source)
        // A step may have brought a newer one while this was read.
        if let newer = views[source] { return newer }
        if inForce.rules.readSources.contains(source) { views[source] = view }
        return view
    }

    /// What one round of deciding leaves for after it.
    struct RoundOutcome {
        var notices: [HealthNotice] = []
        var deadline: Timestamp?
        /// Whether `Rules.decide` was called, which looks after everything that is due.
        var asked = false
    }

    private func take(
        _ decision: Decision,
        about events: [Event],
        of inForce: RulesInForce,
        into draft: inout Draft,
        _ memory: inout [String: Value],
        _ outcome: inout RoundOutcome
    ) {
        draft.commit.notes += decision.notes
        draft.commit.withdrawn += decision.withdrawn
        draft.commit.memory.merge(decision.memory) { _, new in new }
        for (rule, value) in decision.memory { memory[rule] = value.isNull ? Value?.none : value }
        outcome.deadline = [outcome.deadline, decision.deadline].compactMap(\.self).min()
        for message in decision.messages where !isAboutItsOwnSink(message, events) {
            prepare(message, into: &draft, &outcome)
        }
        noteRules(decision.notes, of: inForce, in: &draft, &outcome)
    }

    /// A failing sink is not told of through itself: that would only add to what it cannot deliver.
    private func isAboutItsOwnSink(_ message: Message, _ events: [Event]) -> Bool {
        let own = events.filter { $0.kind == HealthSchema.sinkFailing && $0.record.key == message.sink }.map(\.id)
        return !message.events.isEmpty && message.events.allSatisfy(own.contains)
    }

    /// A message that its sink cannot put into form is a dead letter; it stops no other.
    private func prepare(_ message: Message, into draft: inout Draft, _ outcome: inout RoundOutcome) {
        do throws(PluginError) {
            guard let sink = sinks[message.sink] else {
                throw .permanent("There is no sink '\(message.sink)' in the bot file.")
            }
            let payloads = try sink.prepare(message, at: draft.commit.at)
            if payloads.isEmpty {
                log(.info, "Sink \(message.sink): a message of the rule \(message.rule) shows nothing and is not sent.")
            }
            for payload in payloads {
                draft.commit.payloads.append(
                    OutgoingPayload(
                        payload,
                        isHealth: message.isHealth,
                        corrects: message.corrects,
                        students: Set(message.students)
                    )
                )
            }
        } catch {
            let payload = Payload(
                id: message.id,
                message: message.id,
                rule: message.rule,
                sink: message.sink,
                recipient: "",
                orderKey: message.orderKey,
                createdAt: draft.commit.at,
                text: message.title.plain,
                content: .null
            )
            draft.commit.payloads.append(
                OutgoingPayload(
                    payload,
                    isHealth: message.isHealth,
                    deadReason: error.message,
                    students: Set(message.students)
                )
            )
            outcome.notices.append(.deadLetter(payload, error.message, tries: 0, at: draft.commit.at))
        }
    }
}

extension Commit {
    /// Whether something may be due for sending afterwards that was not before.
    fileprivate var touchesOutbox: Bool { !payloads.isEmpty || !settlements.isEmpty || !withdrawn.isEmpty }
}

extension HealthNotice {
    /// - Parameter tries: how often it was tried; a letter that is queued by hand and dies again is told again.
    static func deadLetter(_ payload: Payload, _ reason: String, tries: Int, at now: Timestamp) -> HealthNotice {
        HealthNotice(
            kind: HealthSchema.sinkDeadLetter,
            name: payload.sink,
            error: reason,
            failures: 1,
            since: now,
            duration: .zero,
            revision: Int64(tries),
            rule: payload.rule,
            message: payload.id
        )
    }
}
