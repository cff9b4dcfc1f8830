import BotCore
import BotTransport
import Glibc
import Testing
import Values

/// The scripted faults of `servers/smtp_faults.py` in the folder of shared test data.
enum FaultServer {
    /// `POKYH_SHARED`, else `../shared` beside the package.
    static let script: String? = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let shared = getenv("POKYH_SHARED").map { String(cString: $0) } ?? "/\(root)/../shared"
        let script = shared + "/servers/smtp_faults.py"
        return access(script, R_OK) == 0 && access("/usr/bin/python3", X_OK) == 0 ? script : nil
    }()

    static func with(_ arguments: [String] = [], _ body: (_ port: Int, _ folder: String) async throws -> Void)
        async throws
    {
        let script = try #require(script)
        try await withFolder { folder in
            let (server, port) = try await start(script, folder, arguments)
            defer { server.stop() }
            try await body(port, folder)
        }
    }

    /// The script takes no port 0, and a port that was free a moment ago may be another's by now: then the next one is tried.
    private static func start(_ script: String, _ folder: String, _ arguments: [String]) async throws -> (
        ChildProcess, Int
    ) {
        for _ in 0..<20 {
            let placeholder = try ScriptedServer { _, _ in }
            let port = placeholder.port
            placeholder.stop()
            await placeholder.stopped.wait(for: 1)
            let server = try ChildProcess("/usr/bin/python3", ["-u", script, String(port), folder] + arguments)
            if await server.line() == "listening \(port)" { return (server, port) }
            server.stop()
        }
        throw ScriptedServer.ServerError.noPort
    }
}

@Suite(.enabled(if: FaultServer.script != nil, "python3 or the shared folder with servers/smtp_faults.py is not there"))
struct SMTPFaultTests {
    private static let text = "Subject: x\r\n\r\n" + String(repeating: "a line of some length\r\n", count: 40)

    private func server(_ port: Int, hello: String = "bot.example", user: String? = nil) -> MailServer {
        MailServer(
            host: "127.0.0.1",
            port: port,
            security: .none,
            helloName: hello,
            user: user,
            password: user.map { _ in Secret("geheim") }
        )
    }

    private func outcome(_ sender: String, _ server: MailServer, _ transport: SMTPTransport, to: String = "a@b.example")
        async -> PluginError.Disposition?
    {
        let mail = OutgoingMail(sender: sender + "@x.example", recipient: to, message: Array(Self.text.utf8))
        return await failure(of: transport, mail, through: server)?.disposition
    }

    @Test func `each fault by sender ends as the table says`() async throws {
        let expected: [(String, PluginError.Disposition?)] = [
            ("mail421", .transient(retryAfter: nil)), ("mail451", .transient(retryAfter: nil)), ("mail550", .permanent),
            ("data451", .transient(retryAfter: nil)), ("data554", .permanent), ("end421", .transient(retryAfter: nil)),
            ("end451", .transient(retryAfter: nil)), ("end452", .transient(retryAfter: nil)), ("end554", .permanent),
            ("cutmid", .uncertain), ("lost", .uncertain), ("keptcut", .uncertain), ("quitcut", nil), ("good", nil),
        ]
        try await FaultServer.with { port, _ in
            let transport = SMTPTransport()
            for (sender, disposition) in expected {
                let ended = await outcome(sender, server(port), transport)
                #expect(ended == disposition, "\(sender)")
            }
            await transport.close()
        }
    }

    /// They count recipients over the whole connection.
    @Test(arguments: [("rcptalt", 1), ("rcptmax", 3), ("rcptdrop", 1)])
    func `a recipient refused on a kept connection is tried again later`(sender: String, delivered: Int) async throws {
        try await FaultServer.with { port, _ in
            let transport = SMTPTransport()
            for _ in 0..<delivered { #expect(await outcome(sender, server(port), transport) == nil) }
            #expect(await outcome(sender, server(port), transport) == .transient(retryAfter: nil))
            await transport.close()
        }
    }

    @Test func `a slow confirmation is waited for, and uncertain where patience ends`() async throws {
        try await FaultServer.with { port, _ in
            async let patient = outcome("keptslow", server(port), SMTPTransport())
            async let hasty = outcome("keptslow", server(port), SMTPTransport(SMTPSettings(totalTimeout: .seconds(3))))
            #expect(await patient == nil)
            #expect(await hasty == .uncertain)
        }
    }

    @Test(
        arguments: [
            ("striptls.x", nil, .startTLS, .permanent), ("badtls.x", nil, .startTLS, .permanent),
            ("noehlo.x", nil, .startTLS, .permanent), ("noehlo.x", nil, .none, nil),
            ("noehlo.x", "bot", .none, .permanent),
            ("no8bit.x", nil, .none, nil), ("size.x", nil, .none, .permanent), ("authonly.x", "bot", .none, .permanent),
            ("auth454.x", "bot", .none, .transient(retryAfter: nil)), ("auth535.x", "bot", .none, .unauthorized),
            ("noauth.x", "bot", .none, .permanent), ("noauth.x", nil, .none, nil),
        ] as [(String, String?, MailServer.Security, PluginError.Disposition?)]
    )
    func `each fault by hello name ends as the table says, and no refused mail leaves`(
        hello: String,
        user: String?,
        security: MailServer.Security,
        expected: PluginError.Disposition?
    ) async throws {
        try await FaultServer.with { port, folder in
            var server = server(port, hello: hello, user: user)
            server.security = security
            let transport = SMTPTransport()
            #expect(await outcome("good", server, transport) == expected)
            await transport.close()
            if expected != nil {
                let wire = try #require(contents(of: folder + "/1.wire"))
                #expect(!wire.contains("MAIL FROM"))
            }
        }
    }

    @Test func `an address beyond ASCII is refused whatever the server takes`() async throws {
        try await FaultServer.with { port, _ in
            let transport = SMTPTransport()
            let old = server(port, hello: "no8bit.x")
            #expect(await outcome("good", old, transport, to: "müller@b.example") == .permanent)
            #expect(await outcome("good", server(port), transport, to: "müller@b.example") == .permanent)
            await transport.close()
        }
    }

    @Test(
        arguments: [
            ("greeting=421", .transient(retryAfter: nil)), ("greeting=554", .permanent),
            ("greeting=none", .transient(retryAfter: nil)),
        ] as [(String, PluginError.Disposition)]
    )
    func `a greeting that refuses or never comes`(greeting: String, expected: PluginError.Disposition) async throws {
        try await FaultServer.with([greeting]) { port, _ in
            let transport = SMTPTransport(SMTPSettings(connectTimeout: .seconds(1)))
            #expect(await outcome("good", server(port), transport) == expected)
            await transport.close()
        }
    }
}
