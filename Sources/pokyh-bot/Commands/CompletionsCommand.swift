import Values

/// `pokyh-bot completions bash|zsh|fish`.
enum CompletionsCommand {
    private static let shells = ["bash", "zsh", "fish"]

    static let command = Command(
        "completions",
        operands: shells.joined(separator: "|"),
        "prints completions of commands and options for a shell",
        details: [
            "bash: pokyh-bot completions bash > /etc/bash_completion.d/pokyh-bot",
            "zsh: pokyh-bot completions zsh > a file '_pokyh-bot' in a folder of $fpath",
            "fish: pokyh-bot completions fish > ~/.config/fish/completions/pokyh-bot.fish",
        ],
        arity: 1...1,
        words: shells,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let shell = arguments.operands[0]
        switch shell {
        case "bash": world.terminal.print(bash)
        case "zsh": world.terminal.print(zsh)
        case "fish": world.terminal.print(fish)
        default:
            throw CommandFailure(
                UsageError(
                    message: "there are no completions for '\(shell)'",
                    cure: Spelling.question(about: shell, among: shells) ?? "one of: \(shells.joined(separator: ", "))"
                ),
                command: "completions"
            )
        }
        return .fine
    }

    /// Option names of a command, `--config` with them: every command takes it.
    private static func options(of command: Command) -> [OptionSpecification] {
        command.options + (command.readsBotFile ? [] : [CommandList.config])
    }

    /// `text tap junit` for a value that is called `text|tap|junit`: only these can stand there.
    private static func words(_ value: String) -> String? {
        let words = value.split(separator: "|")
        return words.count > 1 ? words.joined(separator: " ") : nil
    }

    private static var bash: String {
        let names = CommandList.all.map(\.name).joined(separator: " ")
        let cases = CommandList.all.map { command in
            let words = options(of: command).flatMap { [$0.short, $0.name].compactMap { $0 } }
            return "        \(command.name)) words='\(words.joined(separator: " "))' ;;"
        }
        let operands = CommandList.all.filter { !$0.words.isEmpty }.map { command in
            "        \(command.name)) words='\(command.words.joined(separator: " "))' ;;"
        }
        // Without a match `-o default` completes file names.
        return """
            _pokyh_bot() {
                local current="${COMP_WORDS[COMP_CWORD]}" words=''
                COMPREPLY=()
                if [[ $COMP_CWORD -eq 1 ]]; then
                    COMPREPLY=($(compgen -W '\(names)' -- "$current"))
                    return
                fi
                if [[ $current != -* ]]; then
                    [[ $COMP_CWORD -eq 2 ]] || return
                    case "${COMP_WORDS[1]}" in
            \(operands.joined(separator: "\n"))
                    esac
                    COMPREPLY=($(compgen -W "$words" -- "$current"))
                    return
                fi
                case "${COMP_WORDS[1]}" in
            \(cases.joined(separator: "\n"))
                esac
                COMPREPLY=($(compgen -W "$words" -- "$current"))
            }
            complete -o default -F _pokyh_bot pokyh-bot
            """
    }

    private static var zsh: String {
        let names = CommandList.all.map { "        \(quoted("\($0.name):\($0.summary)"))" }
        let cases = CommandList.all.map { command in
            let specifications = options(of: command).flatMap { option in
                let value = option.value.map { ":\($0):\(words($0).map { "(\($0))" } ?? "_files")" } ?? ""
                let text = option.help.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
                let mark = option.isRepeatable ? "*" : ""
                return [option.name, option.short].compactMap { $0 }
                    .map {
                        quoted("\(mark)\($0)\(option.value != nil && $0 == option.name ? "=" : "")[\(text)]\(value)")
                    }
            }
            let first = command.words.isEmpty ? "" : "'1:what:(\(command.words.joined(separator: " ")))' "
            return
                "        \(command.name)) _arguments \(specifications.joined(separator: " ")) \(first)'*:operand:_files' ;;"
        }
        return """
            #compdef pokyh-bot
            _pokyh_bot() {
                local -a commands
                commands=(
            \(names.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe 'command' commands
                    return
                fi
                shift words
                (( CURRENT-- ))
                case "$words[1]" in
            \(cases.joined(separator: "\n"))
                esac
            }
            # Called by its file's name it completes at once; sourced, it only says what it is for.
            if [[ $funcstack[1] == _pokyh-bot ]]; then
                _pokyh_bot "$@"
            else
                compdef _pokyh_bot pokyh-bot
            fi
            """
    }

    /// In the single quotes of a POSIX shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static var fish: String {
        var lines: [String] = []
        for command in CommandList.all {
            lines.append(
                "complete -c pokyh-bot -n __fish_use_subcommand -f -a \(command.name) -d \(fishQuoted(command.summary))"
            )
            if !command.words.isEmpty {
                let words = command.words.joined(separator: " ")
                lines.append(
                    "complete -c pokyh-bot -n '__fish_seen_subcommand_from \(command.name); and not __fish_seen_subcommand_from \(words)' -f -a '\(words)'"
                )
            }
            for option in options(of: command) {
                let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
                let value = option.value.map { words($0).map { " -x -a '\($0)'" } ?? " -r" } ?? ""
                lines.append(
                    "complete -c pokyh-bot -n '__fish_seen_subcommand_from \(command.name)' -l \(option.name.dropFirst(2))"
                        + "\(short)\(value) -d \(fishQuoted(option.help))"
                )
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Fish knows escapes inside single quotes.
    private static func fishQuoted(_ text: String) -> String {
        "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
