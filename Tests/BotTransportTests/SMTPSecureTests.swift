import BotCore
import BotTransport
import Glibc
import Testing
import Values

/// A mail server that speaks TLS, offers its login only then, and names connection and mail in its queue ids.
private let secureMailServer = #"""
    import base64, socket, ssl, sys, threading
    mode, certificate, key = sys.argv[1:4]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def serve(connection, number):
        secure, mails = mode == "tls", 0
        if secure: connection = context.wrap_socket(connection, server_side=True)
        lines = connection.makefile("rb")
        def say(text): connection.sendall(text.encode() + b"\r\n")
        say("220 mail.example ESMTP")
        while line := lines.readline():
            word = line.split()[0].upper()
            if word == b"EHLO":
                say("250-mail.example")
                say("250 AUTH PLAIN" if secure else "250 STARTTLS")
            elif word == b"STARTTLS":
                say("220 go on")
                connection, secure = context.wrap_socket(connection, server_side=True), True
                lines = connection.makefile("rb")
            elif word == b"AUTH":
                say("334 ")
                right = base64.b64decode(lines.readline()) == "\0bot\0pä$$\"w\\".encode()
                say("235 2.7.0 ok" if right and secure else "535 5.7.8 bad")
            elif word == b"DATA":
                say("354 go on")
                while lines.readline() != b".\r\n": pass
                mails += 1
                say("250 2.0.0 queued as C%dM%d" % (number, mails))
            elif word == b"QUIT":
                return say("221 bye")
            else: say("250 ok")

    def attempt(connection, number):
        try: serve(connection, number)
        except OSError: pass

    number = 0
    while True:
        connection, number = listener.accept()[0], number + 1
        threading.Thread(target=attempt, args=(connection, number), daemon=True).start()
    """#

@Suite(
    .enabled(
        if: access(opensslProgram, X_OK) == 0 && access("/usr/bin/python3", X_OK) == 0,
        "the programs openssl and python3 are not installed"
    )
)
struct SMTPSecureTests {
    private func withSecureMailServer(
        _ security: MailServer.Security,
        _ body: (_ account: MailServer, _ caFile: String) async throws -> Void
    ) async throws {
        try await withCertificate { certificate, key in
            let mode = security == .tls ? "tls" : "starttls"
            let server = try ChildProcess("/usr/bin/python3", ["-c", secureMailServer, mode, certificate, key])
            defer { server.stop() }
            let port = try #require(await server.line().flatMap { Int($0) })
            let account = MailServer(
                host: "localhost",
                port: port,
                security: security,
                helloName: "bot.school.example",
                user: "bot",
                password: Secret("pä$$\"w\\")
            )
            try await body(account, certificate)
        }
    }

    @Test(arguments: [MailServer.Security.tls, .startTLS])
    func `mail goes out under TLS with a login, over one connection`(security: MailServer.Security) async throws {
        try await withSecureMailServer(security) { account, caFile in
            let transport = SMTPTransport(SMTPSettings(caFile: caFile))
            for id in ["C1M1", "C1M2", "C1M3"] {
                let receipt = try await transport.send(mail(), through: account)
                #expect(receipt.remoteID == id)
            }
            var wrong = account
            wrong.password = Secret("falsch")
            let error = await failure(of: transport, mail(), through: wrong)
            #expect(error?.disposition == .unauthorized)
            await transport.close()
        }
    }

    @Test(arguments: [MailServer.Security.tls, .startTLS])
    func `a certificate that nobody vouches for, or for another name, stops it for now`(security: MailServer.Security)
        async throws
    {
        try await withSecureMailServer(security) { account, caFile in
            let stranger = SMTPTransport()
            #expect(await failure(of: stranger, mail(), through: account)?.disposition == .transient(retryAfter: nil))
            await stranger.close()
            let transport = SMTPTransport(SMTPSettings(caFile: caFile))
            var byNumber = account
            byNumber.host = "127.0.0.1"
            #expect(await failure(of: transport, mail(), through: byNumber)?.disposition == .transient(retryAfter: nil))
            await transport.close()
        }
    }
}
