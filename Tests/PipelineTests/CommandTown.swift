import BotCore
import BotState
import Foundation
import Glibc
import Synchronization
import Testing
import Values

@testable import SchoolSimulator
@testable import pokyh_bot

/// A simulated school, a webhook and an installation in a folder of its own, for commands that are run as people run them.
final class CommandTown: Sendable {
    let folder: URL
    let school: SimulatorServer
    private let webhook: LoopbackServer
    private let hook: Hook

    var config: String { folder.appending(path: "bot.yaml").path }
    var state: String { folder.appending(path: "state").path }

    /// What arrived at the webhook, and what it answers.
    private final class Hook: Sendable {
        private let state = Mutex<(bodies: [String], statuses: [Int])>(([], []))

        var bodies: [String] { state.withLock { $0.bodies } }

        func answer(_ statuses: [Int]) { state.withLock { $0.statuses = statuses } }

        func take(_ request: ServedRequest) -> ServedAnswer {
            state.withLock { state in
                state.bodies.append(String(decoding: request.body, as: UTF8.self))
                // The last answer holds for all that follow.
                let status = state.statuses.count > 1 ? state.statuses.removeFirst() : state.statuses.first ?? 200
                return .json(["id": "7"], status: status)
            }
        }
    }

    /// The names that the school has for the guardian's children, for tests that look for them.
    static let anna = "Muster Anna"

    init(sources: String? = nil, rules: String = CommandTown.rules(of: "grade.added"), sinks: String = "") throws {
        let now = LiveClock().now
        school = SimulatorServer(now: { LiveClock().now }, school: SchoolSimulator.School(startingAt: now))
        try school.start()
        let hook = Hook()
        self.hook = hook
        webhook = LoopbackServer(waiting: WaitingConnections(), handler: { hook.take($0) })
        let port = try #require(webhook.start(port: 0))
        folder = FileManager.default.temporaryDirectory.appending(path: "pokyh-bot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let standard = """
              anna-grades: {provider: webuntis.grades, account: paola, student: "4711", every: 10s}
              luca-grades: {provider: webuntis.grades, account: paola, student: "4712", every: 10s}
            """
        try write(
            "bot.yaml",
            """
            version: 1
            timezone: Europe/Rome
            rules: rules
            schools: {muster: {server: "\(school.url)", school: \(SchoolSimulator.School.loginName)}}
            accounts:
              paola: {kind: webuntis, school: muster, user: \(SchoolSimulator.School.paola.userName), password: {secret: PAOLA}}
            sources:
            \(sources ?? standard)
            sinks:
              hook: {kind: webhook, url: "http://127.0.0.1:\(port)/in"}
              printed: {kind: stdout}
            \(sinks)
            hosts: {127.0.0.1: {connections: 8, gap: 0s}}
            """
        )
        try write("rules/all.yaml", rules)
    }

    deinit {
        school.stop()
        webhook.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    static func rules(of kind: String, to sink: String = "hook", _ more: String = "") -> String {
        """
        version: 1
        rules:
          - id: told
            when: {event: \(kind)}
            message: {title: "{{ student.name }}: {{ \(kind.prefix { $0 != "." }).subject }}", body: "Neu"}
            send: [\(sink)]
            \(more)

        """
    }

    func write(_ name: String, _ text: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func happen(_ line: String) throws { _ = try school.perform(try SimulatorCommand.parse(line)) }

    /// What the webhook was given so far.
    var received: [String] { hook.bodies }

    /// What the webhook answers from now on, one status for each request, the last for all that follow.
    func hookAnswers(_ statuses: Int...) { hook.answer(statuses) }

    // MARK: Running

    static let environment = ["PAOLA": SchoolSimulator.School.paola.password]

    @discardableResult
    func run(_ words: String...) throws -> ProgramRun {
        try ProgramRun(words + ["--config", config], environment: Self.environment)
    }

    func start(_ words: String...) throws -> BotProcess {
        try BotProcess(words + ["--config", config], environment: Self.environment)
    }

    /// Works on the memory while no bot runs.
    func store<Result: Sendable>(_ work: (SQLiteStore) async throws -> Result) async throws -> Result {
        let store = try await SQLiteStore.openBeside(folder: state)
        let result = try await work(store)
        await store.close()
        return result
    }

    /// The contents of every file of the state folder, by name; what only a running bot has is left out.
    func stateBytes() throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: state)) ?? [] {
            found[name] = try Data(contentsOf: URL(filePath: "\(state)/\(name)"))
        }
        return found
    }

    /// Whether a text stands anywhere in the state folder, in any of its files.
    func stateHolds(_ text: String) throws -> Bool {
        try stateBytes().values.contains { $0.range(of: Data(text.utf8)) != nil }
    }
}

/// One run of the program that was built together with the tests, and what it said.
struct ProgramRun {
    let status: Int32
    let output: String
    let errors: String

    static var program: URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "pokyh-bot")
    }

    /// The end to write to of a pipe whose reader has gone away.
    static func closedPipe() throws -> FileHandle {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        close(ends[0])
        return FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }

    /// - Parameter output: where it writes to, if that is not to be read here.
    init(
        _ words: [String],
        environment: [String: String] = [:],
        in folder: URL? = nil,
        output unread: FileHandle? = nil
    ) throws {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = words
        process.environment = environment.merging(BotProcess.surroundings) { own, _ in own }
        if let folder { process.currentDirectoryURL = folder }
        let errorFile = FileManager.default.temporaryDirectory.appending(path: "errors-\(UUID().uuidString)")
        try Data().write(to: errorFile)
        defer { try? FileManager.default.removeItem(at: errorFile) }
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = unread ?? output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        if unread != nil { try output.fileHandleForWriting.close() }
        self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
        errors = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
    }

    /// Both, for texts that may stand in either.
    var all: String { output + errors }
}
