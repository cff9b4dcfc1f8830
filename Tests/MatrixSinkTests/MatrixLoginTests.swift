import BotCore
import Testing
import Values

/// Logging in with a password.
@Suite struct MatrixLoginTests {
    private let now = MatrixTestBot.now

    private func sink(_ server: ScriptedHomeserver, memo: Value = .null) throws -> any Sink {
        try MatrixTestBot.sink(server, ["user": "bot"], secrets: MatrixTestBot.byPassword, memo: memo)
    }

    private func payload(of sink: any Sink) throws -> Payload {
        try #require(try sink.prepare(MatrixTestBot.message(), at: now).first)
    }

    @Test func `one login serves all messages, also those that are sent at once`() async throws {
        let server = ScriptedHomeserver()
        let sink = try sink(server)
        let payload = try payload(of: sink)
        await withTaskGroup(of: PluginError?.self) { group in
            for _ in 0..<4 { group.addTask { await failure(of: sink, payload) } }
            for await error in group { #expect(error == nil) }
        }
        #expect(server.requests("POST login").count == 1)
        #expect(server.requests("POST login")[0].field("Authorization") == nil)
        #expect(server.requests("PUT send").allSatisfy { $0.field("Authorization") == "Bearer token1" })
    }

    @Test func `the device stays the same, and only its id is remembered`() async throws {
        let server = ScriptedHomeserver()
        let first = try sink(server)
        let memo = try #require(try await first.deliver(try payload(of: first), at: now).sinkMemo)
        let second = try sink(server)
        _ = try await second.deliver(try payload(of: second), at: now)
        let third = try sink(server, memo: ["device": "OLDDEVICE"])
        #expect(try await third.deliver(try payload(of: third), at: now).sinkMemo == ["device": "OLDDEVICE"])
        let devices = server.bodies("POST login").compactMap { $0["device_id"].string }
        #expect(devices[0].hasPrefix("POKYHBOT") && devices[1] == devices[0] && devices[2] == "OLDDEVICE")
        #expect(memo == ["device": .string(devices[0])])
        let login = server.bodies("POST login")[0]
        #expect(login["type"] == "m.login.password" && login["password"] == "SECRET-password")
        #expect(login["identifier"] == ["type": "m.id.user", "user": "bot"])
    }

    @Test func `a token that has ended is renewed by one login, with the same transaction id`() async throws {
        let server = ScriptedHomeserver()
        let sink = try sink(server)
        let payload = try payload(of: sink)
        _ = try await sink.deliver(payload, at: now)
        server.answer("PUT send", .matrixError(401, "M_UNKNOWN_TOKEN"), .matrix(200, ["event_id": "$e"]))
        #expect(try await sink.deliver(payload, at: now).remoteID == "$e")
        #expect(server.requests("POST login").count == 2)
        #expect(Set(server.requests("PUT send").map(\.url)).count == 1)
        server.answer("PUT send", .matrixError(401, "M_UNKNOWN_TOKEN"))
        #expect(await failure(of: sink, payload)?.disposition == .unauthorized)
        #expect(server.requests("POST login").count == 3)
    }

    @Test(
        arguments: [
            (.matrixError(403, "M_FORBIDDEN"), .unauthorized), (.matrixError(403, "M_USER_DEACTIVATED"), .unauthorized),
            (.matrixError(400, "M_UNKNOWN"), .unauthorized),
            (.matrixError(429, "M_LIMIT_EXCEEDED"), .transient(retryAfter: nil)),
            (HTTPResponse(status: 503), .transient(retryAfter: nil)), (HTTPResponse(status: 200), .permanent),
        ] as [(HTTPResponse, PluginError.Disposition)]
    )
    func `a login that fails is judged, and shows no password`(
        answer: HTTPResponse,
        disposition: PluginError.Disposition
    )
        async throws
    {
        let server = ScriptedHomeserver()
        server.answer("POST login", answer)
        let sink = try sink(server)
        let error = await failure(of: sink, try payload(of: sink))
        #expect(error?.disposition == disposition && error?.message.contains("SECRET") == false)
    }

    @Test func `a refused password is not tried again`() async throws {
        let server = ScriptedHomeserver()
        server.answer("POST login", .matrixError(403, "M_FORBIDDEN"))
        let sink = try sink(server)
        for _ in 0..<3 { #expect(await failure(of: sink, try payload(of: sink))?.disposition == .unauthorized) }
        #expect(server.requests("POST login").count == 1)
    }

    @Test func `a refused password is tried again when a person asks for it`() async throws {
        let server = ScriptedHomeserver()
        server.answer(
            "POST login",
            .matrixError(403, "M_FORBIDDEN"),
            .matrix(200, ["access_token": "token", "device_id": "D"])
        )
        let sink = try sink(server)
        #expect(await failure(of: sink, try payload(of: sink))?.disposition == .unauthorized)
        await sink.forgetRefusal()
        #expect(await failure(of: sink, try payload(of: sink)) == nil)
    }
}
