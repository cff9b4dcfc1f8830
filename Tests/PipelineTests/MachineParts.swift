import BotCore
import BotState
import Dispatch
import Foundation
import Glibc
import Testing
import Values

@testable import pokyh_bot

/// What only root may do to a machine, and whether this one allows it.
enum Privileges {
    /// Root that may mount in a namespace of its own; containers often forbid it.
    static let canMount =
        geteuid() == 0
        && (try? BotProcess(["version"], launcher: ["/usr/bin/unshare", "-m", "--propagation", "private"]).wait().status)
            == 0

    static let whyNot: Comment = "needs root and private mounts"

    /// A user that owns nothing here ("nobody").
    static let stranger = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
}

/// A folder that is mounted for some processes alone: a process of its own holds the mounts.
final class PrivateMount: Sendable {
    private let holder: pid_t
    private let folder: String

    /// - Parameters:
    ///   - script: what mounts, for `/bin/sh`; `$1` is the folder.
    init(on folder: URL, _ script: String) throws {
        self.folder = folder.path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = try BotProcess(
            [],
            launcher: [
                "/usr/bin/unshare", "-m", "--propagation", "private", "/bin/sh", "-c",
                "\(script) && echo mounted >&2 && exec sleep infinity", "sh", folder.path,
            ]
        )
        holder = process.pid
        try #require(process.line(with: "mounted") != nil)
    }

    /// Starts a program that sees the mounts.
    var launcher: [String] { ["/usr/bin/nsenter", "--mount=/proc/\(holder)/ns/mnt", "--"] }

    /// The folder as those see it who see the mounts, from outside.
    var inside: String { "/proc/\(holder)/root\(folder)" }

    /// Takes all room that is left.
    func fill() throws {
        let file = open(inside + "/state.sqlite.filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { Glibc.close(file) }
        // Whole pages, then what is left in the last one.
        for size in [4096, 1] {
            let block = [UInt8](repeating: 0x78, count: size)
            while write(file, block, size) == size {}
        }
    }

    func makeRoom() { unlink(inside + "/state.sqlite.filler") }

    func close() {
        kill(holder, SIGKILL)
        waitpid(holder, nil, 0)
    }
}

/// Runs what blocks on a thread of its own, while other tests go on.
func onThread<Outcome: Sendable>(_ work: @escaping @Sendable () throws -> Outcome) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}

/// Things that happen on other threads and are waited for.
final class Bell: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func ring() { semaphore.signal() }

    /// False if it does not ring in time; a minute is more than any limit of the program.
    func wait(times count: Int = 1) -> Bool {
        (0..<count).allSatisfy { _ in semaphore.wait(timeout: .now() + 60) == .success }
    }
}

/// Opens a memory for an engine within this process.
///
/// Other tests start programs meanwhile. Such a child holds all files of this process from its birth until it becomes that program, the
/// lock of a folder that was closed just then included: it is this process that "already works" on it then, and it does not.
func openStore(in folder: String, at now: Timestamp) async throws -> SQLiteStore {
    while true {
        do throws(StateError) {
            return try await SQLiteStore.open(folder: folder, at: now)
        } catch .locked(pid: getpid()) {
            await Task.yield()
        } catch {
            throw error
        }
    }
}

/// Makes every source of a state folder due at the next start, whatever was planned after failures.
func makePollsDue(in state: URL) async throws {
    let store = try await openStore(in: state.path, at: LiveClock().now)
    var commit = Commit(at: LiveClock().now)
    commit.sources = try await store.sources().map { name, state in
        var state = state
        state.attemptedAt = nil
        state.health.notBefore = nil
        return SourceUpdate(source: name, state: state)
    }
    try await store.commit(commit)
    await store.close()
}
