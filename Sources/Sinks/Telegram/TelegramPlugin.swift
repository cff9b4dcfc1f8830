public import BotCore
import Values

/// The plugin's entry in the list of sinks.
public enum TelegramPlugin {
    public static let sink = SinkPlugin(
        kind: "telegram",
        "Sends each message to a chat, a group or a channel, as a bot of Telegram.",
        settings: [
            SettingDeclaration("token", .secret, required: true, "The bot's token, as BotFather gave it out."),
            SettingDeclaration(
                "chat",
                .text,
                required: true,
                "Where to send: the number of a chat (groups begin with -), or the \"@name\" of a public group or channel."
            ),
            SettingDeclaration(
                "topic",
                .integer(1...Int64(Int32.max)),
                "The number of a topic, in a group that has topics."
            ),
            SettingDeclaration("silent", .flag, standard: false, "Whether all messages arrive without a sound."),
            SettingDeclaration(
                "api",
                .url,
                standard: .string(TelegramSettings.publicServer),
                "The Bot API server; another one only if you run your own."
            ),
        ],
        takesRecipients: true,
        canBeSilent: true,
        make: { settings, memo, tools throws(SettingsError) in
            TelegramSink(
                settings: try TelegramSettings(settings),
                moves: ChatMoves(memo),
                http: tools.http,
                log: tools.log
            )
        }
    )
}

/// The checked settings of a Telegram sink.
struct TelegramSettings: Sendable {
    /// Bot API, "Making requests".
    static let publicServer = "https://api.telegram.org"

    var name: String
    var token: Secret
    var chat: TelegramChat
    var topic: Int64?
    var isSilent: Bool
    /// Without a slash at its end.
    var server: String

    init(_ settings: Settings) throws(SettingsError) {
        name = settings.name
        guard let token = settings.secret("token"), Self.isToken(token.reveal()) else {
            throw SettingsError(
                "token",
                "the secret of 'token' is not a bot's token",
                cures: ["BotFather gives out tokens like 123456789:AbCd…; write nothing before or after it"]
            )
        }
        self.token = token
        guard let chat = TelegramChat(settings.text("chat") ?? "") else {
            throw SettingsError(
                "chat",
                "this is not a chat",
                cures: ["write its number, such as -1001234567890, or the \"@name\" of a public group or channel"]
            )
        }
        self.chat = chat
        topic = settings.integer("topic")
        isSilent = settings.flag("silent")
        var server = settings.url("api")?.reveal() ?? Self.publicServer
        while server.hasSuffix("/") { server.removeLast() }
        self.server = server
    }

    /// The bot's id, a colon and a key of URL-safe characters: so that the token stays one piece of the address's path.
    private static func isToken(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, Int64(parts[0]) ?? 0 > 0, !parts[1].isEmpty else { return false }
        return parts[1].utf8.allSatisfy { TelegramChat.isWordByte($0) || $0 == UInt8(ascii: "-") }
    }
}

/// Where a message goes: a chat's number (64 bits, Bot API `Chat.id`), or the `@name` of a public group or channel.
enum TelegramChat: Sendable, Hashable {
    case number(Int64)
    case name(String)

    init?(_ text: String) {
        if let number = Int64(text), number != 0 {
            self = .number(number)
            return
        }
        // 4 to 32 letters, digits and underscores; the first is a letter.
        let name = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "@"), (4...32).contains(name.count), let first = name.first,
            (0x61...0x7A).contains(first | 0x20), name.allSatisfy(Self.isWordByte)
        else { return nil }
        self = .name(text)
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    /// How settings, rules and the outbox write it.
    var text: String {
        switch self {
        case .number(let number): String(number)
        case .name(let name): name
        }
    }

    /// `chat_id` of a request.
    var value: Value {
        switch self {
        case .number(let number): .int(number)
        case .name(let name): .string(name)
        }
    }
}
