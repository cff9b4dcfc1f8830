import BotCore
import BotEngine
import BotPlugins
import BotRules
import BotTransport
import Digests
import Values

/// The live things of an installation, made in one place: transports, accounts, providers, sinks.
struct House: Sendable {
    var configuration: Configuration
    var accounts: [AccountSetup]
    var sources: [SourceSetup]
    var sinks: [SinkSetup]

    /// What the house is built with, besides what the bot file says.
    struct Materials: Sendable {
        var http: any HTTPClient
        var mail: any MailTransport
        var log: Log
        var terminal: Terminal
        /// How much faster than the machine's the house's clock runs; time-outs are the machine's.
        var haste = 1.0
        /// Whether sinks are made too; rule tests know them by name alone.
        var hasSinks = true
    }

    /// Builds everything; what a plugin has against its settings ends the command with all such complaints.
    ///
    /// - Parameter memos: what each sink last asked to remember.
    static func build(
        _ configuration: Configuration,
        with materials: Materials,
        memos: [String: Value] = [:]
    ) throws(CommandFailure) -> House {
        let tools = Tools(
            http: materials.http,
            mail: materials.mail,
            log: materials.log,
            print: { materials.terminal.print($0) },
            hasColours: materials.terminal.hasColours
        )
        var builder = HouseBuilder(
            installation: configuration.installation,
            botFile: configuration.botFile,
            tools: tools,
            haste: materials.haste
        )
        builder.buildAccounts()
        builder.buildSources()
        if materials.hasSinks { builder.buildSinks(memos) }
        guard !builder.botFile.complaints.hasErrors else {
            throw CommandFailure(.configuration, configuration.redactor.mask(builder.botFile.complaints.text))
        }
        return House(
            configuration: configuration,
            accounts: builder.accounts,
            sources: builder.sources,
            sinks: builder.sinks
        )
    }

    func engineSetup(rules: any Rules) -> EngineSetup {
        EngineSetup(
            sources: sources,
            sinks: sinks,
            accounts: accounts,
            rules: rules,
            inactiveRules: configuration.rules.inactiveRules
        )
    }
}

/// Makes the parts of a house one after the other and collects what is wrong.
struct HouseBuilder {
    let installation: Installation
    let tools: Tools
    let haste: Double
    var botFile: BotFile
    var accounts: [AccountSetup] = []
    var sources: [SourceSetup] = []
    var sinks: [SinkSetup] = []
    private var blamedSchools: Set<String> = []

    init(installation: Installation, botFile: BotFile, tools: Tools, haste: Double) {
        self.installation = installation
        self.botFile = botFile
        self.tools = tools
        self.haste = haste
    }

    mutating func buildAccounts() {
        for entry in installation.accounts {
            do throws(SettingsError) {
                let account = try entry.plugin.make(entry.settings, entry.school, tools)
                let school = entry.school.map { [Secret($0.server), Secret($0.school)] } ?? []
                accounts.append(
                    AccountSetup(name: entry.name, account: account, credentials: school + entry.settings.credentials)
                )
            } catch {
                complain(of: error, for: entry)
            }
        }
    }

    /// What is wrong with a school stands at the school, once for all its accounts.
    private mutating func complain(of error: SettingsError, for entry: AccountEntry) {
        guard error.isOfSchool, let school = entry.school else {
            return botFile.complain(of: error, in: "accounts", entry: entry.name)
        }
        if blamedSchools.insert(school.name).inserted {
            botFile.complain(of: error, in: "schools", entry: school.name)
        }
    }

    mutating func buildSources() {
        for entry in installation.sources where entry.isEnabled {
            let account = accounts.first { $0.name == entry.account }?.account
            // Its account was complained of already.
            if entry.account != nil, account == nil { continue }
            do throws(SettingsError) {
                let provider = try entry.plugin.make(entry.settings, account, tools)
                sources.append(setup(of: entry, provider))
            } catch {
                botFile.complain(of: error, in: "sources", entry: entry.name)
            }
        }
    }

    private func setup(of entry: SourceEntry, _ provider: any Provider) -> SourceSetup {
        SourceSetup(
            name: entry.name,
            provider: LoggedProvider(name: entry.name, inner: provider, log: tools.log),
            schema: entry.schema,
            account: entry.account ?? "",
            world: world(of: entry),
            zone: entry.zone,
            interval: PollInterval(
                entry.interval,
                periods: entry.intervals.map { PollInterval.Period(from: $0.from, to: $0.to, interval: $0.interval) }
            ),
            timeout: .minutes(3) * haste,
            credentials: entry.account == nil ? entry.settings.credentials : []
        )
    }

    /// Sources see the same world if they ask the same school, or else the same server.
    private func world(of entry: SourceEntry) -> String {
        if let school = entry.school { return "\(school.server)/\(school.school)" }
        let account = installation.accounts.first { $0.name == entry.account }
        let server = account?.settings.url("url") ?? entry.settings.url("url")
        // An address may be a secret, and the world's name is stored.
        return server.map { ContentID.make(["world", $0.reveal()]) } ?? String(entry.plugin.name.prefix { $0 != "." })
    }

    mutating func buildSinks(_ memos: [String: Value]) {
        for entry in installation.sinks {
            do throws(SettingsError) {
                let sink = try entry.plugin.make(entry.settings, memos[entry.name] ?? .null, tools)
                sinks.append(
                    SinkSetup(
                        name: entry.name,
                        sink: LoggedSink(inner: sink, log: tools.log),
                        parallel: entry.parallel,
                        uncertain: UncertainPolicy(rawValue: entry.uncertain) ?? .resend,
                        recognisesRepeats: entry.plugin.recognisesRepeats(entry.settings),
                        timeout: entry.plugin.patience * haste,
                        credentials: entry.settings.credentials
                    )
                )
            } catch {
                botFile.complain(of: error, in: "sinks", entry: entry.name)
            }
        }
    }
}

extension RuleSet {
    /// The rules that do not run as they are written, for the engine to tell of.
    var inactiveRules: [InactiveRule] {
        inactive.map { id in
            let isKept = kept.contains(id)
            let rest = isKept ? "its last version without errors runs" : "nothing of it runs"
            let reason =
                "its file has errors; 'pokyh-bot check' shows them with their places. Until they are mended, \(rest)."
            return InactiveRule(id: id, reason: reason, isKept: isKept)
        }
    }
}
