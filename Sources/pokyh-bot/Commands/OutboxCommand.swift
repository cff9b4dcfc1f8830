import BotCore
import BotState
import Values

/// `pokyh-bot outbox list|retry`.
enum OutboxCommand {
    static let command = Command(
        "outbox",
        operands: "list | retry ID… | retry all",
        "lists what could not be delivered, and sends it again",
        details: [
            "'retry' queues deliveries that were given up or held, under the ids they had; a running bot sends them at once.",
            "Recipients appear here: the output is for the admin's eyes.",
        ],
        options: [CommandList.config],
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
        switch (arguments.operands[0], ids.isEmpty) {
        case ("list", true):
            let deliveries = try await StateReading.read(configuration) { store throws(StateError) in
                try await store.deliveries(in: [.queued, .sending, .held, .dead], limit: 1000)
            }
            for delivery in deliveries.reversed() { world.terminal.print(line(of: delivery)) }
            if deliveries.isEmpty { world.terminal.print("nothing waits and nothing was given up") }
            return .fine
        case ("retry", false):
            let wanted = ids == ["all"] ? nil : ids
            let count = try await StateReading.read(configuration) { store throws(StateError) in
                try await store.requeue(wanted, at: world.clock.now)
            }
            world.terminal.print("queued again: \(count)")
            if let wanted, count < wanted.count {
                world.terminal.error("not all of these were given up or held; see pokyh-bot outbox list")
                return .somethingFailed
            }
            return .fine
        default:
            throw CommandFailure(
                UsageError(message: "'outbox' is called as: pokyh-bot \(command.usage)"),
                command: "outbox"
            )
        }
    }

    private static func line(of delivery: Delivery) -> String {
        let payload = delivery.payload
        let answer = delivery.attempts.last.map { " (\($0.answer))" } ?? ""
        let to = payload.recipient.isEmpty ? "" : " to \(payload.recipient)"
        return TerminalText.line(
            "\(payload.id) \(delivery.state.rawValue) through \(payload.sink)\(to), rule \(payload.rule)\(answer)"
        )
    }
}
