public import BotCore
import Synchronization

/// Mail by libcurl, each account of each server on a thread of its own, so that a server that keeps us waiting for ten minutes, as it
/// may, holds up nothing else.
///
/// Mail goes to its server directly, never through a proxy. TLS is never given up for something less.
public final class SMTPTransport: MailTransport {
    private let settings: SMTPSettings
    private let redactor: Redactor
    private let lanes = Mutex<(open: [MailServer: MailLane], isClosed: Bool)>(([:], false))

    public init(_ settings: SMTPSettings = SMTPSettings(), redactor: Redactor = Redactor()) {
        self.settings = settings
        self.redactor = redactor
    }

    deinit { lanes.withLock { $0.open.values.forEach { $0.stop() } } }

    public func send(_ mail: OutgoingMail, through server: MailServer) async throws(PluginError) -> Receipt {
        if let password = server.password { redactor.register(password) }
        do throws(PluginError) {
            try Self.check(server)
            try MailChecks.check(mail)
            return try await lane(to: server).send(mail)
        } catch {
            throw redactor.mask(error)
        }
    }

    /// Ends what is under way (each `send` throws) and closes all connections; returns when that is done. Later mails are refused.
    public func close() async {
        let open = lanes.withLock { lanes in
            lanes.isClosed = true
            return Array(lanes.open.values)
        }
        for lane in open { await lane.close() }
    }

    private func lane(to server: MailServer) throws(PluginError) -> MailLane {
        let found: Result<MailLane, PluginError> = lanes.withLock { lanes in
            if let lane = lanes.open[server] { return .success(lane) }
            if lanes.isClosed { return .failure(.transient("The mail was not sent because the program ends.")) }
            do throws(PluginError) {
                let lane = try MailLane(server, settings)
                lanes.open[server] = lane
                return .success(lane)
            } catch {
                return .failure(error)
            }
        }
        return try found.get()
    }

    private static func check(_ server: MailServer) throws(PluginError) {
        guard IPAddress(server.host) != nil || MailAddress.isDomain(server.host), (1...65_535).contains(server.port)
        else {
            throw .permanent("The mail server's host or port is none: check 'smtp' of the mail sink.")
        }
        guard MailChecks.isHelloName(server.helloName) else {
            throw .permanent("The name for EHLO is no host name: check 'hello' of the mail sink.")
        }
        guard server.security != .none || LoopbackName.matches(server.host) else {
            throw .permanent(
                "Mail without TLS is for this machine alone: take 'tls: off' out of the mail sink."
            )
        }
        guard server.user?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) != true else {
            throw .permanent("The user of the mail server has control characters in it: check 'user' of the mail sink.")
        }
    }
}
