import BotCore
import BotEngine
import BotRules
import BotState
import BotTransport
import Values

/// The rules that run, for the next reload.
actor RuleBooks {
    private(set) var current: RuleBook

    init(_ book: RuleBook) { current = book }

    func replace(_ book: RuleBook) { current = book }
}

/// Reads the rule files of a running bot again; what is wrong is logged, and the last good version of those rules goes on.
struct Reloading {
    let plant: Plant
    let world: World

    private var configuration: Configuration { plant.house.configuration }
    private var log: Log { plant.live.log }

    func run() async {
        var report = await read()
        if hasOtherBotFile {
            let line = "\(configuration.path) has changed too, and is read when the bot is started again"
            log(.warning, line)
            report.lines.append(line)
        }
        do throws(StateError) {
            report.number = (ReloadReport(try await plant.store.lastReload())?.number ?? 0) + 1
            try await plant.store.noteReload(report.value)
        } catch {
            // Whoever asked for an answer is told that there is none.
            log(.warning, "what came of reading the rules again could not be noted: \(error)")
        }
    }

    private func read() async -> ReloadReport {
        do throws(CommandFailure) {
            let files = try Configuration.readRules(configuration.installation.rulePaths, from: configuration.folder)
            let previous = await plant.books.current
            let homes = RuleHomes(of: configuration.installation, from: configuration.folder)
            let rules = RuleFiles.load(
                files,
                in: configuration.installation,
                previous: previous,
                homes: homes.read()
            )
            let complaints = rules.complaints.filter { !$0.complaints.isEmpty }
                .map { configuration.redactor.mask($0.text) }
            for text in complaints { world.terminal.error(text) }
            try await exchange(rules, homes)
            let broken = rules.complaints.filter(\.hasErrors).count
            log(
                .info,
                "read the rules again: \(rules.ruleCount.counted("rule")); \(broken.counted("file")) with errors"
            )
            return ReloadReport(
                number: 0,
                rules,
                files: files.map(\.path),
                earlier: previous.summary,
                complaints: complaints
            )
        } catch {
            let lines = error.lines.map { "the rules stay as they were: \($0)" }
            for line in lines { log(.error, line) }
            return ReloadReport(number: 0, isFine: false, lines: lines, complaints: [])
        }
    }

    private func exchange(_ rules: RuleSet, _ homes: RuleHomes) async throws(CommandFailure) {
        do throws(StateError) {
            try await plant.engine.reload(rules: rules.book, inactive: rules.inactiveRules)
        } catch {
            throw CommandFailure(.state, "they could not be exchanged: \(error)")
        }
        await plant.books.replace(rules.book)
        await homes.note(rules.homes, in: plant.store, log)
    }

    /// Whether the bot file holds something else than when the bot was started.
    private var hasOtherBotFile: Bool {
        guard let bytes = try? FileAccess.read(configuration.path) else { return true }
        return bytes != configuration.botFileBytes
    }
}
