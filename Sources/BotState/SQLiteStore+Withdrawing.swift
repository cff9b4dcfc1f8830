import BotCore
import Values

extension SQLiteStore {
    /// What history says of a message that was taken back before it could be sent: no failure.
    public static let withdrawnReason = "No longer true before it could be sent."

    /// Drops what has not been delivered of a message, also what was given up or is held, which nobody shall send again by hand; but not
    /// what waits after a try that may have delivered it. Of what is held it stays known that it may have arrived.
    func withdraw(_ message: String, at now: Timestamp) throws(StateError) {
        let waiting = try connection.rows(
            """
            SELECT place, attempts FROM payload
            WHERE message = ?1 AND (state = 'queued' AND is_repeat = 0 OR state IN ('dead', 'held'))
            """,
            .text(message)
        ) { ($0.int(0), $0.int(1)) }
        for (place, attempts) in waiting {
            try connection.run(
                "UPDATE payload SET is_repeat = is_repeat OR state = 'held', state = 'dropped', at = ?2 WHERE place = ?1",
                .int(place),
                .time(now)
            )
            try addAttempt(place, attempts + 1, at: now, "dropped", Self.withdrawnReason)
        }
    }

    /// Whether somebody may have to be told: always, unless it corrects what cannot have reached its recipient.
    func isOfUse(_ outgoing: OutgoingPayload) throws(StateError) -> Bool {
        guard let corrected = outgoing.corrects else { return true }
        let parts = try connection.rows(
            """
            SELECT state IN ('sending', 'held', 'delivered') OR is_repeat FROM payload
            WHERE message = ?1 AND sink = ?2 AND recipient = ?3
            """,
            .text(corrected),
            .text(outgoing.payload.sink),
            .text(outgoing.payload.recipient)
        ) { $0.flag(0) }
        return parts.isEmpty || parts.contains(true)
    }
}
