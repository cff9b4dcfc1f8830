public import BotCore
import Values

/// The plugin's entry in the list of sinks.
public enum EmailPlugin {
    public static let sink = SinkPlugin(
        kind: "email",
        "Sends each message as a mail of its own to each recipient: text and HTML, through a mail server of yours.",
        settings: [
            SettingDeclaration(
                "smtp",
                .text,
                required: true,
                "The mail server: smtps://mail.example.org (TLS, port 465) or smtp://mail.example.org (STARTTLS, port 587)."
            ),
            SettingDeclaration(
                "tls",
                .choice(["required", "off"]),
                standard: "required",
                "Whether the connection must be encrypted; off is allowed for loopback addresses alone."
            ),
            SettingDeclaration("user", .text, "The user name at the mail server, if it asks for one."),
            SettingDeclaration("password", .secret, "That user's password."),
            SettingDeclaration("from", .mailAddress, required: true, "The sender: a mailbox that somebody reads."),
            SettingDeclaration("from_name", .text, standard: "POKYH Bot", "The name shown beside the sender."),
            SettingDeclaration(
                "to",
                .list(.mailAddress),
                required: true,
                "Whom to send to; each gets a mail of their own."
            ),
            SettingDeclaration("reply_to", .mailAddress, "Where answers go, if not to the sender."),
            SettingDeclaration(
                "hello",
                .text,
                "The name the bot gives at the mail server; the sender's domain unless set. Keep it constant."
            ),
        ],
        takesRecipients: true,
        // The mail transport waits up to 15 minutes for one mail (RFC 5321 section 4.5.3.2.6 asks for ten after its end): who breaks it
        // off before sends it twice.
        patience: .minutes(16),
        make: { settings, _, tools throws(SettingsError) in
            let settings = try EmailSettings(settings)
            if !settings.from.domain.contains(".") {
                let name = "sink '\(settings.name)'"
                tools.log(
                    .warning,
                    "\(name): the domain in 'from' is known on this machine alone; most mail servers refuse it."
                )
            }
            return EmailSink(settings: settings, mail: tools.mail)
        }
    )
}

/// The checked settings of a mail sink.
struct EmailSettings: Sendable {
    var name: String
    var server: MailServer
    var from: MailAddress
    var fromName: String
    var to: [String]
    var replyTo: String?

    init(_ settings: Settings) throws(SettingsError) {
        name = settings.name
        guard let from = settings.text("from").flatMap({ MailAddress($0) }) else {
            throw SettingsError("from", "'from' is no mail address")
        }
        self.from = from
        fromName = settings.text("from_name") ?? ""
        to = settings.texts("to")
        replyTo = settings.text("reply_to")
        server = try Self.server(settings, helloName: settings.text("hello") ?? from.domain)
    }

    private static func server(_ settings: Settings, helloName: String) throws(SettingsError) -> MailServer {
        let text = settings.text("smtp") ?? ""
        let parts = text.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard text.hasPrefix("smtps://") || text.hasPrefix("smtp://"), parts.count == 2 else {
            throw SettingsError(
                "smtp",
                "'\(text)' is not the address of a mail server",
                cures: [
                    "write smtps://mail.example.org or smtp://mail.example.org:587; user and password have keys of their own"
                ]
            )
        }
        let isTLS = parts[0] == "smtps:"
        let (host, port) = try hostAndPort(parts[1], standard: isTLS ? 465 : 587)
        let isOff = settings.text("tls") == "off"
        if isOff, isTLS { throw SettingsError("tls", "'tls: off' and smtps:// contradict each other") }
        if isOff, !LoopbackName.matches(host) {
            throw SettingsError(
                "tls",
                "'tls: off' is allowed for loopback addresses alone; \(host) is another machine",
                cures: ["leave the key out: passwords and marks must not travel in the clear"]
            )
        }
        if (settings.text("user") == nil) != (settings.secret("password") == nil) {
            throw SettingsError("user", "'user' and 'password' belong together; one of them is missing")
        }
        return MailServer(
            host: host,
            port: port,
            security: isTLS ? .tls : (isOff ? .none : .startTLS),
            helloName: helloName,
            user: settings.text("user"),
            password: settings.secret("password")
        )
    }

    private static func hostAndPort(_ text: String, standard: Int) throws(SettingsError) -> (String, Int) {
        let wrong = SettingsError(
            "smtp",
            "'\(text)' is not a host name with an optional port",
            cures: ["write smtp://mail.example.org:587"]
        )
        var host = text
        var port = standard
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = String(text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            if !rest.isEmpty {
                guard rest.hasPrefix(":"), let number = Int(rest.dropFirst()) else { throw wrong }
                port = number
            }
        } else if let colon = text.lastIndex(of: ":") {
            host = String(text[..<colon])
            guard let number = Int(text[text.index(after: colon)...]) else { throw wrong }
            port = number
        }
        let isClean = host.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0123456789.-:".unicodeScalars.contains($0)
        }
        guard !host.isEmpty, isClean, (1...65_535).contains(port) else { throw wrong }
        return (host, port)
    }
}
