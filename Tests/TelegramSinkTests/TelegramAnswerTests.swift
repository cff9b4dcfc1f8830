import BotCore
import Synchronization
import Testing
import Values

/// What becomes of what Telegram answers.
@Suite struct TelegramAnswerTests {
    private let now = TelegramTestBot.now

    private func payload(of sink: any Sink) throws -> Payload {
        try #require(try sink.prepare(TelegramTestBot.message(), at: now).first)
    }

    private struct Refusal: Sendable {
        let code: Int
        let description: String
        let disposition: PluginError.Disposition
        let words: String

        init(_ code: Int, _ description: String, _ disposition: PluginError.Disposition, _ words: String) {
            self.code = code
            self.description = description
            self.disposition = disposition
            self.words = words
        }
    }

    private static let refusals = [
        Refusal(400, "Bad Request: chat not found", .permanent, "knows no such chat"),
        Refusal(400, "Bad Request: message thread not found", .permanent, "topic is gone"),
        Refusal(400, "Bad Request: TOPIC_CLOSED", .permanent, "topic is closed"),
        Refusal(400, "Bad Request: message is too long", .permanent, "longer"),
        Refusal(400, "Bad Request: text must be non-empty", .permanent, "shows nothing"),
        Refusal(400, "Bad Request: not enough rights to send text messages to the chat", .permanent, "may not write"),
        Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", .permanent, "supergroup"),
        Refusal(400, "Bad Request: something new", .permanent, "HTTP 400"),
        Refusal(401, "Unauthorized", .unauthorized, "token"),
        Refusal(403, "Forbidden: bot was blocked by the user", .permanent, "has blocked the bot"),
        Refusal(403, "Forbidden: user is deactivated", .permanent, "account at Telegram is gone"),
        Refusal(403, "Forbidden: bot was kicked from the supergroup chat", .permanent, "removed from the chat"),
        Refusal(403, "Forbidden: bot is not a member of the channel chat", .permanent, "not a member"),
        Refusal(403, "Forbidden: the group chat was deleted", .permanent, "deleted"),
        Refusal(403, "Forbidden: bot can't initiate conversation with a user", .permanent, "never written"),
        Refusal(403, "Forbidden: something new", .permanent, "HTTP 403"),
        Refusal(404, "Not Found", .unauthorized, "token"),
        Refusal(404, "Not Found: method not found", .unauthorized, "HTTP 404"),
        Refusal(409, "Conflict: terminated by other getUpdates request", .permanent, "HTTP 409"),
        Refusal(413, "Request Entity Too Large", .transient(retryAfter: nil), "HTTP 413"),
        Refusal(421, "Misdirected Request", .transient(retryAfter: nil), "HTTP 421"),
        Refusal(500, "Internal Server Error: sent message was lost", .transient(retryAfter: nil), "HTTP 500"),
    ]

    @Test(arguments: refusals)
    private func `every refusal has its verdict and its cure, and shows neither token nor chat`(refusal: Refusal)
        async throws
    {
        let sink = try TelegramTestBot.sink(ScriptedHTTP(answers: [.refused(refusal.code, refusal.description)]))
        let error = try #require(await failure(of: sink, try payload(of: sink)))
        #expect(error.disposition == refusal.disposition)
        #expect(error.message.hasPrefix("sink 'telegram-3a': ") && error.message.contains(refusal.words))
        #expect(!error.message.contains("secret_Key") && !error.message.contains("-1001"))
    }

    @Test(
        arguments: [
            (HTTPResponse(status: 502, body: Array("<html>gateway</html>".utf8)), .transient(retryAfter: nil)),
            (HTTPResponse(status: 404, body: Array("<html>".utf8)), .unauthorized),
            (HTTPResponse(status: 302), .unauthorized),
            (HTTPResponse(status: 200, body: Array("{\"ok\":tru".utf8)), .uncertain),
            (HTTPResponse(status: 200), .uncertain),
            (HTTPResponse(status: 200, body: Array("<html>".utf8)), .uncertain),
            (HTTPResponse(status: 200, body: Array("[]".utf8)), .permanent),
        ] as [(HTTPResponse, PluginError.Disposition)]
    )
    func `answers that are not the Bot API's are judged, too`(
        answer: HTTPResponse,
        disposition: PluginError.Disposition
    )
        async throws
    {
        let sink = try TelegramTestBot.sink(ScriptedHTTP(answers: [answer]))
        #expect(await failure(of: sink, try payload(of: sink))?.disposition == disposition)
    }

    @Test(
        arguments: [
            (["retry_after": 38], nil, .seconds(38)), (.null, "12", .seconds(12)), (["retry_after": -1], "12", .zero),
            (["retry_after": 999_999_999], nil, .days(1)), (.null, nil, nil),
        ] as [(Value, String?, TimeSpan?)]
    )
    func `SINK-09 the waiting time is Telegram's and concerns the chat alone`(
        parameters: Value,
        header: String?,
        span: TimeSpan?
    ) async throws {
        var answer = HTTPResponse.refused(429, "Too Many Requests: retry after 38", parameters)
        if let header { answer.headers = [("Retry-After", header)] }
        let sink = try TelegramTestBot.sink(ScriptedHTTP(answers: [answer]))
        let error = await failure(of: sink, try payload(of: sink))
        #expect(error?.disposition == .transient(retryAfter: span) && error?.scope == .recipient)
    }

    @Test(arguments: [
        (403, "Forbidden: bot was blocked by the user", PluginError.Scope.recipient),
        (403, "Forbidden: user is deactivated", .recipient), (403, "Forbidden: something new", .recipient),
        (400, "Bad Request: chat not found", .recipient), (400, "Bad Request: message is too long", .whole),
        (400, "Bad Request: message thread not found", .whole), (401, "Unauthorized", .whole),
    ])
    func `SINK-11 a chat that is closed is told apart from a message that is refused`(
        status: Int,
        description: String,
        scope: PluginError.Scope
    ) async throws {
        let sink = try TelegramTestBot.sink(ScriptedHTTP(answers: [.refused(status, description)]))
        #expect(await failure(of: sink, try payload(of: sink))?.scope == scope)
    }

    @Test func `SINK-04 markup that Telegram cannot read is sent once more as plain text, and the receipt says so`()
        async throws
    {
        let lines = Mutex<[String]>([])
        let log = Log { level, line in lines.withLock { if level >= .warning { $0.append(line) } } }
        let refusal = HTTPResponse.refused(400, "Bad Request: can't parse entities: Unsupported start tag \"x\"")
        let http = ScriptedHTTP(answers: [refusal, .taken(), refusal, refusal])
        let sink = try TelegramTestBot.sink(http, log: log)
        let message = TelegramTestBot.message(values: ["@anna " + String(repeating: "ä", count: 3950)])
        let payload = try #require(try sink.prepare(message, at: now).first)
        #expect(try await sink.deliver(payload, at: now).remoteID == "77, as plain text")
        let plain = http.bodies[1]
        #expect(
            plain["parse_mode"].isNull
                && plain["text"].string?.hasPrefix("Ausfall\n\nMathematik: @\u{200B}anna") == true
        )
        #expect((plain["text"].string?.utf16.count ?? 0) <= 4096)
        #expect(lines.withLock { $0 }.contains { $0.contains("rule 'ausfall'") && !$0.contains("anna") })
        #expect(await failure(of: sink, payload)?.disposition == .permanent)
        #expect(http.requests.count == 4)
    }

    @Test func `an uncertain outcome is never followed by another try`() async throws {
        let refusal = HTTPResponse.refused(400, "Bad Request: can't parse entities")
        let http = ScriptedHTTP([.success(refusal), .failure(.uncertain("no answer came")), .success(.taken())])
        let sink = try TelegramTestBot.sink(http)
        #expect(await failure(of: sink, try payload(of: sink))?.disposition == .uncertain)
        #expect(http.requests.count == 2)
        let cut = ScriptedHTTP([.failure(.uncertain("no answer came")), .success(.taken())])
        let other = try TelegramTestBot.sink(cut)
        #expect(await failure(of: other, try payload(of: other))?.disposition == .uncertain)
        #expect(cut.requests.count == 1)
    }

    @Test func `a group that became a supergroup is followed at once, remembered and told`() async throws {
        let lines = Mutex<[(Log.Level, String)]>([])
        let log = Log { level, line in lines.withLock { $0.append((level, line)) } }
        let moved = HTTPResponse.refused(
            400,
            "Bad Request: group chat was upgraded to a supergroup chat",
            ["migrate_to_chat_id": -1_001_234_567_890]
        )
        let http = ScriptedHTTP(answers: [moved, .taken(), .taken()])
        let sink = try TelegramTestBot.sink(http, log: log)
        let payload = try payload(of: sink)
        let receipt = try await sink.deliver(payload, at: now)
        #expect(http.bodies.map { $0["chat_id"] } == [-1001, -1_001_234_567_890])
        #expect(http.bodies[0]["text"] == http.bodies[1]["text"])
        #expect(receipt.remoteID == "77, in the group's new chat -1001234567890")
        #expect(receipt.sinkMemo == ["moved": ["-1001": -1_001_234_567_890]])
        let told = lines.withLock { $0 }
        #expect(told.contains { $0.0 == .warning && $0.1.contains("supergroup") })
        #expect(!told.contains { $0.0 > .debug && $0.1.contains("-1001") })
        // Another process with what was remembered.
        let later = try TelegramTestBot.sink(http, memo: try #require(receipt.sinkMemo))
        #expect(try await later.deliver(payload, at: now).sinkMemo == receipt.sinkMemo)
        #expect(http.bodies[2]["chat_id"] == -1_001_234_567_890)
    }

    @Test func `two chats that lead to each other do not lead in circles`() async throws {
        let moved = HTTPResponse.refused(400, "Bad Request: group chat was upgraded", ["migrate_to_chat_id": -2])
        let http = ScriptedHTTP(answers: Array(repeating: moved, count: 10))
        let sink = try TelegramTestBot.sink(http)
        #expect(await failure(of: sink, try payload(of: sink))?.disposition == .permanent)
        #expect(http.requests.count == 2)
    }

    /// SEC-01.
    @Test func `the token is in no error, whatever the transport says`() async throws {
        let address = "https://api.telegram.org/bot\(TelegramTestBot.token)/sendMessage"
        let sink = try TelegramTestBot.sink(ScriptedHTTP([.failure(.transient("cannot connect to \(address)"))]))
        let error = try #require(await failure(of: sink, try payload(of: sink)))
        #expect(error.disposition == .transient(retryAfter: nil) && !error.message.contains(TelegramTestBot.token))
    }
}
