import BotCore
import BotPlugins
import BotRules
import BotTransport
import Values

/// The bot file and the rule files of an installation, read and checked.
struct Configuration: Sendable {
    /// The path of the bot file, as it was found.
    var path: String
    var botFile: BotFile
    var installation: Installation
    var rules: RuleSet
    /// Knows every secret that the bot file named.
    var redactor: Redactor
    /// The rule files that were read, for their tests.
    var ruleFiles: [SourceFile]
    /// The bot file as it was read.
    var botFileBytes: [UInt8]

    var folder: String { FileAccess.folder(of: path) }
    var stateFolder: String { FileAccess.resolve(installation.statePath, from: folder) }

    /// Where the bot file is looked for when no option names one.
    static let standardPaths = ["Config/bot.yaml", "/etc/pokyh-bot/bot.yaml"]

    /// The path that is used: the option's, else the first standard one that exists.
    static func path(_ arguments: Arguments) throws(CommandFailure) -> String {
        if let path = arguments.value(CommandList.config.name) { return path }
        if let path = standardPaths.first(where: FileAccess.exists) { return path }
        throw CommandFailure(
            .configuration,
            "there is no bot file: neither \(standardPaths.joined(separator: " nor "))",
            "  copy Config/bot.example.yaml to Config/bot.yaml and fill it in, or name a file with --config FILE"
        )
    }

    /// What is said where the file was not named and more than one could be meant; nil otherwise.
    static func choiceNotice(_ arguments: Arguments, standard: [String] = standardPaths) -> String? {
        let found = standard.filter(FileAccess.exists)
        guard arguments.value(CommandList.config.name) == nil, found.count > 1 else { return nil }
        return "\(found[0]) is used; there is also \(found[1]): name one with --config to be sure"
    }

    /// Reads everything. Errors in the bot file end the command with all of them and those of the rule files; errors in rules alone are in
    /// `rules`.
    static func load(
        _ path: String,
        in world: World,
        secrets: SecretSource = .real
    ) throws(CommandFailure) -> Configuration {
        let reading = try ConfigurationReading(path, in: world, secrets: secrets)
        if let configuration = reading.configuration { return configuration }
        var failure = CommandFailure(.configuration, lines: [])
        failure.lines = reading.complaints.filter { !$0.complaints.isEmpty }.map { reading.redactor.mask($0.text) }
        if reading.rules == nil { failure.lines.append("the rule files are read when the bot file can be read") }
        throw failure
    }

    static func read(_ path: String) throws(CommandFailure) -> SourceFile {
        do throws(FileProblem) {
            return SourceFile(path: path, bytes: try FileAccess.read(path))
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The rule files of some paths. One that cannot be read is among them with the reason.
    /// - Throws: where there is nothing at all under one of the paths.
    static func readRules(_ paths: [String], from folder: String) throws(CommandFailure) -> [SourceFile] {
        do throws(FileProblem) {
            return try ruleFiles(paths, from: folder)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Each file once, also where several of the paths lead to it: its rules would be in the book twice.
    fileprivate static func ruleFiles(_ paths: [String], from folder: String) throws(FileProblem) -> [SourceFile] {
        var files: [SourceFile] = []
        var known: Set<String> = []
        for path in paths {
            let below = try FileAccess.yamlFiles(below: FileAccess.resolve(path, from: folder))
            for (found, problem) in below where known.insert(FileAccess.whole(found)).inserted {
                files.append(sourceFile(found, problem))
            }
        }
        return files
    }

    private static func sourceFile(_ path: String, _ known: FileProblem?) -> SourceFile {
        do throws(FileProblem) {
            if let known { throw known }
            return SourceFile(path: path, bytes: try FileAccess.read(path))
        } catch {
            let cure = "mend it or take it away; the bot's user must be able to read all rule files"
            return SourceFile(path: path, unreadable: error.reason, cures: [cure])
        }
    }
}

/// An installation's files, right or wrong.
struct ConfigurationReading {
    let path: String
    var botFile: BotFile
    let redactor: Redactor
    /// How long the secrets are that were found.
    let secrets = SecretLedger()
    var ruleFiles: [SourceFile] = []
    /// Nil where the bot file does not even say where rules are.
    var rules: RuleSet?
    private let botFileBytes: [UInt8]

    init(_ path: String, in world: World, secrets: SecretSource) throws(CommandFailure) {
        self.path = path
        let file = try Configuration.read(path)
        botFileBytes = file.bytes
        redactor = Redactor()
        let folder = FileAccess.folder(of: path)
        let lookUp = secrets.lookUp(
            environment: world.environment,
            botFolder: folder,
            redactor: redactor,
            ledger: self.secrets
        )
        botFile = BotFile.read(file, catalogue: BuiltInPlugins.catalogue, lookUpSecret: lookUp)
        for secret in botFile.exposedSecrets { redactor.register(secret) }
        guard let installation = botFile.installation ?? botFile.draft?.installation else { return }
        do throws(FileProblem) {
            ruleFiles = try Configuration.ruleFiles(installation.rulePaths, from: folder)
            let homes = RuleHomes(of: installation, from: folder)
            rules = RuleFiles.load(ruleFiles, in: installation, previous: nil, homes: homes.read())
        } catch {
            // Where the bot file has errors too, this one must not hide them.
            if botFile.installation != nil { throw CommandFailure(error) }
            let missing = SourceFile(path: error.path, unreadable: error.reason, cures: ["correct 'rules:' in \(path)"])
            rules = RuleFiles.load([missing], in: installation, previous: nil)
        }
    }

    /// Nil where the bot file has errors.
    var configuration: Configuration? {
        guard let installation = botFile.installation, let rules else { return nil }
        return Configuration(
            path: path,
            botFile: botFile,
            installation: installation,
            rules: rules,
            redactor: redactor,
            ruleFiles: ruleFiles,
            botFileBytes: botFileBytes
        )
    }

    /// What is wrong with each file: the bot file first, with what its plugins have against their settings, then the rule files.
    var complaints: [FileComplaints] {
        guard let installation = botFile.installation ?? botFile.draft?.sound else { return [botFile.complaints] }
        let tools = Tools(http: Silence(), mail: Silence(), log: .silent, print: { _ in true }, hasColours: false)
        var builder = HouseBuilder(installation: installation, botFile: botFile, tools: tools, haste: 1)
        builder.buildAccounts()
        builder.buildSources()
        builder.buildSinks([:])
        return [builder.botFile.complaints] + (rules?.complaints ?? [])
    }
}

/// Where the secrets of the bot file come from.
enum SecretSource {
    case real
    /// Something stands for every secret: for rule tests, which send nothing and must run where no secrets are.
    case standIns

    func lookUp(
        environment: [String: String],
        botFolder: String,
        redactor: Redactor,
        ledger: SecretLedger
    ) -> @Sendable (String) -> SecretAnswer {
        switch self {
        case .standIns: return { _ in .found(Secret("https://localhost/")) }
        case .real:
            let lookup = SecretLookup(environment: environment, botFolder: botFolder)
            return { name in
                let answer = lookup.find(name)
                if case .found(let secret) = answer {
                    redactor.register(secret)
                    ledger.note(name, secret)
                }
                return answer
            }
        }
    }
}
