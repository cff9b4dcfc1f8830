import BotCore
import BotTestKit
import Foundation
import Testing
import Values
import WebhookSink

/// Writes requests as they go out, for models that the far ends' makers publish: `scripts/webhook-corpus FILE` sets the variables,
/// `scripts/judge-webhooks` reads the file.
private let corpus = ProcessInfo.processInfo.environment["WEBHOOK_JUDGE_CORPUS"]
private let instant = ProcessInfo.processInfo.environment["WEBHOOK_JUDGE_TIME"].flatMap { Int64($0) }

@Suite(.enabled(if: corpus != nil && instant != nil, "WEBHOOK_JUDGE_CORPUS names no file to write the corpus to"))
struct WebhookCorpusTests {
    private static let flavours = [
        "json", "slack", "discord", "mattermost", "rocketchat", "teams", "googlechat", "ntfy",
    ]
    /// 24 bytes in base64, as `openssl rand -base64` gives them.
    static let key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    @Test func `the requests are written`() async throws {
        let path = try #require(corpus)
        let now = Timestamp(seconds: try #require(instant))
        var lines: [String] = []
        for flavour in Self.flavours {
            for seed in 0..<300 {
                var random = SeededGenerator(seed: UInt64(seed))
                let message = HostileMessage.make(&random, number: seed)
                for request in try await requests(for: message, flavour, isRepeat: seed % 3 == 1, at: now) {
                    let headers = request.headers.map { (Value.string($0.name), Value.string($0.value)) }
                    let line: Value = [
                        "flavour": .string(flavour), "headers": .map(ValueMap(headers)),
                        "body": .string(String(decoding: request.body ?? [], as: UTF8.self)),
                    ]
                    lines.append(line.json)
                }
            }
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    }

    private func requests(for message: Message, _ flavour: String, isRepeat: Bool, at now: Timestamp) async throws
        -> [HTTPRequest]
    {
        let answer = HTTPResponse(status: 200, body: Array((flavour == "slack" ? "ok" : #"{"id":"1"}"#).utf8))
        let http = RecordingHTTP(Array(repeating: .success(answer), count: 2000))
        var secrets = ["url": Secret("https://hooks.example.org/topic")]
        if flavour == "json" { secrets["signing_key"] = Secret(Self.key) }
        var values: ValueMap = ["flavour": .string(flavour)]
        if isRepeat { values["username"] = "POKYH Böt" }
        let tools = Tools(http: http, mail: RecordingMail(), log: .silent, print: { _ in true }, hasColours: false)
        let settings = Settings(name: "hook", values: values, secrets: secrets)
        let sink = try WebhookPlugin.sink.make(settings, .null, tools)
        for var payload in try sink.prepare(message, at: now) {
            payload.isRepeat = isRepeat
            _ = try await sink.deliver(payload, at: now)
        }
        return http.requests
    }
}

/// A message of a rule with everything in it, about values that want to be something else.
private enum HostileMessage {
    private static let pieces = [
        "@everyone", "<!channel>", "<@U123>", "<users/all>", "\u{202E}abc", "**fett**", "_x_", "~~", "`", "```", "\n",
        "\n\n", "- ", "# ",
        "> ", "1. ", "[x](https://evil.example)", "https://evil.example", "<b>", "&amp;", "\"", "\\", "\u{0}", "\u{7}",
        "\t", "|", "😀",
        "👨‍👩‍👧‍👦", "ä", "مريم", "数学", "{{ x }}", "<at>x</at>", ":smile:", "'", "\u{FEFF}", "\u{200B}", "Mathematik ",
        "5 < 7 & ",
    ]
    private static let bodies = [
        "**{0}**: {1}", "# {0}\n\n- {1}\n- {2}\n  1. {0}\n\n> {1}\n\n`{2}`",
        "| A | B |\n|---|---:|\n| {0} | {1} |\n| {2} | x |",
        "```swift\n{0}\n```\n\n[{1}](https://school.example/{2})", "{0}\n\n---\n\n~~{1}~~ *{2}*",
    ]

    static func make(_ random: inout SeededGenerator, number: Int) -> Message {
        var template = bodies[number % bodies.count]
        if number % 10 == 9 { template += "\n\n" + (0..<120).map { "- Eintrag \($0)" }.joined(separator: "\n") }
        for index in 0..<3 { template = template.replacing("{\(index)}", with: TemplatedText.placeholder(index)) }
        let values = (0..<3).map { _ in text(&random, longest: number % 25 == 24 ? 400 : 12) }
        return Message(
            id: "message-\(number)",
            rule: "noten",
            sink: "hook",
            title: TemplatedText(value: "Titel " + text(&random, longest: 6)),
            body: TemplatedText(template: template, values: values),
            link: number % 4 == 0 ? "https://school.example/a?b=c&d" : nil,
            isSilent: number % 5 == 0,
            events: ["event-\(number)"]
        )
    }

    private static func text(_ random: inout SeededGenerator, longest: Int) -> String {
        let count = Int.random(in: 1...longest, using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
}
