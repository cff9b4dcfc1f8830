/// The scripts that shells read to complete a command line of the program.
enum CompletionScripts {
    /// Every command takes `--config`.
    private static func options(of command: Command) -> [OptionSpecification] {
        command.options + (command.readsBotFile ? [] : [CommandList.config])
    }

    // MARK: bash

    /// Without a match `-o default` completes file names.
    static var bash: String {
        """
        _pokyh_bot_names() {
            local word config='' place
            for ((place = 1; place < COMP_CWORD; place++)); do
                [[ ${COMP_WORDS[place]} == --config ]] && config="${COMP_WORDS[place + 1]}"
                [[ $config == = ]] && config="${COMP_WORDS[place + 2]}"
            done
            for word in "$@"; do
                "${COMP_WORDS[0]}" completions --names "$word" ${config:+--config "$config"} 2>/dev/null
            done
        }
        _pokyh_bot() {
            local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" words=''
            COMPREPLY=()
            # The equals sign of --option=value is a word of its own.
            if [[ $current == = ]]; then current=''; elif [[ $before == = ]]; then before="${COMP_WORDS[COMP_CWORD - 2]}"; fi
            if [[ $COMP_CWORD -eq 1 ]]; then
                words='\(CommandList.all.map(\.name).joined(separator: " "))'
            elif [[ $before == -* && $current != -* ]]; then
                case "${COMP_WORDS[1]} $before" in
        \(bashValues.joined(separator: "\n"))
                esac
            fi
            if [[ $COMP_CWORD -gt 1 && -z $words ]]; then
                if [[ $current == -* ]]; then
                    case "${COMP_WORDS[1]}" in
        \(bashOptions.joined(separator: "\n"))
                    esac
                else
                    case "${COMP_WORDS[1]}" in
        \(bashOperands.joined(separator: "\n"))
                    esac
                fi
            fi
            [[ $words == ' ' ]] || COMPREPLY=($(compgen -W "$words" -- "$current"))
        }
        complete -o default -F _pokyh_bot pokyh-bot
        """
    }

    private static func bashWords(_ choices: CompletionChoices) -> String {
        let names = choices.names.map(\.rawValue).joined(separator: " ")
        let asked = names.isEmpty ? [] : ["$(_pokyh_bot_names \(names))"]
        return "words=\"\((choices.words + asked).joined(separator: " "))\""
    }

    /// A value that nobody can list is left to file names: one blank says that nothing else stands here.
    private static var bashValues: [String] {
        CommandList.all.flatMap { command in
            options(of: command).compactMap { option in
                guard let value = option.value else { return nil }
                let choices = CompletionChoices(value)
                let patterns = [option.short, option.name].compactMap { $0 }.map { "'\(command.name) \($0)'" }
                let words = choices.isEmpty ? "words=' '" : bashWords(choices)
                return "            \(patterns.joined(separator: " | "))) \(words) ;;"
            }
        }
    }

    private static var bashOptions: [String] {
        CommandList.all.map { command in
            let words = options(of: command).flatMap { [$0.short, $0.name].compactMap { $0 } }
            return "            \(command.name)) words='\(words.joined(separator: " "))' ;;"
        }
    }

    private static var bashOperands: [String] {
        CommandList.all.compactMap { command in
            let choices = CompletionChoices(command.operands)
            return choices.isEmpty ? nil : "            \(command.name)) \(bashWords(choices)) ;;"
        }
    }

    // MARK: zsh

    static var zsh: String {
        let names = CommandList.all.map { "        \(quoted("\($0.name):\($0.summary)"))" }
        let cases = CommandList.all.map { command in
            let operands = CompletionChoices(command.operands)
            return
                "        \(command.name)) _arguments \(zshOptions(of: command)) \(quoted("*:operand:\(zshAction(operands))")) ;;"
        }
        return """
            #compdef pokyh-bot
            _pokyh_bot_names() {
                local word
                local -a config names
                [[ -n $opt_args[--config] ]] && config=(--config "${(Q)opt_args[--config]}")
                for word; do names+=(${(f)"$($program completions --names $word $config 2>/dev/null)"}); done
                compadd -a names
            }
            _pokyh_bot() {
                local -a commands
                local -A opt_args
                local program=$words[1]
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

    private static func zshOptions(of command: Command) -> String {
        options(of: command).flatMap { option in
            let value =
                option.value.map { ":\($0.split(separator: ":").joined()):\(zshAction(CompletionChoices($0)))" } ?? ""
            let text = option.help.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
            let mark = option.isRepeatable ? "*" : ""
            return [option.name, option.short].compactMap { $0 }.map {
                quoted("\(mark)\($0)\(option.value != nil && $0 == option.name ? "=" : "")[\(text)]\(value)")
            }
        }.joined(separator: " ")
    }

    /// The words, the names, or file names.
    private static func zshAction(_ choices: CompletionChoices) -> String {
        if !choices.names.isEmpty { return "_pokyh_bot_names \(choices.names.map(\.rawValue).joined(separator: " "))" }
        return choices.words.isEmpty ? "_files" : "(\(choices.words.joined(separator: " ")))"
    }

    /// In the single quotes of a POSIX shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    // MARK: fish

    static var fish: String {
        var lines = [
            """
            function __pokyh_bot_names
                set -l words (commandline -opc)
                set -l place (contains -i -- --config $words)
                set -l config
                if test -n "$place"; and test (count $words) -gt $place
                    set config --config $words[(math $place + 1)]
                end
                for word in $argv
                    $words[1] completions --names $word $config 2>/dev/null
                end
            end
            """
        ]
        for command in CommandList.all {
            lines.append(
                "complete -c pokyh-bot -n __fish_use_subcommand -f -a \(command.name) -d \(fishQuoted(command.summary))"
            )
            let within = "complete -c pokyh-bot -n '__fish_seen_subcommand_from \(command.name)'"
            let operands = CompletionChoices(command.operands)
            if !operands.isEmpty { lines.append("\(within) -f -a \(fishQuoted(fishChoices(operands)))") }
            for option in options(of: command) {
                let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
                let value = option.value.map { value in
                    let choices = CompletionChoices(value)
                    return choices.isEmpty ? " -r" : " -x -a \(fishQuoted(fishChoices(choices)))"
                }
                lines.append(
                    "\(within) -l \(option.name.dropFirst(2))\(short)\(value ?? "") -d \(fishQuoted(option.help))"
                )
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func fishChoices(_ choices: CompletionChoices) -> String {
        let names = choices.names.map(\.rawValue).joined(separator: " ")
        return (choices.words + (names.isEmpty ? [] : ["(__pokyh_bot_names \(names))"])).joined(separator: " ")
    }

    /// Fish knows escapes inside single quotes.
    private static func fishQuoted(_ text: String) -> String {
        "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
