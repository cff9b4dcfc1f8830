import BotCore
import Digests
import Markup
import Values

/// Posts messages as JSON.
///
/// Chats have no key by which they recognise a repeat, so a possible repeat says so in its first line; a CloudEvent has the same `id` and
/// `webhook-id` in every repeat.
struct WebhookSink: Sink {
    let settings: WebhookSettings
    let http: any HTTPClient

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        let body = MarkupDocument.parse(MarkupSource(template: message.body.template, values: message.body.values))
        guard let target = settings.flavour.target else {
            let text = message.plainOverride ?? body.plainText()
            return [
                payload(of: message, part: 1, of: 1, text: message.title.plain + "\n\n" + text, at: now) { id in
                    CloudEvent.content(of: message, id: id, text: text, at: now)
                }
            ]
        }
        let text = message.plainOverride.map { MarkupDocument.parse(MarkupSource(plain: $0)) } ?? body
        let document = text.withTitle(message.title.plain).withLink(message.link)
        return document.parts(for: target).map { part in
            payload(of: message, part: part.number, of: part.count, text: part.document.plainText(), at: now) { _ in
                content(part.document, isSilent: message.isSilent)
            }
        }
    }

    private func payload(
        of message: Message,
        part: Int,
        of parts: Int,
        text: String,
        at now: Timestamp,
        content: (String) -> Value
    ) -> Payload {
        let id = ContentID.make([message.id, "", String(part)])
        return Payload(
            id: id,
            message: message.id,
            rule: message.rule,
            sink: settings.name,
            recipient: "",
            part: part,
            parts: parts,
            orderKey: message.orderKey,
            createdAt: now,
            expires: message.expires,
            text: text,
            content: content(id)
        )
    }

    private func content(_ document: MarkupDocument, isSilent: Bool) -> Value {
        var content = ValueMap()
        switch settings.flavour {
        case .slack:
            content["text"] = .string(document.slackMrkdwn())
            content["blocks"] = document.slackBlocks()
        case .discord:
            content["content"] = .string(document.discordMarkdown())
            content["allowed_mentions"] = ["parse": []]
            // Bit 12, SUPPRESS_NOTIFICATIONS (Discord, Message Flags).
            if isSilent { content["flags"] = .int(1 << 12) }
        case .mattermost: content["text"] = .string(document.mattermostMarkdown())
        case .json: break
        }
        if let username = settings.username { content["username"] = .string(username) }
        return .map(content)
    }

    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        let body = Array(body(of: payload).json.utf8)
        let response = try await http.send(
            HTTPRequest(
                "POST",
                address,
                headers: headers(for: payload, body: body, at: now),
                body: body,
                bodyLimit: 1 << 16
            )
        )
        if let error = HTTPVerdict.error(for: response, from: "sink '\(settings.name)'", at: now) { throw error }
        return try receipt(of: response)
    }

    /// What is sent; a repeat that the far end cannot recognise is marked for people.
    private func body(of payload: Payload) -> Value {
        guard payload.isRepeat, settings.flavour != .json, case .map(var content) = payload.content else {
            return payload.content
        }
        // Where it takes nothing from the room that the text was measured for.
        let mark = "(mögliche Wiederholung · possibile ripetizione · possible repeat)"
        switch settings.flavour {
        case .discord: content["embeds"] = [["description": .string(mark)]]
        case .slack, .mattermost, .json: content["text"] = .string(mark + "\n" + (content["text"]?.string ?? ""))
        }
        if case .list(let blocks)? = content["blocks"], blocks.count < 50 {
            let note: Value = ["type": "context", "elements": [["type": "plain_text", "text": .string(mark)]]]
            content["blocks"] = .list([note] + blocks)
        }
        return .map(content)
    }

    /// With `wait=true` Discord answers after the message is stored; without it a lost message gives no error (Discord, Execute Webhook).
    private var address: String {
        let url = settings.url.reveal()
        guard settings.flavour == .discord, !url.contains("wait=") else { return url }
        return url + (url.contains("?") ? "&" : "?") + "wait=true"
    }

    private func headers(for payload: Payload, body: [UInt8], at now: Timestamp) -> [(name: String, value: String)] {
        var headers = settings.headers
        headers.append(
            ("Content-Type", settings.flavour == .json ? CloudEvent.mediaType : "application/json; charset=utf-8")
        )
        if let authorization = settings.authorization { headers.append(("Authorization", authorization.reveal())) }
        guard settings.flavour == .json else { return headers }
        headers.append(("webhook-id", payload.id))
        headers.append(("webhook-timestamp", String(now.seconds)))
        if let signature = settings.signature {
            let value = signature.value(id: payload.id, timestamp: now.seconds, body: body)
            headers.append(("webhook-signature", value))
        }
        return headers
    }

    private func receipt(of response: HTTPResponse) throws(PluginError) -> Receipt {
        switch settings.flavour {
        case .slack:
            // Slack says `ok` in the body; another 200 is a proxy or a login page in between.
            guard response.body.elementsEqual("ok".utf8) else {
                throw .permanent("sink '\(settings.name)': the answer is not Slack's 'ok'; check the address")
            }
            return Receipt()
        case .discord:
            guard let id = (try? Value(json: response.body))?["id"].string else {
                throw .permanent("sink '\(settings.name)': the answer is not a Discord message; check the address")
            }
            return Receipt(remoteID: id)
        case .mattermost, .json: return Receipt()
        }
    }
}

extension WebhookFlavour {
    /// The form of the message; nil for programs.
    var target: MarkupTarget? {
        switch self {
        case .json: nil
        case .slack: .slack
        case .discord: .discord
        case .mattermost: .mattermost
        }
    }
}
