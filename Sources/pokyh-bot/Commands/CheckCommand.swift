import BotCore
import BotEngine
import BotPlugins
import BotRules
import BotTransport
import Values

/// `pokyh-bot check`.
enum CheckCommand {
    static let command = Command(
        "check",
        "reads the bot file and all rules, and says everything that is wrong",
        details: [
            "Nothing is sent and nobody is asked. Secrets are looked up, never shown.",
            "Exit status 78 if there is any error, so that it can guard a commit.",
        ],
        options: [
            CommandList.config,
            .option(
                "--format",
                formats.joined(separator: "|"),
                "for people, for programs, or as annotations of GitHub"
            ),
        ],
        run: run
    )

    private static let formats = ["text", "json", "github"]

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let format: String
        do throws(UsageError) {
            format = try arguments.choice("--format", among: formats)
        } catch {
            throw CommandFailure(error, command: "check")
        }
        if format != "text" { return try await complain(in: format, arguments, world) }
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world)
        let live = try LiveMaterials(configuration, in: world, verbose: false)
        defer { Task { await live.close() } }
        let house: House
        do throws(CommandFailure) {
            house = try House.build(configuration, with: live.materials)
        } catch {
            // The rules' complaints belong to the same answer.
            var failure = error
            failure.lines += configuration.rules.complaints.map { configuration.redactor.mask($0.text) }
            throw failure
        }
        for complaint in configuration.complaintTexts { world.terminal.error(complaint) }
        let rules = configuration.rules
        let active = rules.book.summary.filter { $0.isEnabled && $0.id != "admin" }.count
        world.terminal.print(
            """
            \(configuration.path): accounts: \(house.accounts.count), sources: \(house.sources.count), sinks: \(house.sinks.count)
            rule files: \(configuration.ruleFiles.count), rules: \(rules.ruleCount), active: \(active)
            """
        )
        for rule in rules.book.summary where rule.id != "admin" {
            let state = rule.isEnabled ? (rule.isDryRun ? " (dry run)" : "") : " (off)"
            world.terminal.print("  \(rule.id)\(state): \(rule.trigger) → \(rule.sends.joined(separator: ", "))")
        }
        return rules.hasErrors ? .configuration : .fine
    }

    /// All complaints of all files, and nothing else, on standard output.
    private static func complain(
        in format: String,
        _ arguments: Arguments,
        _ world: World
    ) async throws(CommandFailure) -> ExitCode {
        let path = try Configuration.path(arguments)
        let redactor = Redactor()
        let lookUp = SecretSource.real.lookUp(
            environment: world.environment,
            botFolder: FileAccess.folder(of: path),
            redactor: redactor
        )
        let botFile = BotFile.read(
            try Configuration.read(path),
            catalogue: BuiltInPlugins.catalogue,
            lookUpSecret: lookUp
        )
        var files = [botFile.complaints]
        if botFile.installation != nil {
            let configuration = try Configuration.load(path, in: world)
            try await LiveMaterials(configuration, in: world, verbose: false).close()
            let tools = Tools(http: Silence(), mail: Silence(), log: .silent, print: { _ in true }, hasColours: false)
            var builder = HouseBuilder(configuration: configuration, tools: tools, haste: 1)
            builder.buildAccounts()
            builder.buildSources()
            builder.buildSinks([:])
            files = [builder.botFile.complaints] + configuration.rules.complaints
        }
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
