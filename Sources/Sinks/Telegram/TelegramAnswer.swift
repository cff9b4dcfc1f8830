import BotCore
import Values

/// What the Bot API answered: `{"ok", "result"}` or `{"ok", "error_code", "description", "parameters"}` (Bot API, "Making requests").
///
/// Descriptions are compared with the texts that the server's source holds (`tdlib/telegram-bot-api`, `Client.cpp`); they are never
/// repeated in errors, as some quote the message.
struct TelegramAnswer {
    private let response: HTTPResponse
    /// Nil where it is not JSON: cut off, or a web page of a gateway.
    private let body: Value?

    init(_ response: HTTPResponse) {
        self.response = response
        body = try? Value(json: response.body)
    }

    /// Whether the message was taken.
    var isTaken: Bool { body?["ok"] == true && (200..<300).contains(response.status) }

    /// The number of the message in its chat.
    var messageID: String? { body?["result"]["message_id"].integer.map { String($0) } }

    /// Set where the chat's group has become a supergroup, which is another chat (`ResponseParameters.migrate_to_chat_id`).
    var movedTo: Int64? {
        isTaken ? nil : body?["parameters"]["migrate_to_chat_id"].integer.flatMap { $0 == 0 ? nil : $0 }
    }

    /// Whether the markup was refused. Such a message was surely not taken.
    var refusesMarkup: Bool { status == 400 && description.contains("can't parse entities") }

    private var status: Int {
        body?["error_code"].integer.flatMap { Int(exactly: $0) } ?? response.status
    }

    private var description: String { (body?["description"].string ?? "").lowercased() }

    /// What a refusal means (`protocols/sinks.md` section 2.4); the general table for all that Telegram has no word of its own for.
    func error(from place: String, at now: Timestamp) -> PluginError {
        switch status {
        case 200..<300: return garbled(place)
        case 400: return refusal(place)
        case 401:
            return .unauthorized("\(place): Telegram does not know the token; ask BotFather for the bot's current one")
        case 403: return closed(place)
        case 404 where description == "not found":
            // So the public server answers a token that no bot ever had.
            return .unauthorized(
                "\(place): Telegram knows no bot with this token; ask BotFather for the bot's current one"
            )
        case 413, 421:
            return .transient("\(place): a gateway before Telegram refuses the request for now (HTTP \(status))")
        case 429:
            // It limits how fast a bot writes to one chat (Bot API FAQ, "My bot is hitting limits"); another chat may be open.
            return PluginError(
                .transient(retryAfter: wait(at: now)),
                "\(place): Telegram asks to come back later (HTTP 429)",
                about: .recipient
            )
        default:
            let known = HTTPResponse(status: status, headers: response.headers)
            return HTTPVerdict.error(for: known, from: place, at: now)
                ?? .permanent("\(place): the answer has an unknown status (HTTP \(status))")
        }
    }

    /// The status says that it went well, and the rest does not.
    private func garbled(_ place: String) -> PluginError {
        if body == nil {
            return .uncertain("\(place): Telegram's answer is cut off or is not its own; the message may have arrived")
        }
        return .permanent("\(place): the answer is not that of a Bot API server; check 'api'")
    }

    /// Seconds (`ResponseParameters.retry_after`), a day at most; else the header.
    private func wait(at now: Timestamp) -> TimeSpan? {
        guard let seconds = body?["parameters"]["retry_after"].integer else {
            return RetryAfter.span(in: response, at: now)
        }
        return .seconds(min(max(seconds, 0), 86_400))
    }

    private static let noSuchChat =
        "Telegram knows no such chat; correct its number, add the bot to the group, or have the person write to the bot once"

    private static let refusals: [(words: String, meaning: String)] = [
        ("message thread not found", "the topic is gone; correct 'topic'"),
        ("topic_closed", "the topic is closed; open it, or name another in 'topic'"),
        (
            "upgraded to a supergroup",
            "the group has become a supergroup of which Telegram does not tell the number; correct the chat"
        ),
        ("rights to send", "the bot may not write in this chat; give it the right to"),
        ("chat_write_forbidden", "the bot may not write in this chat; give it the right to"),
        ("too long", "the message is longer than Telegram takes, which is a fault of the bot"),
        ("is empty", "the message shows nothing, which Telegram refuses"),
        ("must be non-empty", "the message shows nothing, which Telegram refuses"),
        ("can't parse entities", "Telegram cannot read the message's markup, which is a fault of the bot"),
    ]

    private func refusal(_ place: String) -> PluginError {
        if description.contains("chat not found") {
            return PluginError(.permanent, "\(place): \(Self.noSuchChat)", about: .recipient)
        }
        guard let known = Self.refusals.first(where: { description.contains($0.words) }) else {
            return .permanent(
                "\(place): Telegram refuses this message (HTTP 400)",
                evidence: String(description.prefix(200))
            )
        }
        return .permanent("\(place): \(known.meaning)")
    }

    private static let closedDoors: [(words: String, meaning: String)] = [
        ("blocked by the user", "a recipient has blocked the bot; take them out of the rule, or have them unblock it"),
        ("deactivated", "a recipient's account at Telegram is gone; take them out"),
        ("kicked", "the bot was removed from the chat; add it again, or name another chat"),
        ("not a member", "the bot is not a member of the chat; add it"),
        ("was deleted", "the chat was deleted; name another one"),
        ("initiate conversation", "a recipient has never written to the bot, which they have to do first"),
    ]

    private func closed(_ place: String) -> PluginError {
        let known = Self.closedDoors.first { description.contains($0.words) }
        let meaning = known?.meaning ?? "the bot may not write to this chat (HTTP 403)"
        return PluginError(.permanent, "\(place): \(meaning)", about: .recipient)
    }
}
