import BotCore
import BotTestKit
import TelegramSink
import Values

/// A Telegram sink and messages for it.
enum TelegramTestBot {
    static let token = "123456789:AAF-secret_Key"
    static let now = Timestamp(seconds: 1_796_022_000)  // 2026-11-30T07:00:00Z

    static func sink(
        _ http: any HTTPClient,
        _ extra: ValueMap = [:],
        token: String = token,
        memo: Value = .null,
        log: Log = .silent
    ) throws -> any Sink {
        var values: ValueMap = ["chat": "-1001"]
        for setting in TelegramPlugin.sink.settings {
            if let standard = setting.standard { values[setting.key] = standard }
        }
        for pair in extra { values[pair.key] = pair.value }
        let settings = Settings(name: "telegram-3a", values: values, secrets: ["token": Secret(token)])
        let tools = Tools(http: http, mail: NoMail(), log: log, print: { _ in true }, hasColours: false)
        return try TelegramPlugin.sink.make(settings, memo, tools)
    }

    static func message(
        _ body: String = "**Mathematik**: {0}",
        values: [String] = ["entfällt"],
        to recipients: [String] = [],
        title: String = "Ausfall",
        plain: String? = nil,
        link: String? = nil,
        isSilent: Bool = false
    ) -> Message {
        Message(
            id: "m1",
            rule: "ausfall",
            sink: "telegram-3a",
            recipients: recipients,
            title: TemplatedText(template: title),
            body: TemplatedText(template: body.replacing("{0}", with: TemplatedText.placeholder(0)), values: values),
            plainOverride: plain,
            link: link,
            isSilent: isSilent
        )
    }
}

/// What a delivery ends with, if not with a receipt.
func failure(of sink: any Sink, _ payload: Payload) async -> PluginError? {
    do throws(PluginError) {
        _ = try await sink.deliver(payload, at: TelegramTestBot.now)
        return nil
    } catch {
        return error
    }
}
