public import BotCore
public import Values

extension Rehearsal {
    /// What the courier would make of one try: what becomes of the payload, of the sink, and what is told of it.
    ///
    /// Waits are as long as their step allows, so that a rehearsal goes the same way every time.
    public static func verdict(
        on claimed: ClaimedPayload,
        outcome: Result<Receipt, PluginError>,
        sink name: String,
        uncertain: UncertainPolicy,
        recognisesRepeats: Bool,
        state: SinkState,
        at now: Timestamp
    ) -> (settlement: Settlement, state: SinkState, events: [Event]) {
        let sink = SinkSetup(
            name: name,
            sink: Unreachable(),
            uncertain: uncertain,
            recognisesRepeats: recognisesRepeats
        )
        let result = DeliveryResult(claimed: claimed, outcome: outcome, startedAt: now, at: now)
        let verdict = DeliveryVerdict(
            result,
            sink: sink,
            state: state,
            isFromBeforeRest: false,
            fingerprint: "refused",
            share: 1
        )
        var notices = [verdict.notice].compactMap(\.self)
        if let reason = verdict.deadReason, !claimed.isHealth {
            notices.append(.deadLetter(claimed.payload, reason, tries: claimed.attempts + 1, at: now))
        }
        return (verdict.settlement, verdict.state, notices.map { $0.event(at: now) })
    }

    private struct Unreachable: Sink {
        func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] { [] }
        func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
            throw .permanent("A rehearsal sends nothing.")
        }
    }
}
