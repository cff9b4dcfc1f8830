import BotCore
import Values

extension StoreConformance {
    /// Recipients by what has become of their share of a message.
    private static let fates: [(recipient: String, fate: Settlement.Outcome)] = [
        ("waits", .released), ("tried", .retry(at: now, mayHaveArrived: false)), ("refused", .dead),
        ("doubtful", .retry(at: now, mayHaveArrived: true)), ("given up", .dropped), ("held", .held),
        ("reached", .delivered(remoteID: nil)),
    ]

    @Sendable static func withdrawing(_ store: any StateStore, _ check: inout Conformance) async throws {
        try await queue(fates.map { payload("1 \($0.recipient)", recipient: $0.recipient, message: "1") }, in: store)
        _ = try await claim(store)
        try await queue([payload("2", message: "2")], in: store)
        let settlements = fates.map { Settlement("1 \($0.recipient)", $0.fate, at: now) }
        try await store.commit(commit { $0.settlements = settlements })
        let corrections = fates.map { fate in
            let correction = payload("3 \(fate.recipient)", recipient: fate.recipient, message: "3")
            return OutgoingPayload(correction, corrects: "1")
        }
        try await store.commit(
            commit {
                $0.withdrawn = ["1", "unknown"]
                $0.payloads = corrections + [OutgoingPayload(payload("4", recipient: "new"), corrects: "forgotten")]
            }
        )
        let dropped = try await store.deliveries(in: [.dropped], limit: 9)
        check.expect(
            Set(dropped.map(\.payload.recipient)),
            is: ["waits", "tried", "given up", "refused", "held"],
            "what has not been delivered of a message that is taken back is dropped"
        )
        check.expect(dropped.allSatisfy { !$0.attempts.isEmpty }, "the drop is recorded")
        let queued = try await store.deliveries(in: [.queued], limit: 20).map(\.payload.id)
        check.expect(
            Set(queued),
            is: ["1 doubtful", "2", "3 doubtful", "3 given up", "3 held", "3 reached", "4"],
            "a correction is queued for those alone whom the message may have reached"
        )
        check.expect(
            try await store.requeue(nil, at: now),
            is: 0,
            "what was taken back is not sent again by hand"
        )
    }
}
