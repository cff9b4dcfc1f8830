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
        let caFile = installation.caFile.map { FileAccess.resolve($0, from: configuration.folder) }
        let settings = HTTPSettings(
            caFile: caFile,
            hosts: installation.hostPolicies,
            proxy: ProxySettings { world.environment[$0] }
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
                zone: installation.zone,
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

extension Installation {
    /// `hosts:` as the transport wants it.
    var hostPolicies: HostPolicies {
        let policies = hosts.mapValues { HostPolicy(connections: $0.connections, gap: $0.gap) }
        return HostPolicies(usual: policies["*"] ?? .usual, byHost: policies.filter { $0.key != "*" })
    }
}
