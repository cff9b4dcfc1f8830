import BotCore
import EmailSink
import StdoutSink
import Synchronization
import Testing
import Values
import WebhookSink

private let now = Timestamp(seconds: 1_796_022_000)  // 2026-11-30T07:00:00Z
private let webhookURL = "https://hooks.example.org/T0/SECRET"

private func message(
    body: String = "**Mathematik**: {0}",
    values: [String] = ["<b>5,5</b> @everyone"],
    plain: String? = nil
) -> Message {
    Message(
        id: "m1",
        rule: "noten",
        sink: "s",
        title: TemplatedText(template: "Neue Note für \u{E000}0\u{E001}", values: ["Anna Größe\r\nBcc: x"]),
        body: TemplatedText(template: body.replacing("{0}", with: TemplatedText.placeholder(0)), values: values),
        plainOverride: plain,
        locale: "de",
        events: ["e1"],
        orderKey: "noten/61001"
    )
}

private func tools(http: RecordingHTTP = RecordingHTTP([]), mail: RecordingMail = RecordingMail()) -> Tools {
    Tools(http: http, mail: mail, log: .silent, print: { _ in true }, hasColours: false)
}

private func webhook(_ flavour: String, _ http: RecordingHTTP, key: String? = nil) throws -> any Sink {
    var secrets = ["url": Secret(webhookURL)]
    if let key { secrets["signing_key"] = Secret(key) }
    let settings = Settings(name: "class-hook", values: ["flavour": .string(flavour)], secrets: secrets)
    return try WebhookPlugin.sink.make(settings, .null, tools(http: http))
}

@Suite struct EmailSinkTests {
    private func sink(_ mail: RecordingMail, extra: ValueMap = [:]) throws -> any Sink {
        var values: ValueMap = [
            "smtp": "smtps://mail.example.org", "from": "bot@example.org", "from_name": "POKYH Bot",
            "to": ["eins@example.org", "zwei@example.org"],
        ]
        for pair in extra { values[pair.key] = pair.value }
        return try EmailPlugin.sink.make(Settings(name: "mail", values: values), .null, tools(mail: mail))
    }

    @Test func `each recipient gets a mail of their own, the same to the byte whenever it is prepared`() async throws {
        let mail = RecordingMail()
        let sink = try sink(mail)
        let payloads = try sink.prepare(message(), at: now)
        #expect(payloads.map(\.recipient) == ["eins@example.org", "zwei@example.org"])
        #expect(try sink.prepare(message(), at: now) == payloads)
        #expect(Set(payloads.map(\.id)).count == 2)
        for payload in payloads { #expect(try await sink.deliver(payload, at: now).remoteID == "4ABC") }
        #expect(mail.sent.map(\.mail.recipient) == payloads.map(\.recipient))
        #expect(mail.sent[0].server.port == 465 && mail.sent[0].server.security == .tls)
        let text = String(decoding: mail.sent[0].mail.message, as: UTF8.self)
        #expect(text.contains("Message-ID: <\(payloads[0].id)@example.org>\r\n"))
        #expect(text.contains("Auto-Submitted: auto-generated\r\n"))
        #expect(!text.contains("zwei@example.org"))
    }

    @Test func `a possible repeat of a mail has the same Message-ID and says what it is`() async throws {
        let mail = RecordingMail()
        let sink = try sink(mail)
        var payload = try #require(try sink.prepare(message(), at: now).first)
        payload.isRepeat = true
        _ = try await sink.deliver(payload, at: now)
        let text = String(decoding: mail.sent[0].mail.message, as: UTF8.self)
        #expect(text.contains("possible_repeat") && text.contains("Message-ID: <\(payload.id)@example.org>\r\n"))
        #expect(!EmailPlugin.sink.recognisesRepeats(Settings(name: "mail", values: [:])))
    }

    @Test func `the mail is 7 bit, short-lined, and nothing in a value adds a header or markup`() async throws {
        let payload = try #require(try sink(RecordingMail()).prepare(message(), at: now).first)
        let mail = try #require(payload.content["message"].string)
        #expect(mail.utf8.allSatisfy { $0 < 0x80 })
        for line in mail.split(separator: "\r\n", omittingEmptySubsequences: false) {
            #expect(line.utf8.count <= 78 && !line.contains("\n") && !line.contains("\r"))
        }
        #expect(!mail.contains("\r\nBcc"))
        #expect(mail.replacing("=\r\n", with: "").contains("&lt;b&gt;5,5"))
        #expect(mail.hasSuffix("--\r\n"))
    }

    @Test(
        arguments: [
            (["smtp": "mail.example.org"], "smtp"), (["smtp": "https://mail.example.org"], "smtp"),
            (["smtp": "smtp://mail.example.org:99999"], "smtp"),
            (["smtp": "smtp://mail.example.org", "tls": "off"], "tls"),
            (["smtp": "smtps://127.0.0.1", "tls": "off"], "tls"), (["user": "bot"], "user"),
            (["smtp": "smtp://bot:secret@mail.example.org"], "smtp"),
        ] as [(ValueMap, String)]
    )
    func `settings that cannot work are refused at their key`(extra: ValueMap, key: String) {
        #expect { try sink(RecordingMail(), extra: extra) } throws: { ($0 as? SettingsError)?.key == key }
    }

    @Test(arguments: ["127.0.0.1", "127.8.8.8:2525", "localhost", "LOCALHOST", "[::1]:25"])
    func `this machine may be spoken to in the clear, however it is written`(host: String) throws {
        _ = try sink(RecordingMail(), extra: ["smtp": .string("smtp://" + host), "tls": "off"])
    }
}

@Suite struct WebhookSinkTests {
    @Test func `a program gets a CloudEvent with the same id in every repeat, signed as the standard says`()
        async throws
    {
        let http = RecordingHTTP([.success(HTTPResponse(status: 204)), .success(HTTPResponse(status: 200))])
        let sink = try webhook("json", http, key: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        var payload = try #require(try sink.prepare(message(), at: now).first)
        _ = try await sink.deliver(payload, at: now)
        payload.isRepeat = true
        _ = try await sink.deliver(payload, at: now + .minutes(5))
        let bodies = try http.requests.map { try Value(json: $0.body ?? []) }
        #expect(bodies[0] == bodies[1])
        #expect(bodies[0]["specversion"] == "1.0" && bodies[0]["id"].string == payload.id)
        #expect(bodies[0]["data"]["text"].string?.contains("<b>5,5</b>") == true)
        let ids = http.requests.map { request in request.headers.first { $0.name == "webhook-id" }?.value }
        #expect(ids == [payload.id, payload.id])
        #expect(
            http.requests.allSatisfy {
                $0.headers.contains { $0.name == "webhook-signature" && $0.value.hasPrefix("v1,") }
            }
        )
    }

    @Test func `a signing key that is too short is refused without showing it`() throws {
        #expect { try webhook("json", RecordingHTTP([]), key: "c2hvcnQ=") } throws: {
            ($0 as? SettingsError)?.key == "signing_key" && !"\($0)".contains("c2hvcnQ")
        }
    }

    @Test(arguments: ["slack", "discord", "mattermost"])
    func `SEC-06 nobody is pinged by what data says`(flavour: String) async throws {
        let answer = flavour == "discord" ? #"{"id":"77"}"# : "ok"
        let http = RecordingHTTP([.success(HTTPResponse(status: 200, body: Array(answer.utf8)))])
        let sink = try webhook(flavour, http)
        let hostile = message(values: [
            "@everyone @here <!channel> <@U123> [x](https://evil.example) @room [x](tg://user?id=1)"
        ])
        let payload = try #require(try sink.prepare(hostile, at: now).first)
        _ = try await sink.deliver(payload, at: now)
        let sent = try Value(json: http.requests[0].body ?? [])
        // Text elements of Slack's rich text are literal; only elements of other types call somebody.
        #expect(
            !sent["blocks"].json.contains(#""type":"broadcast""#) && !sent["blocks"].json.contains(#""type":"user""#)
        )
        let body = (sent["text"].string ?? "") + (sent["content"].string ?? "")
        for active in ["@everyone", "@here", "<!channel>", "<@U123>", "](https://evil.example)", "@room", "](tg://"] {
            #expect(!body.contains(active))
        }
        if flavour == "discord" { #expect(sent["allowed_mentions"] == ["parse": []]) }
    }

    @Test func `SINK-20 a long message comes in numbered parts that each fit`() throws {
        let body = (1...300).map { "- Eintrag Nummer \($0)" }.joined(separator: "\n")
        let payloads = try webhook("discord", RecordingHTTP([])).prepare(message(body: body, values: []), at: now)
        #expect(payloads.count > 1)
        #expect(Set(payloads.map(\.id)).count == payloads.count)
        #expect(payloads.allSatisfy { ($0.content["content"].string ?? "").unicodeScalars.count <= 2000 })
        #expect(payloads.map(\.part) == Array(1...payloads.count))
    }

    @Test func `a possible repeat to a chat says so, and leaves the text as it was`() async throws {
        let http = RecordingHTTP([.success(HTTPResponse(status: 200, body: Array(#"{"id":"77"}"#.utf8)))])
        let sink = try webhook("discord", http)
        var payload = try #require(try sink.prepare(message(), at: now).first)
        payload.isRepeat = true
        #expect(try await sink.deliver(payload, at: now).remoteID == "77")
        let body = try Value(json: http.requests[0].body ?? [])
        #expect(body["content"] == payload.content["content"])
        #expect(body["embeds"][0]["description"].string?.contains("possible repeat") == true)
        #expect(http.requests[0].url == webhookURL + "?wait=true")
    }

    @Test(arguments: [("json", true), ("slack", false), ("discord", false), ("mattermost", false)])
    func `a program recognises a repeat by its id, a chat does not`(flavour: String, recognises: Bool) {
        let settings = Settings(name: "class-hook", values: ["flavour": .string(flavour)])
        #expect(WebhookPlugin.sink.recognisesRepeats(settings) == recognises)
        #expect(!EmailPlugin.sink.recognisesRepeats(settings) && !StdoutPlugin.sink.recognisesRepeats(settings))
    }

    @Test func `a 200 that is not Slack's ok is no delivery`() async throws {
        let http = RecordingHTTP([.success(HTTPResponse(status: 200, body: Array("<html>login".utf8)))])
        let sink = try webhook("slack", http)
        let payload = try #require(try sink.prepare(message(), at: now).first)
        await #expect { try await sink.deliver(payload, at: now) } throws: {
            ($0 as? PluginError)?.disposition == .permanent
        }
    }

    @Test(arguments: [
        (301, PluginError.Disposition.unauthorized), (400, .permanent), (401, .unauthorized), (403, .permanent),
        (404, .unauthorized),
        (408, .transient(retryAfter: nil)), (410, .unauthorized), (413, .permanent),
        (429, .transient(retryAfter: .seconds(30))),
        (500, .transient(retryAfter: .seconds(30))), (501, .permanent), (503, .transient(retryAfter: .seconds(30))),
        (700, .permanent),
    ])
    func `SINK-26 every status has its verdict, and no error shows the address`(
        status: Int,
        disposition: PluginError.Disposition
    ) async throws {
        let headers = status == 408 ? [] : [(name: "Retry-After", value: "30")]
        let http = RecordingHTTP([.success(HTTPResponse(status: status, headers: headers, body: Array("SECRET".utf8)))])
        let sink = try webhook("json", http)
        let payload = try #require(try sink.prepare(message(), at: now).first)
        await #expect { try await sink.deliver(payload, at: now) } throws: {
            let error = $0 as? PluginError
            return error?.disposition == disposition && error?.message.contains("SECRET") == false
                && error?.message.contains("class-hook") == true
        }
    }

    @Test(arguments: [
        ("Mon, 30 Nov 2026 08:00:00 GMT", TimeSpan?.some(.hours(1))), ("-5", .zero), ("0.5", .milliseconds(500)),
        ("soon", nil),
        ("999999999", .days(1)), ("Mon, 30 Nov 2020 07:20:00 GMT", .zero), ("", nil),
    ])
    func `a waiting time comes as seconds or as a date`(text: String, span: TimeSpan?) {
        let response = HTTPResponse(status: 429, headers: [("retry-after", text)])
        #expect(RetryAfter.span(in: response, at: now) == span)
    }
}

@Suite struct StdoutSinkTests {
    @Test func `a message is a title and its text, and a repeat names its delivery`() async throws {
        let lines = Mutex<[String]>([])
        let tools = Tools(
            http: RecordingHTTP([]),
            mail: RecordingMail(),
            log: .silent,
            print: { line in
                lines.withLock { $0.append(line) }
                return true
            },
            hasColours: false
        )
        let sink = try StdoutPlugin.sink.make(Settings(name: "terminal", values: ["prefix": "3A: "]), .null, tools)
        var payload = try #require(try sink.prepare(message(), at: now).first)
        _ = try await sink.deliver(payload, at: now)
        payload.isRepeat = true
        _ = try await sink.deliver(payload, at: now)
        let printed = lines.withLock { $0 }
        #expect(printed[0].contains("3A: Neue Note für Anna Größe") && printed[0].contains("Mathematik: <b>5,5</b>"))
        #expect(printed[1].hasPrefix("[\(payload.id)] "))
        #expect(!printed[0].contains("\u{1B}"))
    }

    @Test func `what standard output does not take is not delivered`() async throws {
        var tools = tools()
        tools.print = { _ in false }
        let sink = try StdoutPlugin.sink.make(Settings(name: "terminal", values: [:]), .null, tools)
        let payload = try #require(try sink.prepare(message(), at: now).first)
        await #expect { try await sink.deliver(payload, at: now) } throws: {
            ($0 as? PluginError)?.disposition == .transient(retryAfter: nil)
        }
    }
}

@Suite struct LinkTests {
    private let link = "https://example.org/noten?id=7"

    private func payload(_ sink: any Sink, plain: String?) throws -> Payload {
        var message = message(plain: plain)
        message.link = link
        return try #require(try sink.prepare(message, at: now).first)
    }

    @Test(arguments: [nil, "Nur Text"])
    func `every sink shows the title, the text and where the message points to`(plain: String?) throws {
        let text = plain ?? "Mathematik"
        for flavour in ["slack", "discord", "mattermost"] {
            let content = try payload(webhook(flavour, RecordingHTTP([])), plain: plain).content.json
            let shown = content.replacing("\\/", with: "/").replacing("\\", with: "")
            #expect(shown.contains("Neue Note") && shown.contains(text), "\(flavour)")
            #expect(shown.contains("example.org/noten"), "\(flavour)")
        }
        let terminal = try StdoutPlugin.sink.make(Settings(name: "terminal", values: [:]), .null, tools())
        let printed = try payload(terminal, plain: plain)
        for shown in [printed.text, printed.content["ansi"].string ?? ""] {
            #expect(shown.contains("Neue Note") && shown.contains(text) && shown.contains(link))
        }
        let settings = Settings(
            name: "mail",
            values: ["smtp": "smtps://mail.example.org", "from": "bot@example.org", "to": ["eins@example.org"]]
        )
        let mail = try payload(try EmailPlugin.sink.make(settings, .null, tools()), plain: plain)
        let bytes = (mail.content["message"].string ?? "").replacing("=\r\n", with: "")
        #expect(mail.text.hasSuffix(link) && bytes.contains("href=3D\"https://example.org/noten?id=3D7\""))
        #expect(bytes.contains("\r\nhttps://example.org/noten?id=3D7\r\n"))
    }
}
