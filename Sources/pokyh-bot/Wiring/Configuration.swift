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

    /// Reads everything. Errors in the bot file end the command with all of them; errors in rules are in `rules`.
    static func load(
        _ path: String,
        in world: World,
        secrets: SecretSource = .real
    ) throws(CommandFailure) -> Configuration {
        let file = try read(path)
        let redactor = Redactor()
        let lookUp = secrets.lookUp(
            environment: world.environment,
            botFolder: FileAccess.folder(of: path),
            redactor: redactor
        )
        let botFile = BotFile.read(file, catalogue: BuiltInPlugins.catalogue, lookUpSecret: lookUp)
        for secret in botFile.exposedSecrets { redactor.register(secret) }
        guard let installation = botFile.installation else {
            throw CommandFailure(
                .configuration,
                redactor.mask(botFile.complaints.text),
                "the rule files are read when the bot file is right"
            )
        }
        let ruleFiles = try readRules(installation.rulePaths, from: FileAccess.folder(of: path))
        return Configuration(
            path: path,
            botFile: botFile,
            installation: installation,
            rules: RuleFiles.load(ruleFiles, in: installation, previous: nil),
            redactor: redactor,
            ruleFiles: ruleFiles
        )
    }

    static func read(_ path: String) throws(CommandFailure) -> SourceFile {
        do throws(FileProblem) {
            return SourceFile(path: path, bytes: try FileAccess.read(path))
        } catch {
            throw CommandFailure(error)
        }
    }

    static func readRules(_ paths: [String], from folder: String) throws(CommandFailure) -> [SourceFile] {
        var files: [SourceFile] = []
        for path in paths {
            do throws(FileProblem) {
                for found in try FileAccess.yamlFiles(below: FileAccess.resolve(path, from: folder)) {
                    files.append(SourceFile(path: found, bytes: try FileAccess.read(found)))
                }
            } catch {
                throw CommandFailure(error)
            }
        }
        return files
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
        redactor: Redactor
    ) -> @Sendable (String) -> SecretAnswer {
        switch self {
        case .standIns: return { _ in .found(Secret("https://localhost/")) }
        case .real:
            let lookup = SecretLookup(environment: environment, botFolder: botFolder)
            return { name in
                let answer = lookup.find(name)
                if case .found(let secret) = answer { redactor.register(secret) }
                return answer
            }
        }
    }
}
