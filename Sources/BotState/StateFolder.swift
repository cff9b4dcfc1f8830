import BotCore
import Glibc
import Values

/// The folder that holds the state: `state.sqlite` with SQLite's `-wal` and `-shm` beside it, and `engine.lock`.
///
/// The folder is 0700 and the files are 0600 from their first byte; SQLite gives its side files the mode of the database.
struct StateFolder {
    let path: String

    var database: String { path + "/state.sqlite" }
    var lock: String { path + "/engine.lock" }

    static let sideFiles = ["", "-wal", "-shm"]

    /// Makes the folder if there is none and takes others' rights away.
    func prepare() throws(StateError) {
        try makeParents()
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw failure("make the folder \(path)") }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure("look at \(path)") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .failed("\(path) is no folder. Name another one.") }
        if status.st_mode & 0o777 != 0o700, let stranger = strangers().first {
            throw .failed(
                "\(path) holds other things ('\(stranger)'), and closing it to others would take them away. Name a folder for the state alone."
            )
        }
        if status.st_mode & 0o777 != 0o700, chmod(path, 0o700) != 0 { throw failure("close \(path) to others") }
        for side in Self.sideFiles where access(database + side, F_OK) == 0 {
            if chmod(database + side, 0o600) != 0 { throw failure("close \(database + side) to others") }
        }
    }

    /// What lies in the folder and is not of this room.
    private func strangers() -> [String] {
        names().filter { $0 != "engine.lock" && !$0.hasPrefix("state.sqlite") }
    }

    /// What lies in the folder, sorted; nothing where it cannot be read.
    func names() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private func makeParents() throws(StateError) {
        var parents: [Substring] = []
        for part in path.split(separator: "/").dropLast() {
            parents.append(part)
            let parent = (path.hasPrefix("/") ? "/" : "") + parents.joined(separator: "/")
            if mkdir(parent, 0o755) != 0, errno != EEXIST { throw failure("make the folder \(parent)") }
        }
    }

    /// Makes an empty file that only this user may read; what was there is emptied.
    static func makePrivateFile(_ path: String) throws(StateError) {
        unlink(path)
        let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("make \(path)") }
        Glibc.close(file)
    }

    var hasDatabase: Bool { access(database, F_OK) == 0 }

    /// Whether there is surely no database.
    func lacksDatabase() throws(StateError) -> Bool {
        if hasDatabase { return false }
        if errno == ENOENT || errno == ENOTDIR { return true }
        throw failure("look at \(database)")
    }

    /// That there is a database which this user may look at.
    func requireDatabase() throws(StateError) {
        guard !hasDatabase || isEmptyFile else { return }
        if errno == EACCES { throw failure("look at \(database)") }
        throw .failed("there is no state in \(path) yet; start the bot once")
    }

    /// Whether the file holds no byte. A new database comes under its name only when it is complete, so this is damage.
    var isEmptyFile: Bool {
        var status = stat()
        return stat(database, &status) == 0 && status.st_size == 0
    }

    /// Takes the lock, which the system ends with the process, however it ends.
    func takeLock() throws(StateError) -> FolderLock {
        let file = open(lock, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("open \(lock)") }
        guard Self.lockAlone(file) else {
            let isHeld = errno == EWOULDBLOCK
            let error = isHeld ? StateError.locked(pid: Self.pid(in: file)) : failure("lock \(lock)")
            Glibc.close(file)
            throw error
        }
        let text = Array("\(getpid())\n".utf8)
        if ftruncate(file, 0) != 0 || pwrite(file, text, text.count, 0) != text.count {
            // The lock holds without the number; it only tells others whom to look for.
            _ = ftruncate(file, 0)
        }
        return FolderLock(file: file)
    }

    /// A look at who holds the lock takes it for an instant (`holder`): one failure is no refusal yet.
    private static func lockAlone(_ file: Int32) -> Bool {
        for _ in 0..<3 {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK else { return false }
            usleep(10_000)
        }
        return flock(file, LOCK_EX | LOCK_NB) == 0
    }

    static func pid(in file: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
    }

    /// Moves the database out of the way with all that belongs to it, names kept apart by the time.
    /// - Returns: its new path.
    func setAside(at now: Timestamp) throws(StateError) -> String {
        let stamp = String(now.rfc3339.filter { $0 != ":" && $0 != "-" }.prefix { $0 != "." })
        var target = "\(database).damaged-\(stamp)"
        while access(target, F_OK) == 0 { target += "x" }
        for side in Self.sideFiles where access(database + side, F_OK) == 0 {
            if rename(database + side, target + side) != 0 { throw failure("set \(database + side) aside") }
        }
        try sync()
        return target
    }

    /// Gives a finished file the database's name, and makes that last.
    func install(_ file: String) throws(StateError) {
        for side in Self.sideFiles.dropFirst() { unlink(database + side) }
        if rename(file, database) != 0 { throw failure("put \(database) into place") }
        try sync()
    }

    private func sync() throws(StateError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("open \(path)") }
        defer { Glibc.close(folder) }
        if fsync(folder) != 0 { throw failure("sync \(path)") }
    }

    func failure(_ deed: String) -> StateError { Self.failure(deed) }

    /// The error of the last system call.
    static func failure(_ deed: String) -> StateError {
        let reason = "cannot \(deed): \(String(cString: strerror(errno)))"
        return switch errno {
        case ENOSPC, EDQUOT: .diskFull(reason)
        case EACCES, EPERM, EROFS: .readOnly(reason)
        default: .failed(reason)
        }
    }
}

/// A lock that is held as long as this lives.
final class FolderLock: Sendable {
    private let file: Int32

    init(file: Int32) { self.file = file }

    deinit { close(file) }
}
