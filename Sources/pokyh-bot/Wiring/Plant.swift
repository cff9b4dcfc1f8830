import BotCore
import BotEngine
import BotRules
import BotState
import Values

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
        if let notice = Configuration.choiceNotice(arguments) { world.terminal.error(notice) }
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world)
        for text in configuration.complaintTexts { world.terminal.error(text) }
        let live = try LiveMaterials(configuration, in: world, verbose: arguments.has("--verbose"))
        // Wrong settings must not leave a state folder behind, and are a matter of configuration.
        let house = try House.build(configuration, with: live.materials)
        let isDry = arguments.has("--dry-run")
        do throws(StateError) {
            let folder = configuration.stateFolder
            let store =
                isDry
                ? try await SQLiteStore.openCopy(ofFolder: folder)
                : try await openStore(folder, world, live.log, waitsForRoom: waitsForRoom)
            if !isDry {
                let homes = RuleHomes(of: configuration.installation, from: configuration.folder)
                // A service waits for room with everything else; what it could not note now, the next reading of the rules does.
                if waitsForRoom {
                    await homes.note(configuration.rules.homes, in: store, live.log)
                } else {
                    try await homes.note(configuration.rules.homes, in: store)
                }
            }
            let memos = try await store.sinks().mapValues(\.memo).filter { !$0.value.isNull }
            return assembled(
                memos.isEmpty ? house : try remembering(memos, house, live),
                live,
                store,
                world,
                isDry: isDry
            )
        } catch {
            await live.close()
            throw failure(of: error, in: configuration)
        }
    }

    /// The pause after which a full disk is tried again.
    private static let hold = TimeSpan.seconds(30)

    private static func openStore(
        _ folder: String,
        _ world: World,
        _ log: Log,
        waitsForRoom: Bool
    ) async throws(StateError) -> SQLiteStore {
        var isTold = false
        while true {
            do throws(StateError) {
                let store = try await SQLiteStore.open(folder: folder, at: world.clock.now)
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

    /// A full disk ends a single run before it begins.
    private static func failure(of error: StateError, in configuration: Configuration) -> CommandFailure {
        guard case .diskFull(let detail) = error else { return CommandFailure(error) }
        let free =
            SQLiteStore.freeBytes(ofFolder: configuration.stateFolder).map { " (\($0 >> 10) KiB are free)" } ?? ""
        return CommandFailure(
            .state,
            "state: the bot cannot start, since the disk with its state in \(configuration.stateFolder) is full: \(detail)\(free)",
            "  nothing was lost: what waits to be sent is kept. Make room there, then start it again; a service is started again by itself",
            "  'pokyh-bot state check' says how much is free and what of the state could go"
        )
    }

    /// The same house with what its sinks asked to remember.
    private static func remembering(
        _ memos: [String: Value],
        _ house: House,
        _ live: LiveMaterials
    ) throws(StateError) -> House {
        do throws(CommandFailure) {
            return try House.build(house.configuration, with: live.materials, memos: memos)
        } catch {
            // The same settings were fine without memos: what a sink remembered cannot be used.
            throw .failed(error.lines.joined(separator: "\n"))
        }
    }

    private static func assembled(
        _ house: House,
        _ live: LiveMaterials,
        _ store: SQLiteStore,
        _ world: World,
        isDry: Bool
    ) -> Plant {
        let book = house.configuration.rules.book
        var setup = house.engineSetup(rules: book)
        if isDry { setup.sinks = setup.sinks.map { RehearsedSink.wrapping($0, terminal: world.terminal) } }
        let engine = Engine(
            setup,
            store: store,
            clock: world.clock,
            jitter: SystemRandomNumberGenerator(),
            log: live.log
        )
        return Plant(house: house, live: live, store: store, engine: engine, books: RuleBooks(book))
    }

    var summary: String {
        let configuration = house.configuration
        let rules = configuration.rules
        return
            "pokyh-bot \(VersionCommand.number) started: \(configuration.path), state in \(configuration.stateFolder), "
            + "\(house.sources.count.counted("source")), \(house.sinks.count.counted("sink")), \(rules.ruleCount.counted("rule"))"
            + (rules.inactive.isEmpty ? "" : ", \(rules.inactive.count) of them not active (see above)")
    }

    func close() async {
        await store.close()
        await live.close()
    }
}
