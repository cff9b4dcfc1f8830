import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot silence add|list|remove`.
enum SilenceCommand {
    static let command = Command(
        "silence",
        operands: "add | list | remove N",
        "keeps rules quiet for a while: holidays, sick days",
        details: [
            "'add' without --rule silences all rules. What is silenced is not told later, nor is what a rule had collected before;",
            "'explain' says so. What was told already is still corrected. A running bot heeds it within ten seconds.",
            "With several --match all must fit, as in rule files. A student has the name that 'student:' of the source gives, else the",
            "school's; 'history' shows it. Where nothing that was recorded fits, 'add' says so.",
            "Example: pokyh-bot silence add --rule cancelled --match student=Anna --for 3d --comment \"Anna is ill\"",
        ],
        options: [
            CommandList.config,
            .option("--rule", "RULE", "the rule that is to be silent; standard: all"),
            .option(
                "--match",
                "KEY=VALUE",
                "only for events with this value, such as lesson.subject=MAT; may be repeated"
            )
            .repeatable,
            .option("--for", "SPAN", "how long, from now: 12h, 3d"),
            .option("--comment", "TEXT", "why, for whoever wonders"),
        ],
        arity: 1...2,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let operands = arguments.operands
        switch (operands[0], operands.count) {
        case ("add", 1): return try await add(arguments, configuration, world)
        case ("list", 1): return try await list(configuration, world)
        case ("remove", 2): return try await remove(operands[1], configuration, world)
        default: throw failure(UsageError(message: "'silence' is called as: pokyh-bot \(command.usage)"))
        }
    }

    private static func failure(_ error: UsageError) -> CommandFailure { CommandFailure(error, command: "silence") }

    private static func add(
        _ arguments: Arguments,
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        // In whole seconds, as it is shown.
        let now = Timestamp(seconds: world.clock.now.seconds)
        let span: TimeSpan
        var match: [String: [String]] = [:]
        do throws(UsageError) {
            span = try self.span(arguments.value("--for"))
            for text in arguments.all("--match") {
                let (key, value) = try condition(text, configuration.installation)
                match[key, default: []].append(value)
            }
        } catch {
            throw failure(error)
        }
        let rule = try arguments.value("--rule").map { id throws(CommandFailure) in
            try configuration.rules.book.summary(of: id, command: "silence").id
        }
        var silence = BotRules.Silence(
            id: "",
            rule: rule,
            match: match,
            comment: arguments.value("--comment") ?? "",
            from: now,
            until: now + span
        )
        let number = try await change(configuration, at: now) { silences -> String in
            let numbers = silences.compactMap { Int($0.id) }
            silence.id = String((numbers.max() ?? 0) + 1)
            silences.append(silence)
            return silence.id
        }
        silence.id = number
        world.terminal.print(line(silence, configuration.installation.zone))
        let events = try await StateReading.read(configuration) { store throws(StateError) in
            try await RecordedEvents.all(in: store, at: now)
        }
        if !events.isEmpty, !events.contains(where: silence.fits) {
            world.terminal.error("no recorded event fits it; 'pokyh-bot history' shows the names as events have them")
        }
        return .fine
    }

    private static func span(_ text: String?) throws(UsageError) -> TimeSpan {
        guard let text else { throw UsageError(message: "'--for' is missing", cure: "say how long: --for 3d") }
        return try LengthOfTime.read(text, of: "--for")
    }

    /// `lesson.subject=MAT`; a key that no event has would silence nothing, unnoticed.
    private static func condition(
        _ text: String,
        _ installation: Installation
    ) throws(UsageError) -> (key: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw UsageError(message: "'\(text)' names no key and value", cure: "write it as lesson.subject=MAT")
        }
        let records = (installation.sources.map(\.schema) + [HealthSchema.schema]).flatMap(\.records)
        let keys =
            ["source", "account", "student", "student.name", "student.id"]
            + records.flatMap { record in record.fields.map { "\(record.name).\($0.name)" } }
        guard keys.contains(parts[0]) else {
            throw UsageError(
                message: "no event of this installation has '\(parts[0])'",
                cure: Spelling.question(about: parts[0], among: Set(keys).sorted())
                    ?? "keys are 'student', 'source', 'account', or a record and its field: lesson.subject"
            )
        }
        return (parts[0], parts[1])
    }

    private static func list(_ configuration: Configuration, _ world: World) async throws(CommandFailure) -> ExitCode {
        let now = world.clock.now
        let silences = try await StateReading.read(configuration) { store throws(StateError) in
            BotRules.Silence.all(in: try await store.policyMemory()).filter { $0.until > now }
        }
        for silence in silences { world.terminal.print(line(silence, configuration.installation.zone)) }
        if silences.isEmpty { world.terminal.print("nothing is silenced") }
        return .fine
    }

    private static func remove(
        _ number: String,
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        let found = try await change(configuration, at: world.clock.now) { silences -> Bool in
            let count = silences.count
            silences.removeAll { $0.id == number }
            return silences.count < count
        }
        guard found else {
            throw failure(
                UsageError(message: "there is no silence \(number)", cure: "'pokyh-bot silence list' lists them")
            )
        }
        world.terminal.print("silence \(number) has ended")
        return .fine
    }

    /// Changes the stored silences; those that are over go with it.
    private static func change<Result: Sendable>(
        _ configuration: Configuration,
        at now: Timestamp,
        _ edit: (inout [BotRules.Silence]) -> Result
    ) async throws(CommandFailure) -> Result {
        try await StateReading.read(configuration) { store throws(StateError) in
            var silences = BotRules.Silence.all(in: try await store.policyMemory()).filter { $0.until > now }
            let result = edit(&silences)
            var commit = Commit(at: now)
            commit.memory[BotRules.Silence.memoryKey] = BotRules.Silence.value(of: silences)
            try await store.commit(commit)
            return result
        }
    }

    private static func line(_ silence: BotRules.Silence, _ zone: Zone) -> String {
        let (date, time) = zone.reading(at: silence.until)
        let conditions = silence.match.sorted { $0.key < $1.key }.map {
            " \($0.key)=\($0.value.joined(separator: "|"))"
        }
        let comment = silence.comment.isEmpty ? "" : " (\(silence.comment))"
        let rule = silence.rule.map { "rule \($0)" } ?? "all rules"
        return TerminalText.line("\(silence.id)  \(rule)\(conditions.joined()) until \(date) \(time)\(comment)")
    }
}
