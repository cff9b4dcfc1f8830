import BotCore
import Values

/// A message as a CloudEvent 1.0 in structured JSON (cloudevents/spec, `json-format.md`).
enum CloudEvent {
    static let mediaType = "application/cloudevents+json; charset=utf-8"

    /// `source` and `id` together are what a receiver recognises a repeat by.
    static func content(of message: Message, id: String, title: String, text: String, at now: Timestamp) -> Value {
        [
            "specversion": "1.0",
            "id": .string(id),
            "source": .string("/pokyh-bot/rules/\(message.rule)"),
            "type": "com.pokyh.bot.message",
            "time": .string(now.rfc3339),
            "datacontenttype": "application/json",
            "data": [
                "rule": .string(message.rule),
                "title": .string(title),
                "text": .string(text),
                "priority": .string(message.priority.rawValue),
                "link": message.link.map { .string($0) } ?? .null,
                "locale": .string(message.locale),
                "events": .list(message.events.map { .string($0) }),
            ],
        ]
    }
}
