import BotCore
import BotEngine
import BotRules
import BotState
import BotTestKit
import Foundation
import Synchronization
import Values

@testable import pokyh_bot

/// An installation that watches one list in JSON, with real rules and the store on disk; each run is a process of its own to the bot.
final class ListBot: Sendable {
    let sinks: [String: RecordingSink]
    private let folder: URL
    private let list = ScriptedList()

    /// - Parameter rules: lines below `rules:`.
    init(rules: String, sinks: [String: RecordingSink]) throws {
        self.sinks = sinks
        folder = FileManager.default.temporaryDirectory.appending(path: "pokyh-bot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = sinks.keys.sorted()
        let botFile = """
            version: 1
            timezone: Europe/Rome
            rules: rules.yaml
            sources: {marks: {provider: http.json, url: "https://school.example/marks", key: id}}
            sinks: {\(names.map { "\($0): {kind: stdout}" }.joined(separator: ", "))}
            \(names.contains("admin") ? "admin: [admin]" : "")
            """
        try Data(botFile.utf8).write(to: folder.appending(path: "bot.yaml"))
        try Data("version: 1\nrules:\n\(rules)\n".utf8).write(to: folder.appending(path: "rules.yaml"))
    }

    /// What the list says from now on.
    func show(_ titles: [String]) {
        list.answer.withLock { $0 = .success(.list(titles.map { ["id": .string($0), "title": .string($0)] })) }
    }

    func fail(_ error: PluginError) { list.answer.withLock { $0 = .failure(error) } }

    /// Starts the bot, polls once, delivers, and ends.
    @discardableResult
    func once(at now: Timestamp) async throws -> RunReport {
        let world = World(environment: [:])
        let configuration = try Configuration.load(folder.appending(path: "bot.yaml").path, in: world)
        if let complaint = configuration.complaintTexts.first { throw CommandFailure(.configuration, complaint) }
        let materials = House.Materials(http: list, mail: Silence(), log: .silent, terminal: world.terminal)
        var setup = try House.build(configuration, with: materials).engineSetup(rules: configuration.rules.book)
        setup.sinks = setup.sinks.map { entry in
            SinkSetup(name: entry.name, sink: sinks[entry.name] ?? RecordingSink(), recognisesRepeats: true)
        }
        let store = try await openStore(in: configuration.stateFolder, at: now)
        let engine = Engine(
            setup,
            store: store,
            clock: ManualClock(now),
            jitter: SeededGenerator(seed: 1),
            log: .silent
        )
        let report = try await engine.runOnce()
        await store.close()
        return report
    }

    /// What is wrong with its files, as people read it.
    func complaints() throws -> String {
        try Configuration.load(folder.appending(path: "bot.yaml").path, in: World(environment: [:])).complaintTexts
            .joined(separator: "\n")
    }

    /// The deliveries in these states, latest first.
    func deliveries(in states: Set<DeliveryState>) async throws -> [Delivery] {
        let store = try await SQLiteStore.openBeside(folder: folder.appending(path: "state").path)
        let found = try await store.deliveries(in: states, limit: 1000)
        await store.close()
        return found
    }

    func told(_ sink: String) -> [String] { sinks[sink]?.arrived.map(\.text) ?? [] }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// A far end that answers one list, or fails.
private final class ScriptedList: HTTPClient {
    let answer = Mutex<Result<Value, PluginError>>(.success([]))

    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        let body = try answer.withLock { $0 }.get()
        return HTTPResponse(
            status: 200,
            headers: [("Content-Type", "application/json")],
            body: body.jsonBytes
        )
    }
}
