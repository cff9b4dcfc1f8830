import Values

/// The commands, in the order in which the help lists them.
enum CommandList {
    static let all: [Command] = [
        DemoCommand.command, SimulateCommand.command, RunCommand.command, OnceCommand.command, CheckCommand.command,
        TestCommand.command, ShowCommand.command, StatusCommand.command, HistoryCommand.command, NextCommand.command,
        ExplainCommand.command, ReplayCommand.command, RecordCommand.command, PreviewCommand.command,
        SilenceCommand.command, OutboxCommand.command, StateCommand.command, RetryCommand.command,
        ReloadCommand.command, SendCommand.command,
        SchoolsCommand.command, PluginsCommand.command, SchemaCommand.command, ReferenceCommand.command,
        CompletionsCommand.command, VersionCommand.command, HelpCommand.command,
    ]

    /// Every command that reads the bot file takes this.
    static let config = OptionSpecification.option(
        "--config",
        "FILE",
        "the bot file; standard: Config/bot.yaml, then /etc/pokyh-bot/bot.yaml"
    )

    static func run(_ words: [String], in world: World) async throws(CommandFailure) -> ExitCode {
        guard let first = words.first else {
            world.terminal.print(HelpCommand.overview)
            return .fine
        }
        let spelled = ["--help": "help", "-h": "help", "--version": "version"][first] ?? first
        guard let command = all.first(where: { $0.name == spelled }) else {
            throw CommandFailure(
                UsageError(
                    message: "there is no command '\(first)'",
                    cure: Spelling.question(about: first, among: all.map(\.name))
                )
            )
        }
        var rest = Array(words.dropFirst())
        if rest.contains("--help") || rest.contains("-h") { rest = [] }
        if rest.count < words.count - 1 {
            world.terminal.print(HelpCommand.text(of: command))
            return .fine
        }
        return try await command.run(arguments(rest, of: command), world)
    }

    private static func arguments(_ words: [String], of command: Command) throws(CommandFailure) -> Arguments {
        do throws(UsageError) {
            // Every command takes --config, whether it reads the bot file or not: scripts may then pass it always.
            let arguments = try Arguments(words, options: command.options + (command.readsBotFile ? [] : [config]))
            guard command.arity.contains(arguments.operands.count) else {
                throw UsageError(message: "'\(command.name)' is called as: pokyh-bot \(command.usage)")
            }
            return arguments
        } catch {
            throw CommandFailure(error, command: command.name)
        }
    }
}
