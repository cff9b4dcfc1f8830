import BotCore
import BotPlugins
import BotRules
import Values

/// `pokyh-bot schema`.
enum SchemaCommand {
    static let command = Command(
        "schema",
        "prints the JSON Schema of rule files, for editors",
        details: [
            "Draft 7, with the events, sources, sinks and schools of this installation. Put it into a file and name that",
            "in the first line of a rule file: # yaml-language-server: $schema=rules.schema.json",
        ],
        options: [CommandList.config],
        run: { arguments, world throws(CommandFailure) in
            let path = try Configuration.path(arguments)
            let configuration = try Configuration.load(path, in: world, secrets: .standIns)
            world.terminal.print(RuleSchema(configuration.installation).document.prettyJSON)
            return .fine
        }
    )
}

/// `pokyh-bot reference`.
enum ReferenceCommand {
    static let command = Command(
        "reference",
        "prints the events, fields, queries and functions that rules may use, in Markdown",
        details: ["The page is of this build, whatever the bot file says."],
        run: { _, world throws(CommandFailure) in
            world.terminal.print(String(page.dropLast()))
            return .fine
        }
    )

    static var page: String {
        RuleReference.page(
            of: BuiltInPlugins.catalogue.providers.map { provider in
                (provider.name, provider.schema(Settings(name: provider.name, values: ValueMap())))
            }
        )
    }
}
