import BotCore
import Foundation
import Glibc
import Synchronization
import Testing
import Values

@testable import SchoolSimulator
@testable import pokyh_bot

/// The program as a process: killed in the middle, started twice, told to stop and to read its rules again.
@Suite(.serialized) struct ProcessTests {
    /// What arrived at the webhook, and what to do when something arrives.
    private final class Receiver: Sendable {
        private let state = Mutex<(ids: [String], onArrival: (@Sendable () -> Void)?)>(([], nil))

        var ids: [String] { state.withLock { $0.ids } }

        func whenNextArrives(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onArrival = action } }

        func take(_ request: ServedRequest) -> ServedAnswer {
            let action = state.withLock { state in
                state.ids.append(request.header("webhook-id") ?? "none")
                defer { state.onArrival = nil }
                return state.onArrival
            }
            action?()
            return .text("ok")
        }
    }

    /// A simulated school, a webhook, and an installation that tells the webhook of cancelled lessons.
    private struct Town {
        let folder: URL
        let school: SimulatorServer
        let receiver = Receiver()
        let webhook: LoopbackServer
        var config: String { folder.appending(path: "bot.yaml").path }

        init() throws {
            // The program lives by the machine's clock, so its school does too: what is cancelled must still be to come.
            let now = LiveClock().now
            school = SimulatorServer(now: { now }, school: SchoolSimulator.School(startingAt: now))
            try school.start()
            webhook = LoopbackServer(waiting: WaitingConnections(), handler: { [receiver] in receiver.take($0) })
            let port = try #require(webhook.start(port: 0))
            folder = FileManager.default.temporaryDirectory.appending(path: "pokyh-bot-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let botFile = """
                version: 1
                timezone: Europe/Rome
                rules: rules.yaml
                schools: {muster: {server: "\(school.url)", school: \(SchoolSimulator.School.loginName)}}
                accounts:
                  anna: {kind: webuntis, school: muster, user: anna.muster, password: {secret: ANNA_PASSWORD}}
                sources:
                  lessons: {provider: webuntis.timetable, account: anna, trust_import: 0s, every: 10s}
                sinks: {hook: {kind: webhook, url: "http://127.0.0.1:\(port)/in"}}
                hosts: {127.0.0.1: {connections: 8, gap: 0s}}
                """
            try Data(botFile.utf8).write(to: folder.appending(path: "bot.yaml"))
            try write(rule: "lesson.cancelled")
        }

        func write(rule kind: String) throws {
            let rules = """
                version: 1
                rules:
                  - id: cancelled
                    when: {event: \(kind)}
                    message: {title: "{{ lesson.subject }}"}
                    send: [hook]
                """
            try Data(rules.utf8).write(to: folder.appending(path: "rules.yaml"))
        }

        func start(_ words: String...) throws -> BotProcess {
            try BotProcess(
                words + ["--config", config],
                environment: ["ANNA_PASSWORD": SchoolSimulator.School.anna.password]
            )
        }

        func happen(_ line: String) throws { _ = try school.perform(try SimulatorCommand.parse(line)) }

        func close() {
            school.stop()
            webhook.stop()
            try? FileManager.default.removeItem(at: folder)
        }
    }

    @Test func `killed between sending and settling, a message comes again under the same id, and never a third time`()
        throws
    {
        let town = try Town()
        defer { town.close() }
        #expect(try town.start("once").wait().status == 0)
        #expect(town.receiver.ids.isEmpty)

        try town.happen("cancel MAT next")
        let killed = try town.start("once")
        let pid = killed.pid
        town.receiver.whenNextArrives { kill(pid, SIGKILL) }
        #expect(killed.wait().status == -SIGKILL)
        #expect(town.receiver.ids.count == 1)

        #expect(try town.start("once").wait().status == 0)
        #expect(try town.start("once").wait().status == 0)
        #expect(town.receiver.ids.count == 2 && Set(town.receiver.ids).count == 1)
    }

    @Test func `killed while the school is being asked, nothing is lost and nothing is told twice`() throws {
        let town = try Town()
        defer { town.close() }
        #expect(try town.start("once").wait().status == 0)
        try town.happen("cancel MAT next")
        try town.happen("fault hang")
        let killed = try town.start("run", "--verbose")
        _ = killed.line(with: "started")
        killed.signal(SIGKILL)
        #expect(killed.wait().status == -SIGKILL)
        try town.happen("fault off")
        #expect(try town.start("once").wait().status == 0)
        #expect(try town.start("once").wait().status == 0)
        #expect(town.receiver.ids.count == 1)
    }

    @Test func `a second bot on the same state is refused and told who holds it, small commands work beside the first`()
        throws
    {
        let town = try Town()
        defer { town.close() }
        let first = try town.start("run")
        #expect(first.line(with: "started") != nil)
        let second = try town.start("once").wait()
        #expect(second.status == 74 && second.errors.contains(String(first.pid)))
        for command in ["status", "history"] { #expect([0, 1].contains(try town.start(command).wait().status)) }
        first.signal(SIGTERM)
        #expect(first.wait().status == 0)
        #expect(try town.start("once").wait().status == 0)
    }

    @Test func `rules are read again on SIGHUP, and a broken file leaves the last good ones running`() throws {
        let town = try Town()
        defer { town.close() }
        let bot = try town.start("run")
        #expect(bot.line(with: "started") != nil)
        try town.write(rule: "lesson.canceled")
        bot.signal(SIGHUP)
        #expect(bot.line(with: "error: ")?.contains("rules.yaml:4") == true)
        #expect(bot.line(with: "read the rules again")?.contains("1 file with errors") == true)
        try town.write(rule: "lesson.room_changed")
        bot.signal(SIGHUP)
        #expect(bot.line(with: "read the rules again")?.contains("0 files with errors") == true)
        bot.signal(SIGINT)
        #expect(bot.wait().status == 0)
    }

    @Test(
        arguments: [
            (["nonsense"], 64), (["once", "--nonsense"], 64), (["show"], 64), (["show", "nothing"], 64), (["help"], 0),
            (["version"], 0), (["check", "--config", "/nowhere/bot.yaml"], 78), (["help", "once"], 0),
            (["once", "--help"], 0),
        ] as [([String], Int32)]
    )
    func `the exit status says what went wrong`(words: [String], status: Int32) throws {
        #expect(try BotProcess(words).wait().status == status)
    }

    @Test func `a wrong password is tried once, whatever runs follow, and again when it changes`() throws {
        let town = try Town()
        defer { town.close() }
        let wrong = ["ANNA_PASSWORD": "falsch"]
        for _ in 0..<3 {
            let run = try BotProcess(["once", "--config", town.config], environment: wrong).wait()
            #expect(run.status == 1 && !run.errors.contains("falsch") && !run.errors.contains("Muster"))
        }
        #expect(town.school.log.count { $0.rpc == "authenticate" } == 1)
        #expect(try town.start("once").wait().status == 0)
    }
}
