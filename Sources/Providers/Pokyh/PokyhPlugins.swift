import BotConfig
public import BotCore
import Values

/// The account and the sources that speak to the POKYH backend.
public enum PokyhPlugins {
    private static let urlSetting = SettingDeclaration(
        "url",
        .url,
        standard: .string(PokyhRoutes.server),
        "the server; https, or http to this machine alone"
    )

    public static let account = AccountPlugin(
        kind: "pokyh",
        "A user of the POKYH app. Its password is sent to POKYH alone, and no WebUntis password ever is.",
        needsSchool: false,
        settings: [
            urlSetting,
            SettingDeclaration("api_key", .secret, required: true, "the key for programs, given out by POKYH"),
            SettingDeclaration("user", .text, required: true, "the user name in POKYH"),
            SettingDeclaration("password", .secret, "its password"),
            SettingDeclaration(
                "login",
                .choice(["password", "server_key"]),
                standard: "password",
                "`server_key` logs in as a WebUntis user without a password; the key it needs opens every account of the server to whoever has it"
            ),
            SettingDeclaration("server_key", .secret, "the server's own key, for `login: server_key` alone"),
            SettingDeclaration(
                "class_id",
                .integer(0...Int64.max),
                standard: 0,
                "for `login: server_key`: the WebUntis id of the class"
            ),
            SettingDeclaration("class_name", .text, standard: "", "for `login: server_key`: the name of that class"),
            SettingDeclaration(
                "role",
                .choice(["student", "parent"]),
                standard: "student",
                "for `login: server_key`: who the user is"
            ),
        ]
    ) { (settings, _, tools) throws(SettingsError) -> any Account in
        guard let key = settings.secret("api_key") else {
            throw SettingsError("api_key", "the account has no 'api_key'")
        }
        return PokyhAccount(
            wire: PokyhWire(http: tools.http, url: url(settings), place: "account '\(settings.name)'"),
            apiKey: key,
            credentials: try credentials(settings, tools)
        )
    }

    private static func url(_ settings: Settings) -> String { settings.url("url")?.reveal() ?? PokyhRoutes.server }

    private static func credentials(_ settings: Settings, _ tools: Tools) throws(SettingsError)
        -> PokyhAccount.Credentials
    {
        let user = settings.text("user") ?? ""
        guard settings.text("login") == "server_key" else {
            guard let password = settings.secret("password") else {
                throw SettingsError("password", "the account has no 'password'")
            }
            if settings.secret("server_key") != nil {
                throw SettingsError(
                    "server_key",
                    "'server_key' is given but not used",
                    cures: ["write 'login: server_key' to use it, or leave it out"]
                )
            }
            return .password(user: user, password: password)
        }
        guard let key = settings.secret("server_key") else {
            throw SettingsError("server_key", "'login: server_key' needs 'server_key'")
        }
        tools.log(
            .warning,
            "account '\(settings.name)' uses the server key of POKYH: whoever reads that key can open every account there without a "
                + "password. A local account with 'password:' does the same without it."
        )
        let body: Value = [
            "username": .string(user), "klasseId": settings["class_id"], "klasseName": settings["class_name"],
            "role": settings["role"],
        ]
        return .serverKey(body: body, key: key)
    }

    /// Below this a bot is a nuisance to any server.
    private static let shortestInterval = TimeSpan.seconds(10)

    public static let mensa = ProviderPlugin(
        name: "pokyh.mensa",
        "The canteen's menu. Needs no account, but for ratings.",
        accountKind: "pokyh",
        accountIsOptional: true,
        interval: .hours(6),
        shortestInterval: shortestInterval,
        settings: [
            urlSetting,
            SettingDeclaration(
                "look_ahead",
                .duration,
                standard: .duration(.days(21)),
                "how many days ahead, at most 120"
            ),
            SettingDeclaration(
                "ratings",
                .flag,
                standard: false,
                "whether to ask for the stars of each dish; needs an account"
            ),
        ],
        schema: { _ in MensaSchema.schema }
    ) { (settings, account, tools) throws(SettingsError) -> any Provider in
        let account = account as? PokyhAccount
        if settings.flag("ratings"), account == nil {
            throw SettingsError("ratings", "'ratings' needs an account of kind pokyh")
        }
        let days = (settings.duration("look_ahead") ?? .days(21)).seconds / 86_400
        guard (0...120).contains(days) else {
            throw SettingsError("look_ahead", "'look_ahead' must be between 0d and 120d")
        }
        return MensaProvider(
            wire: account?.wire ?? PokyhWire(http: tools.http, url: url(settings), place: "source '\(settings.name)'"),
            account: settings.flag("ratings") ? account : nil,
            lookAhead: Int(days)
        )
    }

    private static let studentSetting = SettingDeclaration(
        "student",
        .text,
        "the name that families and rules use for this user; else the user name"
    )

    public static let reminders = personal("reminders", "The reminders of the user's class.", RemindersProvider.schema)
    {
        RemindersProvider(account: $0, student: $1)
    }

    public static let todos = personal("todos", "The user's own to-dos.", TodosProvider.schema) {
        TodosProvider(account: $0, student: $1)
    }

    private static func personal(
        _ name: String,
        _ documentation: String,
        _ schema: SourceSchema,
        make: @escaping @Sendable (PokyhAccount, String?) -> any Provider
    ) -> ProviderPlugin {
        ProviderPlugin(
            name: "pokyh.\(name)",
            documentation,
            accountKind: "pokyh",
            interval: .minutes(15),
            shortestInterval: shortestInterval,
            settings: [studentSetting],
            schema: { _ in schema }
        ) { (settings, account, _) throws(SettingsError) -> any Provider in
            guard let account = account as? PokyhAccount else {
                throw SettingsError("account", "'pokyh.\(name)' needs an account of kind pokyh")
            }
            return make(account, settings.text("student"))
        }
    }

    /// All sources, in the order of the reference.
    public static let sources = [mensa, reminders, todos]
}
