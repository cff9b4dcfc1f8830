import BotCore
import Values

extension SQLiteStore {
    /// Writes what became of a try; nothing for a payload that is not being sent any more.
    func settle(_ settlement: Settlement) throws(StateError) {
        guard let sent = try sent(settlement.id) else { return }
        switch settlement.outcome {
        case .released:
            try connection.run(
                "UPDATE payload SET state = 'queued', at = ?2 WHERE place = ?1",
                .int(sent.place),
                .time(settlement.at)
            )
            return
        case .delivered(let remoteID):
            try end(sent, .delivered, settlement, remoteID: remoteID)
        case .retry(let due, let mayHaveArrived):
            try connection.run(
                """
                UPDATE payload SET state = 'queued', at = ?2, attempts = attempts + 1, is_repeat = is_repeat OR ?3
                WHERE place = ?1
                """,
                .int(sent.place),
                .time(due),
                .flag(mayHaveArrived)
            )
            try addAttempt(sent.place, sent.attempts + 1, at: settlement.at, "retry", settlement.answer)
        case .held: try end(sent, .held, settlement)
        case .dropped:
            try end(sent, .dropped, settlement)
            // Given up because it may have arrived: a correction is of use.
            try connection.run("UPDATE payload SET is_repeat = 1 WHERE place = ?1", .int(sent.place))
        case .dead:
            try end(sent, .dead, settlement)
            try endLaterParts(of: sent, at: settlement.at)
        }
    }

    private func sent(_ id: String) throws(StateError) -> Sent? {
        let rows = try connection.rows(
            "SELECT place, attempts, message, recipient, sink, part FROM payload WHERE id = ?1 AND state = 'sending'",
            .text(id)
        ) {
            Sent(
                place: $0.int(0),
                attempts: $0.int(1),
                message: $0.text(2),
                recipient: $0.text(3),
                sink: $0.text(4),
                part: $0.int(5)
            )
        }
        return rows.first
    }

    private struct Sent {
        var place: Int64
        var attempts: Int64
        var message: String
        var recipient: String
        var sink: String
        var part: Int64
    }

    private func end(
        _ sent: Sent,
        _ state: DeliveryState,
        _ settlement: Settlement,
        remoteID: String? = nil
    ) throws(StateError) {
        try connection.run(
            """
            UPDATE payload SET state = ?2, at = ?3, attempts = attempts + 1, remote_id = coalesce(?4, remote_id)
            WHERE place = ?1
            """,
            .int(sent.place),
            .text(state.rawValue),
            .time(settlement.at),
            .text(remoteID)
        )
        try addAttempt(sent.place, sent.attempts + 1, at: settlement.at, state.rawValue, settlement.answer)
    }

    private func endLaterParts(of sent: Sent, at now: Timestamp) throws(StateError) {
        let parts = try connection.rows(
            """
            SELECT place, attempts FROM payload
            WHERE message = ?1 AND recipient = ?2 AND sink = ?3 AND part > ?4 AND state = 'queued'
            """,
            .text(sent.message),
            .text(sent.recipient),
            .text(sent.sink),
            .int(sent.part)
        ) { ($0.int(0), $0.int(1)) }
        for (place, attempts) in parts {
            try connection.run("UPDATE payload SET state = 'dead', at = ?2 WHERE place = ?1", .int(place), .time(now))
            try addAttempt(place, attempts + 1, at: now, "dead", "An earlier part could not be delivered.")
        }
    }
}
