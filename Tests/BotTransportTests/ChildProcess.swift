@testable import BotTransport
import Glibc
import Synchronization
import Testing

/// A program that runs beside a test; killed and collected at the end.
final class ChildProcess: Sendable {
    private let process: pid_t
    private let output: Int32

    enum Failure: Error { case cannotStart(String) }

    init(_ program: String, _ arguments: [String]) throws {
        let started = try Self.starting.withLock { _ in try Self.start(program, arguments) }
        process = started.process
        output = started.output
    }

    /// One at a time: a child started in between would inherit the other's pipe and keep it open.
    private static let starting = Mutex(())

    private static func start(_ program: String, _ arguments: [String]) throws -> (process: pid_t, output: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure.cannotStart(program) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let words = ([program] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        var process = pid_t()
        let failure = posix_spawn(&process, program, &actions, nil, words + [nil], environ)
        close(ends[1])
        guard failure == 0 else {
            close(ends[0])
            throw Failure.cannotStart(program)
        }
        return (process, ends[0])
    }

    /// The next line it prints; nil at the end.
    func line() async -> String? {
        await onThread { self.readLine() }
    }

    private func readLine() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == 10 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for its end.
    func end() async -> Int32 { await onThread { self.collect() } }

    /// Tests share a few threads, so what blocks does it elsewhere.
    private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            do {
                try startThread { continuation.resume(returning: body()) }
            } catch {
                continuation.resume(returning: body())
            }
        }
    }

    fileprivate func collect() -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        close(output)
        return status
    }

    func stop() {
        kill(process, SIGKILL)
        _ = collect()
    }
}

/// A folder for one test, removed with all that is in it.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    var template = Array("/tmp/transport-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    let folder = String(cString: made)
    defer { _ = try? ChildProcess("/bin/rm", ["-rf", folder]).collect() }
    return try await body(folder)
}

/// The bytes of a file; nil if there is none.
func contents(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
    }
}
