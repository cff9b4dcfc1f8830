import BotCore
import BotEngine
import BotRules
import BotState
import BotTransport
import Values

/// `pokyh-bot run` and `pokyh-bot once`.
enum RunCommand {
    static let command = Command(
        "run",
        "polls and delivers until it is stopped: the service",
        details: [
            "SIGTERM and SIGINT end it within ten seconds, SIGHUP reads the rule files again. A rule file with errors leaves the",
            "last good version of its rules running.",
        ],
        options: [CommandList.config, verbose],
        run: run
    )

    static let verbose = OptionSpecification.flag("--verbose", "logs everything, names of students and texts included")

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let plant = try await Plant.start(arguments, world, waitsForRoom: true)
        let log = plant.live.log
        let engine = plant.engine
        // Before the line that says it runs: whoever waits for that line may send a signal at once.
        let signals = SignalWatch()
        log(.info, plant.summary)
        let watcher = Task {
            for await signal in signals.stream {
                switch signal {
                case .stop:
                    await engine.stop()
                case .reload:
                    await reload(plant, world)
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

    /// Reads the rule files again; what is wrong is logged, and the last good version of those rules goes on.
    private static func reload(_ plant: Plant, _ world: World) async {
        let configuration = plant.house.configuration
        let log = plant.live.log
        do throws(CommandFailure) {
            let files = try Configuration.readRules(configuration.installation.rulePaths, from: configuration.folder)
            let rules = RuleFiles.load(files, in: configuration.installation, previous: await plant.books.current)
            for complaints in rules.complaints where !complaints.complaints.isEmpty {
                world.terminal.error(configuration.redactor.mask(complaints.text))
            }
            do throws(StateError) {
                try await plant.engine.reload(rules: rules.book, inactive: rules.inactiveRules)
                await plant.books.replace(rules.book)
                let broken = rules.complaints.filter(\.hasErrors).count
                log(.info, "read the rules again: \(rules.ruleCount) rules; \(broken) files with errors")
            } catch {
                log(.error, "the rules could not be exchanged: \(error)")
            }
        } catch {
            for line in error.lines { log(.error, "the rules stay as they were: \(line)") }
        }
    }
}

/// `pokyh-bot once`.
enum OnceCommand {
    static let command = Command(
        "once",
        "polls everything once, delivers, and ends: for cron",
        details: [
            "Deliveries that fail for now are tried again while they fall due within 30 seconds; what is left waits for the next run.",
            "Exit status 1 if a source or a delivery failed, or an account rests since its login was refused.",
        ],
        options: [CommandList.config, RunCommand.verbose],
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let plant = try await Plant.start(arguments, world)
        let engine = plant.engine
        let signals = SignalWatch()
        let watcher = Task {
            for await signal in signals.stream where signal == .stop { await engine.stop() }
        }
        defer { watcher.cancel() }
        let report: RunReport
        let silent: [String]
        do throws(StateError) {
            report = try await engine.runOnce()
            silent = try await silentParts(of: plant)
        } catch {
            await plant.close()
            throw CommandFailure(error)
        }
        await plant.close()
        world.terminal.print(
            "sources: \(report.polls.good) of \(plant.house.sources.count) answered, \(report.polls.failed) failed; messages: "
                + "\(report.deliveries.delivered) delivered, \(report.waiting) waiting, \(report.deliveries.dead) given up"
        )
        for part in silent { world.terminal.error("\(part); see pokyh-bot status") }
        let isFine = report.polls.failed == 0 && report.deliveries.dead == 0 && report.waiting == 0 && silent.isEmpty
        return isFine ? .fine : .somethingFailed
    }

    /// What was not even tried in this run, since it rests or waits after failures: it must not look like a good run.
    private static func silentParts(of plant: Plant) async throws(StateError) -> [String] {
        let resting = try await plant.store.rests().keys.sorted()
        let states = try await plant.store.sources()
        let failing = plant.house.sources.map(\.name).filter { name in
            guard let health = states[name]?.health, health.failures > 0 else { return false }
            return health.told != HealthSchema.sourceUnavailable
        }
        return resting.map { "account '\($0)' rests until its settings change" }
            + failing.map { "source '\($0)' is failing" }
    }
}

/// An engine with everything it stands on.
struct Plant: Sendable {
    var house: House
    var live: LiveMaterials
    var store: SQLiteStore
    var engine: Engine
    var books: RuleBooks

    /// - Parameter waitsForRoom: whether a full disk is waited for; otherwise it ends the command.
    static func start(
        _ arguments: Arguments,
        _ world: World,
        waitsForRoom: Bool = false
    ) async throws(CommandFailure) -> Plant {
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world)
        for text in configuration.complaintTexts { world.terminal.error(text) }
        let live = try LiveMaterials(configuration, in: world, verbose: arguments.has("--verbose"))
        // Wrong settings must not leave a state folder behind, and are a matter of configuration.
        _ = try House.build(configuration, with: live.materials)
        do throws(StateError) {
            let store = try await openStore(configuration, world, live.log, waitsForRoom: waitsForRoom)
            let memos = try await store.sinks().mapValues(\.memo)
            return try assembled(configuration, live, store, memos, world)
        } catch {
            await live.close()
            throw CommandFailure(error)
        }
    }

    /// The pause after which a full disk is tried again.
    private static let hold = TimeSpan.seconds(30)

    private static func openStore(
        _ configuration: Configuration,
        _ world: World,
        _ log: Log,
        waitsForRoom: Bool
    ) async throws(StateError) -> SQLiteStore {
        var isTold = false
        while true {
            do throws(StateError) {
                let store = try await SQLiteStore.open(folder: configuration.stateFolder, at: world.clock.now)
                if isTold { log(.info, "There is room on the disk again.") }
                return store
            } catch {
                guard waitsForRoom, case .diskFull = error else { throw error }
                if !isTold { log(.error, "\(error)") }
                isTold = true
                await world.clock.sleep(until: world.clock.now + hold)
            }
        }
    }

    private static func assembled(
        _ configuration: Configuration,
        _ live: LiveMaterials,
        _ store: SQLiteStore,
        _ memos: [String: Value],
        _ world: World
    ) throws(StateError) -> Plant {
        do throws(CommandFailure) {
            let house = try House.build(configuration, with: live.materials, memos: memos)
            let engine = Engine(
                house.engineSetup(rules: configuration.rules.book),
                store: store,
                clock: world.clock,
                jitter: SystemRandomNumberGenerator(),
                log: live.log
            )
            return Plant(
                house: house,
                live: live,
                store: store,
                engine: engine,
                books: RuleBooks(configuration.rules.book)
            )
        } catch {
            // The same settings were fine without memos: what a sink remembered cannot be used.
            throw .failed(error.lines.joined(separator: "\n"))
        }
    }

    var summary: String {
        let configuration = house.configuration
        let rules = configuration.rules
        return
            "pokyh-bot \(VersionCommand.number) started: \(configuration.path), state in \(configuration.stateFolder), "
            + "\(house.sources.count) sources, \(house.sinks.count) sinks, \(rules.ruleCount) rules"
            + (rules.inactive.isEmpty ? "" : ", \(rules.inactive.count) of them not active (see above)")
    }

    func close() async {
        await store.close()
        await live.close()
    }
}

/// The rules that run, for the next reload.
actor RuleBooks {
    private(set) var current: RuleBook

    init(_ book: RuleBook) { current = book }

    func replace(_ book: RuleBook) { current = book }
}
