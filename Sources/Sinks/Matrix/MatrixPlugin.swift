public import BotCore
import Values

/// The plugin's entry in the list of sinks.
public enum MatrixPlugin {
    public static let sink = SinkPlugin(
        kind: "matrix",
        "Sends each message to a room of Matrix. Rooms with end-to-end encryption are refused.",
        settings: [
            SettingDeclaration(
                "homeserver",
                .url,
                required: true,
                "The server of the bot's user: https://matrix.example.org."
            ),
            SettingDeclaration(
                "room",
                .text,
                required: true,
                "Where to send: a room's alias, \"#3a:example.org\", or its id, \"!…\"."
            ),
            SettingDeclaration("token", .secret, "An access token of the bot's user; or give 'user' and 'password'."),
            SettingDeclaration("user", .text, "The bot's user: 'bot', or '@bot:example.org'."),
            SettingDeclaration(
                "password",
                .secret,
                "That user's password. The bot logs in with it once each time it starts."
            ),
            SettingDeclaration(
                "message_type",
                .choice(["text", "notice"]),
                standard: "text",
                "notice is meant for bots, and phones do not ring for it; text makes them ring."
            ),
        ],
        canBeSilent: true,
        // By the transaction id, which belongs to the device that sends: the token's, or one whose id stays the same (Client-Server API,
        // "Transaction identifiers"). Measured with Synapse: also after its restart and after a new login.
        recognisesRepeats: { _ in true },
        make: { settings, memo, tools throws(SettingsError) in
            let checked = try MatrixSettings(settings)
            return MatrixSink(settings: checked, client: MatrixClient(checked, memo: memo, http: tools.http))
        }
    )
}

/// The checked settings of a Matrix sink.
struct MatrixSettings: Sendable {
    /// How the bot gets its access token.
    enum Credentials: Sendable {
        case token(Secret)
        case password(user: String, password: Secret)
    }

    var name: String
    /// Without a slash at its end.
    var homeserver: String
    /// An alias with its `#`, or an id with its `!`.
    var room: String
    var credentials: Credentials
    var isNotice: Bool

    init(_ settings: Settings) throws(SettingsError) {
        name = settings.name
        guard var homeserver = settings.url("homeserver")?.reveal() else {
            throw SettingsError("homeserver", "'homeserver' is missing")
        }
        while homeserver.hasSuffix("/") { homeserver.removeLast() }
        self.homeserver = homeserver
        room = settings.text("room") ?? ""
        guard Self.isRoom(room) else {
            throw SettingsError(
                "room",
                "this is neither a room's alias nor its id",
                cures: ["write \"#name:server\", or the id from the room's settings, which begins with '!'"]
            )
        }
        credentials = try Self.credentials(settings)
        isNotice = settings.text("message_type") == "notice"
    }

    /// 255 bytes at most (Matrix specification, appendix "Room IDs", "Room aliases"). Ids need no domain: from room version 12 on they have none.
    private static func isRoom(_ text: String) -> Bool {
        let isClean = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        guard isClean, (2...255).contains(text.utf8.count) else { return false }
        if text.hasPrefix("!") { return true }
        let parts = text.dropFirst().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return text.hasPrefix("#") && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    }

    private static func credentials(_ settings: Settings) throws(SettingsError) -> Credentials {
        let (user, password) = (settings.text("user"), settings.secret("password"))
        if let token = settings.secret("token") {
            guard user == nil, password == nil else {
                throw SettingsError("token", "'token' and a login contradict each other", cures: ["keep one of them"])
            }
            return .token(token)
        }
        guard let user, !user.isEmpty, let password else {
            throw SettingsError(
                user == nil ? nil : "user",
                "the bot cannot log in",
                cures: ["give 'token', or 'user' and 'password'"]
            )
        }
        return .password(user: user, password: password)
    }
}
