import BotCore
import Testing
import Values

/// What becomes of what the homeserver answers.
@Suite struct MatrixAnswerTests {
    private let now = MatrixTestBot.now

    private func payload(of sink: any Sink) throws -> Payload {
        try #require(try sink.prepare(MatrixTestBot.message(), at: now).first)
    }

    @Test(
        arguments: [
            (400, "M_BAD_JSON", .permanent), (400, "M_UNKNOWN", .permanent), (401, "M_UNKNOWN_TOKEN", .unauthorized),
            (401, "M_MISSING_TOKEN", .unauthorized), (403, "M_USER_DEACTIVATED", .unauthorized),
            (403, "M_CONSENT_NOT_GIVEN", .unauthorized),
            (403, "M_RESOURCE_LIMIT_EXCEEDED", .transient(retryAfter: nil)),
            (404, "M_UNRECOGNIZED", .permanent), (413, "M_TOO_LARGE", .permanent),
            (429, "M_LIMIT_EXCEEDED", .transient(retryAfter: nil)),
            (500, "M_UNKNOWN", .transient(retryAfter: nil)), (502, "", .transient(retryAfter: nil)),
            (302, "", .unauthorized),
        ] as [(Int, String, PluginError.Disposition)]
    )
    func `every refusal has its verdict, and repeats nothing of what the server says`(
        status: Int,
        code: String,
        disposition: PluginError.Disposition
    ) async throws {
        let server = ScriptedHomeserver()
        server.answer("PUT send", .matrixError(status, code))
        let sink = try MatrixTestBot.sink(server)
        let error = try #require(await failure(of: sink, try payload(of: sink)))
        #expect(error.disposition == disposition)
        #expect(error.message.hasPrefix("sink 'room': ") && !error.message.contains("SECRET"))
        #expect(server.requests("PUT send").count == 1 && server.requests("POST join").isEmpty)
    }

    @Test(
        arguments: [
            (nil, 1832, .milliseconds(1832)), ("2", 1832, .seconds(2)), (nil, -5, .zero), ("2", .null, .seconds(2)),
            (nil, 1e30, .days(1)),
        ] as [(String?, Value, TimeSpan)]
    )
    func `SINK-08 the waiting time is the homeserver's, and the repeat has the same transaction id`(
        header: String?,
        milliseconds: Value,
        span: TimeSpan
    ) async throws {
        let server = ScriptedHomeserver()
        var limited = HTTPResponse.matrix(429, ["errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": milliseconds])
        if let header { limited.headers = [("Retry-After", header)] }
        server.answer("PUT send", limited, .matrix(200, ["event_id": "$e"]))
        let sink = try MatrixTestBot.sink(server)
        let payload = try payload(of: sink)
        #expect(await failure(of: sink, payload)?.disposition == .transient(retryAfter: span))
        #expect(try await sink.deliver(payload, at: now + span).remoteID == "$e")
        #expect(Set(server.requests("PUT send").map(\.url)).count == 1)
    }

    @Test(arguments: ["{\"event_i", "<html>", "", "{}"])
    func `a good status without an event may have been taken`(body: String) async throws {
        let server = ScriptedHomeserver()
        server.answer("PUT send", HTTPResponse(status: 200, body: Array(body.utf8)))
        let sink = try MatrixTestBot.sink(server)
        #expect(await failure(of: sink, try payload(of: sink))?.disposition == .uncertain)
    }

    @Test func `only a message counts as possibly sent, not a question before it`() async throws {
        let server = ScriptedHomeserver()
        server.fail("GET directory", [.failure(.uncertain("no answer came"))])
        let sink = try MatrixTestBot.sink(server)
        #expect(await failure(of: sink, try payload(of: sink))?.disposition == .transient(retryAfter: nil))
        server.answer("GET directory", .matrix(200, ["room_id": "!abc"]))
        server.fail("PUT send", [.failure(.uncertain("no answer came"))])
        #expect(await failure(of: sink, try payload(of: sink))?.disposition == .uncertain)
    }
}
