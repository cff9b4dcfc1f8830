public import BotCore
import CSQLite
import Dispatch
public import Values

/// The memory on disk: one SQLite database in a folder of its own.
///
/// WAL with `synchronous=FULL`: what a call wrote survives the end of the process and of the machine. Everything runs on a thread of
/// its own, since SQLite blocks while it waits for the disk.
public actor SQLiteStore: StateStore {
    let connection: Connection
    private let queue: StoreQueue
    /// Held by the engine; small commands have none.
    private var lock: FolderLock?
    private var lastDataVersion: Int64 = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// Opens a folder for an engine: makes what is missing, brings an older form up to date, sets damage aside.
    /// - Throws: `locked` if another engine works on it, `newer`, `diskFull`, `readOnly`, `failed`; never `corrupt`, since a damaged
    ///   database is set aside whole, a new one begins, and `memoryLoss` says so until it has been told.
    public static func open(folder path: String, at now: Timestamp) async throws(StateError) -> SQLiteStore {
        let folder = StateFolder(path: path)
        try folder.prepare()
        let lock = try folder.takeLock()
        guard folder.hasDatabase else {
            try create(in: folder, loss: nil)
            return SQLiteStore(try connect(folder), lock: lock)
        }
        do throws(StateError) {
            if folder.isEmptyFile { throw .corrupt("the file is empty") }
            let connection = try connect(folder)
            try check(connection)
            try Schema.migrate(connection)
            return SQLiteStore(connection, lock: lock)
        } catch .corrupt(let detail) {
            // Before it is moved: SQLite finds the side files by the name.
            let undelivered = undelivered(in: folder)
            let target = try folder.setAside(at: now)
            try create(in: folder, loss: lossText(detail, target, undelivered, now))
            return SQLiteStore(try connect(folder), lock: lock)
        } catch {
            throw error
        }
    }

    /// Whether a folder holds no memory yet.
    /// - Throws: where that cannot be told, as in a folder that is closed to this user.
    public static func isMissing(inFolder path: String) throws(StateError) -> Bool {
        try StateFolder(path: path).lacksDatabase()
    }

    /// Opens a folder for a small command beside an engine, or while none runs. The engine notices what is written.
    public static func openBeside(folder path: String) async throws(StateError) -> SQLiteStore {
        let folder = StateFolder(path: path)
        try folder.requireDatabase()
        return SQLiteStore(try connectToPresentFormat(folder), lock: nil)
    }

    /// Opens a folder for a command that must be alone with it: what an engine keeps copies of is changed, or the file is written anew.
    /// - Throws: `locked` while an engine works on it.
    public static func openAlone(folder path: String) async throws(StateError) -> SQLiteStore {
        let folder = StateFolder(path: path)
        try folder.requireDatabase()
        let lock = try folder.takeLock()
        return SQLiteStore(try connectToPresentFormat(folder), lock: lock)
    }

    private static func connectToPresentFormat(_ folder: StateFolder) throws(StateError) -> Connection {
        let connection = try connect(folder)
        let found = try Schema.version(of: connection)
        guard found <= Schema.version else { throw .newer(found: found, known: Schema.version) }
        guard found == Schema.version else {
            throw .failed("it has the older format \(found); start the bot once, which brings it up to date")
        }
        return connection
    }

    init(_ connection: sending Connection, lock: FolderLock?) {
        self.connection = connection
        self.lock = lock
        queue = StoreQueue()
    }

    /// How many messages a damaged database still has that were not delivered; nil where that cannot be read any more.
    private static func undelivered(in folder: StateFolder) -> Int? {
        guard let connection = try? Connection(path: folder.database) else { return nil }
        let counts = try? connection.rows(
            "SELECT count(*) FROM payload NOT INDEXED WHERE state IN ('queued', 'sending', 'held', 'dead')"
        ) { Int($0.int(0)) }
        return counts?.first
    }

    private static func lossText(_ detail: String, _ target: String, _ undelivered: Int?, _ now: Timestamp) -> String {
        let lost =
            switch undelivered {
            case nil: "Messages that waited in it were not sent; how many cannot be read any more."
            case 0?: "No message waited in it."
            case let count?: "It holds \(count.counted("message")) not delivered, which will not be sent."
            }
        return
            "The state was damaged (\(detail)). It was set aside as \(target) and a new one begun on \(now.rfc3339): what changed "
            + "since the last poll before that may have been missed, and nothing known is told again. \(lost) 'pokyh-bot state recover "
            + "\(target.split(separator: "/").last ?? "")' takes over what can still be read of them, with the bot stopped."
    }

    /// Marks the file as ours (`PRAGMA application_id`): "pkyh".
    static let applicationID: Int64 = 0x706B_7968

    static func connect(_ folder: StateFolder) throws(StateError) -> Connection {
        let connection = try Connection(path: folder.database)
        try connection.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
        // In KiB, a quarter of SQLite's own: what is not kept here lies in the system's memory, a microsecond away.
        try connection.execute("PRAGMA cache_size = -512")
        return connection
    }

    /// Makes a complete database under another name first, so that one that is cut short is never taken for ours.
    private static func create(in folder: StateFolder, loss: String?) throws(StateError) {
        let draft = folder.database + ".new"
        try StateFolder.makePrivateFile(draft)
        do {
            let connection = try Connection(path: draft)
            try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            try begin(connection, loss: loss)
        }
        try folder.install(draft)
    }

    /// Makes an empty database one of ours.
    static func begin(_ connection: Connection, loss: String?) throws(StateError) {
        try connection.execute("PRAGMA application_id = \(applicationID)")
        try Schema.migrate(connection)
        var generator = SystemRandomNumberGenerator()
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try connection.run("INSERT INTO meta VALUES ('fingerprint_key', ?1)", .bytes(key))
        if let loss { try connection.run("INSERT INTO meta VALUES ('memory_loss', ?1)", .text(loss)) }
    }

    /// Whether every page can be read and the file is one of ours.
    private static func check(_ connection: Connection) throws(StateError) {
        let verdict = try connection.rows("PRAGMA quick_check(1)") { $0.text(0) }
        guard verdict == ["ok"] else { throw .corrupt(verdict.first ?? "no answer") }
        let mark = try connection.rows("PRAGMA application_id") { $0.int(0) }
        guard mark == [applicationID] else { throw .corrupt("the file is another program's database") }
    }

    public func changedElsewhere() throws(StateError) -> Bool {
        let version = try connection.rows("PRAGMA data_version") { $0.int(0) }.first ?? 0
        defer { lastDataVersion = version }
        return lastDataVersion != 0 && version != lastDataVersion
    }

    public func close() {
        connection.close()
        lock = nil
    }
}

/// Runs an actor's work on a dispatch queue, outside the pool of threads that all tasks share.
final class StoreQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "state")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
