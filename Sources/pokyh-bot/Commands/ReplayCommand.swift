import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot replay --since DATE`.
enum ReplayCommand {
    static let command = Command(
        "replay",
        "plays recorded events through the rules: what would be told now",
        details: [
            "With --rules the rules in DIR are compared with those of the bot file: '+' is told by them alone, '-' no longer.",
            "Nothing is sent and nothing is remembered. Events are kept for 30 days; scheduled rules are not played.",
            "Example: pokyh-bot replay --since 2026-11-23 --rules ../edited-rules",
        ],
        options: [
            CommandList.config,
            .option("--since", "DATE", "the first day, as 2026-11-23; standard: all that is recorded"),
            .option("--rules", "DIR", "a file or folder of edited rules"),
        ],
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let now = world.clock.now
        let start = try start(arguments.value("--since"), configuration.installation.zone, at: now)
        let edited = try arguments.value("--rules").map { path throws(CommandFailure) in
            try read(path, configuration, world)
        }
        let sources = configuration.rules.book.readSources.union(edited?.readSources ?? [])
        let recorded = try await StateReading.read(configuration) { store throws(StateError) in
            var snapshots: [String: SourceView] = [:]
            for source in sources { snapshots[source] = try await store.view(of: source) }
            return (
                events: try await store.events(since: start, limit: RecordedEvents.most), snapshots: snapshots
            )
        }
        let events = Array(recorded.events.reversed())
        let play = { (book: RuleBook) in
            RuleReplay.lines(of: events, through: book, until: now, snapshots: recorded.snapshots)
        }
        let current = play(configuration.rules.book)
        let zone = configuration.installation.zone
        guard let edited else {
            for line in current { world.terminal.print(text(line, zone)) }
            world.terminal.print("\(events.count.counted("event")): \(current.count.counted("message"))")
            return .fine
        }
        let (more, less) = RuleReplay.difference(current, play(edited))
        let marked = more.map { ("+", $0) } + less.map { ("-", $0) }
        for (mark, line) in marked.sorted(by: { $0.1.at < $1.1.at }) {
            world.terminal.print("\(mark) \(text(line, zone))")
        }
        world.terminal.print(
            "\(events.count.counted("event")): \(more.count.counted("message")) more, \(less.count) less, \(current.count - less.count) as before"
        )
        return .fine
    }

    private static func start(_ text: String?, _ zone: Zone, at now: Timestamp) throws(CommandFailure) -> Timestamp {
        guard let text else { return now - RecordedEvents.kept }
        if let date = CalendarDate(text) { return zone.instant(of: date, at: .midnight) }
        throw CommandFailure(
            UsageError(message: "'\(text)' is no day", cure: "write it as 2026-11-23"),
            command: "replay"
        )
    }

    /// Rules with errors would only look as if they told less.
    private static func read(
        _ path: String,
        _ configuration: Configuration,
        _ world: World
    ) throws(CommandFailure) -> RuleBook {
        let files = try Configuration.readRules([path], from: ".")
        let rules = RuleFiles.load(files, in: configuration.installation, previous: nil)
        let texts = rules.complaints.map(\.text)
        guard !rules.hasErrors else {
            throw CommandFailure(.configuration, texts.joined(separator: "\n"))
        }
        for text in texts { world.terminal.error(text) }
        return rules.book
    }

    private static func text(_ line: RuleReplay.Line, _ zone: Zone) -> String {
        let (date, time) = zone.reading(at: line.at)
        let to = line.recipients.isEmpty ? "" : " to \(line.recipients.joined(separator: ", "))"
        return TerminalText.line("\(date) \(time)  \(line.rule) through \(line.sink)\(to): \(line.title)")
    }
}
