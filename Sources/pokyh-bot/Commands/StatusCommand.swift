import BotCore
import BotEngine
import BotRules
import BotState
import Values

/// `pokyh-bot status`.
enum StatusCommand {
    static let command = Command(
        "status",
        "says how sources, sinks and rules are doing",
        details: [
            "Exit status 1 if anything is failing, resting, given up or has not been asked for long: for monitors. What is only worth",
            "a look, such as a rule that has had nothing to say for weeks, is marked 'warning' and leaves it 0. Lines of 'held' say",
            "what rules hold back for a digest, quiet hours, a group or a limit: how much, for whom, until when.",
            "Reads the state folder; asks nobody.",
        ],
        options: [
            CommandList.config,
            .flag("--json", "prints the same as JSON, with the last unexpected answers, masked, for a bug report"),
        ],
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let book = configuration.rules.book
        let report = try await StateReading.read(configuration) { store throws(StateError) in
            StatusReport(
                sources: try await store.sources(),
                rests: try await store.rests(),
                sinks: try await store.sinks(),
                rules: try await store.rules(),
                tallies: try await store.sinkTallies(),
                held: book.held(in: try await store.policyMemory())
            )
        }
        let holder = try StateReading.holder(configuration)
        let lines = report.lines(configuration, holder, at: world.clock.now)
        if arguments.has("--json") {
            world.terminal.print(Value.list(lines.map(\.value)).prettyJSON)
        } else {
            for line in lines {
                world.terminal.print(TerminalText.line("\(line.mark) \(line.kind) \(line.name): \(line.text)"))
            }
        }
        return lines.allSatisfy(\.isFine) ? .fine : .somethingFailed
    }
}

/// One thing and how it is doing.
struct StatusLine: Sendable {
    var kind: String
    var name: String
    var isFine: Bool
    /// Worth a look, and no failure.
    var isWarning = false
    var text: String
    /// When it last worked.
    var lastSuccess: Timestamp?
    /// Since when it has been failing.
    var failingSince: Timestamp?
    /// Messages that wait for it, or news that it holds.
    var pending = 0
    /// Until when it holds them.
    var until: Timestamp?
    /// The last unexpected answer, masked; for a bug report.
    var evidence: String?

    init(kind: String, name: String, isFine: Bool, text: String) {
        (self.kind, self.name, self.isFine, self.text) = (kind, name, isFine, text)
    }

    fileprivate var mark: String { isFine ? (isWarning ? "warning" : "ok     ") : "FAILING" }

    var value: Value {
        let moment = { (instant: Timestamp?) in instant.map { Value.string($0.rfc3339) } ?? .null }
        return [
            "kind": .string(kind), "name": .string(name), "ok": .bool(isFine), "warning": .bool(isWarning),
            "text": .string(text), "until": moment(until),
            "last_success": moment(lastSuccess), "failing_since": moment(failingSince), "pending": .int(Int64(pending)),
            "evidence": evidence.map { .string($0) } ?? .null,
        ]
    }
}

/// What the memory knows of everything's health, read in one go, and what it means; pure.
struct StatusReport: Sendable {
    var sources: [String: SourceState]
    var rests: [String: AccountRest]
    var sinks: [String: SinkState]
    var rules: [String: Health]
    var tallies: [String: SinkTally]
    var held: [HeldNews] = []

    /// A bot that is run once a day by cron asks at least this often.
    private static let longestSilence = TimeSpan.hours(26)

    func lines(_ configuration: Configuration, _ holder: FolderHolder, at now: Timestamp) -> [StatusLine] {
        let installation = configuration.installation
        var lines = [bot(holder)]
        lines += installation.sources.map { source in line(about: source, at: now) }
        for (key, rest) in rests.sorted(by: { $0.key < $1.key }) {
            let account = key.hasPrefix("source ") ? String(key.dropFirst("source ".count)) : key
            let since = Age.text(from: rest.since, to: now)
            let text =
                "has been resting for \(since), until its settings change or 'pokyh-bot retry \(account)': \(rest.error)"
            var line = StatusLine(kind: "account", name: account, isFine: false, text: text)
            line.failingSince = rest.since
            lines.append(line)
        }
        let strangers = tallies.keys.filter { installation.sink($0) == nil }.sorted()
        lines += installation.sinks.map { line(aboutSink: $0.name, at: now) }
        // Only what waits for them is worth a line.
        lines += strangers.filter { tallies[$0].map { $0.waiting + $0.dead + $0.held > 0 } ?? false }.map { name in
            var line = line(aboutSink: name, at: now)
            line.isFine = false
            line.text = "is in no file, and messages wait for it; " + line.text
            return line
        }
        let inactive = Set(configuration.rules.inactive)
        for rule in inactive.sorted() {
            let text = "its file has errors; pokyh-bot check shows them"
            lines.append(StatusLine(kind: "rule", name: rule, isFine: false, text: text))
        }
        for (rule, health) in rules.sorted(by: { $0.key < $1.key }) where health.failures > 0 {
            // What is wrong with its file is said already.
            if inactive.contains(rule) { continue }
            lines.append(line(aboutRule: rule, health, at: now))
        }
        lines += held.map { line(about: $0, installation.zone) }
        let total = { (part: KeyPath<SinkTally, Int>) in tallies.values.reduce(0) { $0 + $1[keyPath: part] } }
        let (dead, held) = (total(\.dead), total(\.held))
        let text = "\(total(\.waiting)) waiting, \(dead) given up, \(held) held for a person"
        var outbox = StatusLine(kind: "outbox", name: "all", isFine: dead + held == 0, text: text)
        outbox.pending = total(\.waiting)
        return lines + [outbox]
    }

    /// A rule that matches nothing fails at nothing: the admin has been told and may look.
    private func line(aboutRule key: String, _ health: Health, at now: Timestamp) -> StatusLine {
        guard let rule = RuleHealth.unmatchedRule(ofKey: key) else {
            return line("rule", key, health, after: "", at: now)
        }
        var line = StatusLine(kind: "rule", name: rule, isFine: true, text: health.error)
        line.isWarning = true
        return line
    }

    private func line(about held: HeldNews, _ zone: Zone) -> StatusLine {
        let (date, time) = zone.reading(at: held.until)
        let audience = held.audience.joined(separator: ", ")
        let text = "\(held.text) until \(date) \(time), for \(audience)"
        var line = StatusLine(kind: "held", name: held.rule, isFine: true, text: text)
        line.pending = held.count
        line.until = held.until
        return line
    }

    private func bot(_ holder: FolderHolder) -> StatusLine {
        let text =
            switch holder {
            case .nobody: "is not running"
            case .engine(let pid): "is running" + (pid.map { " as process \($0)" } ?? "")
            }
        return StatusLine(kind: "bot", name: "engine", isFine: true, text: text)
    }

    private func line(about source: SourceEntry, at now: Timestamp) -> StatusLine {
        let state = sources[source.name] ?? SourceState()
        let last = state.takenAt.map { "last good answer \(Age.text(from: $0, to: now)) ago" } ?? "no good answer yet"
        guard source.isEnabled else {
            return StatusLine(kind: "source", name: source.name, isFine: true, text: "off: enabled: false")
        }
        var line = line("source", source.name, state.health, after: last, at: now)
        line.lastSuccess = state.takenAt
        let intervals = [source.interval] + source.intervals.map(\.interval)
        let patience = max((intervals.max() ?? source.interval) * 3, Self.longestSilence)
        let rest = rests[source.account ?? "source \(source.name)"]
        if let asked = state.attemptedAt, now - asked > patience, rest == nil {
            line.isFine = false
            line.text = "not asked for \(Age.text(from: asked, to: now)); does the bot run? " + line.text
        }
        return line
    }

    private func line(aboutSink name: String, at now: Timestamp) -> StatusLine {
        let state = sinks[name] ?? SinkState()
        let tally = tallies[name] ?? SinkTally()
        var parts = [
            tally.lastDelivered.map { "last delivery \(Age.text(from: $0, to: now)) ago" } ?? "no delivery yet"
        ]
        if tally.waiting > 0 {
            let age = tally.oldestWaiting.map { ", the oldest for \(Age.text(from: $0, to: now))" } ?? ""
            parts.append("\(tally.waiting) waiting\(age)")
        }
        if tally.dead > 0 { parts.append("\(tally.dead) given up") }
        if tally.held > 0 { parts.append("\(tally.held) held") }
        let counts = parts.joined(separator: ", ")
        var line = line("sink", name, state.health, after: counts, at: now)
        if state.restFingerprint != nil {
            line.isFine = false
            line.text = "rests until its settings change or 'pokyh-bot retry \(name)': \(state.health.error); \(counts)"
        }
        if state.restFingerprint == nil, state.goneRecipients > 0 {
            line.isFine = false
            let count = state.goneRecipients.counted("recipient is", "recipients are")
            line.text += "; \(count) gone and sent nothing: 'pokyh-bot retry \(name)' tries again"
        }
        line.lastSuccess = tally.lastDelivered
        line.pending = tally.waiting
        return line
    }

    private func line(
        _ kind: String,
        _ name: String,
        _ health: Health,
        after text: String,
        at now: Timestamp
    ) -> StatusLine {
        guard health.failures > 0 else { return StatusLine(kind: kind, name: name, isFine: true, text: text) }
        let since = health.since.map { ", for \(Age.text(from: $0, to: now))" } ?? ""
        let tail = text.isEmpty ? "" : "; \(text)"
        var line = StatusLine(
            kind: kind,
            name: name,
            isFine: false,
            text: "failures in a row: \(health.failures)\(since): \(health.error)\(tail)"
        )
        line.failingSince = health.since
        line.evidence = health.evidence
        return line
    }
}
