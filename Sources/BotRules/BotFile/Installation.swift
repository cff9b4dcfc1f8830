public import BotCore
public import Values

/// What the bot file says, checked: everything an installation is made of but its rules.
public struct Installation: Sendable {
    /// The bot's own zone and language: for whatever has none of its own.
    public var zone: Zone
    public var locale: String
    /// The folder of the memory, as written; relative to the bot file.
    public var statePath: String
    /// Files and folders of rules, as written; relative to the bot file.
    public var rulePaths: [String]
    public var schools: [School]
    public var accounts: [AccountEntry]
    public var sources: [SourceEntry]
    public var families: [Family]
    public var sinks: [SinkEntry]
    /// Politeness by host name; `*` for all others.
    public var hosts: [String: HostEntry]
    /// The sinks that hear of the bot's own troubles.
    public var admin: [String]
    /// A file of certificates to trust besides the system's, for a school with an authority of its own; as written.
    public var caFile: String?

    public init(
        zone: Zone,
        locale: String = "de",
        statePath: String = "./state",
        rulePaths: [String] = [],
        schools: [School] = [],
        accounts: [AccountEntry] = [],
        sources: [SourceEntry] = [],
        families: [Family] = [],
        sinks: [SinkEntry] = [],
        hosts: [String: HostEntry] = [:],
        admin: [String] = [],
        caFile: String? = nil
    ) {
        self.zone = zone
        self.locale = locale
        self.statePath = statePath
        self.rulePaths = rulePaths
        self.schools = schools
        self.accounts = accounts
        self.sources = sources
        self.families = families
        self.sinks = sinks
        self.hosts = hosts
        self.admin = admin
        self.caFile = caFile
    }

    /// The source of a name; nil where there is none.
    public func source(_ name: String) -> SourceEntry? { sources.first { $0.name == name } }
    /// The sink of a name; nil where there is none.
    public func sink(_ name: String) -> SinkEntry? { sinks.first { $0.name == name } }

    /// The families that any of these students is of, in the order of the bot file.
    func families(of students: [Student]) -> [Family] {
        families.filter { family in students.contains { family.includes($0) } }
    }
}

/// An account of the bot file.
public struct AccountEntry: Sendable {
    public var name: String
    public var plugin: AccountPlugin
    public var settings: Settings
    public var school: School?

    public init(name: String, plugin: AccountPlugin, settings: Settings, school: School? = nil) {
        self.name = name
        self.plugin = plugin
        self.settings = settings
        self.school = school
    }
}

/// A source of the bot file.
public struct SourceEntry: Sendable {
    public var name: String
    public var plugin: ProviderPlugin
    /// The plugin's own settings; `student` among them where the file names one.
    public var settings: Settings
    public var schema: SourceSchema
    /// The name of its account; nil where it needs none.
    public var account: String?
    public var school: School?
    /// The school's zone, else the bot's.
    public var zone: Zone
    /// How often it is polled, and otherwise from one time of day to another (the second excluded).
    public var interval: TimeSpan
    public var intervals: [(from: WallTime, to: WallTime, interval: TimeSpan)]
    /// False after `enabled: false`: rules may name it, and it is not polled.
    public var isEnabled: Bool

    public init(
        name: String,
        plugin: ProviderPlugin,
        settings: Settings,
        schema: SourceSchema,
        account: String? = nil,
        school: School? = nil,
        zone: Zone,
        interval: TimeSpan,
        intervals: [(from: WallTime, to: WallTime, interval: TimeSpan)] = [],
        isEnabled: Bool = true
    ) {
        self.name = name
        self.plugin = plugin
        self.settings = settings
        self.schema = schema
        self.account = account
        self.school = school
        self.zone = zone
        self.interval = interval
        self.intervals = intervals
        self.isEnabled = isEnabled
    }
}

/// A sink of the bot file.
public struct SinkEntry: Sendable {
    public var name: String
    public var plugin: SinkPlugin
    public var settings: Settings
    /// How many deliveries may be on their way at once.
    public var parallel: Int
    /// What becomes of a delivery of which nobody knows whether it arrived: `resend`, `hold`, `drop`.
    public var uncertain: String
    /// The language of what it tells; nil for the bot's.
    public var locale: String?

    public init(
        name: String,
        plugin: SinkPlugin,
        settings: Settings,
        parallel: Int = 1,
        uncertain: String = "resend",
        locale: String? = nil
    ) {
        self.name = name
        self.plugin = plugin
        self.settings = settings
        self.parallel = parallel
        self.uncertain = uncertain
        self.locale = locale
    }
}

/// The people around one or several students.
public struct Family: Sendable, Hashable {
    public var name: String
    /// Names or ids of students.
    public var students: [String]
    /// Names of sinks.
    public var sinks: [String]
    public var locale: String?

    public init(name: String, students: [String], sinks: [String], locale: String? = nil) {
        self.name = name
        self.students = students
        self.sinks = sinks
        self.locale = locale
    }

    /// Whether a student is of this family, by name or by id.
    public func includes(_ student: Student) -> Bool {
        students.contains { $0 == student.name || $0 == student.id } && !(student.id.isEmpty && student.name.isEmpty)
    }
}

/// How polite to be to a host.
public struct HostEntry: Sendable, Hashable {
    /// Connections at once.
    public var connections: Int
    /// The least time between the starts of two requests.
    public var gap: TimeSpan

    /// 2 connections, 0.2 s: what a person with two browser windows does.
    public init(connections: Int = 2, gap: TimeSpan = .milliseconds(200)) {
        self.connections = connections
        self.gap = gap
    }
}
