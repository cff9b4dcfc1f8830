import BotCore
import BotRules
import BotTestKit
import Foundation
import Synchronization
import Testing
import Values

@testable import BotEngine
@testable import pokyh_bot

/// A bot at a school of many accounts, started anew for every poll: real files, providers, differ, rules and engine; recording sinks.
final class TownBot: Sendable {
    /// Monday, 30 November 2026, 06:00 in Rome.
    static let monday = Timestamp(seconds: 1_796_014_800)

    let town: Town
    let store = MemoryStore()
    let clock = ManualClock(TownBot.monday)
    private let folder: URL
    private let sinks: Mutex<[String: RecordingSink]>
    private let lines = Mutex<[String]>([])

    /// - Parameters:
    ///   - accounts: names of accounts, which are their user names too.
    ///   - sources: lines of `sources:`.
    ///   - families: lines of `families:`.
    ///   - rules: the rule file.
    init(
        _ town: Town,
        accounts: [String],
        sources: [String],
        families: [String] = [],
        sinks names: [String],
        admin: String? = nil,
        rules: String
    ) throws {
        self.town = town
        sinks = Mutex(Dictionary(uniqueKeysWithValues: names.map { ($0, RecordingSink()) }))
        folder = FileManager.default.temporaryDirectory.appending(path: "pokyh-town-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "secrets"),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let botFile =
            [
                "version: 1", "timezone: Europe/Rome", "rules: rules.yaml",
                "schools: {lbs: {server: lbs.example.org, school: lbs}}", "accounts:",
            ]
            + accounts.map { "  \($0): {kind: webuntis, school: lbs, user: \($0), password: {secret: PASSWORD}}" }
            + ["sources:"] + sources.map { "  " + $0 }
            + (families.isEmpty ? [] : ["families:"] + families.map { "  " + $0 })
            + ["sinks:"] + names.map { "  \($0): {kind: stdout}" } + (admin.map { ["admin: [\($0)]"] } ?? [])
        try Data(botFile.joined(separator: "\n").utf8).write(to: folder.appending(path: "bot.yaml"))
        try Data(rules.utf8).write(to: folder.appending(path: "rules.yaml"))
        let secret = folder.appending(path: "secrets/PASSWORD")
        try Data("geheim\n".utf8).write(to: secret)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret.path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The titles of all that a sink was told since it was last asked.
    func told(_ sink: String) -> [String] { arrived(sink).map(\.text) }

    /// The bodies of the same.
    func read(_ sink: String) -> [String] { arrived(sink).map(\.content.plainText) }

    private func arrived(_ sink: String) -> [Payload] {
        sinks.withLock { sinks in
            let payloads = sinks[sink]?.arrived ?? []
            sinks[sink] = RecordingSink()
            return payloads
        }
    }

    /// What was logged since it was last asked.
    func logged() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    /// A process of its own: polls everything once, delivers, ends.
    @discardableResult
    func poll(after span: TimeSpan = .hours(1), only sources: Set<String>? = nil) async throws -> RunReport {
        clock.set(to: clock.now + span)
        return try await engine(only: sources).runOnce()
    }

    /// A process that runs for a time.
    func run(for span: TimeSpan) async throws {
        let engine = try engine(only: nil)
        try await engine.begin()
        let end = clock.now + span
        while let due = try await settled(engine), due <= end { clock.set(to: due) }
        clock.set(to: end)
        _ = try await settled(engine)
        try await engine.end()
    }

    private func settled(_ engine: Engine) async throws -> Timestamp? {
        while true {
            let (next, isSettled) = try await engine.settlingTurn()
            if isSettled, next.map({ $0 > clock.now }) ?? true { return next }
            if await !engine.activity.isIdle { await engine.waker.sleep(until: nil) }
        }
    }

    private func engine(only names: Set<String>?) throws -> Engine {
        let world = World(environment: [:])
        let configuration = try Configuration.load(folder.appending(path: "bot.yaml").path, in: world)
        #expect(configuration.complaintTexts.isEmpty)
        let log = Log { level, line in self.lines.withLock { $0.append("\(level): \(line)") } }
        let materials = House.Materials(http: town, mail: Silence(), log: log, terminal: world.terminal)
        var setup = try House.build(configuration, with: materials).engineSetup(rules: configuration.rules.book)
        let sinks = sinks.withLock { $0 }
        setup.sinks = setup.sinks.compactMap { entry in
            sinks[entry.name].map { SinkSetup(name: entry.name, sink: $0) }
        }
        if let names { setup.sources.removeAll { !names.contains($0.name) } }
        return Engine(setup, store: store, clock: clock, jitter: SeededGenerator(seed: 1), log: log)
    }
}
