import BotCore
import BotEngine
import BotRules
import BotTransport
import Values

/// `pokyh-bot check`.
enum CheckCommand {
    static let command = Command(
        "check",
        "reads the bot file and all rules, and says everything that is wrong",
        details: [
            "Nothing is sent, and without --online nobody is asked. Secrets are looked up, and shown by their length alone.",
            "--online logs in to every WebUntis account and lists the students that it may ask about: on a terminal by name, elsewhere",
            "by id. Once there is a state, a login that is refused is noted in it, and not tried again before its settings change or",
            "'pokyh-bot retry' asks for it.",
            "Exit status 78 if there is any error, so that it can guard a commit; 1 if a login of --online fails; 74 if it asks nobody",
            "since the state, which knows of refused logins, cannot be read.",
        ],
        options: [
            CommandList.config,
            .option(
                "--format",
                formats.joined(separator: "|"),
                "for people, for programs, or as annotations of GitHub"
            ),
            .flag("--online", "also asks WebUntis which students each account has"),
        ],
        run: run
    )

    private static let formats = ["text", "json", "github"]

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let format: String
        do throws(UsageError) {
            format = try arguments.choice("--format", among: formats)
            if format != "text", arguments.has("--online") {
                throw UsageError(message: "'--online' is for people", cure: "leave out --format \(format)")
            }
        } catch {
            throw CommandFailure(error, command: "check")
        }
        let path = try Configuration.path(arguments)
        if let notice = Configuration.choiceNotice(arguments) { world.terminal.error(notice) }
        let reading = try ConfigurationReading(path, in: world, secrets: .real)
        let complaints = reading.complaints
        if format != "text" { return complain(complaints, in: format, reading.redactor, world) }
        for file in complaints where !file.complaints.isEmpty { world.terminal.error(reading.redactor.mask(file.text)) }
        guard let configuration = reading.configuration, complaints.first.map({ !$0.hasErrors }) ?? true else {
            if reading.rules == nil { world.terminal.error("the rule files are read when the bot file can be read") }
            return .configuration
        }
        // The file of certificates is read here too.
        let live = try LiveMaterials(configuration, in: world, verbose: false)
        let house = try House.build(configuration, with: live.materials)
        for line in lines(about: configuration, house, reading.secrets) { world.terminal.print(line) }
        var code = ExitCode.fine
        if arguments.has("--online") { code = await AccountCheck(house, world).run() }
        await live.close()
        return configuration.rules.hasErrors ? .configuration : code
    }

    /// What the installation is made of.
    private static func lines(
        about configuration: Configuration,
        _ house: House,
        _ secrets: SecretLedger
    ) -> [String] {
        let rules = configuration.rules
        let active = rules.book.summary.filter { $0.isEnabled && $0.id != "admin" }.count
        var lines = [
            "\(configuration.path): accounts: \(house.accounts.count), sources: \(house.sources.count), sinks: \(house.sinks.count)"
        ]
        lines += secrets.lengths.map { "  secret \($0.name): \($0.count) characters" }
        lines.append("rule files: \(configuration.ruleFiles.count), rules: \(rules.ruleCount), active: \(active)")
        for rule in rules.book.summary where rule.id != "admin" {
            let state = rule.isEnabled ? (rule.isDryRun ? " (dry run)" : "") : " (off)"
            lines.append("  \(rule.id)\(state): \(rule.trigger) → \(rule.sends.joined(separator: ", "))")
        }
        return lines
    }

    /// All complaints of all files, and nothing else, on standard output.
    private static func complain(
        _ files: [FileComplaints],
        in format: String,
        _ redactor: Redactor,
        _ world: World
    ) -> ExitCode {
        if format == "json" {
            world.terminal.print(redactor.mask(ComplaintFormat.json(files)))
        } else {
            for line in ComplaintFormat.github(files) { world.terminal.print(redactor.mask(line)) }
        }
        return files.contains { $0.hasErrors } ? .configuration : .fine
    }
}

extension Configuration {
    /// What is wrong or odd with the bot file and each rule file, a text each, secrets masked.
    var complaintTexts: [String] {
        let all = [botFile.complaints] + rules.complaints
        return all.filter { !$0.complaints.isEmpty }.map { redactor.mask($0.text) }
    }
}
