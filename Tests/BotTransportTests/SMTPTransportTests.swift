import BotCore
import BotTransport
import Testing
import Values

@Suite struct SMTPTransportTests {
    private typealias Script = ScriptedMailServer.Script

    private func withMailServer(
        _ script: ScriptedMailServer.Script = .init(),
        _ settings: SMTPSettings = SMTPSettings(idleTimeout: .minutes(10)),
        _ body: (ScriptedMailServer, SMTPTransport) async throws -> Void
    ) async throws {
        let server = try ScriptedMailServer(script)
        defer { server.stop() }
        let transport = SMTPTransport(settings)
        try await body(server, transport)
        await transport.close()
    }

    @Test func `a mail arrives as it was given, and its receipt names the queue id`() async throws {
        try await withMailServer { server, transport in
            let text = "Subject: x\r\n\r\ncool\r\n.test\r\n..x\r\n.\r\nmore\r\n"
            let receipt = try await transport.send(mail(text), through: server.account())
            #expect(receipt.remoteID == "Q1")
            #expect(server.messages.all == [Array(text.utf8)])
            #expect(server.commands.all.first == "EHLO bot.school.example")
            #expect(server.commands.all.contains { $0.hasPrefix("MAIL FROM:<bot@school.example>") })
            #expect(server.commands.all.contains("RCPT TO:<mum@home.example>"))
        }
    }

    @Test(arguments: [16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 200_000])
    func `SINK-15 mails of every size near libcurl's buffers arrive whole`(size: Int) async throws {
        try await withMailServer { server, transport in
            var text = "Subject: x\r\n\r\n"
            while text.utf8.count < size - 82 { text += "." + String(repeating: "x", count: 75) + "\r\n" }
            text += String(repeating: "y", count: size - text.utf8.count - 2) + "\r\n"
            #expect(text.utf8.count == size)
            _ = try await transport.send(mail(text), through: server.account())
            #expect(server.messages.all == [Array(text.utf8)])
        }
    }

    @Test func `one connection and one login serve all mails of an account`() async throws {
        try await withMailServer(Script(offers: ["AUTH PLAIN LOGIN"])) { server, transport in
            let account = server.account(user: "bot", password: "pä$$\"w\\")
            for index in 0..<10 {
                _ = try await transport.send(mail(to: "m\(index)@home.example"), through: account)
            }
            #expect(server.connectionCount == 1)
            #expect(server.commands.all.count { $0.hasPrefix("AUTH") } == 1)
            #expect(server.messages.all.count == 10)
        }
    }

    @Test func `two accounts never share a connection`() async throws {
        try await withMailServer(Script(offers: ["AUTH PLAIN"])) { server, transport in
            _ = try await transport.send(mail(), through: server.account(user: "one", password: "geheim"))
            _ = try await transport.send(mail(), through: server.account(user: "two", password: "geheim"))
            #expect(server.connectionCount == 2)
        }
    }

    @Test func `without an offered login nothing is sent for a user`() async throws {
        try await withMailServer { server, transport in
            let account = server.account(user: "bot", password: "geheim")
            let error = await failure(of: transport, mail(), through: account)
            #expect(error?.disposition == .permanent)
            #expect(error?.message.contains("no login") == true)
            #expect(server.commands.all.allSatisfy { $0.hasPrefix("EHLO") })
        }
    }

    @Test func `a user name that a server repeats with the password stays out of the error`() async throws {
        let script = Script(offers: ["AUTH PLAIN"], replies: ["AUTH": "535 5.7.8 geheim is wrong"])
        try await withMailServer(script) { server, transport in
            let account = server.account(user: "bot", password: "geheim")
            let error = await failure(of: transport, mail(), through: account)
            #expect(error?.disposition == .unauthorized)
            #expect(error?.message.contains("geheim") == false)
            #expect(error?.evidence == "535 5.7.8 ••• is wrong")
        }
    }

    @Test(
        arguments: [
            ("greeting", "421 4.3.2 busy", .transient(retryAfter: nil)), ("greeting", "554 5.7.1 no", .permanent),
            ("MAIL", "451 4.7.1 later", .transient(retryAfter: nil)), ("MAIL", "550 5.7.1 SPF", .permanent),
            ("RCPT", "450 4.2.1 busy", .transient(retryAfter: nil)), ("RCPT", "550 5.1.1 unknown", .permanent),
            ("DATA", "451 4.3.0 error", .transient(retryAfter: nil)), ("DATA", "554 5.5.1 none", .permanent),
            (".", "452 4.3.1 full", .transient(retryAfter: nil)), (".", "554 5.7.1 spam", .permanent),
        ] as [(String, String, PluginError.Disposition)]
    )
    func `a refusal passes or stays by its first digit`(
        command: String,
        reply: String,
        expected: PluginError.Disposition
    ) async throws {
        try await withMailServer(Script(replies: [command: reply])) { server, transport in
            let error = await failure(of: transport, mail(), through: server.account())
            #expect(error?.disposition == expected)
            #expect(error?.message.contains(String(reply.prefix(9))) == true)
        }
    }

    @Test(
        arguments: [
            ("greeting", .transient(retryAfter: nil)), ("EHLO", .transient(retryAfter: nil)),
            ("MAIL", .transient(retryAfter: nil)),
            ("RCPT", .transient(retryAfter: nil)), ("DATA", .transient(retryAfter: nil)), (".", .uncertain),
        ] as [(String, PluginError.Disposition)]
    )
    func `SINK-02 a connection that ends says whether the mail may be on its way`(
        command: String,
        expected: PluginError.Disposition
    ) async throws {
        try await withMailServer(Script(cutsAt: command)) { server, transport in
            #expect(await failure(of: transport, mail(), through: server.account())?.disposition == expected)
        }
        let patience = SMTPSettings(connectTimeout: .milliseconds(500), totalTimeout: .milliseconds(700))
        try await withMailServer(Script(hangsAt: command), patience) { server, transport in
            #expect(await failure(of: transport, mail(), through: server.account())?.disposition == expected)
        }
    }

    @Test func `after a failure the next mail gets a connection of its own`() async throws {
        try await withMailServer { server, transport in
            _ = try await transport.send(mail(), through: server.account())
            let bad = await failure(of: transport, mail("bare\nfeed\r\n"), through: server.account())
            #expect(bad?.disposition == .permanent)
            _ = try await transport.send(mail(), through: server.account())
            #expect(server.connectionCount == 1)
        }
        try await withMailServer(Script(replies: ["RCPT": "550 5.1.1 unknown"])) { server, transport in
            for _ in 0..<2 { _ = await failure(of: transport, mail(), through: server.account()) }
            #expect(server.connectionCount == 2)
        }
    }

    @Test func `a hanging server holds up no other account`() async throws {
        try await withMailServer(Script(hangsAt: "DATA")) { hanging, transport in
            let other = try ScriptedMailServer()
            defer { other.stop() }
            let stuck = Task { await failure(of: transport, mail(), through: hanging.account()) }
            await hanging.commands.wait(for: 4)
            let receipt = try await transport.send(mail(), through: other.account())
            #expect(receipt.remoteID == "Q1")
            stuck.cancel()
            #expect(await stuck.value?.disposition == .transient(retryAfter: nil))
        }
    }

    @Test func `closing breaks off what is on its way and refuses what comes later`() async throws {
        try await withMailServer(Script(hangsAt: ".")) { server, transport in
            let stuck = Task { await failure(of: transport, mail(), through: server.account()) }
            await server.messages.wait(for: 1)
            let waiting = Task { await failure(of: transport, mail(), through: server.account()) }
            await transport.close()
            #expect(await stuck.value?.disposition == .uncertain)
            #expect(await waiting.value?.disposition == .transient(retryAfter: nil))
            #expect(await failure(of: transport, mail(), through: server.account()) != nil)
            #expect(server.connectionCount == 1)
            await server.ends.wait(for: 1)
        }
    }

    @Test func `an idle connection is closed with QUIT and made anew for the next mail`() async throws {
        try await withMailServer(.init(), SMTPSettings(idleTimeout: .milliseconds(50))) { server, transport in
            _ = try await transport.send(mail(), through: server.account())
            await server.ends.wait(for: 1)
            #expect(server.commands.all.last == "QUIT")
            _ = try await transport.send(mail(), through: server.account())
            #expect(server.connectionCount == 2)
        }
    }

    @Test func `settings that would send in the clear or inject commands are refused`() async throws {
        let transport = SMTPTransport()
        let good = MailServer(host: "127.0.0.1", port: 25, security: .none, helloName: "bot.example")
        var remote = good
        remote.host = "mail.example"
        var injected = good
        injected.helloName = "bot\r\nMAIL FROM:<x@y>"
        var path = good
        path.host = "localhost/x"
        var port = good
        port.port = 0
        for server in [remote, injected, path, port] {
            #expect(await failure(of: transport, mail(), through: server)?.disposition == .permanent)
        }
        let victim = mail(to: "a@y.example>\r\nDATA\r\nSubject: forged")
        #expect(await failure(of: transport, victim, through: good)?.disposition == .permanent)
        await transport.close()
    }
}
