public import BotCore
public import Values

extension SQLiteStore {
    /// Gives up payloads by hand: they are never sent, and history says why.
    ///
    /// - Parameters:
    ///   - reason: for history, in one sentence.
    ///   - includingClaimed: whether those that an engine was about to send are given up too: right only where none runs.
    /// - Returns: how many; what is delivered or given up already stays as it is.
    public func drop(
        _ ids: [String],
        reason: String,
        includingClaimed: Bool,
        at now: Timestamp
    ) throws(StateError) -> Int {
        let states = includingClaimed ? "'queued', 'held', 'dead', 'sending'" : "'queued', 'held', 'dead'"
        return try connection.transaction { () throws(StateError) in
            var count = 0
            for id in ids {
                let found = try connection.rows(
                    """
                    SELECT place, attempts, state IN ('sending', 'held') FROM payload WHERE id = ?1 AND state IN (\(states))
                    """,
                    .text(id)
                ) { (place: $0.int(0), attempts: $0.int(1), mayHaveArrived: $0.flag(2)) }
                for payload in found {
                    // What may have arrived is marked: a correction of it is still of use.
                    try connection.run(
                        "UPDATE payload SET state = 'dropped', at = ?2, is_repeat = is_repeat OR ?3 WHERE place = ?1",
                        .int(payload.place),
                        .time(now),
                        .flag(payload.mayHaveArrived)
                    )
                    try addAttempt(payload.place, payload.attempts + 1, at: now, "dropped", reason)
                    count += 1
                }
            }
            return count
        }
    }
}
