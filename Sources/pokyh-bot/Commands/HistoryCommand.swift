import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot history`.
enum HistoryCommand {
    static let command = Command(
        "history",
        "lists what happened and what was told, latest last",
        details: ["Events and deliveries are kept for 30 days. Names appear here: the output is for the admin's eyes."],
        options: [
            CommandList.config,
            .option("--number", short: "-n", "N", "how many lines at most; standard: 50"),
        ],
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let limit: Int
        do throws(UsageError) {
            limit = try arguments.integer("--number", in: 1...10_000, standard: 50)
        } catch {
            throw CommandFailure(error, command: "history")
        }
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let since = world.clock.now - RecordedEvents.kept
        let (events, deliveries, remarks) = try await StateReading.read(configuration) { store throws(StateError) in
            (
                try await store.events(since: since, limit: limit),
                try await store.deliveries(in: Set(DeliveryState.allCases), limit: limit),
                try await store.remarks(since: since, limit: limit)
            )
        }
        let zone = configuration.installation.zone
        let lines =
            events.reversed().map { ($0.at, "event \(RecordedEvents.words(for: $0))") }
            + deliveries.reversed().map { ($0.payload.createdAt, text(of: $0)) }
            + remarks.reversed().map { ($0.at, TerminalText.line("rule \($0.note.rule): \($0.note.reason)")) }
        // Within one instant events come before what they caused.
        let ordered = lines.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        for line in ordered.suffix(limit) {
            let (date, time) = zone.reading(at: line.element.0)
            world.terminal.print("\(date) \(time)  \(line.element.1)")
        }
        if ordered.isEmpty { world.terminal.print("nothing has happened yet") }
        return .fine
    }

    private static func text(of delivery: Delivery) -> String {
        let payload = delivery.payload
        let part = payload.parts > 1 ? " part \(payload.part)/\(payload.parts)" : ""
        let to = payload.recipient.isEmpty ? "" : " to \(payload.recipient)"
        let answer = delivery.attempts.last.map { $0.answer.isEmpty ? "" : " (\($0.answer))" } ?? ""
        return TerminalText.line(
            "message \(payload.id) \(delivery.state.rawValue) by \(payload.rule) through \(payload.sink)\(to)\(part): \(RecordedEvents.title(of: payload))\(answer)"
        )
    }
}
