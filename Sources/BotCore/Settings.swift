public import Values

/// What a plugin may be told in the bot file, declared once for the reader, the JSON Schema and the reference.
public struct SettingDeclaration: Sendable, Hashable {
    /// What a value may be.
    public indirect enum Kind: Sendable, Hashable {
        case text
        case flag
        case integer(ClosedRange<Int64>)
        case number
        /// `48h`, `15m`, `0.2s`, `14d`.
        case duration
        case choice([String])
        /// `{secret: NAME}`; the reader looks it up, the plugin gets a `Secret`.
        case secret
        /// An `https` address; `http` only for loopback. Given as text or as `{secret: NAME}` (webhook addresses are secrets).
        case url
        /// One `name@host` address, checked.
        case mailAddress
        /// One or several; a single one may stand without brackets.
        case list(Kind)
        case map(Kind)
        /// Whatever the file says, as texts, lists and maps.
        case any
    }

    public var key: String
    public var kind: Kind
    public var isRequired: Bool
    /// What stands where the file says nothing; nil for nothing.
    public var standard: Value?
    /// One line for hover and reference.
    public var documentation: String

    public init(
        _ key: String,
        _ kind: Kind,
        required isRequired: Bool = false,
        standard: Value? = nil,
        _ documentation: String
    ) {
        self.key = key
        self.kind = kind
        self.isRequired = isRequired
        self.standard = standard
        self.documentation = documentation
    }
}

/// The checked settings of one source, account or sink: everything its declaration names, standards filled in.
///
/// Durations are `.duration`, flags `.bool`, lists `.list` also where the file named a single one; unknown keys have been refused.
public struct Settings: Sendable {
    /// The name it has in the bot file: `anna-grades`.
    public let name: String
    public let values: ValueMap
    private let secrets: [String: Secret]

    public init(name: String, values: ValueMap, secrets: [String: Secret] = [:]) {
        self.name = name
        self.values = values
        self.secrets = secrets
    }

    public subscript(key: String) -> Value { values[key] ?? .null }

    /// The text of a key; nil where it is not given.
    public func text(_ key: String) -> String? { self[key].string }
    /// The texts of a list; none where it is not given.
    public func texts(_ key: String) -> [String] { self[key].list?.compactMap(\.string) ?? [] }
    /// Whether a key is true; false where it is not given.
    public func flag(_ key: String) -> Bool { self[key].bool ?? false }
    /// The whole number of a key; nil where it is not given.
    public func integer(_ key: String) -> Int64? { self[key].integer }
    /// The span of a key; nil where it is not given.
    public func duration(_ key: String) -> TimeSpan? {
        if case .duration(let span) = self[key] { return span }
        return nil
    }
    /// A secret, or an address that was given as one. Secret list or map members are under `key.member`.
    public func secret(_ key: String) -> Secret? { secrets[key] }
    /// An address, whether it was given as text or as a secret.
    public func url(_ key: String) -> Secret? { secrets[key] ?? text(key).map { Secret($0) } }
}

/// A setting that passed its declaration and still cannot be used. The reader adds file, line and column of the key.
public struct SettingsError: Error, Sendable, Hashable {
    /// The key it is about; nil for the whole entry.
    public var key: String?
    public var message: String
    public var cures: [String]
    /// Whether the key stands in the account's entry of `schools:`, not in the account.
    public var isOfSchool = false

    public init(_ key: String?, _ message: String, cures: [String] = []) {
        self.key = key
        self.message = message
        self.cures = cures
    }

    /// What is wrong with a key of the school that an account belongs to.
    public init(school key: String, _ message: String, cures: [String] = []) {
        self.init(key, message, cures: cures)
        isOfSchool = true
    }
}

extension Settings {
    /// All that a far end may refuse these settings for: their secrets and all that the file says besides, in a fixed order. When one of
    /// them changes, what rests is tried again.
    public var credentials: [Secret] {
        let given = values.pairs.filter { !$0.value.isNull }
        let texts = given.map { ($0.key.plainText, Secret($0.value.canonical.plainText)) }
        return (texts + secrets.map { ($0.key, $0.value) }).sorted { $0.0 < $1.0 }.map(\.1)
    }
}
