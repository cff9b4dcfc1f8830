import BotPlugins
import BotRules
import Values

/// `pokyh-bot reference`.
enum ReferenceCommand {
    static let command = Command(
        "reference",
        operands: "[PAGE]",
        "prints what rules and the bot file may say, in Markdown: all pages, or one",
        details: [
            "Pages: README, rule-files, events, queries, conditions, texts, bot-file, commands. They are of this build, whatever the",
            "bot file says.",
        ],
        arity: 0...1,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let all = pages
        guard let name = arguments.operands.first else {
            world.terminal.print(all.map(\.text).joined(separator: "\n").droppingLineEnd)
            return .fine
        }
        guard let page = all.first(where: { $0.name == name }) else {
            let names = all.map(\.name)
            throw CommandFailure(
                UsageError(
                    message: "there is no page '\(name)'",
                    cure: Spelling.question(about: name, among: names) ?? "pages: \(names.joined(separator: ", "))"
                ),
                command: command.name
            )
        }
        world.terminal.print(page.text.droppingLineEnd)
        return .fine
    }

    /// All pages, the one that lists them first.
    static var pages: [ReferencePage] {
        let pages = RuleReference.pages(of: BuiltInPlugins.catalogue) + [CommandPage.page]
        return [RuleReference.index(of: pages)] + pages
    }
}

extension String {
    /// The terminal ends lines by itself.
    fileprivate var droppingLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}

/// The page of the commands and the exit statuses, made of what the help says.
enum CommandPage {
    static var page: ReferencePage {
        var lines = [
            "`pokyh-bot help COMMAND` says the same. All commands take `--config FILE`; without it the bot file is",
            "`Config/bot.yaml`, then `/etc/pokyh-bot/bot.yaml`.", "",
        ]
        for command in CommandList.all { lines += section(command) }
        lines += ["## Exit statuses", "", "| status | meaning |", "|---|---|"]
        lines += ExitCode.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
        return ReferencePage(
            "commands",
            "Commands",
            "What the program can be told to do, and how it ends.",
            lines: lines
        )
    }

    private static func section(_ command: Command) -> [String] {
        let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst()
        var lines = ["## \(command.name)", "", "`pokyh-bot \(command.usage)`", "", "\(summary).", ""]
        if !command.details.isEmpty { lines += ["```text"] + command.details + ["```", ""] }
        let options = command.options.filter { $0.name != CommandList.config.name }
        guard !options.isEmpty else { return lines }
        lines += ["| option | meaning |", "|---|---|"]
        lines += options.map { option in
            let names = [option.short, option.name].compactMap { $0 }.joined(separator: ", ")
            let value = option.value.map { " \($0)" } ?? ""
            let cell = "\(names)\(value)".split(separator: "|").joined(separator: "\\|")
            return "| `\(cell)` | \(option.help.split(separator: "|").joined(separator: "\\|")) |"
        }
        return lines + [""]
    }
}
