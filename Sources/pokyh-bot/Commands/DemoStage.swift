import BotCore
import BotEngine
import BotRules
import BotState
import BotTransport
import SchoolSimulator
import Values

/// The real bot, pointed at the simulated school.
struct DemoStage: Sendable {
    let engine: Engine
    let store: SQLiteStore
    let http: CurlHTTPClient
    let clock: CompressedClock
    let sources: [String]
    let terminal: Terminal

    static func build(
        _ folder: DemoFolder,
        _ clock: CompressedClock,
        _ world: World,
        haste: Double
    ) async throws(CommandFailure) -> DemoStage {
        var isolated = world
        // The demo's secrets are the folder's; nothing of the user's environment may take their place.
        isolated.environment = [:]
        let configuration = try Configuration.load(folder.path + "/bot.yaml", in: isolated)
        let problems = configuration.complaintTexts
        guard problems.isEmpty else { throw CommandFailure(.configuration, problems.joined(separator: "\n")) }
        let log =
            LogWriter(
                terminal: world.terminal,
                redactor: configuration.redactor,
                clock: clock,
                zone: configuration.installation.zone,
                least: .warning
            ).log
        do throws(PluginError) {
            let http = try CurlHTTPClient(
                HTTPSettings(hosts: configuration.installation.hostPolicies),
                redactor: configuration.redactor
            )
            let materials = House.Materials(
                http: ChatWindow(school: http),
                mail: Letterbox(),
                log: log,
                terminal: world.terminal,
                haste: haste
            )
            return try await assembled(configuration, materials, http, clock, world)
        } catch {
            throw CommandFailure(.somethingFailed, "demo: \(error.message)")
        }
    }

    private static func assembled(
        _ configuration: Configuration,
        _ materials: House.Materials,
        _ http: CurlHTTPClient,
        _ clock: CompressedClock,
        _ world: World
    ) async throws(PluginError) -> DemoStage {
        do throws(CommandFailure) {
            let house = try House.build(configuration, with: materials)
            var setup = house.engineSetup(rules: configuration.rules.book)
            setup.sinks = setup.sinks.map {
                ShownSink.wrapping($0, terminal: world.terminal, zone: configuration.installation.zone)
            }
            let store = try await opened(configuration.stateFolder, at: clock.now)
            let engine = Engine(
                setup,
                store: store,
                clock: clock,
                jitter: SystemRandomNumberGenerator(),
                log: materials.log
            )
            return DemoStage(
                engine: engine,
                store: store,
                http: http,
                clock: clock,
                sources: house.sources.map(\.name),
                terminal: world.terminal
            )
        } catch {
            throw .permanent(error.lines.joined(separator: "\n"))
        }
    }

    private static func opened(_ folder: String, at now: Timestamp) async throws(CommandFailure) -> SQLiteStore {
        do throws(StateError) {
            return try await SQLiteStore.open(folder: folder, at: now)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Plays the story while the engine runs, then lets it end.
    func play(_ story: Story, on server: SimulatorServer) async throws(CommandFailure) -> DemoReport {
        let running = Task { () -> StateError? in
            do throws(StateError) {
                try await engine.run()
                return nil
            } catch {
                return error
            }
        }
        do throws(StateError) {
            try await waitUntilLearnt()
            let beginning = story.beginning(onceReadyAt: clock.now)
            for step in story.steps {
                await clock.sleep(until: beginning + step.offset)
                announce(step)
                if let command = step.command { try perform(command, on: server) }
            }
            await clock.sleep(until: beginning + story.length)
            await engine.stop()
            if let error = await running.value { throw error }
            let counts = try await store.counts()
            await store.close()
            await http.close()
            return DemoReport(
                delivered: counts[.delivered] ?? 0,
                failed: counts.values.reduce(0, +) - (counts[.delivered] ?? 0)
            )
        } catch {
            await engine.stop()
            throw CommandFailure(error)
        }
    }

    /// What happens before the first poll would only be learnt.
    private func waitUntilLearnt() async throws(StateError) {
        let limit = clock.now + .hours(2)
        while clock.now < limit {
            let states = try await store.sources()
            if sources.allSatisfy({ states[$0]?.isLearnt == true }) { return }
            await clock.sleep(until: clock.now + .minutes(1))
        }
        throw .failed("the simulated school did not answer in time")
    }

    private func announce(_ step: Story.Step) {
        let time = (Zone("Europe/Rome") ?? .utc).reading(at: clock.now).time
        terminal.print("── \(time.description.prefix(5))  \(step.title)")
    }

    private func perform(_ command: SimulatorCommand, on server: SimulatorServer) throws(StateError) {
        do throws(CommandError) {
            _ = try server.perform(command)
        } catch {
            throw .failed("the story cannot go on: \(error)")
        }
    }
}

/// A sink whose deliveries are shown at the terminal in the form that their reader would see.
struct ShownSink: Sink {
    let inner: any Sink
    let name: String
    let terminal: Terminal
    let zone: Zone

    /// The sink that prints anyway stays as it is.
    static func wrapping(_ setup: SinkSetup, terminal: Terminal, zone: Zone) -> SinkSetup {
        guard setup.name != "terminal" else { return setup }
        var setup = setup
        setup.sink = ShownSink(inner: setup.sink, name: setup.name, terminal: terminal, zone: zone)
        return setup
    }

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        try inner.prepare(message, at: now)
    }

    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        let receipt = try await inner.deliver(payload, at: now)
        let heading = payload.recipient.isEmpty ? "Chat der Klasse" : "Mail an \(payload.recipient)"
        let text = payload.content["text"].string ?? payload.text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "│ " + $0 }
        terminal.print((["┌ \(heading)"] + lines + ["└", ""]).joined(separator: "\n"))
        return receipt
    }
}

/// Takes every mail; it has been shown.
struct Letterbox: MailTransport {
    func send(_ mail: OutgoingMail, through server: MailServer) async throws(PluginError) -> Receipt { Receipt() }
}

/// Takes what goes to the chat, which is shown; everything else goes to the school.
struct ChatWindow: HTTPClient {
    let school: any HTTPClient

    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        // Port 9 discards; nothing of this machine's can be meant.
        if request.url.hasPrefix("http://127.0.0.1:9/") { return HTTPResponse(status: 200, body: Array("ok".utf8)) }
        return try await school.send(request)
    }
}
