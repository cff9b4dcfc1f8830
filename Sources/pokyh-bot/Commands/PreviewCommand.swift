import BotCore
import BotEngine
import BotRules
import BotState
import BotTransport
import Values

/// `pokyh-bot preview RULE [--event FILE|ID] [--sink SINK]`.
enum PreviewCommand {
    static let command = Command(
        "preview",
        operands: "RULE",
        "shows what a rule would send, as a person reads it and in each sink's own form",
        details: [
            "--event is the id of a recorded event, or a file with one, in the form in which tests of rules write theirs:",
            "{event: lesson.cancelled, lesson: {subject: MAT}}, as YAML or JSON. Without it the rule's next time is taken, or the latest",
            "recorded event of which it tells. Waits of the rule's policies are run through. First comes what a person reads, then",
            "what the sink would send. --sample takes the latest thing that the rule would tell of, or makes one up; 'long' makes its texts",
            "longer than any sink takes at once. With --send it goes through the sinks, marked as a test; otherwise nothing is sent.",
            "Nothing is remembered. Exit status 1 if the rule tells nothing of it, or a sink does not take it.",
            "Example: pokyh-bot preview cancelled --event 4f1c22a9 --sink class-chat",
        ],
        options: [
            CommandList.config,
            .option("--event", "FILE|ID", "an event in a file, or a recorded one"),
            .option("--sample", sizes.joined(separator: "|"), "a sample of this length"),
            .option("--sink", "SINK", "only what goes through this sink"),
            .flag("--send", "sends the sample, marked as a test"),
        ],
        arity: 1...1,
        run: run
    )

    private static let sizes = RuleSample.Size.allCases.map(\.rawValue)

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        if let size = try sampleSize(arguments) { return try await SamplePreview.run(size, arguments, world) }
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world)
        let book = configuration.rules.book
        let rule = try book.summary(of: arguments.operands[0], command: "preview").id
        let silent = House.Materials(http: Silence(), mail: Silence(), log: .silent, terminal: world.terminal)
        let sinks = try sinks(configuration, silent, only: arguments.value("--sink"))
        let (occasion, snapshots) = try await occasion(arguments.value("--event"), rule, configuration, world)
        let context = RuleContext(now: occasion.at, snapshots: snapshots)
        let outcome = occasion.outcome(of: rule, in: book, context)
        var count = 0
        for message in outcome.messages {
            guard let sink = sinks.first(where: { $0.name == message.sink })?.sink else { continue }
            count += 1
            print(message, through: sink, configuration, world, at: occasion.at)
        }
        if count > 0 { return .fine }
        let place = arguments.value("--sink").map { " through '\($0)'" } ?? ""
        var reasons = outcome.notes.map(\.reason)
        if case .event(let event) = occasion {
            reasons += book.explain(event, rule: rule, in: context).first?.lines ?? []
        }
        world.terminal.print("'\(rule)' sends nothing about this\(place):")
        for reason in reasons { world.terminal.print(TerminalText.line("  " + reason)) }
        return .somethingFailed
    }

    /// How long a sample is wanted; nil where none is.
    private static func sampleSize(_ arguments: Arguments) throws(CommandFailure) -> RuleSample.Size? {
        do throws(UsageError) {
            guard arguments.value("--sample") != nil else {
                if !arguments.has("--send") { return nil }
                throw UsageError(
                    message: "'--send' goes with '--sample' alone",
                    cure: "what happens is told by the bot itself"
                )
            }
            if arguments.value("--event") != nil {
                throw UsageError(message: "'--event' and '--sample' do not go together")
            }
            return RuleSample.Size(rawValue: try arguments.choice("--sample", among: sizes))
        } catch {
            throw CommandFailure(error, command: "preview")
        }
    }

    /// What to show the rule, and what the rules may know besides. A written event needs no memory: there may be none yet.
    private static func occasion(
        _ wanted: String?,
        _ rule: String,
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> (PreviewOccasion, [String: SourceView]) {
        let book = configuration.rules.book
        let now = world.clock.now
        if let wanted, PreviewOccasion.isPath(wanted) {
            let event = try PreviewOccasion.read(file: wanted, for: book, at: now)
            return (.event(event), try await snapshots(configuration, at: now))
        }
        let known = try await StateReading.read(configuration) { store throws(StateError) in
            (
                events: try await RecordedEvents.all(in: store, at: now),
                context: try await StateReading.context(for: book, in: store, at: now)
            )
        }
        if let wanted {
            guard let event = RecordedEvents.find(wanted, among: known.events) else {
                throw RecordedEvents.unknown(wanted, command: "preview")
            }
            return (.event(event), known.context.snapshots)
        }
        let next = book.upcoming(after: now, rule: rule, count: 1, in: known.context).first
        if let next { return (.slot(next), known.context.snapshots) }
        let told = try latest(of: known.events, toldBy: rule, in: book, known.context.snapshots)
        return (.event(told), known.context.snapshots)
    }

    /// What the memory, if there is one yet, gives the rules to read.
    private static func snapshots(
        _ configuration: Configuration,
        at now: Timestamp
    ) async throws(CommandFailure) -> [String: SourceView] {
        let book = configuration.rules.book
        guard FileAccess.exists(configuration.stateFolder), !book.readSources.isEmpty else { return [:] }
        let context = try await StateReading.read(configuration) { store throws(StateError) in
            try await StateReading.context(for: book, in: store, at: now)
        }
        return context.snapshots
    }

    /// The latest event of which the rule tells. The context of a past event is gone; what is known now stands for it.
    private static func latest(
        of events: [Event],
        toldBy rule: String,
        in book: RuleBook,
        _ snapshots: [String: SourceView]
    ) throws(CommandFailure) -> Event {
        let told = events.prefix(mostSearched).first { event in
            let context = RuleContext(now: event.at, snapshots: snapshots)
            return !PreviewOccasion.event(event).outcome(of: rule, in: book, context).messages.isEmpty
        }
        if let told { return told }
        throw CommandFailure(
            UsageError(
                message: "'\(rule)' tells of no event that is recorded",
                cure: "write one to a file: '--event event.yaml'; 'pokyh-bot history' lists those that are recorded"
            ),
            command: "preview"
        )
    }

    /// How far back an event is looked for of which the rule tells.
    private static let mostSearched = 5000

    static func sinks(
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

    static func print(
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
