public import BotCore
import Glibc
public import Values

/// Who works on a state folder.
public enum FolderHolder: Sendable, Hashable {
    case nobody
    /// A running bot, with its process id if it could be read.
    case engine(pid: Int32?)
}

/// Looking at a folder without touching it.
extension StateFolder {
    func holder() throws(StateError) -> FolderHolder {
        let file = open(lock, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return .nobody }
            throw failure("open \(lock)")
        }
        defer { Glibc.close(file) }
        // Refused as long as an engine has the lock for itself; closing the file gives it back.
        if flock(file, LOCK_SH | LOCK_NB) == 0 { return .nobody }
        guard errno == EWOULDBLOCK else { throw failure("lock \(lock)") }
        return .engine(pid: Self.pid(in: file).flatMap { holds($0, file) ? $0 : nil })
    }

    /// Whether it is this process that has the lock: a number that an earlier bot left must not lead to somebody else's process.
    ///
    /// `/proc/locks` has a line `1: FLOCK ADVISORY WRITE 5831 08:01:1234 0 EOF` for each lock (proc(5)); where it cannot be read, the
    /// number is believed.
    private func holds(_ pid: Int32, _ file: Int32) -> Bool {
        var status = stat()
        let list = open("/proc/locks", O_RDONLY | O_CLOEXEC)
        guard list >= 0, fstat(file, &status) == 0 else { return true }
        defer { Glibc.close(list) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(list, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
        let holders = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line -> Int32? in
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[5].hasSuffix(":\(status.st_ino)") else { return nil }
            return Int32(words[4])
        }
        return holders.isEmpty || holders.contains(pid)
    }

    /// Whether there is certainly no database.
    var isMissing: Bool { access(database, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR) }

    /// Databases that were set aside as damaged, with what belongs to them.
    var damagedFiles: [String] { names().filter { $0.hasPrefix("state.sqlite.damaged-") } }

    /// Those of them that were last written before an instant.
    func damagedFiles(before cut: Timestamp) -> [String] {
        damagedFiles.filter { name in
            var status = stat()
            return stat("\(path)/\(name)", &status) == 0 && status.st_mtim.tv_sec < cut.seconds
        }
    }

    /// Bytes that this user may still write on the folder's file system; nil where it cannot be asked.
    var freeBytes: Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
        )
    }

    /// Mode, owner and size of something in the folder, or of the folder itself for an empty name.
    func entry(_ name: String) -> StateFacts.Entry? {
        var status = stat()
        guard stat(name.isEmpty ? path : "\(path)/\(name)", &status) == 0 else { return nil }
        return StateFacts.Entry(
            name: name,
            mode: UInt32(status.st_mode & 0o777),
            isOwn: status.st_uid == geteuid(),
            size: Int64(status.st_size)
        )
    }
}

extension SQLiteStore {
    /// Who works on a folder now.
    public static func holder(ofFolder path: String) throws(StateError) -> FolderHolder {
        try StateFolder(path: path).holder()
    }

    /// Names of databases in a folder that were set aside as damaged, with what belongs to them.
    public static func damagedFiles(inFolder path: String) -> [String] { StateFolder(path: path).damagedFiles }

    /// Those of them that were last written before an instant.
    public static func damagedFiles(inFolder path: String, before cut: Timestamp) -> [String] {
        StateFolder(path: path).damagedFiles(before: cut)
    }

    /// Takes those away.
    /// - Returns: their names.
    public static func removeDamagedFiles(inFolder path: String, before cut: Timestamp) throws(StateError) -> [String] {
        let folder = StateFolder(path: path)
        let names = folder.damagedFiles(before: cut)
        for name in names where unlink("\(path)/\(name)") != 0 { throw folder.failure("delete \(path)/\(name)") }
        return names
    }

    /// Bytes that this user may still write beside a folder's files; nil where that cannot be asked.
    public static func freeBytes(ofFolder path: String) -> Int64? { StateFolder(path: path).freeBytes }
}
