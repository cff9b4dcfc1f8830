import BotCore
import BotEngine
import BotRules
import BotState
import BotTransport
import Values

/// `pokyh-bot preview RULE --event ID|--sample short|long`.
enum PreviewCommand {
    static let command = Command(
        "preview",
        operands: "RULE --event ID | RULE --sample short|long [--send]",
        "shows what a rule would send, in each sink's own form",
        details: [
            "The event is a recorded one, by its id from 'history', or a sample: the latest thing that the rule would tell of. 'long' makes",
            "its texts longer than any sink takes at once. Waits of the rule's policies are run through. First comes what a person reads,",
            "then what the sink would send. Nothing is sent, but with --send: then the sample goes through the sinks, marked as a test.",
            "Nothing is remembered of it. Exit status 1 if the rule tells nothing of this event, or a sink does not take it.",
            "Example: pokyh-bot preview cancelled --event 4f1c22a9 --sink class-chat",
        ],
        options: [
            CommandList.config,
            .option("--event", "ID", "the recorded event"),
            .option(
                "--sample",
                RuleSample.Size.allCases.map(\.rawValue).joined(separator: "|"),
                "a sample of this length"
            ),
            .option("--sink", "SINK", "only what goes through this sink"),
            .flag("--send", "sends the sample, marked as a test"),
        ],
        arity: 1...1,
        run: run
    )

    /// What the event is.
    private enum Subject {
        case event(String)
        case sample(RuleSample.Size)
    }

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let subject: Subject
        do throws(UsageError) {
            subject = try self.subject(arguments)
        } catch {
            throw CommandFailure(error, command: "preview")
        }
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world)
        let book = configuration.rules.book
        let rule = try book.summary(of: arguments.operands[0], command: "preview")
        let name = arguments.value("--sink")
        if arguments.has("--send") {
            let live = try LiveMaterials(configuration, in: world, verbose: false)
            let sinks = try sinks(configuration, live.materials, only: name)
            let code = try await show(subject, rule, through: sinks, isSending: true, configuration, world)
            await live.close()
            return code
        }
        let silent = House.Materials(http: Silence(), mail: Silence(), log: .silent, terminal: world.terminal)
        let sinks = try sinks(configuration, silent, only: name)
        return try await show(subject, rule, through: sinks, isSending: false, configuration, world)
    }

    private static func subject(_ arguments: Arguments) throws(UsageError) -> Subject {
        switch (arguments.value("--event"), arguments.value("--sample")) {
        case (let id?, nil):
            if arguments.has("--send") {
                throw UsageError(
                    message: "'--send' goes with '--sample' alone",
                    cure: "what happened is told by the bot itself"
                )
            }
            return .event(id)
        case (nil, .some):
            let word = try arguments.choice("--sample", among: RuleSample.Size.allCases.map(\.rawValue))
            return .sample(RuleSample.Size(rawValue: word) ?? .short)
        case (nil, nil):
            throw UsageError(
                message: "'--event' is missing",
                cure: "'pokyh-bot history' lists events with their ids; '--sample short' makes one up"
            )
        case (.some, .some): throw UsageError(message: "'--event' and '--sample' do not go together")
        }
    }

    private static func show(
        _ subject: Subject,
        _ rule: RuleSummary,
        through sinks: [SinkSetup],
        isSending: Bool,
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        let now = world.clock.now
        let isSample = if case .sample = subject { true } else { false }
        // A sample needs no state, and leaves none behind.
        let known =
            try await isSample
            ? StateReading.onCopy(configuration) { store throws(StateError) in
                try await Known(configuration, rule, in: store, at: now)
            }
            : StateReading.read(configuration) { store throws(StateError) in
                try await Known(configuration, rule, in: store, at: now)
            }
        let (messages, reasons, moment) = try telling(subject, rule, known, configuration)
        var count = 0
        var isFine = true
        for message in messages {
            guard let sink = sinks.first(where: { $0.name == message.sink })?.sink else { continue }
            count += 1
            if isSending {
                isFine = await send(message, through: sink, configuration, world, at: moment) && isFine
            } else {
                print(message, through: sink, configuration, world, at: moment)
            }
        }
        if count > 0 { return isFine ? .fine : .somethingFailed }
        let place = sinks.count == 1 ? " through '\(sinks[0].name)'" : ""
        world.terminal.print("'\(rule.id)' sends nothing about this\(place):")
        for reason in reasons { world.terminal.print(TerminalText.line("  " + reason)) }
        return .somethingFailed
    }

    /// The messages about the subject, why there are none where there are none, and when they would be made.
    private static func telling(
        _ subject: Subject,
        _ rule: RuleSummary,
        _ known: Known,
        _ configuration: Configuration
    ) throws(CommandFailure) -> ([Message], [String], Timestamp) {
        let now = known.context.now
        switch subject {
        case .event(let id):
            guard let event = RecordedEvents.find(id, among: known.events) else {
                throw RecordedEvents.unknown(id, command: "preview")
            }
            let book = configuration.rules.book
            let context = RuleContext(now: event.at, snapshots: known.context.snapshots)
            let outcome = outcome(of: event, rule.id, book, context)
            let why = book.explain(event, rule: rule.id, in: context).first?.lines ?? []
            return (outcome.messages, outcome.notes.map(\.reason) + why, event.at)
        case .sample(let size):
            let (messages, reasons) = sample(size, rule, known, configuration)
            return (messages.map { $0.markedAsTest(at: now) }, reasons, now)
        }
    }

    /// What the memory has for a preview.
    private struct Known: Sendable {
        var events: [Event]
        var context: RuleContext

        init(
            _ configuration: Configuration,
            _ rule: RuleSummary,
            in store: SQLiteStore,
            at now: Timestamp
        ) async throws(StateError) {
            events = try await RecordedEvents.all(in: store, at: now)
            context = RuleContext(now: now)
            for source in configuration.installation.sources {
                context.snapshots[source.name] = try await store.view(of: source.name)
            }
        }
    }

    private static func sample(
        _ size: RuleSample.Size,
        _ rule: RuleSummary,
        _ known: Known,
        _ configuration: Configuration
    ) -> ([Message], [String]) {
        let book = configuration.rules.book
        guard !rule.kinds.isEmpty else {
            let slots = book.upcoming(after: known.context.now, rule: rule.id, count: 1, in: known.context)
            guard let slot = slots.first else { return ([], ["it has no time to come"]) }
            var context = known.context
            context.now = slot.due
            let decision = book.fire(slot, in: context)
            return (decision.messages, decision.notes.map(\.reason))
        }
        let sources = configuration.installation.sources
        let maker = RuleSample(rule: rule, size: size, book: book, sources: sources)
        guard let event = maker.event(recorded: known.events, in: known.context) else {
            return ([], ["nothing that is known now, and no invented record, is what it asks for; try --event"])
        }
        return (outcome(of: event, rule.id, book, known.context).messages, [])
    }

    private static func send(
        _ message: Message,
        through sink: any Sink,
        _ configuration: Configuration,
        _ world: World,
        at now: Timestamp
    ) async -> Bool {
        do throws(PluginError) {
            for payload in try sink.prepare(message, at: now) {
                _ = try await sink.deliver(payload, at: now)
                let part = payload.parts > 1 ? ", part \(payload.part) of \(payload.parts)" : ""
                world.terminal.error("sent through '\(message.sink)'\(part)")
            }
            return true
        } catch {
            world.terminal.error(configuration.redactor.mask("not sent through '\(message.sink)': \(error.message)"))
            return false
        }
    }

    private static func sinks(
        _ configuration: Configuration,
        _ materials: House.Materials,
        only name: String?
    ) throws(CommandFailure) -> [SinkSetup] {
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
    static func outcome(
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
