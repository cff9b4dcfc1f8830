import BotCore
import Testing
import Values

/// What is sent.
@Suite struct TelegramMessageTests {
    private let now = TelegramTestBot.now

    @Test func `a message goes out in HTML, without a preview of its links, and values are text`() async throws {
        let http = ScriptedHTTP(answers: [.taken()])
        let sink = try TelegramTestBot.sink(http)
        let payloads = try sink.prepare(TelegramTestBot.message(values: ["5 < 7 & <b>ja</b>"]), at: now)
        #expect(try sink.prepare(TelegramTestBot.message(values: ["5 < 7 & <b>ja</b>"]), at: now) == payloads)
        let payload = try #require(payloads.first)
        #expect(try await sink.deliver(payload, at: now) == Receipt(remoteID: "77"))
        #expect(http.requests[0].url == "https://api.telegram.org/bot\(TelegramTestBot.token)/sendMessage")
        let sent = http.bodies[0]
        #expect(sent["chat_id"] == -1001 && sent["parse_mode"] == "HTML")
        #expect(sent["text"] == "<b>Ausfall</b>\n\n<b>Mathematik</b>: 5 &lt; 7 &amp; &lt;b&gt;ja&lt;/b&gt;")
        #expect(sent["link_preview_options"]["is_disabled"] == true)
        #expect(sent["disable_notification"].isNull && sent["message_thread_id"].isNull)
        #expect(payload.text == "Ausfall\n\nMathematik: 5 < 7 & <b>ja</b>")
    }

    @Test func `a rule's own chats replace the sink's, each with a payload of its own and without its topic`()
        async throws
    {
        let http = ScriptedHTTP(answers: [.taken(), .taken()])
        let sink = try TelegramTestBot.sink(http, ["topic": 12])
        #expect(try sink.prepare(TelegramTestBot.message(), at: now)[0].content["topic"] == 12)
        let payloads = try sink.prepare(TelegramTestBot.message(to: ["4711", "@klasse_3a"]), at: now)
        #expect(payloads.map(\.recipient) == ["4711", "@klasse_3a"])
        #expect(Set(payloads.map(\.id)).count == 2)
        for payload in payloads { _ = try await sink.deliver(payload, at: now) }
        #expect(http.bodies.map { $0["chat_id"] } == [4711, "@klasse_3a"])
        #expect(http.bodies.allSatisfy { $0["message_thread_id"].isNull })
    }

    @Test func `a recipient that is no chat is refused without being named`() throws {
        let sink = try TelegramTestBot.sink(ScriptedHTTP())
        #expect {
            try sink.prepare(TelegramTestBot.message(to: ["anna@example.org"]), at: now)
        } throws: {
            let error = $0 as? PluginError
            return error?.disposition == .permanent && error?.message.contains("anna") == false
        }
    }

    @Test(arguments: [(true, false), (false, true), (true, true)])
    func `a message is silent if its rule or the sink says so`(sinkIsSilent: Bool, messageIsSilent: Bool) async throws {
        let http = ScriptedHTTP(answers: [.taken()])
        let sink = try TelegramTestBot.sink(http, ["silent": .bool(sinkIsSilent), "topic": 5])
        let payload = try #require(try sink.prepare(TelegramTestBot.message(isSilent: messageIsSilent), at: now).first)
        _ = try await sink.deliver(payload, at: now)
        #expect(http.bodies[0]["disable_notification"] == true && http.bodies[0]["message_thread_id"] == 5)
    }

    @Test func `nobody is called by what data says, and only the rule's link is one`() async throws {
        let http = ScriptedHTTP(answers: [.taken()])
        let sink = try TelegramTestBot.sink(http)
        let hostile = TelegramTestBot.message(
            values: ["@everyone [x](tg://user?id=1) <a href=\"https://evil.example\">"],
            link: "https://school.example/a?b=c&d"
        )
        _ = try await sink.deliver(try #require(try sink.prepare(hostile, at: now).first), at: now)
        let text = try #require(http.bodies[0]["text"].string)
        #expect(!text.contains("@everyone") && !text.contains("href=\"tg:") && !text.contains("href=\"https://evil"))
        #expect(text.hasSuffix("<a href=\"https://school.example/a?b=c&amp;d\">https://school.example/a?b=c&amp;d</a>"))
    }

    /// With room for the mark of a repeat, in units of UTF-16.
    @Test(arguments: [
        String(repeating: "😀", count: 2100),
        String(repeating: "a", count: 4095) + "👨‍👩‍👧‍👦" + String(repeating: "b", count: 10),
        String(repeating: "&", count: 4096), (1...700).map { "Eintrag \($0)" }.joined(separator: "\n"),
    ])
    func `TMPL-05 TMPL-12 SINK-05 a long message comes in numbered parts that fit, and says all`(text: String)
        async throws
    {
        let http = ScriptedHTTP(answers: Array(repeating: .taken(), count: 20))
        let sink = try TelegramTestBot.sink(http)
        let payloads = try sink.prepare(TelegramTestBot.message("{0}", values: [text], title: ""), at: now)
        #expect(payloads.count > 1 && payloads.map(\.part) == Array(1...payloads.count))
        #expect(Set(payloads.map(\.id)).count == payloads.count)
        for var payload in payloads {
            payload.isRepeat = true
            _ = try await sink.deliver(payload, at: now)
        }
        let sent = http.bodies.compactMap { $0["text"].string }
        #expect(sent.allSatisfy { $0.utf16.count <= 4096 })
        let visible = payloads.map { $0.text.drop { $0 != " " } }.joined()
        #expect(visible.filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }

    @Test func `a possible repeat says so first, any other message does not`() async throws {
        let http = ScriptedHTTP(answers: [.taken(), .taken()])
        let sink = try TelegramTestBot.sink(http)
        var payload = try #require(try sink.prepare(TelegramTestBot.message(), at: now).first)
        _ = try await sink.deliver(payload, at: now)
        payload.isRepeat = true
        _ = try await sink.deliver(payload, at: now)
        let texts = http.bodies.compactMap { $0["text"].string }
        #expect(!texts[0].contains("possible repeat"))
        #expect(texts[1].hasPrefix("(mögliche Wiederholung") && texts[1].hasSuffix(texts[0]))
    }

    @Test func `SINK-29 what shows nothing is not sent`() throws {
        let sink = try TelegramTestBot.sink(ScriptedHTTP())
        #expect(try sink.prepare(TelegramTestBot.message("{0}", values: [" \u{200B} "], title: ""), at: now).isEmpty)
    }

    @Test func `SINK-04 SINK-07 the reader sees every character of a value as it is`() async throws {
        let http = ScriptedHTTP(answers: [.taken()])
        let sink = try TelegramTestBot.sink(http)
        let value = "Datei mathe_test_1.pdf (Kap. 1-2)! *wichtig* [x] #7: Note < 5 & Gespräch"
        let payload = try #require(
            try sink.prepare(TelegramTestBot.message("{0}", values: [value], title: ""), at: now).first
        )
        _ = try await sink.deliver(payload, at: now)
        let sent = value.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        #expect(http.bodies[0]["text"].string == sent && payload.text == value)
    }

    @Test func `a rule's plain text is sent as it stands`() throws {
        let sink = try TelegramTestBot.sink(ScriptedHTTP())
        let payload = try #require(try sink.prepare(TelegramTestBot.message(plain: "**1** <2"), at: now).first)
        #expect(payload.content["html"] == "**1** &lt;2")
    }

    @Test(
        arguments: [
            (["chat": ""], "chat"), (["chat": "klasse"], "chat"), (["chat": "@a b"], "chat"), (["chat": "0"], "chat"),
            (["chat": "@1abcd"], "chat"),
        ] as [(ValueMap, String)]
    )
    func `settings that cannot work are refused at their key`(extra: ValueMap, key: String) {
        #expect { try TelegramTestBot.sink(ScriptedHTTP(), extra) } throws: { ($0 as? SettingsError)?.key == key }
    }

    @Test(arguments: ["", "abc", "abc:def", "123:", "123:a/b", "123:a b", "bot123:abc", "123:abc\n"])
    func `a secret that is no token is refused without showing it`(token: String) {
        #expect { try TelegramTestBot.sink(ScriptedHTTP(), token: token) } throws: {
            let error = $0 as? SettingsError
            return error?.key == "token" && (token.isEmpty || error?.message.contains(token) == false)
        }
    }
}
