public import BotCore
public import Values

extension SQLiteStore {
    /// So many places in a row that cannot be read end the search: a page holds fewer messages.
    private static let patience = 2000

    /// Takes over what a damaged database still has of undelivered messages, under the ids they had; what is known already stays as it
    /// is. What was being sent may have arrived, and is marked as a possible repeat.
    /// - Returns: how many were taken over.
    public func recoverMessages(fromFile path: String, at now: Timestamp) throws(StateError) -> Int {
        let damaged = try Connection(path: path)
        defer { damaged.close() }
        var recovered = 0
        for row in Self.readable(in: damaged) {
            let place = try connection.transaction { () throws(StateError) in
                try insert(
                    row.payload.payload,
                    isRepeat: row.payload.payload.isRepeat || row.state == .sending,
                    isHealth: row.payload.isHealth,
                    row.state == .sending ? .queued : row.state,
                    at: now
                )
            }
            if place != nil { recovered += 1 }
        }
        return recovered
    }

    /// Undelivered messages of a database some of whose pages cannot be read, in their order.
    private static func readable(in damaged: Connection) -> [(payload: ClaimedPayload, state: DeliveryState)] {
        var found: [(payload: ClaimedPayload, state: DeliveryState)] = []
        var place: Int64 = 0
        var failures = 0
        while failures < patience {
            do throws(StateError) {
                let next = try damaged.rows(
                    "SELECT \(payloadColumns) FROM payload NOT INDEXED WHERE place > ?1 ORDER BY place LIMIT 1",
                    .int(place)
                ) { row throws(StateError) in
                    (place: row.int(18), state: DeliveryState(rawValue: row.text(15)), payload: try? claimed(row))
                }
                guard let row = next.first else { return found }
                failures = 0
                place = row.place
                if let payload = row.payload, let state = row.state, [.queued, .sending, .held, .dead].contains(state) {
                    found.append((payload, state))
                }
            } catch {
                failures += 1
                place += 1
            }
        }
        return found
    }
}
