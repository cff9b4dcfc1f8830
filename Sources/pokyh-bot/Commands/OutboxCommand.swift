import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot outbox list|retry|drop`.
enum OutboxCommand {
    static let command = Command(
        "outbox",
        operands: "list | retry ID… | retry all | drop ID… | drop --sink NAME",
        "lists what could not be delivered, sends it again, or gives it up",
        details: [
            "'retry' queues deliveries that were given up or held, under the ids they had; a running bot sends them at once.",
            "'drop' gives up what waits, is held or was given up, by id or all of one sink, with the other parts of the same messages.",
            "It shows what that is, and does it with --yes only. 'history' keeps what was dropped, with the reason.",
            "Recipients appear here: the output is for the admin's eyes.",
            "Example: pokyh-bot outbox drop --sink old-hook --reason \"the chat is gone\" --yes",
        ],
        options: [
            CommandList.config,
            .option("--sink", "NAME", "with 'drop': all that has not been delivered through this sink"),
            .option("--reason", "TEXT", "with 'drop': why, for history"),
            .flag("--yes", "with 'drop': does it"),
        ],
        arity: 1...Int.max,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let configuration = try Configuration.load(
            try Configuration.path(arguments),
            in: world,
            secrets: .standIns
        )
        let ids = Array(arguments.operands.dropFirst())
        let sink = arguments.value("--sink")
        switch (arguments.operands[0], ids.isEmpty, sink) {
        case ("list", true, nil): return try await list(configuration, world)
        case ("retry", false, nil): return try await retry(ids, configuration, world)
        case ("drop", true, let sink?): return try await drop(.sink(sink), arguments, configuration, world)
        case ("drop", false, nil): return try await drop(.ids(ids), arguments, configuration, world)
        default:
            throw CommandFailure(
                UsageError(message: "'outbox' is called as: pokyh-bot \(command.usage)"),
                command: "outbox"
            )
        }
    }

    private static func list(_ configuration: Configuration, _ world: World) async throws(CommandFailure) -> ExitCode {
        let deliveries = try await StateReading.read(configuration) { store throws(StateError) in
            try await store.deliveries(in: OutboxSelection.states, limit: 1000)
        }
        for delivery in deliveries.reversed() { world.terminal.print(line(of: delivery)) }
        if deliveries.isEmpty { world.terminal.print("nothing waits and nothing was given up") }
        return .fine
    }

    private static func retry(
        _ ids: [String],
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        let wanted = ids == ["all"] ? nil : ids
        let (count, resting) = try await StateReading.read(configuration) { store throws(StateError) in
            let given = try await store.deliveries(in: [.dead, .held], limit: RecordedEvents.most)
            let chosen = given.filter { wanted?.contains($0.payload.id) ?? true }
            let states = try await store.sinks()
            let resting = Set(chosen.map(\.payload.sink)).filter { states[$0]?.restFingerprint != nil }
            return (try await store.requeue(wanted, at: world.clock.now), resting.sorted())
        }
        world.terminal.print("queued again: \(count)")
        for sink in resting {
            world.terminal.error(
                "they wait while the sink '\(sink)' rests; 'pokyh-bot retry \(sink)' lets it be tried again"
            )
        }
        if let wanted, count < wanted.count {
            world.terminal.error("the others are unknown, or were neither given up nor held; see pokyh-bot outbox list")
            return .somethingFailed
        }
        return resting.isEmpty ? .fine : .somethingFailed
    }

    private static func drop(
        _ wish: OutboxSelection.Wish,
        _ arguments: Arguments,
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        let deliveries = try await StateReading.read(configuration) { store throws(StateError) in
            try await store.deliveries(in: OutboxSelection.states, limit: RecordedEvents.most)
        }
        let selection = OutboxSelection(wish, among: deliveries)
        for id in selection.unknown {
            world.terminal.error(
                "nothing with the id '\(id)' waits, is held or was given up; see pokyh-bot outbox list"
            )
        }
        if selection.chosen.isEmpty {
            if case .sink(let name) = wish {
                world.terminal.error("nothing waits, is held or was given up for the sink '\(name)'")
            }
            return .somethingFailed
        }
        for delivery in selection.chosen { world.terminal.print(line(of: delivery)) }
        guard arguments.has("--yes") else {
            world.terminal.error("nothing was dropped; with --yes these \(selection.chosen.count) are")
            return .somethingFailed
        }
        let why = arguments.value("--reason").map { ": \($0)" } ?? ""
        let count = try await StateReading.aloneOrBeside(configuration) { store, isAlone throws(StateError) in
            try await store.drop(
                selection.chosen.map(\.payload.id),
                reason: TerminalText.line("Dropped by hand\(why)"),
                includingClaimed: isAlone,
                at: world.clock.now
            )
        }
        world.terminal.print("dropped: \(count)")
        if count < selection.chosen.count {
            world.terminal.error("\(selection.chosen.count - count) are being sent just now and were left; try again")
        }
        return count == selection.chosen.count && selection.unknown.isEmpty ? .fine : .somethingFailed
    }

    private static func line(of delivery: Delivery) -> String {
        let payload = delivery.payload
        let answer = delivery.attempts.last.map { " (\($0.answer))" } ?? ""
        let to = payload.recipient.isEmpty ? "" : " to \(payload.recipient)"
        let part = payload.parts > 1 ? " part \(payload.part)/\(payload.parts)" : ""
        return TerminalText.line(
            "\(payload.id) \(delivery.state.rawValue) through \(payload.sink)\(to)\(part), rule \(payload.rule)\(answer)"
        )
    }
}

/// What of the outbox a person means; pure.
struct OutboxSelection {
    enum Wish {
        case ids([String])
        case sink(String)
    }

    /// What is not over yet.
    static let states: Set<DeliveryState> = [.queued, .sending, .held, .dead]

    /// In the order in which they were queued.
    let chosen: [Delivery]
    /// Ids that nothing has.
    let unknown: [String]

    /// - Parameter deliveries: latest first, those in `states` alone.
    init(_ wish: Wish, among deliveries: [Delivery]) {
        let all = Array(deliveries.reversed())
        switch wish {
        case .sink(let name):
            chosen = all.filter { $0.payload.sink == name }
            unknown = []
        case .ids(let ids):
            let named = all.filter { ids.contains($0.payload.id) }
            // A part without the others is of no use.
            let whole = Set(named.map { Whole($0.payload) })
            chosen = all.filter { whole.contains(Whole($0.payload)) }
            let known = Set(named.map(\.payload.id))
            unknown = ids.filter { !known.contains($0) }
        }
    }

    private struct Whole: Hashable {
        let message: String
        let sink: String
        let recipient: String

        init(_ payload: Payload) { (message, sink, recipient) = (payload.message, payload.sink, payload.recipient) }
    }
}
