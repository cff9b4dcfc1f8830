import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot record EVENT`.
enum RecordCommand {
    static let command = Command(
        "record",
        operands: "EVENT",
        "writes a rule test from what really happened",
        details: [
            "EVENT is an id from 'history'. The output belongs under 'tests:' of a rule file. A test knows the rules of its own",
            "file alone: leave the expectations of those, and take away the others.",
            "Example: pokyh-bot record 4f1c22a9 --anonymous",
        ],
        options: [
            CommandList.config,
            .flag(
                "--anonymous",
                "replaces the student, and every text of several words: what people write may name people"
            ),
        ],
        arity: 1...1,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let wanted = arguments.operands[0]
        let now = world.clock.now
        let known = try await StateReading.read(configuration) { store throws(StateError) in
            let event = RecordedEvents.find(wanted, among: try await RecordedEvents.all(in: store, at: now))
            return (
                event: event,
                notes: try await store.notes(about: event?.id ?? ""),
                deliveries: try await store.deliveries(in: Set(DeliveryState.allCases), limit: RecordedEvents.most)
            )
        }
        guard let event = known.event else { throw RecordedEvents.unknown(wanted, command: "record") }
        guard !HealthSchema.schema.events.contains(where: { $0.kind == event.kind }) else {
            throw CommandFailure(
                UsageError(message: "\(event.kind) tells of the bot's own health; only events of sources make a test"),
                command: "record"
            )
        }
        let told = told(of: event, known.deliveries, configuration.rules.book)
        let test = TestRecording.test(
            of: event,
            told: told,
            zone: configuration.installation.source(event.source)?.zone ?? configuration.installation.zone,
            isAnonymous: arguments.has("--anonymous")
        )
        world.terminal.print(String(test.dropLast()))
        let elsewhere = Set(known.notes.filter { $0.outcome == .waiting || $0.outcome == .told }.map(\.rule))
            .subtracting(told.map(\.rule)).subtracting(["admin"]).sorted()
        if !elsewhere.isEmpty {
            world.terminal.error(
                "told later or together with others, so to be completed by hand: \(elsewhere.joined(separator: ", "))"
            )
        }
        return .fine
    }

    /// Each message once, however many recipients and parts it had; its title by the rule, else as its first line was sent.
    private static func told(
        of event: Event,
        _ deliveries: [Delivery],
        _ book: RuleBook
    ) -> [(rule: String, sink: String, title: String)] {
        let messages = book.decide(on: [event], in: RuleContext(now: event.at)).messages
        let titles = Dictionary(messages.map { ($0.id, $0.title.plain) }) { first, _ in first }
        var seen: Set<String> = []
        return RecordedEvents.deliveries(of: event, among: deliveries.reversed(), book).map(\.payload)
            .filter { $0.rule != "admin" && seen.insert($0.message).inserted }
            .map { payload in
                let line = payload.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
                return (payload.rule, payload.sink, titles[payload.message] ?? line)
            }
    }
}
