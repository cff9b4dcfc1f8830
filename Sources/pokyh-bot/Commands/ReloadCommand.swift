import BotCore
import BotRules
import BotState
import BotTransport
import Glibc
import StrictYAML
import Values

/// `pokyh-bot reload`.
enum ReloadCommand {
    static let command = Command(
        "reload",
        "makes the running bot read its rule files again, and says what came of it",
        details: [
            "The same as SIGHUP, with an answer. A file with errors leaves the last good version of its rules running, and what is wrong",
            "with it is shown. Rules that are gone give up what they had collected; 'history' says so. Changes of the bot file need a",
            "restart. Exit status 78 if a file has errors, 1 if no bot runs or it does not answer.",
        ],
        options: [CommandList.config],
        run: run
    )

    /// How long a bot is waited for: it may be in the middle of a step, and reading 10,000 rules takes seconds.
    private static let patience = TimeSpan.seconds(30)
    private static let pause = TimeSpan.milliseconds(100)

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        // Its own errors are the running bot's to judge; where the state is must be known.
        let reading = try ConfigurationReading(try Configuration.path(arguments), in: world, secrets: .standIns)
        guard let installation = reading.botFile.installation ?? reading.botFile.draft?.installation else {
            throw CommandFailure(.configuration, lines: [reading.redactor.mask(reading.botFile.complaints.text)])
        }
        let folder = FileAccess.resolve(installation.statePath, from: FileAccess.folder(of: reading.path))
        guard case .engine(let found) = try holder(of: folder) else {
            world.terminal.error(
                "no bot is running on the state in \(folder); 'pokyh-bot check' reads the files without one"
            )
            return .somethingFailed
        }
        guard let pid = found, pid > 1 else {
            world.terminal.error(
                "a bot is running on the state in \(folder), but its process id cannot be read; send it SIGHUP"
            )
            return .somethingFailed
        }
        let before = try await lastNumber(in: folder)
        guard kill(pid, SIGHUP) == 0 else {
            let hint = errno == EPERM ? "; run this as the bot's user, or as root" : ""
            world.terminal.error("process \(pid), the bot, cannot be asked: \(FileAccess.errorText())\(hint)")
            return .somethingFailed
        }
        guard let report = try await answer(after: before, from: pid, folder, world) else {
            world.terminal.error(
                "process \(pid) did not answer within \(patience.seconds) s; its log says why. A run of 'once' reads its files at its start only"
            )
            return .somethingFailed
        }
        for line in report.lines { world.terminal.print(TerminalText.line(line)) }
        for text in report.complaints { world.terminal.error(text) }
        return report.isFine ? .fine : .configuration
    }

    private static func holder(of folder: String) throws(CommandFailure) -> FolderHolder {
        do throws(StateError) {
            return try SQLiteStore.holder(ofFolder: folder)
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func lastReport(in folder: String) async throws(CommandFailure) -> ReloadReport? {
        do throws(StateError) {
            let store = try await SQLiteStore.openBeside(folder: folder)
            let stored = try await store.lastReload()
            await store.close()
            return ReloadReport(stored)
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func lastNumber(in folder: String) async throws(CommandFailure) -> Int64 {
        try await lastReport(in: folder)?.number ?? 0
    }

    /// The bot's report on this request; nil if it ended or says nothing.
    private static func answer(
        after number: Int64,
        from pid: Int32,
        _ folder: String,
        _ world: World
    ) async throws(CommandFailure) -> ReloadReport? {
        let limit = world.clock.now + patience
        while world.clock.now < limit {
            await world.clock.sleep(until: world.clock.now + pause)
            if let report = try await lastReport(in: folder), report.number > number { return report }
            if kill(pid, 0) != 0, errno == ESRCH { return nil }
        }
        return nil
    }
}

/// What a running bot says about having read its rule files again, as it leaves it in the state for `pokyh-bot reload`.
struct ReloadReport: Sendable, Equatable {
    /// Counts the requests, so that an answer is known from an earlier one.
    var number: Int64
    /// Whether everything is in force as it is written.
    var isFine: Bool
    /// One for each file, and what else is to be known.
    var lines: [String]
    /// What is wrong with files, secrets masked, as `check` shows it.
    var complaints: [String]

    init(number: Int64, isFine: Bool, lines: [String], complaints: [String]) {
        self.number = number
        self.isFine = isFine
        self.lines = lines
        self.complaints = complaints
    }

    /// Nil for what is none.
    init?(_ value: Value) {
        guard let number = value["number"].integer else { return nil }
        self.init(
            number: number,
            isFine: value["fine"].bool ?? false,
            lines: (value["lines"].list ?? []).compactMap(\.string),
            complaints: (value["complaints"].list ?? []).compactMap(\.string)
        )
    }

    var value: Value {
        [
            "number": .int(number), "fine": .bool(isFine), "lines": .list(lines.map { .string($0) }),
            "complaints": .list(complaints.map { .string($0) }),
        ]
    }

    /// What came of reading the files; pure.
    ///
    /// - Parameters:
    ///   - files: the paths that were read.
    ///   - earlier: the rules that ran before.
    init(number: Int64, _ rules: RuleSet, files: [String], earlier: [RuleSummary], complaints: [String]) {
        let running = rules.book.summary.filter { !$0.file.isEmpty }
        let broken = Set(rules.complaints.filter(\.hasErrors).map(\.source.file))
        var lines = files.map { file -> String in
            let own = running.filter { $0.file == file || $0.file.hasPrefix(file + "/") }
            guard broken.contains(file) else { return "\(file): in force, \(own.count.counted("rule"))" }
            let old = own.filter { !Self.isNew($0, rules) }.map(\.id)
            let fresh = own.count - old.count
            let state =
                old.isEmpty ? "no rule runs on from before" : "as they were before: \(old.joined(separator: ", "))"
            return "\(file): has errors; \(fresh.counted("rule")) in force, \(state)"
        }
        let gone = Set(earlier.filter { !$0.file.isEmpty }.map(\.id)).subtracting(running.map(\.id)).sorted()
        let out = rules.inactive.filter { id in !running.contains { $0.id == id } }
        if !out.isEmpty { lines.append("not active: \(out.joined(separator: ", "))") }
        let removed = gone.filter { !out.contains($0) }
        if !removed.isEmpty {
            lines.append("no longer there: \(removed.joined(separator: ", ")); what they had collected is dropped")
        }
        self.init(number: number, isFine: broken.isEmpty, lines: lines, complaints: complaints)
    }

    /// Whether a rule of a file with errors runs as it is written now: rules without an error of their own do.
    private static func isNew(_ rule: RuleSummary, _ rules: RuleSet) -> Bool {
        !rules.inactive.contains(rule.id)
            && rules.unreadableFiles.allSatisfy { file in
                rule.file != file && !rule.file.hasPrefix(file + "/")
            }
    }
}
