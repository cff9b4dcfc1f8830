import BotCore
import Digests
import Liquid
import Values

/// What one message is about.
struct Subject: Sendable {
    /// Part of the message's id: the event's world id or the slot's key. The same again makes the same message.
    var about: [String]
    var events: [String] = []
    var orderKey = ""
    var expires: Timestamp?
    var students: [Student] = []
    /// The sink that the events say is failing; it is told of through others.
    var failingSink: String?
}

/// Turns what a rule has to say into messages, one for each sink and list of recipients.
struct Composer: Sendable {
    let rule: Rule
    let installation: Installation
    let now: Timestamp

    /// Messages, or nothing if no text could be made; and what went wrong.
    struct Outcome: Sendable {
        var messages: [Message] = []
        var failures: [String] = []
        /// Whom it would be told, when nobody is left.
        var hasAudience = true
    }

    /// - Parameters:
    ///   - texts: which of the rule's messages.
    ///   - shapes: what its templates were checked against.
    ///   - variables: what they read, by locale.
    func compose(
        _ subject: Subject,
        _ texts: MessageTexts,
        shapes: [FieldShape],
        variables: (String) -> ValueMap
    ) -> Outcome {
        compose(subject) { locale in
            let context = LiquidContext(zone: rule.zone, locale: LiquidLocale(rawValue: locale) ?? .de, now: now)
            let renderer = TextRenderer(variables: variables(locale), shapes: shapes, context: context)
            return renderer.render(texts.text(in: locale, else: installation.locale), link: rule.message.link)
        }
    }

    /// The same for texts that are made elsewhere.
    func compose(_ subject: Subject, rendering: (String) -> RenderedText) -> Outcome {
        var outcome = Outcome()
        let recipients = recipients(of: subject)
        outcome.hasAudience = !recipients.isEmpty
        var rendered: [String: RenderedText] = [:]
        for recipient in recipients {
            let isFirst = rendered[recipient.locale] == nil
            let text = rendered[recipient.locale] ?? rendering(recipient.locale)
            rendered[recipient.locale] = text
            if isFirst { outcome.failures += text.failures }
            if text.isUsable { outcome.messages.append(message(text, subject, to: recipient)) }
        }
        return outcome
    }

    private func message(_ text: RenderedText, _ subject: Subject, to recipient: Recipient) -> Message {
        let id = ContentID.make(
            ["message", rule.id, recipient.sink] + recipient.recipients + ["about"] + subject.about
        )
        return Message(
            id: id,
            rule: rule.id,
            sink: recipient.sink,
            recipients: recipient.recipients,
            title: text.title,
            body: text.body,
            plainOverride: text.plain,
            htmlOverride: text.html,
            link: text.link,
            priority: rule.message.priority,
            locale: recipient.locale,
            events: subject.events,
            orderKey: subject.orderKey,
            expires: subject.expires
        )
    }

    /// Everybody who gets it, each once.
    private func recipients(of subject: Subject) -> [Recipient] {
        var seen: Set<String> = []
        return rule.audience.flatMap { entry in
            switch entry {
            case .sink(let name, let recipients): [recipient(name, recipients, familyLocale: nil)]
            case .family: familyRecipients(of: subject.students)
            }
        }
        .filter { $0.sink != subject.failingSink }
        .filter { seen.insert(ContentID.make([$0.sink] + $0.recipients)).inserted }
    }

    private func familyRecipients(of students: [Student]) -> [Recipient] {
        let families = installation.families.filter { family in students.contains { family.includes($0) } }
        return families.flatMap { family in
            family.sinks.map { recipient($0, [], familyLocale: family.locale) }
        }
    }

    private func recipient(_ sink: String, _ recipients: [String], familyLocale: String?) -> Recipient {
        let locale = rule.locale ?? familyLocale ?? installation.sink(sink)?.locale ?? installation.locale
        return Recipient(sink: sink, recipients: recipients, locale: locale)
    }
}
