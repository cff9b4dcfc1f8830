import BotCore
import BotEngine
import BotState
import BotTransport
import Values

/// `pokyh-bot once`.
enum OnceCommand {
    static let command = Command(
        "once",
        "polls everything once, delivers, and ends: for cron",
        details: [
            "Deliveries that fail for now are tried again while they fall due within 30 seconds; what is left waits for the next run.",
            "Exit status 1 if a source or a delivery failed or a message was given up, if an account rests since its login was refused, or",
            "if it was stopped before all was done.",
            "--dry-run asks the sources as always, and shows what would be sent instead of sending it; the state stays as it is, but for",
            "logins that are refused: nobody tries those again before their settings change.",
        ],
        options: [
            CommandList.config, RunCommand.verbose,
            .flag("--dry-run", "shows what would be sent, sends nothing and remembers nothing"),
        ],
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        SignalWatch.keepReload()
        let plant = try await Plant.start(arguments, world)
        let engine = plant.engine
        let signals = SignalWatch()
        let watcher = Task {
            for await signal in signals.stream where signal == .stop { await engine.stop() }
        }
        defer { watcher.cancel() }
        let start = world.clock.now
        let report: RunReport
        let troubles: [String]
        do throws(StateError) {
            let rests = try await plant.store.rests()
            report = try await engine.runOnce()
            let unnoted =
                arguments.has("--dry-run") ? try await noteRefusals(besides: rests, of: plant, at: world.clock.now) : []
            troubles =
                try await unnoted
                + silentParts(of: plant, failing: report.failing).map { "\($0); see pokyh-bot status" }
                + failures(since: start, in: plant.store)
        } catch {
            await plant.close()
            throw CommandFailure(error)
        }
        await plant.close()
        let would = arguments.has("--dry-run") ? "would be " : ""
        world.terminal.print(
            "sources: \(report.polls.good) of \(plant.house.sources.count) answered, \(report.polls.failed) failed; messages: "
                + "\(report.deliveries.delivered) \(would)delivered, \(report.waiting) waiting, \(report.deliveries.dead) given up"
                + (report.deliveries.dropped > 0 ? ", \(report.deliveries.dropped) dropped" : "")
        )
        for trouble in troubles { world.terminal.error(plant.house.configuration.redactor.mask(trouble)) }
        if report.wasStopped {
            world.terminal.error("stopped before all was done; what was not asked or sent waits for the next run")
        }
        let deliveries = report.deliveries
        let isFine =
            !report.wasStopped && report.polls.failed == 0 && deliveries.dead == 0 && deliveries.dropped == 0
            && report.waiting == 0
            && troubles.isEmpty
        return isFine ? .fine : .somethingFailed
    }

    /// What a dry run was refused is no rehearsal for the school. Its memory is a copy, so it is noted in the real one.
    /// - Returns: what there is to say if it cannot be.
    private static func noteRefusals(
        besides known: [String: AccountRest],
        of plant: Plant,
        at now: Timestamp
    ) async throws(StateError) -> [String] {
        let refused = try await plant.store.rests().filter { known[$0.key] != $0.value }
        do throws(StateError) {
            try await RefusedLogins.note(refused, inFolder: plant.house.configuration.stateFolder, at: now)
            return []
        } catch {
            return ["which logins were refused could not be noted. state: \(error)"]
        }
    }

    /// What failed in this run, a line for each message: its id, the rule, the sink and why; nobody's name.
    private static func failures(since start: Timestamp, in store: SQLiteStore) async throws(StateError) -> [String] {
        let deliveries = try await store.deliveries(in: [.queued, .held, .dead, .dropped], limit: RecordedEvents.most)
        return deliveries.reversed().compactMap { delivery in
            guard let last = delivery.attempts.last, last.at >= Timestamp(milliseconds: start.milliseconds),
                last.answer != SQLiteStore.withdrawnReason
            else { return nil }
            let payload = delivery.payload
            let state = delivery.state == .queued ? "is tried again later" : "is \(delivery.state.rawValue)"
            return TerminalText.line(
                "message \(payload.id) of the rule \(payload.rule) through \(payload.sink) \(state): \(last.answer)"
            )
        }
    }

    /// What was not even tried in this run, since it rests or waits after failures: it must not look like a good run.
    private static func silentParts(
        of plant: Plant,
        failing: [String]
    ) async throws(StateError) -> [String] {
        let resting = try await plant.store.rests().keys.sorted()
        return resting.map { key in
            // A source without an account rests by itself.
            let name = key.hasPrefix("source ") ? "source '\(key.dropFirst("source ".count))'" : "account '\(key)'"
            return "\(name) rests until its settings change"
        }
            + failing.map { "source '\($0)' is failing" }
    }
}
