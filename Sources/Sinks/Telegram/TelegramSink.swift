import BotCore
import Digests
import Markup
import Values

/// Sends messages through the Bot API, in its HTML.
///
/// Telegram has no key by which it recognises a repeat, so a possible repeat says so in its first line, and nothing is sent a second time
/// unless the answer to the first says that it was not taken.
struct TelegramSink: Sink {
    let settings: TelegramSettings
    let moves: ChatMoves
    let http: any HTTPClient
    let log: Log

    /// The Bot API takes 4,096 units after parsing (`sendMessage`).
    private static let limit = 4096
    /// Parts are measured with their tags, so that they are never too long, and leave room for the mark of a repeat.
    private static let partLimit = limit - Payload.repeatMark.utf16.count - 2

    // MARK: Preparing

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        var chats: [TelegramChat] = []
        for recipient in message.recipients {
            guard let chat = TelegramChat(recipient) else {
                throw .permanent(
                    "sink '\(settings.name)': a recipient of rule '\(message.rule)' is no chat of Telegram"
                )
            }
            chats.append(chat)
        }
        if chats.isEmpty { chats = [settings.chat] }
        let document = document(of: message)
        guard document.isVisible else { return [] }
        let parts = document.split(limit: Self.partLimit, unit: .utf16) { $0.telegramHTML() }
        return chats.flatMap { chat in parts.map { payload(of: message, to: chat, $0, at: now) } }
    }

    private func document(of message: Message) -> MarkupDocument {
        let source =
            message.plainOverride.map { MarkupSource(plain: $0) }
            ?? MarkupSource(template: message.body.template, values: message.body.values)
        let body = MarkupDocument.parse(source)
        let document = message.plainOverride == nil ? body.withTitle(message.title.plain) : body
        return document.withLink(message.link)
    }

    private func payload(
        of message: Message,
        to chat: TelegramChat,
        _ part: MarkupPart,
        at now: Timestamp
    ) -> Payload {
        var content: ValueMap = [
            "html": .string(part.document.telegramHTML()), "silent": .bool(settings.isSilent || message.isSilent),
        ]
        if chat == settings.chat, let topic = settings.topic { content["topic"] = .int(topic) }
        return Payload(
            id: ContentID.make([message.id, chat.text, String(part.number)]),
            message: message.id,
            rule: message.rule,
            sink: settings.name,
            recipient: chat.text,
            part: part.number,
            parts: part.count,
            orderKey: message.orderKey,
            createdAt: now,
            expires: message.expires,
            text: part.document.plainText(),
            content: .map(content)
        )
    }

    // MARK: Delivering

    /// What Telegram refuses for a reason that it names and that can be mended at once — a chat that has moved, markup that it cannot
    /// read — is sent once more; a refused message was not taken.
    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        guard let html = payload.content["html"].string, let recipient = TelegramChat(payload.recipient) else {
            throw .permanent("\(place): a stored message has no content; the state folder was changed by hand")
        }
        var chat = moves.place(of: recipient)
        var text = (payload.isRepeat ? Payload.repeatMark + "\n\n" : "") + html
        var notes: [String] = []
        var hasMoved = false
        var isPlain = false
        while true {
            let answer = TelegramAnswer(try await send(text, to: chat, isPlain: isPlain, payload.content))
            if answer.isTaken {
                let id = ([answer.messageID].compactMap(\.self) + notes).joined(separator: ", ")
                return Receipt(remoteID: id.isEmpty ? nil : id, sinkMemo: moves.memo)
            }
            if let number = answer.movedTo, !hasMoved {
                hasMoved = true
                chat = .number(number)
                moves.note(recipient, movedTo: number)
                notes.append("in the group's new chat \(number)")
                log(
                    .warning,
                    "\(place): a group has become a supergroup. Its new number is remembered; set it in 'chat:', too."
                )
                log(.debug, "\(place): the group \(recipient.text) has the new number \(number).")
            } else if answer.refusesMarkup, !isPlain {
                isPlain = true
                text = Self.plain(payload)
                notes.append("as plain text")
                log(
                    .warning,
                    "\(place): Telegram could not read the markup of a message of rule '\(payload.rule)'; sent as plain text."
                )
            } else {
                throw answer.error(from: place, at: now)
            }
        }
    }

    private var place: String { "sink '\(settings.name)'" }

    /// The message without markup, cut at the limit; `@name` calls nobody.
    private static func plain(_ payload: Payload) -> String {
        let text =
            (payload.isRepeat ? Payload.repeatMark + "\n\n" : "") + payload.text.replacing("@", with: "@\u{200B}")
        guard text.utf16.count > limit else { return text }
        var room = limit - 1
        let kept = text.prefix { character in
            room -= character.utf16.count
            return room >= 0
        }
        return kept + "…"
    }

    private func send(
        _ text: String,
        to chat: TelegramChat,
        isPlain: Bool,
        _ content: Value
    ) async throws(PluginError) -> HTTPResponse {
        var fields: ValueMap = ["chat_id": chat.value, "text": .string(text)]
        if !isPlain { fields["parse_mode"] = "HTML" }
        fields["link_preview_options"] = ["is_disabled": true]
        if content["silent"] == true { fields["disable_notification"] = true }
        if let topic = content["topic"].integer { fields["message_thread_id"] = .int(topic) }
        let request = HTTPRequest(
            "POST",
            "\(settings.server)/bot\(settings.token.reveal())/sendMessage",
            headers: [("Content-Type", "application/json")],
            body: Value.map(fields).jsonBytes,
            bodyLimit: 1 << 16
        )
        do {
            return try await http.send(request)
        } catch {
            // The token is part of the address; whatever the transport says of it, the token is not told.
            let message = error.message.replacing(settings.token.reveal(), with: "•••")
            throw PluginError(error.disposition, message)
        }
    }
}
