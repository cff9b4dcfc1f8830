import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot state forget`.
enum StateForgetting {
    // MARK: A student

    static func forget(
        _ text: String,
        _ isDry: Bool,
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        let work: @Sendable (SQLiteStore) async throws(StateError) -> Outcome = { store throws(StateError) in
            let choice = choose(text, among: try await store.students())
            guard case .one(let traces) = choice else { return Outcome(choice: choice) }
            let counts = try await store.forget(traces) { key, memory, sources in
                PolicyForgetting.forget(subject(traces, sources), in: memory, under: key)
            }
            if !isDry { try await store.compact() }
            return Outcome(choice: choice, counts: counts)
        }
        let outcome =
            isDry
            ? try await StateReading.onCopy(configuration, work) : try await StateReading.alone(configuration, work)
        switch outcome.choice {
        case .several(let ids):
            throw CommandFailure(
                UsageError(
                    message: "several students have this name",
                    cure: "name one by id: \(ids.joined(separator: ", "))"
                ),
                command: "state"
            )
        case .one(let traces): return report(outcome.counts, traces, isDry, configuration, world)
        }
    }

    private struct Outcome: Sendable {
        var choice: Choice
        var counts = ForgottenCounts()
    }

    /// Whom a text means.
    enum Choice: Sendable, Hashable {
        case one(StudentTraces)
        /// Ids of students who share the name.
        case several([String])
    }

    /// By id, else by name. What nobody has is taken as it stands: something of a student who is no longer known may be left. Pure.
    static func choose(_ text: String, among students: [Student]) -> Choice {
        let byID = students.filter { $0.id == text && !text.isEmpty }
        if !byID.isEmpty { return .one(StudentTraces(ids: [text], names: Set(byID.map(\.name)))) }
        let wanted = words(of: text)
        let byName = students.filter { $0.name == text || (words(of: $0.name) == wanted && wanted.count > 1) }
        let ids = Set(byName.map(\.id)).subtracting([""])
        if ids.count > 1 { return .several(ids.sorted()) }
        if byName.isEmpty { return .one(StudentTraces(ids: [text], names: [text])) }
        let names = students.filter { ids.contains($0.id) }.map(\.name) + byName.map(\.name)
        return .one(StudentTraces(ids: ids, names: Set(names)))
    }

    /// In any order, whatever case: schools write family names first, people last.
    private static func words(of name: String) -> Set<String> {
        Set(name.lowercased().split(whereSeparator: \.isWhitespace).map(String.init))
    }

    private static func subject(_ traces: StudentTraces, _ sources: Set<String>) -> PolicyForgetting.Subject {
        PolicyForgetting.Subject(
            isStudent: { traces.isStudent(id: $0, name: $1) },
            isKey: { traces.isKey($0) },
            isNamed: { traces.isNamed(in: $0) },
            sources: sources
        )
    }

    private static func report(
        _ counts: ForgottenCounts,
        _ traces: StudentTraces,
        _ isDry: Bool,
        _ configuration: Configuration,
        _ world: World
    ) -> ExitCode {
        let damaged = SQLiteStore.damagedFiles(inFolder: configuration.stateFolder)
        for line in lines(counts, isDry: isDry) { world.terminal.print(line) }
        for line in hints(counts, traces, configuration.installation, damaged) { world.terminal.error(line) }
        // What is left elsewhere must not look like a job that is done.
        return counts.total == 0 || !damaged.isEmpty ? .somethingFailed : .fine
    }

    /// What went, by kind; no names.
    static func lines(_ counts: ForgottenCounts, isDry: Bool) -> [String] {
        if counts.total == 0 { return ["nothing is stored of this student"] }
        let undelivered = counts.undelivered == 0 ? "" : ", not delivered: \(counts.undelivered)"
        let kinds: [(Int, String)] = [
            (counts.sources.count, "sources: \(counts.sources.joined(separator: ", "))"),
            (counts.records, counts.records.counted("record")), (counts.events, counts.events.counted("event")),
            (counts.notes, counts.notes.counted("note of rules", "notes of rules")),
            (counts.messages, counts.messages.counted("message") + undelivered),
            (counts.slots, counts.slots.counted("time of scheduled rules", "times of scheduled rules")),
            (
                counts.memories,
                counts.memories.counted("piece of what policies remembered", "pieces of what policies remembered")
            ),
        ]
        return [isDry ? "would be forgotten:" : "forgotten:"] + kinds.filter { $0.0 > 0 }.map { "  \($0.1)" }
    }

    /// What the admin has to do besides.
    private static func hints(
        _ counts: ForgottenCounts,
        _ traces: StudentTraces,
        _ installation: Installation,
        _ damaged: [String]
    ) -> [String] {
        var hints: [String] = []
        let isTheirs = { (text: String) in traces.ids.contains(text) || traces.names.contains(text) }
        let sources = installation.sources.filter { source in
            counts.sources.contains(source.name) || source.settings.text("student").map(isTheirs) ?? false
        }
        let families = installation.families.filter { $0.students.contains(where: isTheirs) }
        let places = sources.map { "source \($0.name)" } + families.map { "family \($0.name)" }
        if !places.isEmpty {
            hints.append(
                "the bot file still has the student: \(places.joined(separator: ", ")); what is polled again is known again, so take them out"
            )
        }
        if counts.mentions > 0 {
            hints.append(
                "the student is named in the texts of \(counts.mentions.counted("record")) of sources about others; they stay: the school shows them still"
            )
        }
        for file in damaged {
            hints.append("\(file) was set aside as damaged and may hold the student's data; delete it")
        }
        return hints
    }

    // MARK: One record

    static func forget(
        item key: String,
        of source: String,
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        enum Found { case done, noSource([String]), isNew, noRecord([String]) }
        let now = world.clock.now
        let found = try await StateReading.alone(configuration) { store throws(StateError) -> Found in
            let known = try await store.sources()
            guard let state = known[source] else { return .noSource(known.keys.sorted()) }
            guard state.isLearnt else { return .isNew }
            let keys = try await store.keys(of: source)
            let fitting = keys.filter { $0 == key || $0.hasSuffix("/\(key)") }.sorted()
            guard fitting.count == 1 else { return .noRecord(fitting) }
            return try await store.forgetRecord(fitting[0], of: source, at: now) ? .done : .noRecord([])
        }
        switch found {
        case .done:
            world.terminal.print("forgotten; if the next answer of '\(source)' has it, it is told like a new one")
            return .fine
        case .noSource(let names):
            throw CommandFailure(
                UsageError(
                    message: "nothing is remembered of a source '\(source)'",
                    cure: Spelling.question(about: source, among: names) ?? "sources: \(names.joined(separator: ", "))"
                ),
                command: "state"
            )
        case .isNew:
            world.terminal.error(
                "'\(source)' begins anew with its next answer, and all of that is taken as known; run the bot once, then this again"
            )
        case .noRecord(let keys):
            world.terminal.error(
                keys.isEmpty
                    ? "'\(source)' has no record '\(key)'; 'pokyh-bot show KIND --source \(source) --json' has the keys"
                    : "several records fit: \(keys.joined(separator: ", "))"
            )
        }
        return .somethingFailed
    }
}
