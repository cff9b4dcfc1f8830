import Foundation
import Glibc

/// The program itself, as a child process, its standard error read line by line.
final class BotProcess {
    let pid: pid_t
    private let errors: FileHandle
    private var buffer: [UInt8] = []

    struct NotStarted: Error { let code: Int32 }

    /// What every child process gets: of this process's environment only what shifts its clock (`faketime`), so that both live on one day.
    static let surroundings: [String: String] = {
        let clock = ProcessInfo.processInfo.environment.filter {
            $0.key == "LD_PRELOAD" || $0.key.hasPrefix("FAKETIME")
        }
        return clock.merging(["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]) { own, _ in own }
    }()

    /// The program that was built together with the tests.
    private static var program: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "pokyh-bot").path
    }

    /// - Parameters:
    ///   - launcher: a program with its arguments that turns into this one (`exec`), such as `unshare -m`.
    ///   - output: the file that takes standard output; nobody reads it otherwise.
    init(
        _ words: [String],
        environment: [String: String] = [:],
        launcher: [String] = [],
        output: String = "/dev/null"
    ) throws {
        var ends: [Int32] = [0, 0]
        // Other children must not inherit it: it would end with the last of them.
        guard pipe(&ends) == 0 else { throw NotStarted(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])
        let line = launcher + [Self.program] + words
        var arguments = line.map { strdup($0) } + [nil]
        let variables = environment.merging(Self.surroundings) { own, _ in own }
        var pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + pairs).forEach { free($0) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, line[0], &actions, nil, &arguments, &pairs)
        close(ends[1])
        guard code == 0 else { throw NotStarted(code: code) }
        pid = child
        errors = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    }

    /// The next line of standard error; nil when there will be none any more.
    func nextLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 1)
                return line
            }
            let chunk = errors.availableData
            if chunk.isEmpty { return nil }
            buffer += chunk
        }
    }

    /// Reads on to the first line with a text in it; nil if the program ends before.
    func line(with text: String) -> String? {
        while let line = nextLine() {
            if line.contains(text) { return line }
        }
        return nil
    }

    func signal(_ number: Int32) { kill(pid, number) }

    /// How it ended: the exit status, or minus the signal; the rest of standard error; the most memory it ever had resident, in MiB.
    typealias End = (status: Int32, errors: String, peakMemory: Int)

    /// Waits for the end.
    @discardableResult func wait() -> End {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(pid, &status, 0, &usage) < 0 && errno == EINTR {}
        let ended = status & 0x7F
        // Linux counts in KiB (getrusage(2)).
        return (
            ended == 0 ? (status >> 8) & 0xFF : -ended, lines.joined(separator: "\n"), Int(usage.ru_maxrss) / 1024
        )
    }

    /// Runs it to its end while other tests go on.
    static func run(
        _ words: [String],
        environment: [String: String] = [:],
        launcher: [String] = [],
        output: String = "/dev/null"
    ) async throws -> End {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try BotProcess(words, environment: environment, launcher: launcher, output: output).wait()
                    }
                )
            }
        }
    }
}
