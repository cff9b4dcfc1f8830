import BotCore
import MatrixSink
import Testing
import Values

/// What is sent.
@Suite struct MatrixMessageTests {
    private let now = MatrixTestBot.now

    @Test func `a message is one event, the same in every repeat, under its delivery id`() async throws {
        let server = ScriptedHomeserver()
        let sink = try MatrixTestBot.sink(server)
        var payload = try #require(try sink.prepare(MatrixTestBot.message(values: ["5 < 7 @room"]), at: now).first)
        let receipt = try await sink.deliver(payload, at: now)
        #expect(receipt == Receipt(remoteID: "$event:example.org"))
        payload.isRepeat = true
        _ = try await sink.deliver(payload, at: now)
        let requests = server.requests("PUT send")
        #expect(requests[0] == requests[1] && MatrixPlugin.sink.recognisesRepeats(Settings(name: "room", values: [:])))
        #expect(
            requests[0].url == ScriptedHomeserver.base
                + "/rooms/%21abc%3Aexample.org/send/m.room.message/\(payload.id)"
        )
        #expect(requests[0].field("Authorization") == "Bearer SECRET-token")
        let event = server.bodies("PUT send")[0]
        #expect(event["msgtype"] == "m.text" && event["format"] == "org.matrix.custom.html")
        #expect(event["m.mentions"] == [:])
        #expect(event["formatted_body"].string?.contains("<strong>Mathematik</strong>: 5 &lt; 7") == true)
        #expect(event["body"].string?.hasPrefix("Ausfall\n\nMathematik: 5 < 7") == true)
        #expect(!event.json.contains("@room"))
    }

    @Test(arguments: [("text", false, "m.text"), ("text", true, "m.notice"), ("notice", false, "m.notice")])
    func `phones ring unless the sink or the message says otherwise`(type: String, isSilent: Bool, expected: String)
        throws
    {
        let sink = try MatrixTestBot.sink(ScriptedHomeserver(), ["message_type": .string(type)])
        let payload = try #require(try sink.prepare(MatrixTestBot.message(isSilent: isSilent), at: now).first)
        #expect(payload.content["msgtype"].string == expected)
    }

    @Test func `a long message comes in parts that leave room in an event of 65,536 bytes`() throws {
        let sink = try MatrixTestBot.sink(ScriptedHomeserver())
        let text = (1...4000).map { "Zeile \($0) & mehr\t<x>" }.joined(separator: "\n")
        let payloads = try sink.prepare(MatrixTestBot.message("{0}", values: [text]), at: now)
        #expect(payloads.count > 1 && Set(payloads.map(\.id)).count == payloads.count)
        #expect(payloads.map(\.part) == Array(1...payloads.count))
        #expect(payloads.allSatisfy { $0.content.json.utf8.count <= 60_000 })
    }

    @Test func `what shows nothing is not sent`() throws {
        let sink = try MatrixTestBot.sink(ScriptedHomeserver())
        #expect(try sink.prepare(MatrixTestBot.message("{0}", values: [" "], title: ""), at: now).isEmpty)
    }

    @Test(arguments: ["!abc:example.org", "!UoXqLCyZc", "#3a:example.org:8448"])
    func `a room is an alias or an id, and ids of newer rooms have no server in them`(room: String) throws {
        _ = try MatrixTestBot.sink(ScriptedHomeserver(), ["room": .string(room)])
    }

    @Test(
        arguments: [
            (["room": "3a"], "room"), (["room": "#3a"], "room"), (["room": "#:example.org"], "room"),
            (["room": "!"], "room"),
            (["room": "!a b"], "room"), (["user": "bot"], "token"),
        ] as [(ValueMap, String)]
    )
    func `settings that cannot work are refused at their key`(extra: ValueMap, key: String) {
        #expect { try MatrixTestBot.sink(ScriptedHomeserver(), extra) } throws: { ($0 as? SettingsError)?.key == key }
    }

    @Test func `there is a token or a login`() {
        for extra: ValueMap in [[:], ["user": "bot"]] {
            #expect(throws: SettingsError.self) { try MatrixTestBot.sink(ScriptedHomeserver(), extra, secrets: [:]) }
        }
    }
}
