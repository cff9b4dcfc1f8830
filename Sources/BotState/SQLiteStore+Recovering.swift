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
            recovered += try connection.transaction { () throws(StateError) in
                let payload = row.payload.payload
                let places = try connection.rows(
                    """
                    INSERT INTO payload (id, message, rule, sink, recipient, part, parts, order_key, lane, created_at, expires, text,
                        content, is_repeat, is_health, state, at, attempts)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, 0)
                    ON CONFLICT (id) DO NOTHING RETURNING place
                    """,
                    .text(payload.id),
                    .text(payload.message),
                    .text(payload.rule),
                    .text(payload.sink),
                    .text(payload.recipient),
                    .int(payload.part),
                    .int(payload.parts),
                    .text(payload.orderKey),
                    .text(payload.lane),
                    .time(payload.createdAt),
                    .time(payload.expires),
                    .text(payload.text),
                    .value(payload.content),
                    .flag(payload.isRepeat || row.state == .sending),
                    .flag(row.payload.isHealth),
                    .text((row.state == .sending ? .queued : row.state).rawValue),
                    .time(now)
                ) { $0.int(0) }
                return places.count
            }
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
