/// `pokyh-bot help [COMMAND]`.
enum HelpCommand {
    static let command = Command(
        "help",
        operands: "[COMMAND]",
        "explains the commands",
        arity: 0...1,
        run: { arguments, world throws(CommandFailure) in
            guard let name = arguments.operands.first else {
                world.terminal.print(overview)
                return .fine
            }
            guard let command = CommandList.all.first(where: { $0.name == name }) else {
                throw CommandFailure(UsageError(message: "there is no command '\(name)'"))
            }
            world.terminal.print(text(of: command))
            return .fine
        }
    )

    static var overview: String {
        let width = CommandList.all.map(\.name.count).max() ?? 0
        let commands = CommandList.all.map { command in
            "  " + command.name + String(repeating: " ", count: width + 2 - command.name.count) + command.summary
        }
        return """
            pokyh-bot polls a school, finds what changed, and tells those whom your rules name.

            usage: pokyh-bot COMMAND [options]

            \(commands.joined(separator: "\n"))

            'pokyh-bot help COMMAND' says what it takes, and all of its options.

            Exit status:
            \(exitStatuses)

            New here? Run: pokyh-bot demo
            """
    }

    static func text(of command: Command) -> String {
        var lines = [
            "usage: pokyh-bot \(command.usage)", "",
            command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".",
        ]
        if !command.details.isEmpty { lines += [""] + command.details }
        if !command.options.isEmpty {
            lines += ["", "Options:"]
            lines += command.options.map { option in
                let names = [option.short, option.name].compactMap { $0 }.joined(separator: ", ")
                return "  \(names)\(option.value.map { " " + $0 } ?? "")\n      \(option.help)"
            }
        }
        return (lines + ["", "Exit status:", exitStatuses]).joined(separator: "\n")
    }

    private static var exitStatuses: String {
        ExitCode.allCases.map { code in
            "  \(code.rawValue)\(String(repeating: " ", count: 4 - String(code.rawValue).count))\(code.meaning)"
        }.joined(separator: "\n")
    }
}
