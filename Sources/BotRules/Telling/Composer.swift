import BotCore
import Digests
import Liquid
import Values

/// What one message is about.
struct Subject: Sendable {
    /// Part of the message's id: the event's world id or the slot's key. The same again makes the same message.
    var about: [String]
    var events: [String] = []
    var students: [Student] = []
    var orderKey = ""
    var expires: Timestamp?
    var isSilent = false
}

/// Turns what a rule has to say into messages.
struct Composer: Sendable {
    let rule: Rule
    let vocabulary: Vocabulary
    let now: Timestamp

    // MARK: Whom

    /// Everybody who is told of these students, each once.
    ///
    /// - Parameter failingSink: the sink that the news says is failing; it is told of through others.
    func recipients(for students: [Student], failingSink: String? = nil) -> [Recipient] {
        var seen: Set<String> = []
        return rule.audience.flatMap { entry in
            switch entry {
            case .sink(let name, let recipients): [recipient(name, recipients, familyLocale: nil)]
            case .family: familyRecipients(of: students)
            }
        }
        .filter { $0.sink != failingSink }
        .filter { seen.insert($0.key).inserted }
    }

    /// Why `send: [family]` finds nobody, and how to mend it; nil where it finds a family, or is not written.
    ///
    /// - Parameter isNaming: whether it names the students and lists the families. What is kept must not: such a note would outlive
    ///   students who are forgotten.
    func familyGap(for students: [Student], isNaming: Bool) -> String? {
        guard rule.audience.contains(.family), vocabulary.installation.families(of: students).isEmpty else {
            return nil
        }
        let named = students.filter { $0 != .nobody }
        if named.isEmpty { return "it is about no student, so there is no family to tell; name a sink under 'send:'" }
        if !isNaming {
            return
                "no family has this student. Write the student's name under 'families:', or the family's name for the student as "
                + "'student:' of the source"
        }
        let names = named.map { "'\($0.name.isEmpty ? $0.id : $0.name)'" }.joined(separator: ", ")
        let families = vocabulary.installation.families.map { "\($0.name) (\($0.students.joined(separator: ", ")))" }
        let list = families.isEmpty ? "the bot file has none" : "there are: \(families.joined(separator: ", "))"
        return
            "no family has the student \(names); \(list). Write that name under 'families:', or the family's name for the "
            + "student as 'student:' of the source"
    }

    private func familyRecipients(of students: [Student]) -> [Recipient] {
        vocabulary.installation.families(of: students).flatMap { family in
            family.sinks.map { recipient($0, [], familyLocale: family.locale) }
        }
    }

    private func recipient(_ sink: String, _ recipients: [String], familyLocale: String?) -> Recipient {
        let locale = rule.locale ?? familyLocale ?? vocabulary.locale(ofSink: sink)
        return Recipient(sink: sink, recipients: recipients, locale: locale)
    }

    // MARK: What

    /// Renders one of the rule's messages in a language.
    ///
    /// - Parameter shapes: what its templates were checked against.
    func render(
        _ texts: MessageTexts,
        in locale: String,
        shapes: [FieldShape],
        variables: ValueMap
    ) -> RenderedText {
        let context = LiquidContext(zone: rule.zone, locale: LiquidLocale(rawValue: locale) ?? .de, now: now)
        let renderer = TextRenderer(variables: variables, shapes: shapes, context: context)
        return renderer.render(texts.text(in: locale, else: vocabulary.installation.locale), link: rule.message.link)
    }

    func message(_ text: RenderedText, _ subject: Subject, to recipient: Recipient) -> Message {
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
            isSilent: subject.isSilent,
            locale: recipient.locale,
            events: subject.events,
            students: subject.students,
            orderKey: subject.orderKey,
            expires: subject.expires
        )
    }
}
