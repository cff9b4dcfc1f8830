public import BotCore
public import Values

extension SQLiteStore {
    static let payloadColumns = """
        id, message, rule, sink, recipient, part, parts, order_key, created_at, expires, text, content, is_repeat, attempts, is_health,
        state, at, remote_id, place, requeued_at
        """

    /// No earlier payload of the lane is on its way.
    private static let isFirstOfLane = """
        NOT EXISTS (
            SELECT 1 FROM payload AS earlier
            WHERE earlier.lane = payload.lane AND earlier.place < payload.place AND earlier.state IN ('queued', 'sending')
        )
        """

    /// ?2 is now, ?3 the end of the longest wait that can be meant.
    private static let isForWillingRecipient = """
        NOT EXISTS (
            SELECT 1 FROM recipient
            WHERE recipient.sink = payload.sink AND address = payload.recipient AND not_before > ?2 AND not_before <= ?3
        )
        """

    public func claim(_ request: ClaimRequest) throws(StateError) -> Claim {
        guard try hasWork(for: request) else { return Claim() }
        return try connection.transaction { () throws(StateError) in
            var claim = Claim()
            claim.stale = try dropStale(at: request.now)
            var claimed: [(place: Int64, payload: ClaimedPayload)] = []
            for (sink, count) in request.places.sorted(by: { $0.key < $1.key }) where count > 0 {
                claimed += try connection.rows(
                    """
                    SELECT \(Self.payloadColumns) FROM payload
                    WHERE sink = ?1 AND state = 'queued' AND (at <= ?2 OR at > ?3) AND \(Self.isFirstOfLane)
                    AND \(Self.isForWillingRecipient) ORDER BY place LIMIT ?4
                    """,
                    .text(sink),
                    .time(request.now),
                    .time(request.now + ClaimRequest.longestWait),
                    .int(count),
                    make: { row throws(StateError) in (row.int(18), try Self.claimed(row)) }
                )
            }
            for (place, _) in claimed {
                try connection.run(
                    "UPDATE payload SET state = 'sending', at = ?2 WHERE place = ?1",
                    .int(place),
                    .time(request.now)
                )
            }
            claim.payloads = claimed.sorted { $0.place < $1.place }.map(\.payload)
            return claim
        }
    }

    /// A look without a write lock: most turns of the engine have nothing to send.
    private func hasWork(for request: ClaimRequest) throws(StateError) -> Bool {
        let stale = try connection.rows(
            "SELECT 1 FROM payload WHERE state = 'queued' AND expires IS NOT NULL AND expires <= ?1 LIMIT 1",
            .time(request.now)
        ) { _ in true }
        if !stale.isEmpty { return true }
        for (sink, count) in request.places where count > 0 {
            let due = try connection.rows(
                """
                SELECT 1 FROM payload WHERE sink = ?1 AND state = 'queued' AND (at <= ?2 OR at > ?3)
                AND \(Self.isFirstOfLane) AND \(Self.isForWillingRecipient) LIMIT 1
                """,
                .text(sink),
                .time(request.now),
                .time(request.now + ClaimRequest.longestWait)
            ) { _ in true }
            if !due.isEmpty { return true }
        }
        return false
    }

    private func dropStale(at now: Timestamp) throws(StateError) -> [Payload] {
        let stale = try connection.rows(
            """
            SELECT \(Self.payloadColumns) FROM payload
            WHERE state = 'queued' AND expires IS NOT NULL AND expires <= ?1 ORDER BY place
            """,
            .time(now),
            make: { row throws(StateError) in (row.int(18), row.int(13), try Self.payload(row)) }
        )
        for (place, attempts, _) in stale {
            try connection.run(
                "UPDATE payload SET state = 'dropped', at = ?2 WHERE place = ?1",
                .int(place),
                .time(now)
            )
            try addAttempt(place, attempts + 1, at: now, "dropped", "Stale before it could be sent.")
        }
        return stale.map(\.2)
    }

    func addAttempt(
        _ place: Int64,
        _ number: Int64,
        at now: Timestamp,
        _ outcome: String,
        _ answer: String
    ) throws(StateError) {
        try connection.run(
            "INSERT OR REPLACE INTO attempt VALUES (?1, ?2, ?3, ?4, ?5)",
            .int(place),
            .int(number),
            .time(now),
            .text(outcome),
            .text(answer)
        )
    }

    public func interrupted() throws(StateError) -> [ClaimedPayload] {
        try connection.rows(
            "SELECT \(Self.payloadColumns) FROM payload WHERE state = 'sending' ORDER BY place",
            make: { row throws(StateError) in try Self.claimed(row) }
        )
    }

    public func nextDue(of sinks: [String]) throws(StateError) -> Timestamp? {
        var soonest: Timestamp?
        for sink in sinks {
            let due = try connection.rows(
                """
                SELECT at FROM payload WHERE sink = ?1 AND state = 'queued' AND \(Self.isFirstOfLane)
                AND recipient NOT IN (SELECT address FROM recipient WHERE sink = ?1 AND not_before IS NOT NULL)
                ORDER BY at LIMIT 1
                """,
                .text(sink)
            ) { $0.time(0) }
            let postponed = try connection.rows(
                """
                SELECT max(not_before, at) AS due FROM recipient
                JOIN payload ON payload.sink = recipient.sink AND payload.recipient = address
                WHERE recipient.sink = ?1 AND not_before IS NOT NULL AND state = 'queued' AND \(Self.isFirstOfLane)
                ORDER BY due LIMIT 1
                """,
                .text(sink)
            ) { $0.time(0) }
            let stale = try connection.rows(
                """
                SELECT expires FROM payload WHERE sink = ?1 AND state = 'queued' AND expires IS NOT NULL
                ORDER BY expires LIMIT 1
                """,
                .text(sink)
            ) { $0.time(0) }
            soonest = ([soonest].compactMap(\.self) + due + postponed + stale).min()
        }
        return soonest
    }

    public func deliveries(in states: Set<DeliveryState>, limit: Int) throws(StateError) -> [Delivery] {
        try connection.reading { () throws(StateError) in
            let names = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
            let found = try connection.rows(
                "SELECT \(Self.payloadColumns) FROM payload WHERE state IN (\(names)) ORDER BY place DESC LIMIT ?1",
                .int(limit),
                make: { row throws(StateError) in (row.int(18), try Self.delivery(row)) }
            )
            var deliveries: [Delivery] = []
            for (place, bare) in found {
                var delivery = bare
                delivery.attempts = try connection.rows(
                    "SELECT at, outcome, answer FROM attempt WHERE payload = ?1 ORDER BY number",
                    .int(place)
                ) { Attempt(at: $0.time(0), outcome: $0.text(1), answer: $0.text(2)) }
                deliveries.append(delivery)
            }
            return deliveries
        }
    }

    public func counts() throws(StateError) -> [DeliveryState: Int] {
        let rows = try connection.rows("SELECT state, count(*) FROM payload GROUP BY state") {
            ($0.text(0), Int($0.int(1)))
        }
        return Dictionary(rows.compactMap { row in DeliveryState(rawValue: row.0).map { ($0, row.1) } }) { first, _ in
            first
        }
    }

    public func requeue(_ ids: [String]?, at now: Timestamp) throws(StateError) -> Int {
        try connection.transaction { () throws(StateError) in
            let waiting = try connection.rows(
                "SELECT id, sink FROM payload WHERE state IN ('dead', 'held') AND content <> 'null'"
            ) { (id: $0.text(0), sink: $0.text(1)) }
            let wanted = ids.map(Set.init)
            let chosen = waiting.filter { wanted?.contains($0.id) ?? true }
            for (id, _) in chosen {
                // Whoever asks for it by hand wants it however late it is.
                try connection.run(
                    """
                    UPDATE payload SET is_repeat = is_repeat OR state = 'held', state = 'queued', at = ?2, requeued_at = ?2,
                        expires = NULL
                    WHERE id = ?1
                    """,
                    .text(id),
                    .time(now)
                )
            }
            // Nor does anybody who asks for it by hand want to wait for a pause after failures.
            let sinks = chosen.isEmpty ? [:] : try sinks()
            for name in Set(chosen.map(\.sink)) {
                guard var state = sinks[name] else { continue }
                state.endWaits()
                try write(state, of: name)
            }
            return chosen.count
        }
    }

    private static func payload(_ row: Statement) throws(StateError) -> Payload {
        Payload(
            id: row.text(0),
            message: row.text(1),
            rule: row.text(2),
            sink: row.text(3),
            recipient: row.text(4),
            part: Int(row.int(5)),
            parts: Int(row.int(6)),
            orderKey: row.text(7),
            createdAt: row.time(8),
            expires: row.optionalTime(9),
            text: row.text(10),
            content: try row.value(11),
            isRepeat: row.flag(12)
        )
    }

    static func claimed(_ row: Statement) throws(StateError) -> ClaimedPayload {
        ClaimedPayload(
            try payload(row),
            attempts: Int(row.int(13)),
            isHealth: row.flag(14),
            requeuedAt: row.optionalTime(19)
        )
    }

    private static func delivery(_ row: Statement) throws(StateError) -> Delivery {
        Delivery(
            payload: try payload(row),
            state: DeliveryState(rawValue: row.text(15)) ?? .dead,
            at: row.time(16),
            attempts: [],
            remoteID: row.optionalText(17)
        )
    }
}
