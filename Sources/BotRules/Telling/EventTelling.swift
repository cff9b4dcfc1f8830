import BotCore
import Liquid
import Values

/// Puts what a rule on events has matched into words.
struct EventTelling: Sendable {
    let rule: Rule
    let vocabulary: Vocabulary
    let now: Timestamp

    /// More events of one rule at a time become one message, whatever the rule says.
    static let mostSingle = 20

    var composer: Composer { Composer(rule: rule, vocabulary: vocabulary, now: now) }

    // MARK: Whom

    /// Who is told of one event.
    func recipients(of item: MatchedEvent) -> [Recipient] {
        if let firing = item.firing { return composer.recipients(for: firing.students) }
        let event = item.event
        let failing = event.kind == HealthSchema.sinkFailing ? event.record.fields["name"]?.string : nil
        return composer.recipients(for: [event.student], failingSink: failing)
    }

    /// Why `send: [family]` finds nobody for an event; nil where it does, or is not written.
    ///
    /// - Parameter isNaming: whether it names the students and lists the families.
    func gap(of item: MatchedEvent, isNaming: Bool) -> String? {
        composer.familyGap(for: item.firing?.students ?? [item.event.student], isNaming: isNaming)
    }

    /// What each recipient is told: of every unit the events that concern them, each once.
    func shares(of units: [TellingUnit]) -> [(recipient: Recipient, units: [TellingUnit])] {
        var order: [String] = []
        var shares: [String: (recipient: Recipient, units: [TellingUnit])] = [:]
        var seen: Set<[String]> = []
        for unit in units {
            var parts: [String: [MatchedEvent]] = [:]
            var partOrder: [Recipient] = []
            for item in unit.items {
                for recipient in recipients(of: item) where seen.insert([recipient.key, item.event.worldID]).inserted {
                    if parts[recipient.key] == nil { partOrder.append(recipient) }
                    parts[recipient.key, default: []].append(item)
                }
            }
            for recipient in partOrder {
                let part = TellingUnit(items: parts[recipient.key] ?? [], key: unit.key)
                if shares[recipient.key] == nil { order.append(recipient.key) }
                shares[recipient.key, default: (recipient, [])].units.append(part)
            }
        }
        return order.compactMap { shares[$0] }
    }

    // MARK: Messages

    /// A message about one unit, and what could not be rendered.
    func message(
        about unit: TellingUnit,
        to recipient: Recipient,
        isSilent: Bool
    ) -> (message: Message?, failures: [String]) {
        let text = text(of: unit, in: recipient.locale)
        guard text.isUsable else { return (nil, text.failures) }
        return (composer.message(text, subject(of: [unit], isSilent: isSilent), to: recipient), text.failures)
    }

    /// Several units in one message: by the rule's `many`, else their titles under a heading.
    ///
    /// - Parameter gathered: why they stand in one message; the message says so.
    func message(
        about units: [TellingUnit],
        to recipient: Recipient,
        isSilent: Bool,
        gathered: Gathering
    ) -> (message: Message?, failures: [String]) {
        let text: RenderedText
        if let many = rule.message.many {
            let all = TellingUnit(items: units.flatMap(\.items), key: .string(""))
            text = composer.render(
                many,
                in: recipient.locale,
                shapes: rule.groupNames,
                variables: groupVariables(all, in: recipient.locale)
            )
        } else {
            text = titles(of: units, in: recipient.locale, gathered: gathered)
        }
        guard text.isUsable else { return (nil, text.failures) }
        return (composer.message(text, subject(of: units, isSilent: isSilent), to: recipient), text.failures)
    }

    private func subject(of units: [TellingUnit], isSilent: Bool) -> Subject {
        let items = units.flatMap(\.items)
        let events = items.map(\.event)
        let expiries = events.map { expiry(of: $0) }
        var subject = Subject(
            about: events.map(\.worldID).sorted(),
            events: events.filter { !$0.isMoment }.map(\.id),
            students: items.flatMap { $0.firing?.students ?? [] },
            orderKey: "rule/\(rule.id)",
            // Stale when the last of them is.
            expires: expiries.contains(nil) ? nil : expiries.compactMap(\.self).max(),
            isSilent: isSilent
        )
        if units.count == 1, units[0].key == nil, let event = events.first {
            let hasRecord = !event.record.type.isEmpty
            subject.orderKey = hasRecord ? "\(event.source)/\(event.record.key)" : ""
        } else {
            subject.about.append("together")
        }
        return subject
    }

    /// When news of an event are stale. What `within` holds back is fresh when it is let go.
    func expiry(of event: Event) -> Timestamp? {
        let start = max(event.at, nearness(of: event) ?? event.at)
        if let expires = rule.policies.expires { return start + expires }
        if event.isMoment { return momentExpiry(of: event) }
        guard let declaration = vocabulary.declaration(of: event) else { return nil }
        switch declaration.expiry {
        case .never: return nil
        case .after(let span): return start + span
        case .field: return end(of: event)
        }
    }

    /// When what an event is about is over; nil where its record does not say.
    func end(of event: Event) -> Timestamp? {
        guard case .field(let name) = vocabulary.declaration(of: event)?.expiry else { return nil }
        return event.record.fields[name]?.timestamp
    }

    /// When an event is near enough to be told; nil for at once.
    func nearness(of event: Event) -> Timestamp? {
        guard let within = rule.policies.within, let field = within.fields[event.record.type],
            let time = event.record.fields[field]?.timestamp
        else { return nil }
        return time - within.span
    }

    /// Three days, unless the record's declaration says otherwise. An instant that is reached when the rule fires, such as a reminder's
    /// own, cannot be when its message is stale.
    private func momentExpiry(of event: Event) -> Timestamp {
        let standard = event.at + .days(3)
        guard let source = vocabulary.source(event.source) else { return standard }
        for declaration in source.schema.events where declaration.record == event.record.type {
            guard case .field(let name) = declaration.expiry, let end = event.record.fields[name]?.timestamp else {
                continue
            }
            return end > event.at ? end : standard
        }
        return standard
    }

    // MARK: Texts

    /// The rule's own message about a unit.
    func text(of unit: TellingUnit, in locale: String) -> RenderedText {
        let texts = rule.message.texts
        if rule.policies.group != nil {
            return composer.render(
                texts,
                in: locale,
                shapes: rule.groupNames,
                variables: groupVariables(unit, in: locale)
            )
        }
        guard let item = unit.items.first else { return RenderedText() }
        return composer.render(texts, in: locale, shapes: rule.singleNames, variables: variables(of: item, in: locale))
    }

    /// The single titles as a list under a standard heading. A rule without titles is listed by what its bodies say.
    private func titles(of units: [TellingUnit], in locale: String, gathered: Gathering) -> RenderedText {
        var result = RenderedText()
        let count = units.reduce(0) { $0 + $1.items.count }
        result.title = TemplatedText(template: StandardTexts.manyHeading(count, in: locale))
        var lines = [StandardTexts.gatheringNote(gathered, in: locale), ""]
        for unit in units {
            let text = text(of: unit, in: locale)
            result.failures += text.failures
            lines.append("- " + TemplatedText.placeholder(result.body.values.count))
            let title = text.title.plain
            result.body.values.append(title.isEmpty ? TextRenderer.oneLine(text.body).plain : title)
        }
        result.body.template = lines.joined(separator: "\n")
        return result
    }

    private func variables(of item: MatchedEvent, in locale: String) -> ValueMap {
        if let firing = item.firing {
            var variables = item.event.variables(answers: firing.answers(in: locale))
            if !item.vars.isEmpty { variables["vars"] = .map(item.vars) }
            return variables
        }
        var variables = item.event.variables
        if item.event.old == nil { variables["old"] = nil }
        for name in rule.scope.records where name != item.event.record.type { variables[name] = nil }
        variables["now"] = .timestamp(now)
        if !item.vars.isEmpty { variables["vars"] = .map(item.vars) }
        return variables
    }

    private func groupVariables(_ unit: TellingUnit, in locale: String) -> ValueMap {
        let events = unit.items.map { Value.map(variables(of: $0, in: locale)) }
        return ["now": .timestamp(now), "group": ["key": unit.key ?? .string(""), "events": .list(events)]]
    }

    // MARK: Corrections

    /// What is said to somebody who was told what is no longer so.
    func correction(
        of told: ToldEvent,
        by event: Event,
        to receiver: ToldEvent.Receiver,
        isSilent: Bool
    ) -> (message: Message?, failures: [String]) {
        let locale = receiver.recipient.locale
        var text: RenderedText
        if let texts = rule.message.correction {
            let item = MatchedEvent(event: event, vars: rule.values(rule.scope.activation(for: event, at: now)))
            text = composer.render(
                texts,
                in: locale,
                shapes: rule.singleNames,
                variables: variables(of: item, in: locale)
            )
        } else {
            text = RenderedText()
            let heading = StandardTexts.correctionHeading(of: receiver.title, in: locale)
            text.title = TextRenderer.oneLine(TemplatedText(value: heading))
            let body = "**\(TemplatedText.placeholder(0))**: \(StandardTexts.correctionBody(in: locale))"
            text.body = TemplatedText(template: body, values: [name(of: event, in: locale)])
        }
        guard text.isUsable else { return (nil, text.failures) }
        let subject = Subject(
            about: ["correction", told.world, event.worldID],
            events: [event.id],
            orderKey: receiver.orderKey,
            expires: expiry(of: event),
            isSilent: isSilent
        )
        var message = composer.message(text, subject, to: receiver.recipient)
        message.corrects = receiver.message
        return (message, text.failures)
    }

    /// Several corrections in one message: a list of what no longer holds.
    func correction(
        of corrections: [OpenCorrection],
        titled title: String,
        to recipient: Recipient,
        isSilent: Bool
    ) -> (message: Message?, failures: [String]) {
        let locale = recipient.locale
        var text = RenderedText()
        text.title = TextRenderer.oneLine(
            TemplatedText(value: StandardTexts.correctionHeading(of: title, in: locale))
        )
        var lines = [StandardTexts.correctionsBody(in: locale), ""]
        for correction in corrections {
            lines.append("- " + TemplatedText.placeholder(text.body.values.count))
            text.body.values.append(name(of: correction.event, in: locale))
        }
        text.body.template = lines.joined(separator: "\n")
        let events = corrections.map(\.event)
        let expiries = events.map { expiry(of: $0) }
        let subject = Subject(
            about: ["corrections"] + corrections.flatMap { [$0.told.world, $0.event.worldID] }.sorted(),
            events: events.map(\.id),
            orderKey: "rule/\(rule.id)",
            expires: expiries.contains(nil) ? nil : expiries.compactMap(\.self).max(),
            isSilent: isSilent
        )
        return (composer.message(text, subject, to: recipient), [])
    }

    /// What people call the thing that an event is about: its subject, title or name, and its time.
    private func name(of event: Event, in locale: String) -> String {
        var parts = [event.record.title]
        if let start = event.record.fields["start"]?.timestamp {
            parts.append(StandardTexts.moment(start, in: locale, zone: rule.zone))
        }
        return parts.joined(separator: " ")
    }
}
