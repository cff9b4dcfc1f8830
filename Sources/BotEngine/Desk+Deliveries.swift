import BotCore
import Values

/// What became of tries, and what follows from it.
extension Desk {
    /// Settles tries in one commit, together with what is told of their sinks.
    /// - Parameter states: what the verdicts go by; rests that another process has ended meanwhile stay ended.
    func settle(
        _ verdicts: [DeliveryVerdict],
        _ results: [DeliveryResult],
        knowing states: [String: SinkState],
        at now: Timestamp
    ) async throws(StateError) {
        await turnstile.enter()
        defer { turnstile.leave() }
        var draft = Draft(at: now)
        draft.commit.settlements = verdicts.map(\.settlement)
        for (verdict, result) in zip(verdicts, results) {
            draft.commit.sinks[result.claimed.payload.sink] = verdict.state
            if let notice = verdict.notice { draft.notices.append(notice) }
        }
        draft.commit.knownSinks = states
        draft.notices += deadLetters(verdicts, results, at: now)
        try await conclude(draft)
    }

    /// Writes what is known of sinks, so that others read it as it is.
    func note(sinks: [String: SinkState], at now: Timestamp) async throws(StateError) {
        if sinks.isEmpty { return }
        await turnstile.enter()
        defer { turnstile.leave() }
        var draft = Draft(at: now)
        draft.commit.sinks = sinks
        try await conclude(draft)
    }

    /// One notice for each sink, however many letters died at once; none for letters that tell of health themselves.
    private func deadLetters(
        _ verdicts: [DeliveryVerdict],
        _ results: [DeliveryResult],
        at now: Timestamp
    ) -> [HealthNotice] {
        var bySink: [String: HealthNotice] = [:]
        for (verdict, result) in zip(verdicts, results) {
            guard let reason = verdict.deadReason else { continue }
            let payload = result.claimed.payload
            log(.error, "Sink \(payload.sink): a message of the rule \(payload.rule) is given up. \(reason)")
            if result.claimed.isHealth { continue }
            let count = (bySink[payload.sink]?.failures ?? 0) + 1
            let tries = result.claimed.attempts + 1
            let notice = bySink[payload.sink] ?? .deadLetter(payload, reason, tries: tries, at: now)
            bySink[payload.sink] = notice
            bySink[payload.sink]?.failures = count
        }
        return bySink.values.sorted { $0.name < $1.name }
    }
}
