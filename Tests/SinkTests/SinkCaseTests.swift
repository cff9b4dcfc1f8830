import BotCore
import EmailSink
import StdoutSink
import Synchronization
import Testing
import Values
import WebhookSink

private let now = Timestamp(seconds: 1_796_022_000)  // 2026-11-30T07:00:00Z

/// Faults that other notifiers had, as they would show here.
@Suite struct SinkCaseTests {
    private func message(_ title: String, _ body: String, rule: String = "noten") -> Message {
        Message(id: "m1", rule: rule, sink: "s", title: TemplatedText(value: title), body: TemplatedText(value: body))
    }

    private func tools(_ http: any HTTPClient = RecordingHTTP([]), log: Log = .silent) -> Tools {
        Tools(http: http, mail: RecordingMail(), log: log, print: { _ in true }, hasColours: false)
    }

    private func mail(_ extra: ValueMap = [:], log: Log = .silent) throws -> any Sink {
        var values: ValueMap = ["smtp": "smtps://mail.example.org", "from": "bot@example.org", "to": ["a@example.org"]]
        for pair in extra { values[pair.key] = pair.value }
        return try EmailPlugin.sink.make(Settings(name: "mail", values: values), .null, tools(log: log))
    }

    private func hook(_ flavour: String, _ http: any HTTPClient = RecordingHTTP([]), headers: ValueMap = [:]) throws
        -> any Sink
    {
        let values: ValueMap = ["flavour": .string(flavour), "headers": .map(headers)]
        let secrets = ["url": Secret("https://hooks.example.org/T0/topic-7?auth=x")]
        return try WebhookPlugin.sink.make(Settings(name: "hook", values: values, secrets: secrets), .null, tools(http))
    }

    private static let flavours = [
        "json", "slack", "discord", "mattermost", "rocketchat", "teams", "googlechat", "ntfy",
    ]

    /// The parts of a mail, undone from quoted-printable.
    private func parts(of payload: Payload) throws -> (headers: String, plain: String, html: String) {
        let text = try #require(payload.content["message"].string)
        let pieces = text.split(separator: "Content-Type: text/", omittingEmptySubsequences: false)
        try #require(pieces.count == 3)
        let bodies = pieces.dropFirst().map { $0.replacing("=\r\n", with: "") }
        return (String(pieces[0]), String(bodies[0]), String(bodies[1]))
    }

    @Test func `TMPL-01 markup in a subject, text or name is text in every part of a mail`() throws {
        let message = message(
            "<img src=x onerror=alert(1)>",
            "5 < 7 & \"Ja\" <a href=http://evil.example>hier</a> K. O'Neil"
        )
        let payload = try #require(try mail().prepare(message, at: now).first)
        let parts = try parts(of: payload)
        #expect(parts.headers.contains("Subject: <img src=3Dx") || parts.headers.contains("Subject: <img src=x"))
        #expect(parts.plain.contains("5 < 7 & \"Ja\" <a href=3Dhttp://evil.example>hier</a> K. O'Neil"))
        #expect(parts.html.contains("5 &lt; 7 &amp; &quot;Ja&quot; &lt;a href=3Dhttp://evil.example&gt;hier"))
        #expect(!parts.html.contains("<img") && !parts.html.contains("<a "))
        #expect(payload.text.contains("<img src=x onerror=alert(1)>"))
    }

    @Test(arguments: flavours)
    func `TMPL-03 SINK-07 quotes, line breaks and control characters reach a chat as they are`(flavour: String)
        async throws
    {
        let answer = HTTPResponse(status: 200, body: Array((flavour == "slack" ? "ok" : #"{"id":"1"}"#).utf8))
        let http = RecordingHTTP([.success(answer)])
        let sink = try hook(flavour, http)
        let text = "Zeile 1\nZeile 2 \"Zitat\" \\ Tab\t\u{7} mathe_test_1.pdf"
        let payload = try #require(try sink.prepare(message("Titel", text), at: now).first)
        _ = try await sink.deliver(payload, at: now)
        let sent = try Value(json: http.requests[0].body ?? [])
        let said = strings(in: sent).joined(separator: "\n").replacing("\\\\", with: "\u{1}").replacing("\\", with: "")
        for word in ["Zeile 1", "Zeile 2", "Zitat", "mathe"] { #expect(said.contains(word), "\(flavour)") }
        #expect(!said.contains("\u{7}"))
        #expect(payload.text.contains("Zeile 2 \"Zitat\" \\ Tab") && payload.text.contains("mathe_test_1.pdf"))
    }

    private func strings(in value: Value) -> [String] {
        switch value {
        case .string(let text): [text]
        case .list(let items): items.flatMap { strings(in: $0) }
        case .map(let map): map.flatMap { strings(in: $0.value) }
        default: []
        }
    }

    @Test(arguments: flavours)
    func `SINK-20 a long message with a long title is within every limit, and a repeat says so`(flavour: String)
        async throws
    {
        let answer = HTTPResponse(status: 200, body: Array((flavour == "slack" ? "ok" : #"{"id":"1"}"#).utf8))
        let http = RecordingHTTP(Array(repeating: .success(answer), count: 30))
        let sink = try hook(flavour, http)
        let title = String(repeating: "Titel ", count: 50)
        let body = (1...400).map { "Eintrag \($0) & mehr" }.joined(separator: "\n")
        for var payload in try sink.prepare(message(title, body), at: now) {
            payload.isRepeat = flavour != "json"
            _ = try await sink.deliver(payload, at: now)
        }
        let sent = try http.requests.map { try Value(json: $0.body ?? []) }
        let text = sent.map { strings(in: $0).joined() }.joined()
        for number in 1...400 { #expect(text.contains("Eintrag \(number) ")) }
        if flavour != "json" { #expect(text.contains("possible repeat")) }
        for (request, content) in zip(http.requests, sent) {
            switch flavour {
            case "discord": #expect((content["content"].string ?? "").utf16.count <= 2000)
            case "slack": #expect((content["blocks"].list ?? []).count <= 50)
            case "rocketchat": #expect((content["text"].string ?? "").utf16.count <= 5000)
            case "teams": #expect((request.body ?? []).count < 14_000)
            case "ntfy": #expect((content["message"].string ?? "").utf8.count <= 4096)
            default: #expect((request.body ?? []).count < 32_000)
            }
        }
    }

    @Test func `SINK-25 a title never becomes a header, and headers of the bot file are one line of ASCII`()
        async throws
    {
        let http = RecordingHTTP([.success(HTTPResponse(status: 200, body: Array(#"{"id":"n1"}"#.utf8)))])
        let sink = try hook("ntfy", http, headers: ["X-Tenant": "3"])
        let payload = try #require(try sink.prepare(message("Änderung 🥳\nX-Evil: 1", "Text"), at: now).first)
        #expect(try await sink.deliver(payload, at: now).remoteID == "n1")
        let request = http.requests[0]
        #expect(request.url == "https://hooks.example.org/T0/?auth=x")
        #expect(request.headers.map(\.name) == ["X-Tenant", "Content-Type"])
        let sent = try Value(json: request.body ?? [])
        #expect(sent["title"].string?.hasPrefix("Änderung 🥳") == true && sent["topic"] == "topic-7")
        #expect(!payload.content.json.contains("topic-7"))
        for value in ["Änderung 🥳", "a\nX-Evil: 1", "a\r\n"] {
            #expect { try hook("json", headers: ["X-Title": .string(value)]) } throws: {
                ($0 as? SettingsError)?.key == "headers"
            }
        }
    }

    @Test func `SINK-26 a webhook that redirects is an error that says to change the address`() async throws {
        let http = RecordingHTTP([
            .success(HTTPResponse(status: 301, headers: [("Location", "https://other.example/hook")]))
        ])
        let sink = try hook("json", http)
        let payload = try #require(try sink.prepare(message("T", "x"), at: now).first)
        await #expect { try await sink.deliver(payload, at: now) } throws: {
            ($0 as? PluginError)?.message.contains("set the new address") == true
        }
        #expect(http.requests.count == 1)
    }

    @Test func `SINK-23 a sender's name with a comma and an umlaut is one address`() throws {
        let sink = try mail(["from_name": "\"Müller, Anna\""])
        let payload = try #require(try sink.prepare(message("Ausfall: Französisch – Gröden", "x"), at: now).first)
        let headers = try parts(of: payload).headers
        #expect(headers.contains("From: =?utf-8?Q?=22M=C3=BCller=2C_Anna=22?=\r\n <bot@example.org>"))
        #expect(headers.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `SINK-28 the sender is a whole address of the settings, and one of this machine is warned of`() throws {
        let lines = Mutex<[String]>([])
        let log = Log { level, line in lines.withLock { if level == .warning { $0.append(line) } } }
        #expect(EmailPlugin.sink.settings.first { $0.key == "from" }?.kind == .mailAddress)
        #expect(throws: SettingsError.self) { try mail(["from": "root"]) }
        _ = try mail(["from": "bot@localhost"], log: log)
        #expect(lines.withLock { $0 }.count == 1)
        let usual = try mail(log: log)
        #expect(lines.withLock { $0 }.count == 1)
        let payload = try #require(try usual.prepare(message("T", "x"), at: now).first)
        #expect(try parts(of: payload).headers.contains("From: bot@example.org\r\n"))
    }

    @Test func `SINK-29 a message that shows nothing is sent nowhere`() throws {
        let blank = message(" ", " \u{200B}\n\u{2060}\t")
        for flavour in Self.flavours { #expect(try hook(flavour).prepare(blank, at: now).isEmpty) }
        #expect(try mail().prepare(blank, at: now).isEmpty)
        let terminal = try StdoutPlugin.sink.make(
            Settings(name: "terminal", values: ["prefix": "3A: "]),
            .null,
            tools()
        )
        #expect(try terminal.prepare(blank, at: now).isEmpty)
        #expect(try mail().prepare(message("Ein Titel", ""), at: now).count == 1)
    }
}
