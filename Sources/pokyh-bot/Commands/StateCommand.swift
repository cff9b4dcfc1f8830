import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot state list|baseline|forget|purge|check`.
enum StateCommand {
    static let command = Command(
        "state",
        operands: "list | baseline [SOURCE] | forget STUDENT | forget SOURCE --item KEY | purge | check | recover FILE",
        "looks after the memory: begins anew, forgets, tidies up, looks for damage",
        details: [
            "'list' says what is remembered of each source.",
            "'baseline' takes the next answer of a source, of all sources of a --student, or of all as known, and tells nothing of it:",
            "after a long outage, or when a source began to tell too much.",
            "'forget STUDENT' takes out everything about a student, by id or name: sources, records, events, messages, notes, what policies",
            "remember. The file is written anew, so that nothing is left in it. With --dry-run it only counts.",
            "'forget SOURCE --item KEY' makes the next answer tell one record like a new one; 'show KIND --json' has the keys.",
            "'purge' takes out what is older than --older-than (standard: 30d) and what no file names any more; --dry-run says what.",
            "'check' looks for damage, wrong rights, a full disk, a wrong clock and what nobody can use; exit status 1 if something is to",
            "be mended, 74 if the state cannot be used.",
            "'recover' takes over the undelivered messages of a database that was set aside as damaged, as far as they can be read.",
            "'baseline', 'forget', 'purge' and 'recover' need the bot stopped. Secrets are not needed.",
        ],
        options: [
            CommandList.config,
            .option("--student", "STUDENT", "with 'baseline': the sources of this student, by id or name"),
            .option("--item", "KEY", "with 'forget': this record of the source"),
            .option("--older-than", "SPAN", "with 'purge': what is older than this, and nothing else: 7d, 12h"),
            .flag("--dry-run", "with 'forget' and 'purge': says what would go, and leaves it"),
        ],
        arity: 1...2,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let operands = arguments.operands
        let item = arguments.value("--item")
        let isDry = arguments.has("--dry-run")
        let options = Set(["--student", "--item", "--older-than"].filter { arguments.value($0) != nil })
        let known: [String: Set<String>] = ["baseline": ["--student"], "forget": ["--item"], "purge": ["--older-than"]]
        let mayBeDry = operands[0] == "purge" || (operands[0] == "forget" && item == nil)
        guard options.isSubset(of: known[operands[0]] ?? []), mayBeDry || !isDry else { throw usage }
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        switch (operands[0], operands.dropFirst().first) {
        case ("list", nil): return try await list(configuration, world)
        case ("baseline", let source):
            return try await StateBaseline.run(source, student: arguments.value("--student"), configuration, world)
        case ("forget", let source?) where item != nil:
            return try await StateForgetting.forget(item: item ?? "", of: source, configuration, world)
        case ("forget", let student?): return try await StateForgetting.forget(student, isDry, configuration, world)
        case ("purge", nil):
            return try await StatePurge.run(arguments.value("--older-than"), isDry, configuration, world)
        case ("recover", let file?): return try await recover(file, configuration, world)
        case ("check", nil): return await StateCheck.run(configuration, world)
        default: throw usage
        }
    }

    private static func recover(
        _ file: String,
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        // As the notice names it, or as a path.
        let path = file.contains("/") ? file : "\(configuration.stateFolder)/\(file)"
        guard FileAccess.exists(path) else {
            throw CommandFailure(
                UsageError(
                    message: "there is no file \(path)",
                    cure: "'pokyh-bot state check' names what was set aside as damaged"
                ),
                command: "state"
            )
        }
        let count = try await StateReading.alone(configuration) { store throws(StateError) in
            try await store.recoverMessages(fromFile: path, at: world.clock.now)
        }
        world.terminal.print(
            count == 0
                ? "no undelivered message could be read there that is not known already"
                : "taken over: \(count.counted("message")); 'pokyh-bot outbox list' shows what, and the next start sends it"
        )
        return count == 0 ? .somethingFailed : .fine
    }

    private static var usage: CommandFailure {
        CommandFailure(UsageError(message: "'state' is called as: pokyh-bot \(command.usage)"), command: "state")
    }

    /// Sources by name, with ids of students and no names.
    private static func list(_ configuration: Configuration, _ world: World) async throws(CommandFailure) -> ExitCode {
        let sources = try await StateReading.read(configuration) { store throws(StateError) in
            var found: [(name: String, state: SourceState, count: Int)] = []
            for (name, state) in try await store.sources().sorted(by: { $0.key < $1.key }) {
                found.append((name, state, try await store.keys(of: name).count))
            }
            return found
        }
        let now = world.clock.now
        for (name, state, count) in sources {
            let age =
                state.takenAt.map { "last good answer \(Age.text(from: $0, to: now)) ago" } ?? "no good answer yet"
            let student = state.student.id.isEmpty ? "" : ", student \(state.student.id)"
            let pending = state.isLearnt || state.takenAt == nil ? "" : ", begins anew with the next answer"
            let stray = configuration.installation.source(name) == nil ? ", in no file" : ""
            world.terminal.print("\(name): \(count.counted("record")), \(age)\(student)\(pending)\(stray)")
        }
        if sources.isEmpty { world.terminal.print("nothing is remembered yet") }
        return .fine
    }
}

/// `pokyh-bot state baseline`.
enum StateBaseline {
    static func run(
        _ source: String?,
        student: String?,
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        let known = try await StateReading.read(configuration) { store throws(StateError) in try await store.sources() }
        let names: [String]
        do throws(UsageError) {
            names = try choose(source, student: student, known: known, configuration.installation.sources)
        } catch {
            throw CommandFailure(error, command: "state")
        }
        let begun = try await StateReading.alone(configuration) { store throws(StateError) in
            try await store.baseline(names)
        }
        let list = (begun.isEmpty ? names : begun).joined(separator: ", ")
        world.terminal.print(
            begun.isEmpty
                ? "nothing is remembered of these sources, so they begin anew anyway: \(list)"
                : "the next good answer is taken as known, and nothing of it is told: \(list)"
        )
        return .fine
    }

    /// The sources that are meant: one, those of one student, or all; pure.
    static func choose(
        _ source: String?,
        student: String?,
        known: [String: SourceState],
        _ entries: [SourceEntry]
    ) throws(UsageError) -> [String] {
        let all = Set(known.keys).union(entries.map(\.name)).sorted()
        if let source, !all.contains(source) {
            throw UsageError(
                message: "there is no source '\(source)'",
                cure: Spelling.question(about: source, among: all) ?? "sources: \(all.joined(separator: ", "))"
            )
        }
        let wanted = source.map { [$0] } ?? all
        guard let student else { return wanted }
        let written = Set(entries.filter { $0.settings.text("student") == student }.map(\.name))
        let theirs = wanted.filter { name in
            guard let state = known[name] else { return written.contains(name) }
            return [state.student.id, state.student.name].contains(student) || written.contains(name)
        }
        if theirs.isEmpty {
            throw UsageError(
                message: "no source is about this student",
                cure: "'pokyh-bot state list' has the ids of the students"
            )
        }
        return theirs
    }
}
