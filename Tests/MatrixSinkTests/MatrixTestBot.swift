import BotCore
import BotTestKit
import MatrixSink
import Values

/// A Matrix sink and messages for it.
enum MatrixTestBot {
    static let now = Timestamp(seconds: 1_796_022_000)  // 2026-11-30T07:00:00Z
    static let byToken = ["token": Secret("SECRET-token")]
    static let byPassword = ["password": Secret("SECRET-password")]

    static func sink(
        _ http: any HTTPClient,
        _ extra: ValueMap = [:],
        secrets: [String: Secret] = byToken,
        memo: Value = .null
    ) throws -> any Sink {
        var values: ValueMap = ["homeserver": "https://matrix.example.org/", "room": "#3a:example.org"]
        for setting in MatrixPlugin.sink.settings {
            if let standard = setting.standard { values[setting.key] = standard }
        }
        for pair in extra { values[pair.key] = pair.value }
        let settings = Settings(name: "room", values: values, secrets: secrets)
        let tools = Tools(http: http, mail: NoMail(), log: .silent, print: { _ in true }, hasColours: false)
        return try MatrixPlugin.sink.make(settings, memo, tools)
    }

    static func message(
        _ body: String = "**Mathematik**: {0}",
        values: [String] = ["entfällt"],
        title: String = "Ausfall",
        isSilent: Bool = false
    ) -> Message {
        Message(
            id: "m1",
            rule: "ausfall",
            sink: "room",
            title: TemplatedText(template: title),
            body: TemplatedText(template: body.replacing("{0}", with: TemplatedText.placeholder(0)), values: values),
            isSilent: isSilent
        )
    }
}

/// What a delivery ends with, if not with a receipt.
func failure(
    of sink: any Sink,
    _ payload: Payload,
    at now: Timestamp = MatrixTestBot.now
) async -> PluginError? {
    do throws(PluginError) {
        _ = try await sink.deliver(payload, at: now)
        return nil
    } catch {
        return error
    }
}
