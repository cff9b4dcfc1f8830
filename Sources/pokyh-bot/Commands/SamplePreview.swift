import BotCore
import BotEngine
import BotRules
import BotState
import BotTransport
import Values

/// `pokyh-bot preview RULE --sample`: a sample through the rule and its sinks, which leaves no trace.
enum SamplePreview {
    static func run(
        _ size: RuleSample.Size,
        _ arguments: Arguments,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world)
        let rule = try configuration.rules.book.summary(of: arguments.operands[0], command: "preview")
        let live = try LiveMaterials(configuration, in: world, verbose: false)
        let sinks = try PreviewCommand.sinks(configuration, live.materials, only: arguments.value("--sink"))
        let now = world.clock.now
        let (messages, reasons) = try await messages(size, rule, configuration, at: now)
        var count = 0
        var isFine = true
        for message in messages.map({ $0.markedAsTest(at: now) }) {
            guard let sink = sinks.first(where: { $0.name == message.sink })?.sink else { continue }
            count += 1
            if arguments.has("--send") {
                isFine = await send(message, through: sink, configuration, world, at: now) && isFine
            } else {
                PreviewCommand.print(message, through: sink, configuration, world, at: now)
            }
        }
        await live.close()
        if count > 0 { return isFine ? .fine : .somethingFailed }
        world.terminal.print("'\(rule.id)' sends nothing that could be shown:")
        for reason in reasons { world.terminal.print(TerminalText.line("  " + reason)) }
        return .somethingFailed
    }

    /// What the rule tells of the sample, or why it tells nothing.
    private static func messages(
        _ size: RuleSample.Size,
        _ rule: RuleSummary,
        _ configuration: Configuration,
        at now: Timestamp
    ) async throws(CommandFailure) -> ([Message], [String]) {
        let sources = configuration.installation.sources
        // A sample needs no state, and leaves none behind.
        let (recorded, context) = try await StateReading.onCopy(configuration) { store throws(StateError) in
            var context = RuleContext(now: now)
            for source in sources { context.snapshots[source.name] = try await store.view(of: source.name) }
            return (try await RecordedEvents.all(in: store, at: now), context)
        }
        let book = configuration.rules.book
        if rule.kinds.isEmpty {
            guard let slot = book.upcoming(after: now, rule: rule.id, count: 1, in: context).first else {
                return ([], ["it has no time to come"])
            }
            var later = context
            later.now = slot.due
            let outcome = PreviewOccasion.slot(slot).outcome(of: rule.id, in: book, later)
            return (outcome.messages, outcome.notes.map(\.reason))
        }
        let sample = RuleSample(rule: rule, size: size, book: book, sources: sources)
        guard let event = sample.event(recorded: recorded, in: context) else {
            return ([], ["nothing that is known now, and no invented record, is what it asks for; try --event"])
        }
        return (PreviewOccasion.event(event).outcome(of: rule.id, in: book, context).messages, [])
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
}
