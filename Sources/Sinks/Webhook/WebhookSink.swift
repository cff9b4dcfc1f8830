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
        let title = message.title.plain
        guard body.isVisible(under: title) || message.plainOverride != nil else { return [] }
        guard let target = settings.flavour.target else {
            let text = message.plainOverride ?? body.plainText()
            return [
                payload(of: message, part: 1, of: 1, text: title + "\n\n" + text, at: now) { id in
                    CloudEvent.content(of: message, id: id, title: title, text: text, at: now)
                }
            ]
        }
        let text = message.plainOverride.map { MarkupDocument.parse(MarkupSource(plain: $0)) } ?? body
        let titled = settings.flavour.hasTitleField ? text : text.withTitle(title)
        let chat = ChatContent(flavour: settings.flavour, username: settings.username)
        return titled.withLink(message.link).parts(for: target).map { part in
            let seen = settings.flavour.hasTitleField ? part.document.withTitle(title) : part.document
            return payload(of: message, part: part.number, of: part.count, text: seen.plainText(), at: now) { _ in
                chat.value(of: part.document, title: title, isSilent: message.isSilent)
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

    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        let body = body(of: payload).jsonBytes
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
        guard case .map(var content) = payload.content else { return payload.content }
        if payload.isRepeat, case .map(let marked) = ChatContent(flavour: settings.flavour).marked(content) {
            content = marked
        }
        // Part of the address, which is a secret: it is not stored with the message.
        if settings.flavour == .ntfy { content["topic"] = .string(topic.name) }
        return .map(content)
    }

    /// An address of ntfy and the topic at its end. JSON goes to the address before it (ntfy, "Publish as JSON"): unlike header fields it
    /// takes titles in every script.
    private var topic: (address: String, name: String) {
        let url = settings.url.reveal()
        let query = url.firstIndex(of: "?") ?? url.endIndex
        guard let slash = url[..<query].lastIndex(of: "/") else { return (url, "") }
        let name = url[url.index(after: slash)..<query]
        return (String(url[..<slash]) + "/" + url[query...], String(name))
    }

    /// With `wait=true` Discord answers after the message is stored; without it a lost message gives no error (Discord, Execute Webhook).
    private var address: String {
        if settings.flavour == .ntfy { return topic.address }
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
        case .rocketchat:
            // `{"success": false}` comes with a good status from some versions.
            guard (try? Value(json: response.body))?["success"] != false else {
                throw .permanent(
                    "sink '\(settings.name)': Rocket.Chat does not take the message; check its integration"
                )
            }
            return Receipt()
        case .googlechat: return Receipt(remoteID: (try? Value(json: response.body))?["name"].string)
        case .ntfy: return Receipt(remoteID: (try? Value(json: response.body))?["id"].string)
        case .mattermost, .teams, .json: return Receipt()
        }
    }
}
