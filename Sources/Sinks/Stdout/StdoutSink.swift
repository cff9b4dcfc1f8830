public import BotCore
import Digests
import Markup
import Values

/// The plugin's entry in the list of sinks.
public enum StdoutPlugin {
    public static let sink = SinkPlugin(
        kind: "stdout",
        "Prints each message on standard output: a title line and the text below it, in colour on a terminal.",
        settings: [
            SettingDeclaration(
                "prefix",
                .text,
                "What stands before each title, such as the name of a group that the lines are meant for."
            )
        ],
        make: { settings, _, tools throws(SettingsError) in
            StdoutSink(
                name: settings.name,
                prefix: settings.text("prefix") ?? "",
                hasColours: tools.hasColours,
                print: tools.print
            )
        }
    )
}

/// Prints messages. A line may come twice after a crash, so the delivery id stands in the title line of a repeat.
struct StdoutSink: Sink {
    let name: String
    let prefix: String
    let hasColours: Bool
    let print: @Sendable (String) -> Bool

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        let body = MarkupDocument.parse(MarkupSource(template: message.body.template, values: message.body.values))
        let title = MarkupDocument([]).withTitle(prefix + message.title.plain)
        let document = body.withTitle(prefix + message.title.plain).withLink(message.link)
        let override = message.plainOverrideWithLink
        guard body.isVisible(under: message.title.plain) || override != nil else { return [] }
        var payload = Payload(
            id: ContentID.make([message.id, "", "1"]),
            message: message.id,
            rule: message.rule,
            sink: name,
            recipient: "",
            orderKey: message.orderKey,
            createdAt: now,
            expires: message.expires,
            text: override.map { title.plainText() + "\n\n" + $0 } ?? document.plainText(),
            content: .null
        )
        payload.content = ["ansi": .string(override.map { title.ansi() + "\n\n" + $0 } ?? document.ansi())]
        return [payload]
    }

    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        let text = hasColours ? payload.content["ansi"].string ?? payload.text : payload.text
        guard print((payload.isRepeat ? "[\(payload.id)] " : "") + text + "\n") else {
            throw .transient(
                "sink '\(name)': standard output takes nothing more; its reader may have ended, or its disk is full"
            )
        }
        return Receipt()
    }
}
