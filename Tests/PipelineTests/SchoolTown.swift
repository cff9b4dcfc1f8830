import Foundation
import Synchronization
import Values

@testable import SchoolSimulator
@testable import pokyh_bot

/// A simulated school, a hook, and an installation in which a guardian's account (`kind-a`) is asked for a child's marks.
final class SchoolTown: Sendable {
    let folder: URL
    let school: SimulatorServer
    let far = FarEnd()
    private let hook: LoopbackServer
    var config: String { folder.appending(path: "bot.yaml").path }

    struct NotStarted: Error {}

    init() throws {
        // The program lives by the machine's clock, so its school does too.
        let now = LiveClock().now
        school = SimulatorServer(now: { now }, school: SchoolSimulator.School(startingAt: now))
        try school.start()
        hook = LoopbackServer(waiting: WaitingConnections(), handler: { [far] in far.answer($0) })
        guard let port = hook.start(port: 0) else { throw NotStarted() }
        folder = FileManager.default.temporaryDirectory.appending(path: "pokyh-bot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let botFile = """
            version: 1
            timezone: Europe/Rome
            rules: rules.yaml
            schools: {muster: {server: "\(school.url)", school: \(SchoolSimulator.School.loginName)}}
            accounts:
              kind-a: {kind: webuntis, school: muster, user: \(SchoolSimulator.School.paola.userName), password: {secret: PASSWORD}}
            sources: {marks: {provider: webuntis.grades, account: kind-a, student: Anna}}
            sinks: {hook: {kind: webhook, url: "http://127.0.0.1:\(port)/hook/hook"}}
            hosts: {127.0.0.1: {connections: 8, gap: 0s}}
            """
        let rules = """
            version: 1
            rules:
              - id: marks
                when: {event: grade.added}
                message: {title: "{{ grade.mark }} {{ student.name }}"}
                send: [hook]
            """
        try Data(botFile.utf8).write(to: folder.appending(path: "bot.yaml"))
        try Data(rules.utf8).write(to: folder.appending(path: "rules.yaml"))
    }

    func happen(_ line: String) throws { _ = try school.perform(try SimulatorCommand.parse(line)) }

    func run(
        _ words: String...,
        password: String = SchoolSimulator.School.paola.password,
        output: String = "/dev/null"
    ) async throws -> BotProcess.End {
        try await BotProcess.run(
            words + ["--config", config],
            environment: ["PASSWORD": password],
            output: output
        )
    }

    func start(_ words: String..., password: String = SchoolSimulator.School.paola.password) throws -> BotProcess {
        try BotProcess(words + ["--config", config], environment: ["PASSWORD": password])
    }

    func close() {
        school.stop()
        hook.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
