public import Values

/// What a plugin gets from the house; nothing else is reachable from one.
public struct Tools: Sendable {
    public var http: any HTTPClient
    public var mail: any MailTransport
    public var log: Log
    /// Writes to standard output, whole lines; false where not all of it was taken: a closed pipe, a full disk.
    public var print: @Sendable (String) -> Bool
    /// Whether standard output is a terminal that shows colours.
    public var hasColours: Bool

    public init(
        http: any HTTPClient,
        mail: any MailTransport,
        log: Log,
        print: @escaping @Sendable (String) -> Bool,
        hasColours: Bool
    ) {
        self.http = http
        self.mail = mail
        self.log = log
        self.print = print
        self.hasColours = hasColours
    }
}

/// A school of the bot file.
public struct School: Sendable, Hashable {
    /// Its name in the bot file.
    public var name: String
    /// Host, or host and port for loopback; with the scheme in front where it is not https.
    public var server: String
    /// The school's login name, decoded.
    public var school: String
    public var zone: Zone
    public var gradeScale: GradeScale

    public init(name: String, server: String, school: String, zone: Zone, gradeScale: GradeScale = .italian) {
        self.name = name
        self.server = server
        self.school = school
        self.zone = zone
        self.gradeScale = gradeScale
    }
}

/// How a school marks. The higher mark is the better one where `best` is above `worst`.
public struct GradeScale: Sendable, Hashable {
    public var worst: Double
    public var best: Double
    public var pass: Double

    public init(worst: Double, best: Double, pass: Double) {
        self.worst = worst
        self.best = best
        self.pass = pass
    }

    /// 1 to 10, 6 passes: the scale of the school the app was made for (`protocols/pokyh.md` section 3.6).
    public static let italian = GradeScale(worst: 1, best: 10, pass: 6)

    /// Whether a mark is at least the one that passes, whichever way marks get better.
    public func passes(_ mark: Double) -> Bool { best >= worst ? mark >= pass : mark <= pass }
}

/// A kind of account: how to log in somewhere.
public struct AccountPlugin: Sendable {
    /// `webuntis`.
    public var kind: String
    public var documentation: String
    /// Whether an account of this kind belongs to a school (`school:` is then required).
    public var needsSchool: Bool
    public var settings: [SettingDeclaration]
    public var make: @Sendable (Settings, School?, Tools) throws(SettingsError) -> any Account

    public init(
        kind: String,
        _ documentation: String,
        needsSchool: Bool,
        settings: [SettingDeclaration],
        make: @escaping @Sendable (Settings, School?, Tools) throws(SettingsError) -> any Account
    ) {
        self.kind = kind
        self.documentation = documentation
        self.needsSchool = needsSchool
        self.settings = settings
        self.make = make
    }
}

/// A kind of source: what to poll.
public struct ProviderPlugin: Sendable {
    /// `webuntis.timetable`.
    public var name: String
    public var documentation: String
    /// The kind of account it needs; nil if none.
    public var accountKind: String?
    /// Whether it can do without the account it names above.
    public var accountIsOptional: Bool
    /// How often it is polled unless the bot file says otherwise, and the shortest interval that is allowed.
    public var interval: TimeSpan
    public var shortestInterval: TimeSpan
    /// Polled more often than this, the far end may block the account: that is warned of. Nil where no such limit is known.
    public var bearableInterval: TimeSpan?
    public var settings: [SettingDeclaration]
    /// The schema of a source with these settings (a JSON source's fields depend on them).
    public var schema: @Sendable (Settings) -> SourceSchema
    public var make: @Sendable (Settings, (any Account)?, Tools) throws(SettingsError) -> any Provider

    public init(
        name: String,
        _ documentation: String,
        accountKind: String? = nil,
        accountIsOptional: Bool = false,
        interval: TimeSpan,
        shortestInterval: TimeSpan = .minutes(1),
        bearableInterval: TimeSpan? = nil,
        settings: [SettingDeclaration],
        schema: @escaping @Sendable (Settings) -> SourceSchema,
        make: @escaping @Sendable (Settings, (any Account)?, Tools) throws(SettingsError) -> any Provider
    ) {
        self.name = name
        self.documentation = documentation
        self.accountKind = accountKind
        self.accountIsOptional = accountIsOptional
        self.interval = interval
        self.shortestInterval = shortestInterval
        self.bearableInterval = bearableInterval
        self.settings = settings
        self.schema = schema
        self.make = make
    }
}

/// A kind of sink: where to send.
public struct SinkPlugin: Sendable {
    /// `email`.
    public var kind: String
    public var documentation: String
    public var settings: [SettingDeclaration]
    /// Whether a rule may name recipients of its own (`send: [{sink, to}]`).
    public var takesRecipients: Bool
    /// Whether it can deliver without a sound (`quiet: {then: silent}`).
    public var canBeSilent: Bool
    /// Whether the far end of a sink with these settings recognises a repeat by the delivery id.
    public var recognisesRepeats: @Sendable (Settings) -> Bool
    /// The longest one delivery may take: more than the transport's own limits. Then it is broken off, and what it says itself of that
    /// decides; one that says nothing may have arrived.
    public var patience: TimeSpan
    /// - Parameters: settings; what `Receipt.sinkMemo` last asked to remember (`.null` at first); tools.
    public var make: @Sendable (Settings, Value, Tools) throws(SettingsError) -> any Sink

    public init(
        kind: String,
        _ documentation: String,
        settings: [SettingDeclaration],
        takesRecipients: Bool = false,
        canBeSilent: Bool = false,
        recognisesRepeats: @escaping @Sendable (Settings) -> Bool = { _ in false },
        patience: TimeSpan = .minutes(2),
        make: @escaping @Sendable (Settings, Value, Tools) throws(SettingsError) -> any Sink
    ) {
        self.kind = kind
        self.documentation = documentation
        self.settings = settings
        self.takesRecipients = takesRecipients
        self.canBeSilent = canBeSilent
        self.recognisesRepeats = recognisesRepeats
        self.patience = patience
        self.make = make
    }
}

/// The plugins of a build, in the order in which they are listed to people.
public struct PluginCatalogue: Sendable {
    public var accounts: [AccountPlugin]
    public var providers: [ProviderPlugin]
    public var sinks: [SinkPlugin]

    /// - Precondition: kinds and names are unique; `BotPlugins` has a test for the built-in list.
    public init(accounts: [AccountPlugin], providers: [ProviderPlugin], sinks: [SinkPlugin]) {
        self.accounts = accounts
        self.providers = providers
        self.sinks = sinks
    }
}
