import BotCore
import CSQLite
import Glibc

/// One connection to the database, used by one thread at a time, and its prepared statements.
final class Connection {
    let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var isClosed = false

    /// Settings of the library as a whole, which it takes before it is first used (https://www.sqlite.org/c3ref/config.html). A refusal
    /// costs speed alone.
    private static let librarySettings: Void = { _ = pokyh_leave_memory_uncounted() }()

    /// How long a small command beside the engine is waited for.
    private static let patience: Int32 = 5000

    /// Opens a file that exists.
    init(path: String) throws(StateError) {
        handle = try Self.open(path, SQLITE_OPEN_READWRITE)
        sqlite3_busy_timeout(handle, Self.patience)
    }

    /// A database in memory alone, with all that another one holds.
    ///
    /// https://www.sqlite.org/backup.html
    init(copyOf path: String) throws(StateError) {
        handle = try Self.open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
        try copy(from: path)
    }

    /// Opens a file that exists, to read in it and leave no trace.
    init(reading path: String) throws(StateError) {
        handle = try Self.openToRead(path)
    }

    private static func openToRead(_ path: String) throws(StateError) -> OpaquePointer {
        // Without a log nobody works on it, and reading it as it lies makes none (https://www.sqlite.org/uri.html).
        let isAtRest = access(path + "-wal", F_OK) != 0
        let address = "file:" + PercentEncoding.encoded(path) + (isAtRest ? "?immutable=1" : "")
        let opened = try open(address, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        sqlite3_busy_timeout(opened, patience)
        return opened
    }

    /// Opens an address for use by one thread at a time.
    private static func open(_ address: String, _ flags: Int32) throws(StateError) -> OpaquePointer {
        librarySettings
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(address, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let error = error(code, on: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        return opened
    }

    private func copy(from path: String) throws(StateError) {
        let opened = try Self.openToRead(path)
        defer { sqlite3_close_v2(opened) }
        guard let backup = sqlite3_backup_init(handle, "main", opened, "main") else {
            throw Self.error(sqlite3_errcode(handle), on: handle)
        }
        let outcome = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard outcome == SQLITE_DONE else { throw Self.error(outcome, on: opened) }
    }

    deinit { close() }

    /// Whatever is asked of it afterwards fails.
    func close() {
        statements = [:]
        if !isClosed { sqlite3_close_v2(handle) }
        isClosed = true
    }

    /// What all statements together did since the connection was opened: what they cost, whatever the speed of the computer.
    struct Work {
        /// Steps of SQLite's machine.
        var machineSteps = 0
        /// Steps from row to row through a table without an index (SQLITE_STMTSTATUS_FULLSCAN_STEP).
        var scanSteps = 0
        /// Rows that queries gave.
        var rowsGiven = 0
        /// Rows that were inserted, changed or deleted.
        var rowsWritten = 0
    }

    var work: Work {
        var work = Work(rowsWritten: Int(sqlite3_total_changes64(handle)))
        for statement in statements.values {
            work.machineSteps += statement.count(of: SQLITE_STMTSTATUS_VM_STEP)
            work.scanSteps += statement.count(of: SQLITE_STMTSTATUS_FULLSCAN_STEP)
            work.rowsGiven += statement.rowsGiven
        }
        return work
    }

    /// How many rows the last statement changed, not counting those that went along with others.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The row number of the last row that was inserted.
    var lastPlace: Int64 { sqlite3_last_insert_rowid(handle) }

    private func requireOpen() throws(StateError) {
        if isClosed { throw .failed("the program ends, and the database has been closed") }
    }

    func execute(_ sql: String) throws(StateError) {
        try requireOpen()
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw Self.error(code, on: handle) }
    }

    /// The statement of this text, prepared once, ready to be bound.
    func statement(_ sql: String) throws(StateError) -> Statement {
        if let statement = statements[sql] {
            statement.reset()
            return statement
        }
        try requireOpen()
        let statement = try Statement(sql, on: self)
        statements[sql] = statement
        return statement
    }

    /// Runs a statement that gives no rows.
    func run(_ sql: String, _ values: SQLValue...) throws(StateError) {
        let statement = try statement(sql)
        try statement.bind(values)
        while try statement.step() {}
        statement.reset()
    }

    /// The rows that a statement gives, each made into something.
    func rows<Element>(
        _ sql: String,
        _ values: SQLValue...,
        make: (Statement) throws(StateError) -> Element
    ) throws(StateError) -> [Element] {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        var elements: [Element] = []
        while try statement.step() { elements.append(try make(statement)) }
        return elements
    }

    /// All of the work, or nothing of it. Takes the right to write at once: a transaction that reads first and then wants to write fails
    /// without waiting when another has written in between (SQLITE_BUSY_SNAPSHOT).
    func transaction<Outcome>(_ work: () throws(StateError) -> Outcome) throws(StateError) -> Outcome {
        try run("BEGIN IMMEDIATE")
        do throws(StateError) {
            let outcome = try work()
            try run("COMMIT")
            return outcome
        } catch {
            rollBack()
            throw error
        }
    }

    /// Several reads of one moment.
    func reading<Outcome>(_ work: () throws(StateError) -> Outcome) throws(StateError) -> Outcome {
        try run("BEGIN DEFERRED")
        defer { rollBack() }
        return try work()
    }

    /// Ends a transaction unless SQLite has done so itself, as it does on a full disk.
    private func rollBack() {
        if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
    }

    /// SQLITE_IOERR_SHMSIZE: no room for the `-shm` file. A macro that Swift does not import.
    private static let sharedMemoryFull = SQLITE_IOERR | 19 << 8

    /// What a result code means (https://www.sqlite.org/rescode.html).
    static func error(_ code: Int32, on handle: OpaquePointer?) -> StateError {
        let text = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        let system = handle.map { sqlite3_system_errno($0) } ?? 0
        switch code & 0xFF {
        case SQLITE_FULL: return .diskFull(text)
        case SQLITE_IOERR where system == ENOSPC || system == EDQUOT || code == sharedMemoryFull:
            return .diskFull(text)
        case SQLITE_READONLY, SQLITE_PERM: return .readOnly(text)
        case SQLITE_CANTOPEN where system == EACCES || system == EROFS: return .readOnly(text)
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt(text)
        default: return .failed("\(text) (SQLite \(code))")
        }
    }
}
