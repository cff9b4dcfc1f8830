import BotCore
import BotPlugins
import BotRules
import Values

/// `pokyh-bot plugins`.
enum PluginsCommand {
    static let command = Command(
        "plugins",
        operands: "[PLUGIN]",
        "lists kinds of accounts, sources and sinks with their settings",
        details: [
            "PLUGIN is one of them, such as webuntis.timetable. The list is of this build, whatever the bot file says."
        ],
        arity: 0...1,
        run: run
    )

    private struct Entry {
        var section: String
        var name: String
        var documentation: String
        var facts: [String]
        var settings: [SettingDeclaration]
    }

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let all = entries(of: BuiltInPlugins.catalogue)
        guard let name = arguments.operands.first else {
            for entry in all { print(entry, world) }
            return .fine
        }
        // An account, a source and a sink may have the same name.
        let found = all.filter { $0.name == name }
        guard !found.isEmpty else {
            let names = all.map(\.name)
            throw CommandFailure(
                UsageError(
                    message: "there is no plugin '\(name)'",
                    cure: Spelling.question(about: name, among: names) ?? "plugins: \(names.joined(separator: ", "))"
                ),
                command: "plugins"
            )
        }
        for entry in found { print(entry, world) }
        return .fine
    }

    private static func entries(of catalogue: PluginCatalogue) -> [Entry] {
        let accounts = catalogue.accounts.map { plugin in
            Entry(
                section: "account kind",
                name: plugin.kind,
                documentation: plugin.documentation,
                facts: plugin.needsSchool ? ["belongs to a school: school: NAME"] : [],
                settings: plugin.settings
            )
        }
        let providers = catalogue.providers.map { plugin in
            let account = plugin.accountKind.map { kind in
                "\(plugin.accountIsOptional ? "may have" : "needs") an account of kind \(kind)"
            }
            let usual = SettingWords.value(.duration(plugin.interval))
            let shortest = SettingWords.value(.duration(plugin.shortestInterval))
            return Entry(
                section: "source",
                name: plugin.name,
                documentation: plugin.documentation,
                facts: [account, "polled every \(usual) unless said otherwise, at most every \(shortest)"]
                    .compactMap(\.self),
                settings: plugin.settings
            )
        }
        let sinks = catalogue.sinks.map { plugin in
            Entry(
                section: "sink kind",
                name: plugin.kind,
                documentation: plugin.documentation,
                facts: facts(of: plugin),
                settings: plugin.settings
            )
        }
        return accounts + providers + sinks
    }

    private static func facts(of plugin: SinkPlugin) -> [String] {
        var facts: [String] = []
        if plugin.takesRecipients { facts.append("a rule may name recipients of its own: send: [{sink, to}]") }
        if plugin.canBeSilent { facts.append("can deliver without a sound") }
        // It may hang on the settings, as a webhook's on its flavour; those that every entry has are meant here.
        if plugin.recognisesRepeats(Settings(name: "", values: [:])) {
            facts.append("recognises a message that is sent again")
        }
        return facts
    }

    private static func print(_ entry: Entry, _ world: World) {
        world.terminal.print("\(entry.section) \(entry.name): \(entry.documentation)")
        for fact in entry.facts { world.terminal.print("    \(fact)") }
        for setting in entry.settings {
            let standard = setting.standard.map(SettingWords.value) ?? ""
            let required = setting.isRequired ? ", required" : ""
            world.terminal.print(
                "  \(setting.key) (\(SettingWords.kind(setting.kind))\(required)\(standard.isEmpty ? "" : ", standard: \(standard)"))"
            )
            world.terminal.print("      \(setting.documentation)")
        }
        world.terminal.print("")
    }
}
