import BotCore
import BotPlugins
import BotRules
import Values

/// `pokyh-bot completions bash|zsh|fish`.
enum CompletionsCommand {
    private static let shells: [(name: String, script: @Sendable () -> String)] = [
        ("bash", { CompletionScripts.bash }), ("zsh", { CompletionScripts.zsh }), ("fish", { CompletionScripts.fish }),
    ]

    static let command = Command(
        "completions",
        operands: shells.map(\.name).joined(separator: "|"),
        "prints completions of commands, options and names for a shell",
        details: [
            "bash: pokyh-bot completions bash > /etc/bash_completion.d/pokyh-bot",
            "zsh: pokyh-bot completions zsh > a file '_pokyh-bot' in a folder of $fpath",
            "fish: pokyh-bot completions fish > ~/.config/fish/completions/pokyh-bot.fish",
        ],
        options: [
            CommandList.config,
            .option("--names", "WORD", "prints the names of a kind instead, one a line, as the scripts ask for them"),
        ],
        arity: 0...1,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        if let word = arguments.value("--names") {
            for name in names(word, arguments, world) { world.terminal.print(name) }
            return .fine
        }
        let names = shells.map(\.name)
        guard let shell = arguments.operands.first, let script = shells.first(where: { $0.name == shell })?.script
        else {
            let wanted = arguments.operands.first ?? ""
            throw CommandFailure(
                UsageError(
                    message: wanted.isEmpty ? "for which shell?" : "there are no completions for '\(wanted)'",
                    cure: Spelling.question(about: wanted, among: names) ?? "one of: \(names.joined(separator: ", "))"
                ),
                command: command.name
            )
        }
        world.terminal.print(script())
        return .fine
    }

    /// Nothing where the bot file cannot be read: whoever presses the tabulator wants no complaint.
    private static func names(_ word: String, _ arguments: Arguments, _ world: World) -> [String] {
        guard CompletionWord(rawValue: word) != nil, let path = try? Configuration.path(arguments),
            let configuration = try? Configuration.load(path, in: world, secrets: .standIns)
        else { return [] }
        let installation = configuration.installation
        switch CompletionWord(rawValue: word) {
        case .rule: return configuration.rules.book.summary.map(\.id)
        case .sink: return installation.sinks.map(\.name)
        case .source: return installation.sources.map(\.name)
        case .account: return installation.accounts.map(\.name)
        case nil: return []
        }
    }
}

/// Words of the help that stand for names of the installation.
enum CompletionWord: String, CaseIterable {
    case rule = "RULE"
    case sink = "SINK"
    case source = "SOURCE"
    case account = "ACCOUNT"
}

/// What can stand in a place of the command line, found from what the help calls it.
struct CompletionChoices {
    /// Words that are known to the build: `text`, `add`, names of commands.
    var words: [String] = []
    /// Names of the installation, asked for when they are needed.
    var names: [CompletionWord] = []

    var isEmpty: Bool { words.isEmpty && names.isEmpty }

    /// - Parameter help: `RULE --event ID`, `[rules|bot]`, `list | retry ID…`, `text|json`.
    init(_ help: String) {
        let bare = help.filter { !"[]…".contains($0) }
        for alternative in bare.split(separator: "|") {
            guard let word = alternative.split(separator: " ").first.map(String.init) else { continue }
            if let name = CompletionWord(rawValue: word) {
                names.append(name)
            } else if word == "COMMAND" {
                words += CommandList.all.map(\.name)
            } else if word == "PLUGIN" {
                let catalogue = BuiltInPlugins.catalogue
                words += catalogue.accounts.map(\.kind) + catalogue.providers.map(\.name) + catalogue.sinks.map(\.kind)
            } else if word == "PAGE" {
                words += ReferenceCommand.pages.map(\.name)
            } else if word.allSatisfy({ $0.isLowercase || $0 == "-" }) {
                words.append(word)
            }
        }
    }
}
