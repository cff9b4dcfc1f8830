public import BotCore
public import Values

/// What one sink has before and behind it.
public struct SinkTally: Sendable, Hashable {
    /// Messages that wait for their first or next try, or are being sent.
    public var waiting = 0
    /// When the oldest of them was made.
    public var oldestWaiting: Timestamp?
    public var dead = 0
    public var held = 0
    /// When it last took a message; nil if it did not within the time that messages are kept.
    public var lastDelivered: Timestamp?

    public init() {}
}

extension SQLiteStore {
    /// What every sink that has messages has before and behind it.
    public func sinkTallies() throws(StateError) -> [String: SinkTally] {
        var tallies: [String: SinkTally] = [:]
        _ = try connection.rows(
            "SELECT sink, state, count(*), min(created_at), max(at) FROM payload GROUP BY sink, state"
        ) { row in
            var tally = tallies[row.text(0)] ?? SinkTally()
            let count = Int(row.int(2))
            switch DeliveryState(rawValue: row.text(1)) {
            case .queued?, .sending?:
                tally.waiting += count
                tally.oldestWaiting = [tally.oldestWaiting, row.time(3)].compactMap(\.self).min()
            case .dead?: tally.dead += count
            case .held?: tally.held += count
            case .delivered?: tally.lastDelivered = row.time(4)
            case .dropped?, nil: break
            }
            tallies[row.text(0)] = tally
        }
        return tallies
    }

    /// What rules noted about themselves, not about an event or a moment: that they are gone, with what they had collected. Latest first.
    public func remarks(
        since start: Timestamp,
        limit: Int
    ) throws(StateError) -> [(note: RuleNote, at: Timestamp)] {
        try connection.rows(
            """
            SELECT rule, about, outcome, reason, at FROM note WHERE rule = about AND at >= ?1 ORDER BY at DESC, rowid DESC
            LIMIT ?2
            """,
            .time(start),
            .int(limit)
        ) {
            let outcome = RuleNote.Outcome(rawValue: $0.text(2)) ?? .skipped
            return (RuleNote(rule: $0.text(0), about: $0.text(1), outcome: outcome, reason: $0.text(3)), $0.time(4))
        }
    }

    /// What a running bot last said about reading its files again; `.null` if it never did.
    public func lastReload() throws(StateError) -> Value {
        try connection.rows("SELECT value FROM meta WHERE key = 'reload'") { row throws(StateError) in
            try row.value(0)
        }.first ?? .null
    }

    /// - Parameter report: free of secrets.
    public func noteReload(_ report: Value) throws(StateError) {
        try connection.run("INSERT OR REPLACE INTO meta VALUES ('reload', ?1)", .value(report))
    }

    /// The file that each rule id belongs to, by id.
    public func noteRuleHomes(_ homes: [String: String]) throws(StateError) {
        let value = Value.map(ValueMap(homes.sorted { $0.key < $1.key }.map { (.string($0.key), .string($0.value)) }))
        try connection.run("INSERT OR REPLACE INTO meta VALUES ('rule_homes', ?1)", .value(value))
    }

    /// The same, read from a folder without touching it, before anything of it is opened; empty where it cannot be read.
    public static func ruleHomes(inFolder path: String) -> [String: String] {
        let folder = StateFolder(path: path)
        guard folder.hasDatabase, let connection = try? Connection(reading: folder.database) else { return [:] }
        defer { connection.close() }
        let rows = try? connection.rows("SELECT value FROM meta WHERE key = 'rule_homes'") { row throws(StateError) in
            try row.value(0)
        }
        let pairs = (rows?.first?.map?.pairs ?? []).compactMap { pair in
            pair.value.string.map { (pair.key.plainText, $0) }
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
