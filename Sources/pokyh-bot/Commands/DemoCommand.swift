import BotCore
import BotEngine
import BotRules
import BotState
import BotTransport
import Glibc
import SchoolSimulator
import Values

/// `pokyh-bot demo`.
enum DemoCommand {
    static let command = Command(
        "demo",
        "shows the bot at work on a simulated school, in about 15 seconds; reaches nobody",
        details: [
            "The real providers, memory, rules and sinks work on an embedded school whose morning passes in seconds. Mails and chat",
            "messages are shown instead of sent. Nothing is left behind.",
        ],
        run: run
    )

    /// How much faster than real time the story runs: its 95 minutes take about 14 seconds.
    private static let haste = 400.0

    /// A Monday morning before school; the canteen's post is due at 07:00.
    private static var start: Timestamp {
        let rome = Zone("Europe/Rome") ?? .utc
        let monday = CalendarDate(year: 2026, month: 11, day: 30) ?? CalendarDate(dayNumber: 0)
        return rome.instant(of: monday, at: WallTime(hour: 6, minute: 10) ?? .midnight)
    }

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let clock = CompressedClock(storyStart: start, factor: haste)
        let story = Story.demo(startingAt: start)
        let server = SimulatorServer(now: { clock.now }, school: SchoolSimulator.School(startingAt: start))
        do throws(SimulatorServerError) {
            try server.start()
        } catch {
            throw CommandFailure(.somethingFailed, "demo: \(error)")
        }
        defer { server.stop() }
        let folder = try DemoFolder(url: server.url)
        defer { folder.remove() }
        let signals = SignalWatch()
        let watcher = Task {
            for await signal in signals.stream where signal == .stop {
                folder.remove()
                exit(ExitCode.somethingFailed.rawValue)
            }
        }
        defer { watcher.cancel() }
        let stage = try await DemoStage.build(folder, clock, world, haste: haste)
        world.terminal.print(opening(server.url))
        let report = try await stage.play(story, on: server)
        world.terminal.print(closing(report))
        return report.isFine ? .fine : .somethingFailed
    }

    private static func opening(_ url: String) -> String {
        """
        A simulated school has opened at \(url): WebUntis and POKYH, all people invented.
        The bot knows it as it is and tells only what happens from now on. It is Monday, 06:10; an hour passes in nine seconds.

        """
    }

    private static func closing(_ report: DemoReport) -> String {
        let outcome =
            report.isFine
            ? "That was \(report.delivered.counted("message")), each told once."
            : "Something went wrong: \(report.delivered.counted("message")) told, \(report.failed) not. Please report this with the lines above."
        return """
            \(outcome)

            Next, with your own school:
              1. cp Config/bot.example.yaml Config/bot.yaml, and fill in your school, your accounts and whom to tell
              2. pokyh-bot check      says what is wrong with it, line by line
              3. pokyh-bot once       polls once; the first time it only learns
              4. pokyh-bot run        goes on until it is stopped
            Rules are in rules/, explained in rules/README.md; try your own against: pokyh-bot simulate --port 8090
            """
    }
}

/// A folder with an installation for the simulated school, gone when the demo ends.
struct DemoFolder: Sendable {
    let path: String

    init(url: String) throws(CommandFailure) {
        var template = Array("/tmp/pokyh-bot-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(.somethingFailed, "demo: no folder can be made in /tmp: \(FileAccess.errorText())")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let sinks = """
              mail-rossi: {kind: email, smtp: "smtp://127.0.0.1:25", tls: off, from: bot@schule.example, to: [familie@muster.example]}
              class-hook: {kind: webhook, flavour: mattermost, url: "http://127.0.0.1:9/klasse"}
              terminal: {kind: stdout}
            """
        let botFile = SimulatedInstallation.botFile(
            url: url,
            sinks: sinks,
            every: "1m",
            admin: "terminal",
            locale: "de"
        )
        try write(Array(botFile.utf8), to: "bot.yaml")
        for folder in ["rules", "secrets"] where mkdir(path + "/" + folder, 0o700) != 0 {
            throw CommandFailure(.somethingFailed, "demo: \(path)/\(folder): \(FileAccess.errorText())")
        }
        for (name, bytes) in ShippedRules.files { try write(bytes, to: "rules/" + name) }
        for (name, secret) in SimulatedInstallation.secrets { try write(Array(secret.utf8), to: "secrets/" + name) }
    }

    private func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) {
        do throws(FileProblem) {
            try FileAccess.write(bytes, to: path + "/" + name)
        } catch {
            throw CommandFailure(error, .somethingFailed)
        }
    }

    /// Takes away what was made here, and what the bot made in the state folder.
    func remove() { FileAccess.removeFolder(path) }
}

/// What the demo counted.
struct DemoReport: Sendable {
    var delivered: Int
    var failed: Int

    var isFine: Bool { failed == 0 && delivered > 0 }
}
