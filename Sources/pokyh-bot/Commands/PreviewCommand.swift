import BotCore
import BotEngine
import BotRules
import BotState
import BotTransport
import Values

/// `pokyh-bot preview RULE --event ID`.
enum PreviewCommand {
    static let command = Command(
        "preview",
        operands: "RULE --event ID",
        "shows what a rule would send about an event, in each sink's own form",
        details: [
            "The event is a recorded one, by its id from 'history'. Waits of the rule's policies are run through. First comes what a",
            "person reads, then what the sink would send. Nothing is sent. Exit status 1 if the rule tells nothing of this event.",
            "Example: pokyh-bot preview cancelled --event 4f1c22a9 --sink class-chat",
        ],
        options: [
            CommandList.config,
            .option("--event", "ID", "the recorded event"),
            .option("--sink", "SINK", "only what goes through this sink"),
        ],
        arity: 1...1,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world)
        let book = configuration.rules.book
        let rule = try book.summary(of: arguments.operands[0], command: "preview")
        guard let wanted = arguments.value("--event") else {
            throw CommandFailure(
                UsageError(message: "'--event' is missing", cure: "'pokyh-bot history' lists events with their ids"),
                command: "preview"
            )
        }
        let sinks = try sinks(configuration, world, only: arguments.value("--sink"))
        let known = try await StateReading.read(configuration) { store throws(StateError) in
            (
                event: RecordedEvents.find(wanted, among: try await RecordedEvents.all(in: store, at: world.clock.now)),
                snapshots: try await StateReading.context(for: book, in: store, at: world.clock.now).snapshots
            )
        }
        guard let event = known.event else { throw RecordedEvents.unknown(wanted, command: "preview") }
        let context = RuleContext(now: event.at, snapshots: known.snapshots)
        let outcome = outcome(of: event, rule.id, book, context)
        var count = 0
        for message in outcome.messages {
            guard let sink = sinks.first(where: { $0.name == message.sink })?.sink else { continue }
            count += 1
            print(message, through: sink, configuration, world, at: event.at)
        }
        if count > 0 { return .fine }
        let place = arguments.value("--sink").map { " through '\($0)'" } ?? ""
        world.terminal.print("'\(rule.id)' sends nothing about this event\(place):")
        let reasons = outcome.notes.map(\.reason) + (book.explain(event, rule: rule.id, in: context).first?.lines ?? [])
        for reason in reasons { world.terminal.print(TerminalText.line("  " + reason)) }
        return .somethingFailed
    }

    private static func sinks(
        _ configuration: Configuration,
        _ world: World,
        only name: String?
    ) throws(CommandFailure) -> [SinkSetup] {
        let materials = House.Materials(http: Silence(), mail: Silence(), log: .silent, terminal: world.terminal)
        let sinks = try House.build(configuration, with: materials).sinks
        guard let name else { return sinks }
        guard let sink = sinks.first(where: { $0.name == name }) else {
            let names = sinks.map(\.name)
            throw CommandFailure(
                UsageError(
                    message: "there is no sink '\(name)'",
                    cure: Spelling.question(about: name, among: names) ?? "sinks: \(names.joined(separator: ", "))"
                ),
                command: "preview"
            )
        }
        return [sink]
    }

    /// What one rule tells of one event, its policies' waits run through.
    private static func outcome(
        of event: Event,
        _ rule: String,
        _ book: RuleBook,
        _ start: RuleContext
    ) -> (messages: [Message], notes: [RuleNote]) {
        var context = start
        var decision = book.decide(on: [event], in: context)
        var messages: [Message] = []
        var notes: [RuleNote] = []
        // Every wait ends within days, and each turn ends one.
        for _ in 0..<100 {
            messages += decision.messages.filter { $0.rule == rule }
            notes += decision.notes.filter { $0.rule == rule }
            guard messages.isEmpty, let due = decision.deadline else { break }
            context.memory.merge(decision.memory) { _, new in new }
            context.memory = context.memory.filter { !$0.value.isNull }
            context.now = max(due, context.now + .seconds(1))
            decision = book.decide(on: [], in: context)
        }
        return (messages, notes)
    }

    private static func print(
        _ message: Message,
        through sink: any Sink,
        _ configuration: Configuration,
        _ world: World,
        at now: Timestamp
    ) {
        var lines: [String] = []
        do throws(PluginError) {
            for payload in try sink.prepare(message, at: now) {
                let part = payload.parts > 1 ? ", part \(payload.part) of \(payload.parts)" : ""
                let to = payload.recipient.isEmpty ? "" : " to \(payload.recipient)"
                lines.append("── \(payload.sink)\(to)\(part)")
                lines += indented(payload.text)
                lines.append("── what is sent")
                for pair in payload.content.map?.pairs ?? [] {
                    let text = pair.value.string ?? pair.value.prettyJSON
                    lines += ["  \(pair.key.plainText):"] + indented(text).map { "  " + $0 }
                }
                lines.append("")
            }
        } catch {
            lines.append("── \(message.sink) cannot send it: \(error.message)")
        }
        for line in lines { world.terminal.print(configuration.redactor.mask(TerminalText.line(line))) }
    }

    private static func indented(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "  " + $0 }
    }
}
