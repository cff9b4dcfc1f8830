import BotCore
import Values

/// The scheduled rules' part of the desk.
extension Desk {
    /// The slots of a span that have not fired yet, earliest first.
    func slots(after start: Timestamp, through end: Timestamp) async throws(StateError) -> [Slot] {
        let slots = inForce.rules.slots(after: start, through: end, in: try await context(at: end))
        if slots.isEmpty { return [] }
        let fired = try await store.fired(slots)
        return slots.filter { !fired.contains($0) }
    }

    func nextSlot(after instant: Timestamp) async throws(StateError) -> Timestamp? {
        inForce.rules.nextSlot(after: instant, in: try await context(at: instant))
    }

    func setChecked(through instant: Timestamp) { checkedThrough = instant }

    /// Fires a slot and notes those that were missed; both are remembered with what the rule said.
    func fire(_ slot: Slot?, skipping skipped: [SkippedSlot], at now: Timestamp) async throws(StateError) {
        await turnstile.enter()
        defer { turnstile.leave() }
        var draft = Draft(at: now)
        draft.commit.notes = skipped.map {
            RuleNote(rule: $0.slot.rule, about: $0.slot.key, outcome: .skipped, reason: $0.reason)
        }
        if let slot, try await store.fired([slot]).isEmpty {
            draft.commit.slots = [slot]
            draft.decision = inForce.rules.fire(slot, in: try await context(at: now))
        }
        try await conclude(draft)
    }
}
