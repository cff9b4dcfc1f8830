import BotCore
import Liquid
import Values

/// Tells what a rule on events has matched.
struct EventTelling: Sendable {
    let rule: Rule
    let vocabulary: Vocabulary
    let now: Timestamp

    /// More events of one rule at a time become one message, whatever the rule says.
    static let mostSingle = 20

    typealias Told = (messages: [Message], notes: [RuleNote])

    private var composer: Composer { Composer(rule: rule, installation: vocabulary.installation, now: now) }

    /// One event in a message of its own.
    func single(_ matched: MatchedEvent) -> Told {
        let outcome = composer.compose(subject(of: matched), rule.message.texts, shapes: rule.singleNames) { _ in
            variables(of: matched)
        }
        return settled(outcome, about: [matched.event.id])
    }

    /// Several events in one message: by the rule's `many`, else their titles under a heading.
    func many(_ matched: [MatchedEvent], key: Value = .string("")) -> Told {
        let subject = subject(of: matched, key: key)
        let outcome: Composer.Outcome
        if let many = rule.message.many {
            outcome = composer.compose(subject, many, shapes: rule.groupNames) { _ in
                groupVariables(of: matched, key: key)
            }
        } else {
            outcome = composer.compose(subject) { titles(of: matched, in: $0) }
        }
        return settled(outcome, about: matched.map(\.event.id))
    }

    // MARK: What it is about

    private func subject(of matched: MatchedEvent) -> Subject {
        let event = matched.event
        return Subject(
            about: [event.worldID],
            events: [event.id],
            orderKey: "\(event.source)/\(event.record.key)",
            expires: expiry(of: event),
            students: [event.student],
            failingSink: failingSink([matched])
        )
    }

    private func subject(of matched: [MatchedEvent], key: Value) -> Subject {
        let expiries = matched.map { expiry(of: $0.event) }
        return Subject(
            about: matched.map(\.event.worldID).sorted() + ["key", key.plainText],
            events: matched.map(\.event.id),
            orderKey: "rule/\(rule.id)",
            // Stale when the last of them is.
            expires: expiries.contains(nil) ? nil : expiries.compactMap(\.self).max(),
            students: Array(Set(matched.map(\.event.student))),
            failingSink: failingSink(matched)
        )
    }

    private func failingSink(_ matched: [MatchedEvent]) -> String? {
        guard let event = matched.first?.event, matched.count == 1, event.kind == HealthSchema.sinkFailing else {
            return nil
        }
        return event.record.fields["name"]?.string
    }

    /// When a message about an event is stale.
    func expiry(of event: Event) -> Timestamp? {
        if let expires = rule.policies.expires { return event.at + expires }
        guard let declaration = vocabulary.declaration(of: event) else { return nil }
        switch declaration.expiry {
        case .never: return nil
        case .after(let span): return event.at + span
        case .field(let name): return event.record.fields[name]?.timestamp
        }
    }

    // MARK: What texts read

    private func variables(of matched: MatchedEvent) -> ValueMap {
        var variables = matched.event.variables
        if matched.event.old == nil { variables["old"] = nil }
        for name in rule.scope.records where name != matched.event.record.type { variables[name] = nil }
        variables["now"] = .timestamp(now)
        if !matched.vars.isEmpty { variables["vars"] = .map(matched.vars) }
        return variables
    }

    private func groupVariables(of matched: [MatchedEvent], key: Value) -> ValueMap {
        let events = matched.map { Value.map(variables(of: $0)) }
        return ["now": .timestamp(now), "group": ["key": key, "events": .list(events)]]
    }

    /// The single titles as a list under a standard heading.
    private func titles(of matched: [MatchedEvent], in locale: String) -> RenderedText {
        var result = RenderedText()
        result.title = TemplatedText(template: StandardTexts.manyHeading(matched.count, in: locale))
        var lines: [String] = []
        for (place, one) in matched.enumerated() {
            let text = singleText(of: one, in: locale)
            result.failures += text.failures
            lines.append("- " + TemplatedText.placeholder(place))
            result.body.values.append(text.title.plain)
        }
        result.body.template = lines.joined(separator: "\n")
        return result
    }

    private func singleText(of matched: MatchedEvent, in locale: String) -> RenderedText {
        let texts = rule.message.texts.text(in: locale, else: vocabulary.installation.locale)
        // A rule without titles is listed by what its bodies say.
        let title = MessageText(title: texts.title ?? texts.body)
        let renderer = TextRenderer(
            variables: variables(of: matched),
            shapes: rule.singleNames,
            context: .init(zone: rule.zone, locale: .init(rawValue: locale) ?? .de, now: now)
        )
        return renderer.render(title, link: nil)
    }

    // MARK: What is noted

    private func settled(_ outcome: Composer.Outcome, about events: [String]) -> Told {
        settle(outcome, about: events, of: rule)
    }
}

/// The notes on what was composed; a rule that is only tried sends nothing.
func settle(_ outcome: Composer.Outcome, about ids: [String], of rule: Rule) -> EventTelling.Told {
    func notes(_ kind: RuleNote.Outcome, _ reason: String) -> [RuleNote] {
        ids.map { RuleNote(rule: rule.id, about: $0, outcome: kind, reason: reason) }
    }
    var result: EventTelling.Told = ([], [])
    if !outcome.hasAudience {
        result.notes += notes(.skipped, "nobody is to be told: no family of 'send' has this student")
    } else if rule.isDryRun {
        let titles = outcome.messages.map { "\($0.sink): \($0.title.plain)" }
        result.notes += notes(.dryRun, "would be sent: \(titles.joined(separator: "; "))")
    } else if !outcome.messages.isEmpty {
        result.messages = outcome.messages
        result.notes += notes(.told, "told through \(outcome.messages.map(\.sink).joined(separator: ", "))")
    }
    if !outcome.failures.isEmpty {
        result.notes += notes(.failed, outcome.failures.joined(separator: "; "))
    }
    return result
}
