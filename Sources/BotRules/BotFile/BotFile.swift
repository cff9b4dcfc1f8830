public import BotCore
import StrictYAML
import Values

/// The bot file as it was read: what it says if nothing is wrong with it, and everything that is.
public struct BotFile: Sendable {
    /// Nil if there is an error; then the bot does not start.
    public let installation: Installation?
    /// What the file says as far as it can be read; nil where it cannot be read at all.
    public let draft: Draft?
    public private(set) var complaints: FileComplaints
    /// Secrets that stand in the file itself, where they should not; to be masked wherever its lines are shown.
    public let exposedSecrets: [Secret]
    private let root: YAMLNode?

    /// An installation whose file has errors: enough to say what is wrong with the rest.
    public struct Draft: Sendable {
        /// With all entries, so that rules may name them; those with errors have what could be read of them.
        public var installation: Installation
        /// With the entries alone that nothing is wrong with so far: their plugins can be asked.
        public var sound: Installation
    }

    /// Reads a bot file.
    ///
    /// - Parameters:
    ///   - catalogue: the plugins of this build; they declare what their settings are.
    ///   - lookUpSecret: finds a secret by its name; asked for every secret that the file names.
    public static func read(
        _ file: SourceFile,
        catalogue: PluginCatalogue,
        lookUpSecret: @escaping @Sendable (String) -> SecretAnswer
    ) -> BotFile {
        let document = YAMLDocument.read(bytes: file.bytes, file: file.path)
        var reader = BotFileReader(catalogue: catalogue, lookUpSecret: lookUpSecret)
        let installation = document.root.flatMap { reader.read($0) }
        let all = document.complaints + reader.complaints
        let isUsable = !all.contains { $0.severity == .error }
        return BotFile(
            installation: isUsable ? installation : nil,
            draft: installation.map { Draft(installation: $0, sound: isUsable ? $0 : reader.sound($0)) },
            complaints: FileComplaints(source: document.source, complaints: all),
            exposedSecrets: reader.settings.exposed,
            root: document.root
        )
    }

    /// Adds what a plugin says against its settings, at the key it is about.
    ///
    /// - Parameter section: `accounts`, `sources` or `sinks`.
    public mutating func complain(of error: SettingsError, in section: String, entry: String) {
        let pair = root?.pairs.first { $0.name == section }?.value.pairs.first { $0.name == entry }
        let key = error.key.flatMap { key in pair?.value.pairs.first { $0.name == key } }
        let span = key?.value.span ?? pair?.key.span ?? 0..<0
        complaints.complaints.append(Complaint(at: span, error.message, cures: error.cures))
    }
}

/// Reads the sections of a bot file in the order in which they lean on each other.
struct BotFileReader {
    let catalogue: PluginCatalogue
    /// What can stand under `provider:`.
    let providerNames: [String]
    var settings: SettingsReader
    var complaints: [Complaint] = []
    /// The names of the entries of each section, usable or not: who refers to a broken entry is not to blame.
    private var names: [String: [String]] = [:]
    /// `sinks/mail-rossi`: entries that something is wrong with.
    private var broken: Set<String> = []

    init(catalogue: PluginCatalogue, lookUpSecret: @escaping @Sendable (String) -> SecretAnswer) {
        self.catalogue = catalogue
        providerNames = catalogue.providers.map(\.name)
        settings = SettingsReader(lookUpSecret: lookUpSecret)
    }

    private static let keys = [
        "version", "timezone", "locale", "state", "rules", "schools", "accounts", "sources", "families", "sinks",
        "hosts",
        "admin", "ca_file",
    ]

    mutating func read(_ root: YAMLNode) -> Installation? {
        guard let pairs = root.asMapping(known: Self.keys, &complaints) else { return nil }
        let sections = Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        readVersion(sections["version"], root)
        var installation = Installation(zone: readZone(sections["timezone"]) ?? .utc)
        if sections["timezone"] == nil {
            complaints.append(
                Complaint(
                    at: root.span.lowerBound..<root.span.lowerBound,
                    "'timezone' is missing",
                    cures: ["write timezone: Europe/Rome"]
                )
            )
        }
        if let node = sections["locale"], let locale = readLocale(node) { installation.locale = locale }
        readState(sections["state"], into: &installation)
        if let items = sections["rules"]?.asList(&complaints) {
            installation.rulePaths = items.compactMap { $0.asText(&complaints) }
        }
        if let node = sections["ca_file"] { installation.caFile = node.asText(&complaints) }
        for section in ["schools", "accounts", "sinks"] {
            names[section] = sections[section]?.pairs.map(\.name) ?? []
        }
        installation.schools = read("schools", sections) { $0.readSchool($1, installation) }
        installation.accounts = read("accounts", sections) { $0.readAccount($1, installation) }
        installation.sources = read("sources", sections) { $0.readSource($1, installation) }
        fillGaps(in: &installation)
        installation.sinks = read("sinks", sections) { $0.readSink($1) }
        installation.families = read("families", sections) { $0.readFamily($1, installation) }
        readHosts(sections["hosts"], into: &installation)
        if let node = sections["admin"] { installation.admin = readSinkNames(node, installation) }
        complaints += settings.complaints
        return installation
    }

    // MARK: The first keys

    private mutating func readVersion(_ node: YAMLNode?, _ root: YAMLNode) {
        guard let node else {
            let start = root.span.lowerBound
            complaints.append(
                Complaint(at: start..<start, "'version' is missing", cures: ["write version: 1 as the first line"])
            )
            return
        }
        if let number = node.asInt(&complaints), number != 1 {
            complaints.append(
                Complaint(
                    at: node.span,
                    "version \(number) of the bot file is not known here",
                    cures: ["this program reads version: 1"]
                )
            )
        }
    }

    mutating func readZone(_ node: YAMLNode?) -> Zone? {
        guard let node, let name = node.asText(&complaints) else { return nil }
        if let zone = Zone(name) { return zone }
        complaints.append(
            Complaint(
                at: node.span,
                "there is no time zone '\(name)'",
                cures: ["write a name of the IANA database, such as Europe/Rome or Europe/Vienna"]
            )
        )
        return nil
    }

    mutating func readLocale(_ node: YAMLNode) -> String? { node.asChoice(among: ["de", "it", "en"], &complaints) }

    private mutating func readState(_ node: YAMLNode?, into installation: inout Installation) {
        guard let pairs = node?.asMapping(known: ["path"], &complaints) else { return }
        if let path = pairs.first?.value.asText(&complaints) { installation.statePath = path }
    }

    // MARK: What the sections share

    /// The entries of a section as far as they can be read. Which of them are broken is noted.
    private mutating func read<Entry>(
        _ section: String,
        _ sections: [String: YAMLNode],
        _ make: (inout BotFileReader, YAMLPair) -> Entry?
    ) -> [Entry] {
        entries(sections[section]).compactMap { pair in
            let before = complaints.count + settings.complaints.count
            let entry = make(&self, pair)
            if complaints.count + settings.complaints.count > before { broken.insert("\(section)/\(pair.name)") }
            return entry
        }
    }

    /// The installation without the entries that something is wrong with.
    func sound(_ installation: Installation) -> Installation {
        var sound = installation
        sound.accounts.removeAll { account in
            broken.contains("accounts/\(account.name)")
                || account.school.map { broken.contains("schools/\($0.name)") } ?? account.plugin.needsSchool
        }
        sound.sources.removeAll { broken.contains("sources/\($0.name)") }
        sound.sinks.removeAll { broken.contains("sinks/\($0.name)") }
        return sound
    }

    /// The named entries of a section, complained of where a name cannot be one.
    mutating func entries(_ node: YAMLNode?) -> [YAMLPair] {
        guard let node, !node.isEmpty else { return [] }
        return (node.asMapping(&complaints) ?? []).filter { pair in
            // Names stand in rule files, on command lines and in logs.
            let isName =
                !pair.name.isEmpty
                && pair.name.unicodeScalars.allSatisfy {
                    $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0)
                }
            if !isName {
                complaints.append(
                    Complaint(
                        at: pair.key.span,
                        "'\(pair.name)' cannot be a name here",
                        cures: ["names are made of letters, digits, '-', '_' and '.'"]
                    )
                )
            }
            return isName
        }
    }

    /// The value of a key that an entry must have.
    mutating func required(
        _ key: String,
        of entry: YAMLPair,
        _ pairs: [YAMLPair],
        _ cure: @autoclosure () -> String
    ) -> YAMLNode? {
        if let pair = pairs.first(where: { $0.name == key }) { return pair.value }
        complaints.append(Complaint(at: entry.key.span, "'\(entry.name)' lacks the key '\(key)'", cures: [cure()]))
        return nil
    }

    mutating func readFamily(_ entry: YAMLPair, _ installation: Installation) -> Family? {
        guard let pairs = entry.value.asMapping(known: ["students", "send", "locale"], &complaints),
            let students = required("students", of: entry, pairs, "name the students: students: [Anna, Luca]"),
            let send = required("send", of: entry, pairs, "name the sinks: send: [mail-rossi]")
        else { return nil }
        let names = (students.asList(&complaints) ?? []).compactMap { $0.asText(&complaints) }
        let locale = pairs.first { $0.name == "locale" }.flatMap { readLocale($0.value) }
        return Family(name: entry.name, students: names, sinks: readSinkNames(send, installation), locale: locale)
    }

    /// Names of sinks of this file.
    mutating func readSinkNames(_ node: YAMLNode, _ installation: Installation) -> [String] {
        let known = names(of: "sinks")
        return (node.asList(&complaints) ?? []).compactMap { item in
            guard let name = item.asText(&complaints) else { return nil }
            if !known.contains(name) { complaints.append(unknown("sink", name, at: item.span, known)) }
            return name
        }
    }

    func names(of section: String) -> [String] { names[section] ?? [] }

    func unknown(_ what: String, _ name: String, at span: Range<Int>, _ known: [String]) -> Complaint {
        let list =
            known.isEmpty ? "this file has no \(what)s" : "\(what)s of this file: \(known.joined(separator: ", "))"
        let cures = [Spelling.question(about: name, among: known)].compactMap { $0 } + [list]
        return Complaint(at: span, "there is no \(what) '\(name)'", cures: cures)
    }

    /// `"*"` first: a host that sets one of the two takes the other from it.
    private mutating func readHosts(_ node: YAMLNode?, into installation: inout Installation) {
        let pairs = node.flatMap { $0.asMapping(&complaints) } ?? []
        for pair in pairs.filter({ $0.name == "*" }) + pairs.filter({ $0.name != "*" }) {
            let isName =
                pair.name == "*"
                || pair.name.unicodeScalars.allSatisfy {
                    $0.properties.isAlphabetic || ("0"..."9").contains($0) || ".-".unicodeScalars.contains($0)
                }
            if !isName {
                complaints.append(
                    Complaint(
                        at: pair.key.span,
                        "'\(pair.name)' is no host name",
                        cures: ["write the name alone, without https:// and port, or \"*\" for all others"]
                    )
                )
            }
            guard let settings = pair.value.asMapping(known: ["connections", "gap"], &complaints) else { continue }
            var entry = installation.hosts["*"] ?? HostEntry()
            for setting in settings {
                if setting.name == "connections", let count = setting.value.asInt(in: 1...64, &complaints) {
                    entry.connections = Int(count)
                } else if setting.name == "gap", let gap = setting.value.asDuration(&complaints) {
                    entry.gap = gap
                }
            }
            installation.hosts[pair.name.lowercased()] = entry
        }
    }
}
