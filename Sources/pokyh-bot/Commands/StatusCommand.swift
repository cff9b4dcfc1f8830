import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot status`.
enum StatusCommand {
    static let command = Command(
        "status",
        "says how sources, sinks and rules are doing",
        details: [
            "Exit status 1 if anything is failing, resting or given up: for monitors.",
            "Reads the state folder; asks nobody.",
        ],
        options: [
            CommandList.config,
            .flag("--json", "prints the same as JSON, with the last unexpected answers, masked, for a bug report"),
        ],
        run: run
    )

    /// What the memory knows, read in one go.
    private struct Report: Sendable {
        var sources: [String: SourceState]
        var rests: [String: AccountRest]
        var sinks: [String: SinkState]
        var rules: [String: Health]
        var counts: [DeliveryState: Int]
    }

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let report = try await StateReading.read(configuration) { store throws(StateError) in
            Report(
                sources: try await store.sources(),
                rests: try await store.rests(),
                sinks: try await store.sinks(),
                rules: try await store.rules(),
                counts: try await store.counts()
            )
        }
        let lines = lines(of: report, configuration, at: world.clock.now)
        if arguments.has("--json") {
            let objects = lines.map { line -> Value in
                [
                    "kind": .string(line.kind), "name": .string(line.name), "ok": .bool(line.isFine),
                    "text": .string(line.text), "evidence": line.evidence.map { .string($0) } ?? .null,
                ]
            }
            world.terminal.print(Value.list(objects).prettyJSON)
        } else {
            for line in lines {
                world.terminal.print("\(line.isFine ? "ok     " : "FAILING") \(line.kind) \(line.name): \(line.text)")
            }
        }
        return lines.allSatisfy(\.isFine) ? .fine : .somethingFailed
    }

    private struct Line {
        var kind: String
        var name: String
        var isFine: Bool
        var text: String
        /// The last unexpected answer, masked; for a bug report.
        var evidence: String?
    }

    private static func lines(of report: Report, _ configuration: Configuration, at now: Timestamp) -> [Line] {
        let installation = configuration.installation
        var lines = installation.sources.map { source in
            let state = report.sources[source.name] ?? SourceState()
            let last =
                state.takenAt.map { "last good answer \(Age.text(from: $0, to: now)) ago" } ?? "no good answer yet"
            return line("source", source.name, state.health, last, at: now)
        }
        for (account, rest) in report.rests.sorted(by: { $0.key < $1.key }) {
            let since = Age.text(from: rest.since, to: now)
            lines.append(
                Line(
                    kind: "account",
                    name: account,
                    isFine: false,
                    text: "rests since \(since), until its settings change: \(rest.error)"
                )
            )
        }
        lines += installation.sinks.map { sink in
            let state = report.sinks[sink.name] ?? SinkState()
            var found = line("sink", sink.name, state.health, "no fault known", at: now)
            if state.restFingerprint != nil {
                found.isFine = false
                found.text = "rests until its settings change: \(state.health.error)"
            } else if state.goneRecipients > 0 {
                found.isFine = false
                let count = state.goneRecipients == 1 ? "1 recipient is" : "\(state.goneRecipients) recipients are"
                found.text += "; \(count) gone and sent nothing: 'pokyh-bot retry \(sink.name)' tries again"
            }
            return found
        }
        for rule in configuration.rules.inactive {
            lines.append(
                Line(kind: "rule", name: rule, isFine: false, text: "its file has errors; pokyh-bot check shows them")
            )
        }
        for (rule, health) in report.rules.sorted(by: { $0.key < $1.key }) where health.failures > 0 {
            lines.append(line("rule", rule, health, "", at: now))
        }
        let counts = report.counts
        let waiting = (counts[.queued] ?? 0) + (counts[.sending] ?? 0)
        let dead = (counts[.dead] ?? 0) + (counts[.held] ?? 0)
        lines.append(
            Line(
                kind: "outbox",
                name: "all",
                isFine: dead == 0,
                text: "\(waiting) waiting, \(counts[.dead] ?? 0) given up, \(counts[.held] ?? 0) held for a person"
            )
        )
        return lines
    }

    private static func line(_ kind: String, _ name: String, _ health: Health, _ fine: String, at now: Timestamp)
        -> Line
    {
        guard health.failures > 0 else { return Line(kind: kind, name: name, isFine: true, text: fine) }
        let since = health.since.map { " since \(Age.text(from: $0, to: now))" } ?? ""
        let text = "failures in a row: \(health.failures)\(since): \(health.error)"
        return Line(kind: kind, name: name, isFine: false, text: text, evidence: health.evidence)
    }
}
