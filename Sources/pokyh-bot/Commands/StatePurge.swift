import BotCore
import BotRules
import BotState
import StrictYAML
import Values

/// `pokyh-bot state purge`.
enum StatePurge {
    static func run(
        _ olderThan: String?,
        _ isDry: Bool,
        _ configuration: Configuration,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        let span: TimeSpan
        do throws(UsageError) {
            span =
                try olderThan.map { text throws(UsageError) in try LengthOfTime.read(text, of: "--older-than") }
                ?? RecordedEvents.kept
        } catch {
            throw CommandFailure(error, command: "state")
        }
        let cut = world.clock.now - span
        let request = PurgeRequest(cut: cut, names: olderThan == nil ? names(configuration) : nil)
        let folder = configuration.stateFolder
        let kinds: [PurgedKind]
        let files: [String]
        if isDry {
            kinds = try await StateReading.read(configuration) { store throws(StateError) in
                try await store.purgeable(request)
            }
            files = SQLiteStore.damagedFiles(inFolder: folder, before: cut)
        } else {
            (kinds, files) = try await StateReading.alone(configuration) { store throws(StateError) in
                let kinds = try await store.purge(request)
                try await store.compact()
                return (kinds, try SQLiteStore.removeDamagedFiles(inFolder: folder, before: cut))
            }
        }
        let (date, time) = configuration.installation.zone.reading(at: cut)
        for line in lines(kinds, files, isDry: isDry, before: "\(date) \(time)") { world.terminal.print(line) }
        return .fine
    }

    private static func names(_ configuration: Configuration) -> ConfiguredNames {
        let installation = configuration.installation
        let rules = configuration.rules
        return ConfiguredNames(
            sources: Set(installation.sources.map(\.name)),
            accounts: Set(installation.accounts.map(\.name)),
            sinks: Set(installation.sinks.map(\.name)),
            rules: Set(rules.book.summary.map(\.id)).union(rules.inactive)
        )
    }

    /// What went, a line each; pure.
    static func lines(_ kinds: [PurgedKind], _ files: [String], isDry: Bool, before moment: String) -> [String] {
        let verb = isDry ? "would go" : "gone"
        let found =
            kinds.map { "  \($0.words): \($0.count)" } + files.map { "  \($0), which was set aside as damaged" }
        if found.isEmpty { return ["nothing is older than \(moment), and nothing is without a name in the files"] }
        return ["\(verb) (old is what is from before \(moment)):"] + found
    }
}

/// A length of time on the command line, as rule files write it.
enum LengthOfTime {
    static func read(_ text: String, of option: String) throws(UsageError) -> TimeSpan {
        var complaints: [Complaint] = []
        let span = YAMLDocument.read(bytes: Array(text.utf8), file: option).root?.asDuration(&complaints)
        guard let span, span > .zero else {
            throw UsageError(
                message: "'\(text)' is no length of time",
                cure: complaints.first?.cures.first ?? "write it like 12h or 3d"
            )
        }
        return span
    }
}
