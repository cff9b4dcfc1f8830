import BotCore
import Testing
import Values

/// The way into the room.
@Suite struct MatrixRoomTests {
    private let now = MatrixTestBot.now

    private func payload(of sink: any Sink) throws -> Payload {
        try #require(try sink.prepare(MatrixTestBot.message(), at: now).first)
    }

    @Test func `an alias is looked up once an hour, and so is the room's encryption`() async throws {
        let server = ScriptedHomeserver()
        let sink = try MatrixTestBot.sink(server)
        for minutes in [0, 10, 59, 61] as [Int64] {
            _ = try await sink.deliver(try payload(of: sink), at: now + .minutes(minutes))
        }
        #expect(
            server.requests("GET directory").map(\.url)
                == Array(repeating: ScriptedHomeserver.base + "/directory/room/%233a%3Aexample.org", count: 2)
        )
        #expect(server.requests("GET state").count == 2 && server.requests("PUT send").count == 4)
    }

    @Test func `a room given by its id needs no looking up`() async throws {
        let server = ScriptedHomeserver()
        let sink = try MatrixTestBot.sink(server, ["room": "!UoXq/LCyZc"])
        _ = try await sink.deliver(try payload(of: sink), at: now)
        #expect(server.routes == ["GET state", "PUT send"])
        #expect(server.requests("PUT send")[0].url.contains("/rooms/%21UoXq%2FLCyZc/send/"))
    }

    @Test func `an encrypted room is refused before anything is sent in the clear`() async throws {
        let server = ScriptedHomeserver()
        server.answer("GET state", .matrix(200, ["algorithm": "m.megolm.v1.aes-sha2"]))
        let sink = try MatrixTestBot.sink(server)
        let error = await failure(of: sink, try payload(of: sink))
        #expect(error?.disposition == .permanent && error?.message.contains("encrypted") == true)
        #expect(server.requests("PUT send").isEmpty)
    }

    @Test func `an invitation is accepted, whether the look at the room or the message meets it`() async throws {
        let server = ScriptedHomeserver()
        server.answer("GET state", .matrixError(403, "M_FORBIDDEN"), .matrixError(404, "M_NOT_FOUND"))
        let sink = try MatrixTestBot.sink(server)
        _ = try await sink.deliver(try payload(of: sink), at: now)
        #expect(server.routes == ["GET directory", "GET state", "POST join", "GET state", "PUT send"])
        #expect(server.requests("POST join")[0].url == ScriptedHomeserver.base + "/join/%233a%3Aexample.org")
        server.answer("PUT send", .matrixError(403, "M_FORBIDDEN"), .matrix(200, ["event_id": "$e"]))
        #expect(try await sink.deliver(try payload(of: sink), at: now).remoteID == "$e")
        #expect(server.routes.suffix(5) == ["PUT send", "GET directory", "GET state", "POST join", "PUT send"])
    }

    @Test func `the first message after a room was upgraded goes to the new room, once that is known to be open`()
        async throws
    {
        let server = ScriptedHomeserver()
        let sink = try MatrixTestBot.sink(server)
        _ = try await sink.deliver(try payload(of: sink), at: now)
        // The alias leads to the new room, and the old one takes nothing any more.
        server.answer("GET directory", .matrix(200, ["room_id": "!new:example.org", "servers": ["example.org"]]))
        server.answer("GET state", .matrixError(403, "M_FORBIDDEN"), .matrixError(404, "M_NOT_FOUND"))
        server.answer("PUT send", .matrixError(403, "M_FORBIDDEN"), .matrix(200, ["event_id": "$e"]))
        #expect(try await sink.deliver(try payload(of: sink), at: now + .minutes(1)).remoteID == "$e")
        let sent = server.requests("PUT send").map(\.url)
        #expect(sent[1].contains("/rooms/%21abc%3Aexample.org/") && sent[2].contains("/rooms/%21new%3Aexample.org/"))
        #expect(server.requests("GET state").last?.url.contains("/rooms/%21new%3Aexample.org/") == true)
        #expect(
            server.routes.suffix(6) == ["PUT send", "GET directory", "GET state", "POST join", "GET state", "PUT send"]
        )
    }

    @Test func `joining is tried once, then the message is given up`() async throws {
        let server = ScriptedHomeserver()
        server.answer("PUT send", .matrixError(403, "M_FORBIDDEN"))
        let sink = try MatrixTestBot.sink(server)
        let error = await failure(of: sink, try payload(of: sink))
        #expect(error?.disposition == .permanent && error?.message.contains("may not write") == true)
        #expect(server.requests("POST join").count == 1 && server.requests("PUT send").count == 2)
        server.answer("POST join", .matrixError(403, "M_FORBIDDEN"))
        let other = await failure(of: sink, try payload(of: sink))
        #expect(other?.disposition == .permanent && other?.message.contains("invite") == true)
        #expect(server.requests("PUT send").count == 3)
        // The alias may lead to another room by now.
        #expect(server.requests("GET directory").count == 4)
    }

    @Test(arguments: [
        ("GET directory", HTTPResponse.matrixError(404, "M_NOT_FOUND"), "alias"),
        ("GET directory", HTTPResponse(status: 200, body: Array("<html>".utf8)), "homeserver"),
        ("GET state", HTTPResponse(status: 404, body: Array("<html>".utf8)), "HTTP 404"),
        ("GET state", .matrixError(404, "M_UNRECOGNIZED"), "homeserver"),
    ])
    func `what is no room or no homeserver is said to be none`(route: String, answer: HTTPResponse, words: String)
        async throws
    {
        let server = ScriptedHomeserver()
        server.answer(route, answer)
        let sink = try MatrixTestBot.sink(server)
        let error = await failure(of: sink, try payload(of: sink))
        let isFinal = error?.disposition == .permanent || error?.disposition == .unauthorized
        #expect(isFinal && error?.message.contains(words) == true)
        #expect(server.requests("PUT send").isEmpty)
    }
}
