import BotCore
import BotState
import Foundation
import Synchronization
import Values

@testable import SchoolSimulator

/// A list in JSON at an address, hooks that take messages, and an installation that tells hooks of what changes in the list.
final class FeedTown: Sendable {
    let folder: URL
    let far = FarEnd()
    let port: UInt16
    private let server: LoopbackServer

    struct NoPort: Error {}

    /// - Parameters:
    ///   - sources: lines below `sources:`; usually the list, every minute.
    ///   - sinks: lines below `sinks:`; usually one hook for each name in `rules`, and `admin`.
    ///   - extra: further lines of the bot file.
    init(
        sources: [String]? = nil,
        sinks: [String]? = nil,
        send: [String] = ["one", "two"],
        admin: String = "admin",
        extra: [String] = []
    ) throws {
        server = LoopbackServer(waiting: WaitingConnections(), handler: { [far] in far.answer($0) })
        guard let port = server.start(port: 0) else { throw NoPort() }
        self.port = port
        folder = FileManager.default.temporaryDirectory.appending(path: "pokyh-bot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = "http://127.0.0.1:\(port)"
        let hooks = Set(send + [admin]).sorted().map { "\($0): {kind: webhook, url: \"\(url)/hook/\($0)\"}" }
        let lines =
            ["version: 1", "timezone: Europe/Rome", "rules: rules.yaml", "sources:"]
            + (sources ?? [Self.list(at: url)]).map { "  " + $0 } + ["sinks:"] + (sinks ?? hooks).map { "  " + $0 }
            + ["admin: [\(admin)]", "hosts: {127.0.0.1: {connections: 64, gap: 0s}}"] + extra
        try write("bot.yaml", lines.joined(separator: "\n").replacing("PORT", with: "\(port)"))
        try write(
            "rules.yaml",
            """
            version: 1
            rules:
              - id: all
                when: {event: item.*}
                message: {title: "{{ item.title }}"}
                send: [\(send.joined(separator: ", "))]
                limit: none
            """
        )
    }

    static func list(at url: String, name: String = "list", path: String = "/list") -> String {
        "\(name): {provider: http.json, url: \"\(url)\(path)\", key: id, every: 1m}"
    }

    var url: String { "http://127.0.0.1:\(port)" }
    var config: String { folder.appending(path: "bot.yaml").path }
    var state: URL { folder.appending(path: "state") }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// Changes the bot file.
    func exchange(_ old: String, for new: String) throws {
        let file = try String(contentsOfFile: config, encoding: .utf8)
        try write("bot.yaml", file.replacing(old, with: new))
    }

    /// The program, with this bot file.
    func start(
        _ words: String...,
        environment: [String: String] = [:],
        launcher: [String] = [],
        output: String = "/dev/null"
    ) throws -> BotProcess {
        try BotProcess(
            words + ["--config", config],
            environment: environment,
            launcher: launcher,
            output: output
        )
    }

    /// Runs the program to its end while other tests go on.
    func run(
        _ words: String...,
        environment: [String: String] = [:],
        launcher: [String] = [],
        output: String = "/dev/null"
    ) async throws -> BotProcess.End {
        try await BotProcess.run(
            words + ["--config", config],
            environment: environment,
            launcher: launcher,
            output: output
        )
    }

    /// Looks into the memory while no program runs.
    func deliveries(in states: Set<DeliveryState>) async throws -> [Delivery] {
        let store = try await SQLiteStore.openBeside(folder: state.path)
        let found = try await store.deliveries(in: states, limit: 20_000)
        await store.close()
        return found
    }

    /// What is in the state folder, byte by byte.
    func stateBytes() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: state.path) {
            files[name] = try Data(contentsOf: state.appending(path: name))
        }
        return files
    }

    func close() {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// What the far ends of a town answer, and what has arrived at them.
final class FarEnd: Sendable {
    struct Arrival: Sendable, Hashable {
        var hook: String
        /// `webhook-id`; the same in every repeat.
        var id: String
        var title: String
    }

    private struct State {
        var items: [Value] = []
        var arrivals: [Arrival] = []
        var requests: [ServedRequest] = []
        var answers: [String: @Sendable (ServedRequest) -> ServedAnswer] = [:]
        var onArrival: (@Sendable (Arrival) -> Void)?
    }
    private let state = Mutex(State())

    /// What the list says from now on: titles by id.
    func show(_ items: [Int: String]) {
        let list = items.sorted { $0.key < $1.key }.map {
            ["id": .int(Int64($0.key)), "title": .string($0.value)] as Value
        }
        state.withLock { $0.items = list }
    }

    /// What a path answers from now on; nil: as usual.
    func on(_ path: String, _ answer: (@Sendable (ServedRequest) -> ServedAnswer)?) {
        state.withLock { $0.answers[path] = answer }
    }

    func onArrival(_ action: (@Sendable (Arrival) -> Void)?) { state.withLock { $0.onArrival = action } }

    var arrivals: [Arrival] { state.withLock { $0.arrivals } }
    var requests: [ServedRequest] { state.withLock { $0.requests } }

    func titles(_ hook: String) -> [String] { arrivals.filter { $0.hook == hook }.map(\.title) }

    func forgetArrivals() { state.withLock { $0.arrivals = [] } }

    func answer(_ request: ServedRequest) -> ServedAnswer {
        state.withLock { $0.requests.append(request) }
        if request.path.hasPrefix("/hook/") {
            let id = request.header("webhook-id") ?? ""
            let hook = String(request.path.dropFirst(6))
            let title = request.json?["data"]["title"].string ?? request.json?["text"].string ?? ""
            let arrival = Arrival(hook: hook, id: id, title: title)
            let action = state.withLock { state in
                state.arrivals.append(arrival)
                return state.onArrival
            }
            action?(arrival)
        }
        if let answer = state.withLock({ $0.answers[request.path] }) { return answer(request) }
        return request.path == "/list" ? .json(.list(state.withLock { $0.items })) : .text("ok")
    }
}
