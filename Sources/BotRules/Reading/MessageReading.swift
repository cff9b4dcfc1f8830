import BotCore
import Liquid
import StrictYAML
import Values

extension RuleReader {
    private static let textKeys = ["title", "body", "text", "html"]
    private static let planKeys = ["priority", "link", "many"]

    mutating func readMessage(
        _ pairs: [String: YAMLNode],
        of rule: YAMLNode,
        in scope: RuleScope,
        _ draft: RuleDraft
    ) -> MessagePlan? {
        guard let node = pairs["message"] else {
            complain(atStartOf: rule, "the rule has no 'message'", "write message: {title: …, body: …}")
            return nil
        }
        guard let keys = mapping(node, Self.textKeys + Self.locales + Self.planKeys) else { return nil }
        let single = RuleNames.single(scope, draft.variables)
        let group = RuleNames.group(scope, draft.variables)
        let own = draft.policies.group == nil && pairs["group"] == nil ? single : group
        guard let texts = readTexts(keys, of: node, against: own) else { return nil }
        var plan = MessagePlan(texts: texts)
        if let many = keys["many"] { plan.many = readMessageTexts(many, against: group) }
        if let correction = pairs["correction"] {
            plan.correction = readMessageTexts(correction, against: correctionNames(single, draft))
        }
        if let link = keys["link"] { plan.link = readTemplate(link, against: own) }
        if let priority = keys["priority"] {
            let word = priority.asChoice(among: Priority.allCases.map(\.rawValue), &complaints)
            plan.priority = word.flatMap { Priority(rawValue: $0) } ?? .normal
        }
        return plan
    }

    /// A correction tells of an event: it knows no answers to queries, and nothing that was computed of them.
    private func correctionNames(_ single: [FieldShape], _ draft: RuleDraft) -> [FieldShape] {
        if draft.queries.isEmpty { return single }
        let hidden = Set(draft.queries.map(\.name) + ["vars"])
        return single.filter { !hidden.contains($0.name) }
    }

    /// A message that stands for itself: texts, or one for each language.
    mutating func readMessageTexts(_ node: YAMLNode, against names: [FieldShape]) -> MessageTexts? {
        guard let keys = mapping(node, Self.textKeys + Self.locales) else { return nil }
        return readTexts(keys, of: node, against: names)
    }

    private mutating func readTexts(
        _ keys: [String: YAMLNode],
        of node: YAMLNode,
        against names: [FieldShape]
    ) -> MessageTexts? {
        let languages = Self.locales.filter { keys[$0] != nil }
        let texts = Self.textKeys.filter { keys[$0] != nil }
        if let language = languages.first, let text = texts.first, let place = keys[text] {
            complain(
                at: place,
                "'\(text)' stands beside languages",
                "put it under '\(language):', or take the languages out"
            )
            return nil
        }
        guard !languages.isEmpty else {
            return readText(keys, of: node, against: names).map { MessageTexts(byLocale: [("", $0)]) }
        }
        var byLocale: [(locale: String, text: MessageText)] = []
        // In the order in which they are written: the first one is what everybody gets who has none of their own.
        for pair in node.pairs where languages.contains(pair.name) {
            guard let inner = mapping(pair.value, Self.textKeys),
                let text = readText(inner, of: pair.value, against: names)
            else { continue }
            byLocale.append((pair.name, text))
        }
        return byLocale.isEmpty ? nil : MessageTexts(byLocale: byLocale)
    }

    private mutating func readText(
        _ keys: [String: YAMLNode],
        of node: YAMLNode,
        against names: [FieldShape]
    ) -> MessageText? {
        guard keys["title"] != nil || keys["body"] != nil else {
            if hasComplained(inside: node) { return nil }
            complain(atStartOf: node, "a message needs a 'title' or a 'body'", "write title: and the text of one line")
            return nil
        }
        return MessageText(
            title: keys["title"].flatMap { readTemplate($0, against: names) },
            body: keys["body"].flatMap { readTemplate($0, against: names) },
            plain: keys["text"].flatMap { readTemplate($0, against: names) },
            html: keys["html"].flatMap { readTemplate($0, against: names) }
        )
    }

    private mutating func readTemplate(_ node: YAMLNode, against names: [FieldShape]) -> LiquidTemplate? {
        guard let text = node.asText(&complaints) else { return nil }
        do throws(LiquidComplaints) {
            let template = try LiquidTemplate(parsing: text)
            complain(in: node, template.check(against: names).map { Self.pointingIntoGroup($0, text, names) })
            return template
        } catch {
            complain(in: node, error.complaints)
            return nil
        }
    }

    /// In a message about several events a record stands in each of them.
    private static func pointingIntoGroup(_ complaint: Complaint, _ text: String, _ names: [FieldShape]) -> Complaint {
        guard case .record(let group)? = names.first(where: { $0.name == "group" })?.shape,
            case .list(.record(let entry))? = group.field("events")?.shape
        else { return pointingToMany(complaint, names) }
        let bytes = Array(text.utf8)
        let written = String(decoding: bytes[complaint.span.clamped(to: 0..<bytes.count)], as: UTF8.self)
        guard entry.field(String(written.prefix { $0 != "." })) != nil else { return complaint }
        var complaint = complaint
        complaint.cures = ["write {% for e in group.events %}{{ e.\(written) }}{% endfor %}"]
        return complaint
    }

    /// A rule without `group` tells of one event, unless a digest, a limit or quiet hours put several together.
    private static func pointingToMany(_ complaint: Complaint, _ names: [FieldShape]) -> Complaint {
        guard complaint.message == "there is no variable 'group'", names.contains(where: { $0.name == "event" }) else {
            return complaint
        }
        var complaint = complaint
        complaint.cures = ["this text is about one event; the words for several stand under 'many:' of the message"]
        return complaint
    }

    // MARK: send

    mutating func readAudience(_ node: YAMLNode?, of rule: YAMLNode, _ trigger: TriggerReading) -> [AudienceEntry] {
        guard let node else {
            complain(atStartOf: rule, "the rule tells nobody", "write send: and names of sinks, or family")
            return []
        }
        let items = node.asList(&complaints) ?? []
        if case .sequence = node.content, items.isEmpty {
            complain(at: node, "the rule tells nobody", "name sinks, or family")
        }
        var seen: Set<AudienceEntry> = []
        return items.compactMap { readAudienceEntry($0, trigger) }.filter { seen.insert($0).inserted }
    }

    private mutating func readAudienceEntry(_ node: YAMLNode, _ trigger: TriggerReading) -> AudienceEntry? {
        guard node.pairs.isEmpty else { return readRecipients(node) }
        guard let name = node.asText(&complaints) else { return nil }
        if name == "family", vocabulary.installation.sink(name) == nil {
            if !trigger.hasStudent {
                complain(
                    at: node,
                    "no student is known here, so there is no family",
                    "name sinks; for a family, hear of or ask a source that is about a student"
                )
            } else if vocabulary.installation.families.isEmpty {
                complain(at: node, "the bot file has no families", "add them there, or name sinks")
            } else {
                checkFamilies(at: node, of: trigger.sources)
            }
            return .family
        }
        return sink(named: name, at: node).map { .sink($0.name, recipients: []) }
    }

    /// `{sink: mail-rossi, to: [...]}`.
    private mutating func readRecipients(_ node: YAMLNode) -> AudienceEntry? {
        guard let keys = mapping(node, ["sink", "to"]) else { return nil }
        guard let place = keys["sink"] else {
            complain(at: node, "'sink' is missing", "write {sink: mail-rossi, to: [m.rossi@example.org]}")
            return nil
        }
        guard let name = place.asText(&complaints), let sink = sink(named: name, at: place) else { return nil }
        guard let to = keys["to"] else { return .sink(name, recipients: []) }
        guard sink.plugin.takesRecipients else {
            complain(at: to, "the sink '\(name)' takes no recipients of a rule's own", "take 'to' out")
            return nil
        }
        // The sink's own recipients are checked by its declaration; a rule's are of the same kind.
        let declared = sink.plugin.settings.first { $0.key == "to" }?.kind
        if declared == .list(.mailAddress) {
            var ignored: [Complaint] = []
            for item in to.asList(&ignored) ?? [] {
                guard let text = item.asText(&ignored), MailAddress(text) == nil else { continue }
                complain(at: item, "this is no mail address the bot can use", "write it like name@example.org")
            }
        }
        return readTexts(to).map { .sink(name, recipients: $0) }
    }

    private mutating func sink(named name: String, at node: YAMLNode) -> SinkEntry? {
        let installation = vocabulary.installation
        if let sink = installation.sink(name) { return sink }
        unknown("sink", name, at: node, among: installation.sinks.map(\.name) + ["family"])
        return nil
    }
}
