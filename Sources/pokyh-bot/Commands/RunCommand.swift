import BotCore
import BotEngine
import Values

/// `pokyh-bot run`.
enum RunCommand {
    static let command = Command(
        "run",
        "polls and delivers until it is stopped: the service",
        details: [
            "SIGTERM and SIGINT end it within ten seconds; SIGHUP and 'pokyh-bot reload' read the rule files again. A rule file with",
            "errors leaves the last good version of its rules running. The log goes to standard error, its times are those of the bot's",
            "zone with their offset from UTC.",
        ],
        options: [CommandList.config, verbose],
        run: run
    )

    static let verbose = OptionSpecification.flag("--verbose", "logs everything, names of students and texts included")

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        SignalWatch.keepReload()
        let plant = try await Plant.start(arguments, world, waitsForRoom: true)
        let log = plant.live.log
        let engine = plant.engine
        // Before the line that says it runs: whoever waits for that line may send a signal at once.
        let signals = SignalWatch()
        log(.info, plant.summary)
        let watcher = Task {
            for await signal in signals.stream {
                switch signal {
                case .stop: await engine.stop()
                case .reload: await Reloading(plant: plant, world: world).run()
                }
            }
        }
        defer { watcher.cancel() }
        do throws(StateError) {
            try await engine.run()
        } catch {
            await plant.close()
            throw CommandFailure(error)
        }
        await plant.close()
        log(.info, "stopped")
        return .fine
    }
}
