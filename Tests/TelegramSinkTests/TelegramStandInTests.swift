import BotCore
import Testing
import Values

/// The sink over real HTTP, against a server that follows the source of the public one.
@Suite(.enabled(if: StandIn.script != nil, "skipped: there is no python3, or no servers/tg_fake.py beside the package"))
struct TelegramStandInTests {
    private let now = TelegramTestBot.now

    private func sink(_ server: StandIn, token: String = TelegramTestBot.token, _ extra: ValueMap = [:]) throws
        -> any Sink
    {
        var values: ValueMap = ["api": .string(server.url), "chat": "100"]
        for pair in extra { values[pair.key] = pair.value }
        return try TelegramTestBot.sink(server.client, values, token: token)
    }

    @Test func `SINK-11 messages arrive, and a recipient who blocked the bot keeps nobody else's away`() async throws {
        try await StandIn.run { server in
            try await server.chat(100, "private")
            try await server.chat(101, "private", "blocked")
            try await server.chat(102, "private")
            let sink = try sink(server)
            let message = TelegramTestBot.message(values: ["5 < 7"], to: ["100", "101", "102"], isSilent: true)
            let payloads = try sink.prepare(message, at: now)
            #expect(try await sink.deliver(payloads[0], at: now).remoteID == "1")
            let error = await failure(of: sink, payloads[1])
            #expect(error?.disposition == .permanent && error?.message.contains("blocked") == true)
            _ = try await sink.deliver(payloads[2], at: now)
            let messages = try await server.messages()
            #expect(messages.map { $0["chat"]["id"] } == [100, 102])
            #expect(messages.allSatisfy { $0["_silent"] == true })
            #expect(messages[0]["text"].string?.contains("<b>Mathematik</b>: 5 &lt; 7") == true)
        }
    }

    @Test func `a group that became a supergroup gets the message there, once`() async throws {
        try await StandIn.run { server in
            try await server.chat(-5, "group", "migrated", to: -1005)
            try await server.chat(-1005, "supergroup")
            let sink = try sink(server, ["chat": "-5"])
            let payload = try #require(try sink.prepare(TelegramTestBot.message(), at: now).first)
            #expect(try await sink.deliver(payload, at: now).sinkMemo == ["moved": ["-5": -1005]])
            #expect(try await server.messages().map { $0["chat"]["id"] } == [-1005])
        }
    }

    @Test(
        arguments: [
            (["kind": "status", "status": 502], .transient(retryAfter: nil), 0), (["kind": "garbage"], .uncertain, 1),
            (["kind": "drop_after"], .uncertain, 1), (["kind": "drop_before"], .uncertain, 0),
        ] as [(Value, PluginError.Disposition, Int)]
    )
    func `a fault on the way is what it is`(fault: Value, disposition: PluginError.Disposition, arrived: Int)
        async throws
    {
        try await StandIn.run { server in
            try await server.chat(100, "private")
            try await server.control(["fault": fault])
            let sink = try sink(server)
            let payload = try #require(try sink.prepare(TelegramTestBot.message(), at: now).first)
            let error = await failure(of: sink, payload)
            #expect(error?.disposition == disposition && error?.message.contains(TelegramTestBot.token) == false)
            #expect(try await server.messages().count == arrived)
        }
    }

    @Test func `too many messages, unknown chats and topics, and a wrong token are told apart`() async throws {
        try await StandIn.run { server in
            try await server.chat(-7, "supergroup")
            try await server.control(["limits": ["group_per_min": 1]])
            let group = try sink(server, ["chat": "-7"])
            let payload = try #require(try group.prepare(TelegramTestBot.message(), at: now).first)
            _ = try await group.deliver(payload, at: now)
            guard case .transient(let wait?)? = await failure(of: group, payload)?.disposition else {
                Issue.record("the second message in a minute was not put off")
                return
            }
            #expect(wait > .zero && wait <= .seconds(61))
            let unknown = try group.prepare(TelegramTestBot.message(to: ["999"]), at: now)[0]
            #expect(await failure(of: group, unknown)?.message.contains("knows no such chat") == true)
            let topic = try sink(server, ["chat": "-7", "topic": 9])
            let lost = try topic.prepare(TelegramTestBot.message(), at: now)[0]
            try await server.control(["limits": [:]])
            #expect(await failure(of: topic, lost)?.message.contains("topic is gone") == true)
            let stranger = try sink(server, token: "987654321:AAA")
            #expect(await failure(of: stranger, payload)?.disposition == .unauthorized)
        }
    }
}
