import BotCore
import Digests
import Markup
import Values

/// Sends mail. The whole message is written when it is prepared, so that a repeat carries the same `Message-ID`. Few servers look at it:
/// the same mail sent four times was stored four times (measured with Postfix and Dovecot). A possible repeat says so in its subject.
struct EmailSink: Sink {
    let settings: EmailSettings
    let mail: any MailTransport

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        let recipients = message.recipients.isEmpty ? settings.to : message.recipients
        let body = MarkupDocument.parse(MarkupSource(template: message.body.template, values: message.body.values))
        let isVisible = body.isVisible(under: message.title.plain)
        guard isVisible || message.plainOverride != nil || message.htmlOverride != nil else { return [] }
        var payloads: [Payload] = []
        for recipient in recipients {
            guard let address = MailAddress(recipient) else {
                throw .permanent("sink '\(settings.name)': a recipient of rule '\(message.rule)' is no mail address")
            }
            payloads.append(payload(of: message, body, to: address, at: now))
        }
        return payloads
    }

    private func payload(of message: Message, _ body: MarkupDocument, to address: MailAddress, at now: Timestamp)
        -> Payload
    {
        let document = body.withLink(message.link)
        let title = message.title.plain
        let text = message.plainOverrideWithLink ?? document.plainText()
        let id = ContentID.make([message.id, address.description, "1"])
        let mail = MailMessage(
            fromName: settings.fromName,
            from: settings.from.description,
            to: address.description,
            replyTo: settings.replyTo,
            subject: title,
            date: now,
            id: id,
            domain: settings.from.domain,
            thread: message.orderKey.isEmpty ? nil : ContentID.make(["thread", settings.name, message.orderKey]),
            text: text,
            html: message.htmlOverride ?? document.mailHTML(title: title, language: message.locale)
        )
        return Payload(
            id: id,
            message: message.id,
            rule: message.rule,
            sink: settings.name,
            recipient: address.description,
            orderKey: message.orderKey,
            createdAt: now,
            expires: message.expires,
            text: title + "\n\n" + text,
            content: ["message": .string(String(decoding: mail.bytes(), as: UTF8.self))]
        )
    }

    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        guard let message = payload.content["message"].string else {
            throw .permanent(
                "sink '\(settings.name)': a stored mail has no content; the state folder was changed by hand"
            )
        }
        let outgoing = OutgoingMail(
            sender: settings.from.description,
            recipient: payload.recipient,
            message: Array((payload.isRepeat ? MailMessage.marked(message) : message).utf8)
        )
        return try await mail.send(outgoing, through: settings.server)
    }
}
