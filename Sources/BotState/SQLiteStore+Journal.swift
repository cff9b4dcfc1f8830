public import BotCore
public import Values

extension SQLiteStore {
    public func fired(_ slots: [Slot]) throws(StateError) -> Set<Slot> {
        var fired: Set<Slot> = []
        for slot in slots {
            let rows = try connection.rows(
                "SELECT 1 FROM slot WHERE rule = ?1 AND key = ?2",
                .text(slot.rule),
                .text(slot.key)
            ) { _ in true }
            if !rows.isEmpty { fired.insert(slot) }
        }
        return fired
    }

    public func checkedThrough() throws(StateError) -> Timestamp? {
        try connection.rows("SELECT value FROM meta WHERE key = 'checked_through'") { $0.time(0) }.first
    }

    public func rests() throws(StateError) -> [String: AccountRest] {
        let rows = try connection.rows("SELECT account, fingerprint, since, error FROM rest") {
            ($0.text(0), AccountRest(fingerprint: $0.text(1), since: $0.time(2), error: $0.text(3)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    public func sinks() throws(StateError) -> [String: SinkState] {
        let rows = try connection.rows("SELECT name, memo, health, rest_fingerprint, available_since FROM sink") {
            row throws(StateError) in
            let health = Rows.health(of: try row.value(2))
            let state = SinkState(
                memo: try row.value(1),
                health: health,
                restFingerprint: row.optionalText(3),
                availableSince: row.optionalTime(4)
            )
            return (row.text(0), state)
        }
        var sinks = Dictionary(rows) { first, _ in first }
        let recipients = try connection.rows("SELECT sink, address, not_before, gone_fingerprint FROM recipient") {
            ($0.text(0), $0.text(1), RecipientState(notBefore: $0.optionalTime(2), goneFingerprint: $0.optionalText(3)))
        }
        for (sink, address, state) in recipients { sinks[sink]?.recipients[address] = state }
        return sinks
    }

    public func rules() throws(StateError) -> [String: Health] {
        let rows = try connection.rows("SELECT name, health FROM rule") { row throws(StateError) in
            (row.text(0), Rows.health(of: try row.value(1)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    public func events(since start: Timestamp, limit: Int) throws(StateError) -> [Event] {
        try connection.rows(
            """
            SELECT id, world_id, kind, at, source, account, student_id, student_name, record, old, changes, revision FROM event
            WHERE at >= ?1 ORDER BY at DESC, rowid DESC LIMIT ?2
            """,
            .time(start),
            .int(limit),
            make: { row throws(StateError) in
                Event(
                    id: row.text(0),
                    worldID: row.text(1),
                    kind: row.text(2),
                    at: row.time(3),
                    source: row.text(4),
                    account: row.text(5),
                    student: Student(id: row.text(6), name: row.text(7)),
                    record: Rows.record(of: try row.value(8)),
                    old: row.isNull(9) ? nil : Rows.record(of: try row.value(9)),
                    changes: Rows.changes(of: try row.value(10)),
                    revision: row.int(11)
                )
            }
        )
    }

    public func notes(about id: String) throws(StateError) -> [RuleNote] {
        try connection.rows(
            "SELECT rule, about, outcome, reason FROM note WHERE about = ?1 ORDER BY rowid",
            .text(id)
        ) {
            RuleNote(
                rule: $0.text(0),
                about: $0.text(1),
                outcome: RuleNote.Outcome(rawValue: $0.text(2)) ?? .skipped,
                reason: $0.text(3)
            )
        }
    }

    public func fingerprintKey() throws(StateError) -> [UInt8] {
        let rows = try connection.rows("SELECT value FROM meta WHERE key = 'fingerprint_key'") { $0.bytes(0) }
        guard let key = rows.first else { throw .corrupt("it has no key for fingerprints") }
        return key
    }

    public func memoryLoss() throws(StateError) -> String? {
        try connection.rows("SELECT value FROM meta WHERE key = 'memory_loss'") { $0.text(0) }.first
    }
}
