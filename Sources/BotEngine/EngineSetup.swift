public import BotCore
public import Values

/// A source of the bot file, ready to be polled.
public struct SourceSetup: Sendable {
    /// Its name in the bot file.
    public var name: String
    public var provider: any Provider
    public var schema: SourceSchema
    /// The name of its account; empty where it needs none.
    public var account: String
    /// What its records' world keys are unique in: the school. Sources of one school share what they see of the world; empty: none do.
    public var world: String
    /// The school's zone, else the bot's.
    public var zone: Zone
    public var interval: PollInterval
    /// The longest a fetch may take before it is given up as failed. The transport's own limits are shorter.
    public var timeout: TimeSpan
    /// What the far end may refuse a source for that has no account: its own token. When it changes, a resting source is tried again.
    public var credentials: [Secret]

    public init(
        name: String,
        provider: any Provider,
        schema: SourceSchema,
        account: String = "",
        world: String = "",
        zone: Zone,
        interval: PollInterval,
        timeout: TimeSpan = .minutes(3),
        credentials: [Secret] = []
    ) {
        self.name = name
        self.provider = provider
        self.schema = schema
        self.account = account
        self.world = world
        self.zone = zone
        self.interval = interval
        self.timeout = timeout
        self.credentials = credentials
    }
}

/// What becomes of a payload that may or may not have arrived.
public enum UncertainPolicy: String, Sendable, Hashable, CaseIterable {
    /// Rather twice than never: sent again, marked as a possible repeat.
    case resend
    /// Left to a person.
    case hold
    /// Rather never than twice.
    case drop
}

/// A sink of the bot file, ready to deliver.
public struct SinkSetup: Sendable {
    public var name: String
    public var sink: any Sink
    /// How many payloads may be on their way at once.
    public var parallel: Int
    public var uncertain: UncertainPolicy
    /// Whether the far end recognises a repeat by its id: then a repeat is sent whatever `uncertain` says, and not marked.
    public var recognisesRepeats: Bool
    /// The longest one delivery may take before it is broken off. What it does not say of itself then is uncertain.
    public var timeout: TimeSpan
    /// All that the far end may refuse it for. When it changes, a resting sink is tried again.
    public var credentials: [Secret]

    public init(
        name: String,
        sink: any Sink,
        parallel: Int = 1,
        uncertain: UncertainPolicy = .resend,
        recognisesRepeats: Bool = false,
        timeout: TimeSpan = .minutes(2),
        credentials: [Secret] = []
    ) {
        self.name = name
        self.sink = sink
        self.parallel = max(1, parallel)
        self.uncertain = uncertain
        self.recognisesRepeats = recognisesRepeats
        self.timeout = timeout
        self.credentials = credentials
    }
}

/// An account of the bot file.
public struct AccountSetup: Sendable {
    public var name: String
    public var account: any Account
    /// User, password, app secret, server: all that a login is made of. When it changes, a resting account is tried again.
    public var credentials: [Secret]

    public init(name: String, account: any Account, credentials: [Secret]) {
        self.name = name
        self.account = account
        self.credentials = credentials
    }
}

/// A rule that does not run as it is written.
public struct InactiveRule: Sendable, Hashable {
    /// Its id, or where it is if the id cannot be read.
    public var id: String
    /// What is wrong and how to mend it, free of secrets: told to the admin.
    public var reason: String
    /// Whether its last version without errors goes on.
    public var isKept: Bool

    public init(id: String, reason: String, isKept: Bool = false) {
        self.id = id
        self.reason = reason
        self.isKept = isKept
    }
}

/// All that an engine works with.
public struct EngineSetup: Sendable {
    public var sources: [SourceSetup]
    public var sinks: [SinkSetup]
    public var accounts: [AccountSetup]
    public var rules: any Rules
    /// Rules of the files that have errors; each is told of once.
    public var inactiveRules: [InactiveRule]
    /// How many sources are asked at once. A source that hangs holds one place until its time-out.
    public var parallelPolls: Int
    /// The gap between the first polls of sources that are due at the start; all start within a minute.
    public var startGap: TimeSpan
    /// How long events and settled deliveries are kept, and what is known of sources and sinks that have been taken out of the files.
    public var retention: TimeSpan

    public init(
        sources: [SourceSetup],
        sinks: [SinkSetup],
        accounts: [AccountSetup] = [],
        rules: any Rules,
        inactiveRules: [InactiveRule] = [],
        parallelPolls: Int = 16,
        startGap: TimeSpan = .milliseconds(250),
        retention: TimeSpan = .days(30)
    ) {
        self.sources = sources
        self.sinks = sinks
        self.accounts = accounts
        self.rules = rules
        self.inactiveRules = inactiveRules
        self.parallelPolls = max(1, parallelPolls)
        self.startGap = startGap
        self.retention = retention
    }
}
