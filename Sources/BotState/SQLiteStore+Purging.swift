public import BotCore
public import Values

/// What to purge.
public struct PurgeRequest: Sendable {
    /// What was over before this goes; nil to leave it.
    public var cut: Timestamp?
    /// What these files do not name goes, however young; nil to leave it.
    public var names: ConfiguredNames?

    public init(cut: Timestamp?, names: ConfiguredNames?) {
        self.cut = cut
        self.names = names
    }
}

/// The names that the bot file and the rule files use.
public struct ConfiguredNames: Sendable, Hashable {
    public var sources: Set<String>
    public var accounts: Set<String>
    public var sinks: Set<String>
    /// Ids of rules, those with errors included.
    public var rules: Set<String>

    public init(sources: Set<String>, accounts: Set<String>, sinks: Set<String>, rules: Set<String>) {
        self.sources = sources
        self.accounts = accounts
        self.sinks = sinks
        self.rules = rules
    }
}

/// One kind of thing that goes.
public struct PurgedKind: Sendable, Hashable {
    /// In words: `events before 2026-10-31`.
    public var words: String
    public var count: Int
}

extension SQLiteStore {
    /// What a purge would take away, by kind; changes nothing.
    public func purgeable(_ request: PurgeRequest) throws(StateError) -> [PurgedKind] {
        try connection.reading { () throws(StateError) in
            var kinds: [PurgedKind] = []
            for rows in try doomedRows(request) {
                let sql = "SELECT count(*) FROM \(rows.table) WHERE \(rows.condition)"
                let statement = try connection.statement(sql)
                try statement.bind(rows.values)
                defer { statement.reset() }
                let count = try statement.step() ? Int(statement.int(0)) : 0
                if count > 0 { kinds.append(PurgedKind(words: rows.words, count: count)) }
            }
            return kinds
        }
    }

    /// Takes it away, in one transaction whose deletions overwrite what they delete.
    public func purge(_ request: PurgeRequest) throws(StateError) -> [PurgedKind] {
        try connection.execute("PRAGMA secure_delete = ON")
        return try connection.transaction { () throws(StateError) in
            var kinds: [PurgedKind] = []
            for rows in try doomedRows(request) {
                let statement = try connection.statement("DELETE FROM \(rows.table) WHERE \(rows.condition)")
                try statement.bind(rows.values)
                while try statement.step() {}
                statement.reset()
                let count = connection.changes
                if count > 0 { kinds.append(PurgedKind(words: rows.words, count: count)) }
            }
            return kinds
        }
    }

    /// Rows of one table that go. No row is in two of them.
    private struct DoomedRows {
        var table: String
        var condition: String
        var values: [SQLValue]
        var words: String
    }

    private func doomedRows(_ request: PurgeRequest) throws(StateError) -> [DoomedRows] {
        var doomed: [DoomedRows] = []
        if let cut = request.cut { doomed += Self.old(before: cut) }
        if let names = request.names { doomed += try unnamed(names, cut: request.cut) }
        return doomed
    }

    /// What the nightly pruning takes away too, after its own time.
    private static func old(before cut: Timestamp) -> [DoomedRows] {
        let odds = cut - oddsKept
        return [
            DoomedRows(table: "event", condition: "at < ?1", values: [.time(cut)], words: "old events"),
            DoomedRows(table: "note", condition: "at < ?1", values: [.time(cut)], words: "old notes of rules"),
            DoomedRows(table: "slot", condition: "at < ?1", values: [.time(cut)], words: "old times of rules"),
            DoomedRows(
                table: "payload",
                condition: "state NOT IN ('queued', 'sending') AND at < ?1",
                values: [.time(cut)],
                words: "old messages that are not on their way any more"
            ),
            DoomedRows(
                table: "world",
                condition: "touched_at < ?1",
                values: [.time(odds)],
                words: "things that several accounts saw, unchanged for a year more"
            ),
            DoomedRows(
                table: "record",
                condition: "is_present = 0 AND gone_at < ?1",
                values: [.time(odds)],
                words: "records that have been gone for a year more"
            ),
        ]
    }

    private func unnamed(_ names: ConfiguredNames, cut: Timestamp?) throws(StateError) -> [DoomedRows] {
        let known = try connection.rows(
            "SELECT name FROM source UNION SELECT source FROM record UNION SELECT source FROM event WHERE source <> ''"
        ) { $0.text(0) }
        var doomed = known.filter { !names.sources.contains($0) }.flatMap { Self.rows(ofSource: $0, cut: cut) }
        for account in try connection.rows("SELECT account FROM rest", make: { $0.text(0) }) {
            let isOfSource = account.hasPrefix("source ") && names.sources.contains(String(account.dropFirst(7)))
            if names.accounts.contains(account) || isOfSource { continue }
            doomed.append(Self.row("rest", "account = ?1", account, "the rest of the account"))
        }
        for sink in try connection.rows("SELECT name FROM sink", make: { $0.text(0) }) where !names.sinks.contains(sink)
        {
            let condition = "name = ?1 AND NOT EXISTS (SELECT 1 FROM payload WHERE payload.sink = sink.name)"
            doomed.append(Self.row("sink", condition, sink, "the state of the sink"))
        }
        for rule in try connection.rows("SELECT name FROM rule", make: { $0.text(0) }) where !names.rules.contains(rule)
        {
            doomed.append(Self.row("rule", "name = ?1", rule, "the health of the rule"))
        }
        return doomed
    }

    private static func row(_ table: String, _ condition: String, _ name: String, _ what: String) -> DoomedRows {
        DoomedRows(
            table: table,
            condition: condition,
            values: [.text(name)],
            words: "\(what) '\(name)', which is in no file"
        )
    }

    /// All that belongs to a source, but for what goes for its age already.
    private static func rows(ofSource source: String, cut: Timestamp?) -> [DoomedRows] {
        let name: [SQLValue] = [.text(source)]
        let start = Timestamp(milliseconds: 0)
        let fresh = name + [.time(cut ?? start)]
        let words = "of the source '\(source)', which is in no file"
        return [
            DoomedRows(
                table: "record",
                condition: "source = ?1 AND NOT (is_present = 0 AND coalesce(gone_at, ?2) < ?2)",
                values: name + [.time(cut.map { $0 - oddsKept } ?? start)],
                words: "records \(words)"
            ),
            DoomedRows(
                table: "note",
                condition: "at >= ?2 AND about IN (SELECT id FROM event WHERE source = ?1)",
                values: fresh,
                words: "notes about events \(words)"
            ),
            DoomedRows(
                table: "event",
                condition: "source = ?1 AND at >= ?2",
                values: fresh,
                words: "events \(words)"
            ),
            DoomedRows(table: "source", condition: "name = ?1", values: name, words: "the state \(words)"),
        ]
    }
}
