public import BotCore
public import Values

/// What a state folder looks like, found without changing anything: what `state check` judges.
public struct StateFacts: Sendable {
    /// A file of the folder, or the folder itself.
    public struct Entry: Sendable, Hashable {
        /// Empty for the folder itself.
        public var name: String
        /// The nine bits of access.
        public var mode: UInt32
        /// Whether it belongs to whoever asks.
        public var isOwn: Bool
        /// In bytes.
        public var size: Int64

        public init(name: String, mode: UInt32, isOwn: Bool, size: Int64) {
            (self.name, self.mode, self.isOwn, self.size) = (name, mode, isOwn, size)
        }
    }

    /// What the database is like.
    public enum Database: Sendable, Hashable {
        case missing
        /// It cannot be opened or read: why.
        case unusable(StateError)
        /// Another program's.
        case foreign
        case older(Int)
        case newer(Int)
        /// What SQLite's own check says, a line each.
        case damaged([String])
        case sound
    }

    public var folder: Entry?
    public var files: [Entry] = []
    /// Bytes that may still be written; nil where that cannot be asked.
    public var freeBytes: Int64?
    /// Nil where the lock cannot be looked at.
    public var holder: FolderHolder?
    public var database = Database.missing
    /// The format that this program writes.
    public var knownFormat = Schema.version
    public var contents = Contents()

    public init() {}

    /// What a sound database holds.
    public struct Contents: Sendable, Hashable {
        public var records = 0
        public var events = 0
        public var messages = 0
        /// Sources with rows, those that only records or events name included, and how many rows.
        public var sources: [String: Int] = [:]
        /// Accounts that rest.
        public var rests: [String] = []
        /// Rules that remember something.
        public var rules: [String] = []
        /// Undelivered messages by sink.
        public var undelivered: [String: Int] = [:]
        /// Messages that were claimed for sending.
        public var claimed = 0
        /// Rows that refer to what is not there.
        public var strays = 0
        /// Stored values that cannot be read, by table.
        public var unreadable: [String: Int] = [:]
        /// The latest moment that anything was written for.
        public var latest: Timestamp?

        public init() {}
    }
}

extension StateFacts {
    /// Looks at a folder. What cannot be found out is nil or says why.
    public static func gather(inFolder path: String) async -> StateFacts {
        let folder = StateFolder(path: path)
        var facts = StateFacts()
        facts.folder = folder.entry("")
        facts.files = folder.names().compactMap { folder.entry($0) }
        facts.freeBytes = folder.freeBytes
        facts.holder = try? folder.holder()
        guard folder.hasDatabase else {
            // A folder that is closed to this user looks empty.
            if let entry = facts.folder, !entry.isOwn, entry.mode & 0o007 != 0o007, facts.files.isEmpty {
                facts.database = .unusable(.readOnly("\(path) belongs to another user"))
            }
            return facts
        }
        if folder.isEmptyFile {
            facts.database = .damaged(["the file is empty"])
            return facts
        }
        do throws(StateError) {
            let store = SQLiteStore(try SQLiteStore.connect(folder), lock: nil)
            (facts.database, facts.contents) = try await store.examine()
            await store.close()
        } catch .corrupt(let detail) {
            facts.database = .damaged([detail])
        } catch {
            facts.database = .unusable(error)
        }
        return facts
    }
}

extension SQLiteStore {
    /// As many lines as are worth showing of what SQLite finds wrong.
    private static let mostLines = 10

    fileprivate func examine() throws(StateError) -> (StateFacts.Database, StateFacts.Contents) {
        let mark = try connection.rows("PRAGMA application_id") { $0.int(0) }
        guard mark == [Self.applicationID] else { return (.foreign, .init()) }
        let format = try Schema.version(of: connection)
        if format < Schema.version { return (.older(format), .init()) }
        if format > Schema.version { return (.newer(format), .init()) }
        let verdict = try connection.rows("PRAGMA integrity_check(\(Self.mostLines))") { $0.text(0) }
        guard verdict == ["ok"] else { return (.damaged(verdict), .init()) }
        return (.sound, try contents())
    }

    private func contents() throws(StateError) -> StateFacts.Contents {
        var contents = StateFacts.Contents()
        contents.records = try count("SELECT count(*) FROM record WHERE is_present = 1")
        contents.events = try count("SELECT count(*) FROM event")
        contents.messages = try count("SELECT count(*) FROM payload")
        contents.claimed = try count("SELECT count(*) FROM payload WHERE state = 'sending'")
        contents.strays =
            try connection.rows("PRAGMA foreign_key_check") { _ in true }.count
            + count("SELECT count(*) FROM record WHERE source NOT IN (SELECT name FROM source)")
        contents.sources = try counts(
            """
            SELECT name, sum(rows) FROM (
                SELECT name, 0 AS rows FROM source UNION ALL SELECT source, count(*) FROM record GROUP BY source
                UNION ALL SELECT source, count(*) FROM event WHERE source <> '' GROUP BY source
            ) GROUP BY name
            """
        )
        contents.undelivered = try counts(
            "SELECT sink, count(*) FROM payload WHERE state IN ('queued', 'sending', 'held', 'dead') GROUP BY sink"
        )
        contents.rests = try connection.rows("SELECT account FROM rest ORDER BY account") { $0.text(0) }
        contents.rules = try connection.rows("SELECT rule FROM policy ORDER BY rule") { $0.text(0) }
        contents.unreadable = try unreadableValues()
        contents.latest = try connection.rows(
            """
            SELECT max(moment) FROM (
                SELECT max(at) AS moment FROM event UNION ALL SELECT max(created_at) FROM payload
                UNION ALL SELECT max(attempted_at) FROM source UNION ALL SELECT max(at) FROM slot
                UNION ALL SELECT max(at) FROM note UNION ALL SELECT value FROM meta WHERE key = 'checked_through'
            )
            """
        ) { $0.optionalTime(0) }.compactMap(\.self).first
        return contents
    }

    private func count(_ sql: String) throws(StateError) -> Int {
        Int(try connection.rows(sql) { $0.int(0) }.first ?? 0)
    }

    private func counts(_ sql: String) throws(StateError) -> [String: Int] {
        Dictionary(try connection.rows(sql) { ($0.text(0), Int($0.int(1))) }) { first, _ in first }
    }

    /// Values that are no JSON of ours: the engine would end at the first of them.
    private func unreadableValues() throws(StateError) -> [String: Int] {
        let columns = [
            ("source", ["memo", "calendar", "health"]), ("record", ["fields"]), ("world", ["facts", "kinds"]),
            ("policy", ["memory"]), ("event", ["record", "old", "changes"]), ("payload", ["content"]),
            ("sink", ["memo", "health"]), ("rule", ["health"]),
        ]
        var found: [String: Int] = [:]
        for (table, names) in columns {
            let rows = try connection.rows("SELECT \(names.joined(separator: ", ")) FROM \(table)") { row in
                names.indices.allSatisfy { row.isNull(Int32($0)) || (try? row.value(Int32($0))) != nil }
            }
            let count = rows.count { !$0 }
            if count > 0 { found[table] = count }
        }
        return found
    }
}
