import BotCore
import BotEngine
import BotRules
import BotTransport
import Digests
import Values

/// `pokyh-bot send SINK TEXT`.
enum SendCommand {
    static let command = Command(
        "send",
        operands: "SINK TEXT",
        "sends a text through a sink, to try it",
        details: [
            "The text is CommonMark. It is sent at once and once; nothing is remembered of it.",
            "Example: pokyh-bot send mail-rossi \"Hallo, **das** ist ein Versuch.\"",
        ],
        options: [CommandList.config],
        arity: 2...2,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world)
        let live = try LiveMaterials(configuration, in: world, verbose: false)
        let house = try House.build(configuration, with: live.materials)
        let name = arguments.operands[0]
        guard let sink = house.sinks.first(where: { $0.name == name })?.sink else {
            let names = house.sinks.map(\.name)
            await live.close()
            throw CommandFailure(
                UsageError(
                    message: "there is no sink '\(name)'",
                    cure: Spelling.question(about: name, among: names) ?? "sinks: \(names.joined(separator: ", "))"
                ),
                command: "send"
            )
        }
        let code = await send(arguments.operands[1], through: sink, named: name, configuration, world)
        await live.close()
        return code
    }

    private static func send(
        _ text: String,
        through sink: any Sink,
        named name: String,
        _ configuration: Configuration,
        _ world: World
    ) async -> ExitCode {
        let now = world.clock.now
        let titles = ["de": "Probe von pokyh-bot", "it": "Prova di pokyh-bot", "en": "Test from pokyh-bot"]
        let message = Message(
            id: ContentID.make(["send", name, now.rfc3339]),
            rule: "send",
            sink: name,
            title: TemplatedText(template: titles[configuration.installation.locale] ?? ""),
            body: TemplatedText(template: text),
            locale: configuration.installation.locale
        )
        do throws(PluginError) {
            for payload in try sink.prepare(message, at: now) {
                let receipt = try await sink.deliver(payload, at: now)
                let id = receipt.remoteID.map { ", the far end calls it \($0)" } ?? ""
                world.terminal.error("sent through '\(name)'\(id)")
            }
            return .fine
        } catch {
            world.terminal.error(configuration.redactor.mask("not sent through '\(name)': \(error.message)"))
            return .somethingFailed
        }
    }
}
