import BotCore
import BotPlugins
import BotRules
import Values

/// `pokyh-bot schema`.
enum SchemaCommand {
    private static let files = ["rules", "bot"]
    private static let isGeneric = "--generic"

    static let command = Command(
        "schema",
        operands: "[\(files.joined(separator: "|"))]",
        "prints the JSON Schema of rule files, or of the bot file, for editors",
        details: [
            "Draft 7, with the events, sources, sinks, schools and accounts of this installation; print it again when they have changed.",
            "Put it into a file and name that in the first line of a rule file, relative to it:",
            "  # yaml-language-server: $schema=rules.schema.json",
            "Example: pokyh-bot schema rules > rules/rules.schema.json",
        ],
        options: [
            CommandList.config,
            .flag(isGeneric, "of every installation: any name of a source or sink; needs no bot file"),
        ],
        arity: 0...1,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let file = arguments.operands.first ?? files[0]
        guard files.contains(file) else {
            throw CommandFailure(
                UsageError(
                    message: "there is no schema of '\(file)'",
                    cure: Spelling.question(about: file, among: files) ?? "one of: \(files.joined(separator: ", "))"
                ),
                command: command.name
            )
        }
        if arguments.has(isGeneric) {
            world.terminal.print(generic(file).prettyJSON)
            return .fine
        }
        let path = try Configuration.path(arguments)
        let installation = try Configuration.load(path, in: world, secrets: .standIns).installation
        let schema =
            file == "bot"
            ? BotFileSchema(of: BuiltInPlugins.catalogue, installation).document : RuleSchema(installation).document
        world.terminal.print(schema.prettyJSON)
        return .fine
    }

    /// The schema of every installation of this build.
    static func generic(_ file: String) -> Value {
        file == "bot"
            ? BotFileSchema(of: BuiltInPlugins.catalogue).document : RuleSchema(of: BuiltInPlugins.catalogue).document
    }
}
