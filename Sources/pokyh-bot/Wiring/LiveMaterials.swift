import BotCore
import BotRules
import BotTransport
import Values

/// The real transports of an installation.
struct LiveMaterials: Sendable {
    let http: CurlHTTPClient
    let mail: SMTPTransport
    let log: Log
    private let terminal: Terminal

    init(_ configuration: Configuration, in world: World, verbose: Bool) throws(CommandFailure) {
        let installation = configuration.installation
        let hosts = installation.hosts.mapValues { HostPolicy(connections: $0.connections, gap: $0.gap) }
        let caFile = installation.caFile.map { FileAccess.resolve($0, from: configuration.folder) }
        let settings = HTTPSettings(
            caFile: caFile,
            hosts: HostPolicies(usual: hosts["*"] ?? .usual, byHost: hosts.filter { $0.key != "*" }),
            proxy: .ofEnvironment()
        )
        do throws(PluginError) {
            http = try CurlHTTPClient(settings, redactor: configuration.redactor)
            mail = SMTPTransport(SMTPSettings(caFile: caFile), redactor: configuration.redactor)
        } catch {
            throw CommandFailure(.configuration, "network: \(error.message)")
        }
        log =
            LogWriter(
                terminal: world.terminal,
                redactor: configuration.redactor,
                clock: world.clock,
                least: verbose ? .debug : .info
            ).log
        terminal = world.terminal
    }

    var materials: House.Materials { House.Materials(http: http, mail: mail, log: log, terminal: terminal) }

    func close() async {
        await http.close()
        await mail.close()
    }
}
