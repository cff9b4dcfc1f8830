public import BotCore
import Values

/// The plugin's entry in the list of sinks.
public enum WebhookPlugin {
    public static let sink = SinkPlugin(
        kind: "webhook",
        "Posts each message to an address: as a CloudEvent for programs, or in the form that a chat takes.",
        settings: [
            SettingDeclaration(
                "url",
                .url,
                required: true,
                "Where to post. Addresses of chats are secrets: write {secret: NAME}."
            ),
            SettingDeclaration(
                "flavour",
                .choice(WebhookFlavour.allCases.map(\.rawValue)),
                standard: .string(WebhookFlavour.json.rawValue),
                "What the far end understands: json is a CloudEvent 1.0, the others are chats; ntfy's address ends with the topic."
            ),
            SettingDeclaration(
                "username",
                .text,
                "The name under which the message appears, where the chat allows one."
            ),
            SettingDeclaration(
                "signing_key",
                .secret,
                "For json: signs each request as Standard Webhooks 1.0 says; base64 of 24 to 64 bytes, whsec_ in front or not."
            ),
            SettingDeclaration("headers", .map(.text), "Further header fields of each request, such as a tenant."),
            SettingDeclaration(
                "authorization",
                .secret,
                "The value of the Authorization header, if the far end asks for one: 'Bearer …'."
            ),
        ],
        // The `id` of a CloudEvent and `webhook-id` are there for that; chats have nothing like them.
        recognisesRepeats: { settings in WebhookFlavour(settings) == .json },
        make: { settings, _, tools throws(SettingsError) in
            WebhookSink(settings: try WebhookSettings(settings), http: tools.http)
        }
    )
}

/// The checked settings of a webhook.
struct WebhookSettings: Sendable {
    var name: String
    var url: Secret
    var flavour: WebhookFlavour
    var username: String?
    var signature: WebhookSignature?
    var headers: [(name: String, value: String)]
    var authorization: Secret?

    init(_ settings: Settings) throws(SettingsError) {
        name = settings.name
        guard let url = settings.url("url") else { throw SettingsError("url", "'url' is missing") }
        self.url = url
        flavour = WebhookFlavour(settings)
        username = settings.text("username")
        headers = []
        for pair in settings["headers"].map ?? [:] {
            headers.append(try Self.header(pair.key.plainText, pair.value.plainText))
        }
        authorization = settings.secret("authorization")
        if let key = settings.secret("signing_key") {
            guard flavour == .json else {
                throw SettingsError("signing_key", "only 'flavour: json' is signed; a chat would not look at it")
            }
            guard let signature = WebhookSignature(secret: key) else {
                throw SettingsError(
                    "signing_key",
                    "the secret of 'signing_key' is not base64 of 24 to 64 bytes",
                    cures: ["make one with: openssl rand -base64 32"]
                )
            }
            self.signature = signature
        }
    }

    /// Fields that the sink or the transport writes itself.
    private static let ownHeaders: Set<String> = [
        "content-type", "content-length", "host", "authorization", "webhook-id", "webhook-timestamp",
        "webhook-signature",
    ]

    private static func header(_ name: String, _ value: String) throws(SettingsError) -> (name: String, value: String) {
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
        // RFC 9110 section 5.5: what is not ASCII is read differently from server to server.
        guard isToken, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw SettingsError(
                "headers",
                "'\(name)' is not a header field: names are letters, digits and dashes, values one line of ASCII"
            )
        }
        guard !ownHeaders.contains(name.lowercased()) else {
            throw SettingsError(
                "headers",
                "'\(name)' is written by the bot itself",
                cures: name.lowercased() == "authorization" ? ["use the key 'authorization' with a secret"] : []
            )
        }
        return (name, value)
    }
}
