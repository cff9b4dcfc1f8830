import BotCore
import Values

/// The policies of one rule at work, in one call of `RuleBook.decide`.
///
///     matched → within → group → digest → quiet hours → limit → message
///
/// Each arrow may be a wait in the memory. What waited is told only if it is still true.
struct PolicyRun {
    let rule: Rule
    let telling: EventTelling
    let context: RuleContext
    let silences: [Silence]
    var memory: PolicyMemory
    var messages: [Message] = []
    /// Ids of messages that told what is no longer so.
    var withdrawn: [String] = []
    var notes: [RuleNote] = []
    /// By event: through which sinks it was told, and what could not be rendered.
    private var toldThrough: [String: [String]] = [:]
    private var failures: [String: [String]] = [:]
    private var order: [String] = []

    init(rule: Rule, vocabulary: Vocabulary, context: RuleContext, memory: PolicyMemory) {
        self.rule = rule
        telling = EventTelling(rule: rule, vocabulary: vocabulary, now: context.now)
        self.context = context
        silences = Silence.all(in: context.memory)
        self.memory = memory
        if !rule.isDryRun { self.memory.forgetTrials() }
        self.memory.prune(at: context.now, limit: rule.policies.limit)
        self.memory.bringForward(to: context.now, rule.policies)
    }

    var now: Timestamp { context.now }
    private var policies: Policies { rule.policies }
    private var isUrgent: Bool { rule.message.priority == .high }

    mutating func note(_ about: String, _ outcome: RuleNote.Outcome, _ reason: String) {
        notes.append(RuleNote(rule: rule.id, about: about, outcome: outcome, reason: reason))
    }

    // MARK: In

    /// Takes what the rule has matched now.
    mutating func take(_ matched: [MatchedEvent]) {
        admit(
            matched.filter { item in
                guard let near = telling.nearness(of: item.event), near > now else { return true }
                memory.waiting.append(.init(item: item, due: near))
                note(item.event.id, .waiting, "waits until its time is near: \(shown(near))")
                return false
            }
        )
    }

    /// Groups what is to be grouped, and hands on the rest.
    mutating func admit(_ items: [MatchedEvent]) {
        guard let group = policies.group else {
            pass(items.map { TellingUnit(items: [$0]) })
            return
        }
        for item in items {
            let place = memory.groups.firstIndex { $0.key == item.groupKey }
            let first = place.map { memory.groups[$0].first } ?? now
            let due = min(now + group.wait, first + group.longest)
            if let place {
                memory.groups[place].items.append(item)
                memory.groups[place].due = due
            } else {
                memory.groups.append(.init(key: item.groupKey, first: first, due: due, items: [item]))
            }
            note(
                item.event.id,
                .waiting,
                "collected until \(shown(due)) with what has the key '\(item.groupKey.plainText)'"
            )
        }
    }

    /// Collects for the digest, or hands on.
    mutating func pass(_ units: [TellingUnit]) {
        guard let digest = policies.digest, !isUrgent, let due = digest.next(after: now) else {
            dispatch(units, gathered: nil)
            return
        }
        hold(units, until: due, "collected for the digest at \(shown(due))", .digest, isAskedAgain: false)
    }

    private mutating func hold(
        _ units: [TellingUnit],
        until due: Timestamp,
        _ reason: String,
        _ gathering: Gathering,
        isAskedAgain: Bool
    ) {
        if isAskedAgain { dropEarlierMoments(until: due) }
        for unit in units {
            memory.held.append(.init(unit: unit, due: due, gathering: gathering, isAskedAgain: isAskedAgain))
            for item in unit.items { note(item.event.id, .waiting, reason) }
        }
    }

    /// Of several moments of one schedule that wait, the last one is enough; those of records stand each for a record.
    private mutating func dropEarlierMoments(until due: Timestamp) {
        if rule.onRecordTimes != nil { return }
        let earlier = memory.held.filter { $0.isAskedAgain && $0.due == due }
        memory.held.removeAll { $0.isAskedAgain && $0.due == due }
        for item in earlier.flatMap(\.unit.items) {
            note(item.event.id, .skipped, "a later time of the same rule has come as well")
        }
    }

    // MARK: Out

    /// Keeps quiet hours, then tells.
    ///
    /// - Parameter gathered: why they were not told when they were seen; nil for what is told at once.
    mutating func dispatch(_ units: [TellingUnit], gathered: Gathering?) {
        guard !units.isEmpty else { return }
        guard let quiet = policies.quiet, !isUrgent, let end = quiet.end(at: now) else {
            deliver(units, gathered: gathered, isSilent: false)
            return
        }
        switch quiet.then {
        case .hold:
            let isAskedAgain = gathered == nil && units.contains { $0.items.contains { $0.event.isMoment } }
            let reason = "held by quiet hours until \(shown(end))"
            hold(units, until: end, reason, .quietHours, isAskedAgain: isAskedAgain)
        case .silent: deliver(units, gathered: gathered, isSilent: true)
        case .drop:
            for item in units.flatMap(\.items) { note(item.event.id, .skipped, "dropped by quiet hours") }
        }
    }

    private mutating func deliver(_ units: [TellingUnit], gathered: Gathering?, isSilent: Bool) {
        let shares = telling.shares(of: units)
        let reached = Set(shares.flatMap(\.units).flatMap(\.items).map(\.event.worldID))
        for item in units.flatMap(\.items) where !reached.contains(item.event.worldID) {
            let gap = telling.gap(of: item, isNaming: false) ?? "'send' names no other sink"
            note(item.event.id, .skipped, "nobody is told: \(gap)")
        }
        for (recipient, units) in shares {
            let fresh = units.compactMap { unit -> TellingUnit? in
                let items = unit.items.filter { isNews($0.event, to: recipient) }
                return items.isEmpty ? nil : TellingUnit(items: items, key: unit.key)
            }
            if fresh.count > EventTelling.mostSingle || (gathered != nil && fresh.count > 1) {
                send(fresh, to: recipient, gathered: gathered, isSilent: isSilent)
            } else {
                for unit in fresh { send([unit], to: recipient, gathered: nil, isSilent: isSilent) }
            }
        }
    }

    /// Whether a recipient has not been told of the same change yet, seen through another account.
    private mutating func isNews(_ event: Event, to recipient: Recipient) -> Bool {
        if !memory.hasTold(event, to: recipient) { return true }
        note(event.id, .skipped, "\(recipient.sink) was told already: another account sees the same change")
        return false
    }

    /// Sends one message, if the limit lets it pass.
    mutating func send(
        _ units: [TellingUnit],
        to recipient: Recipient,
        gathered: Gathering?,
        isSilent: Bool,
        ignoringLimit: Bool = false
    ) {
        guard !units.isEmpty else { return }
        let made =
            units.count == 1
            ? telling.message(about: units[0], to: recipient, isSilent: isSilent)
            : telling.message(about: units, to: recipient, isSilent: isSilent, gathered: gathered ?? .flood)
        let events = units.flatMap(\.items).map(\.event)
        for event in events where !made.failures.isEmpty { failed(event.id, made.failures) }
        guard let message = made.message else { return }
        if !ignoringLimit, let limit = policies.limit, !isUrgent {
            let sent = memory.sent.filter { $0.recipient == recipient.key }
            if sent.contains(where: { $0.message == message.id }) { return }
            if sent.count >= limit.most {
                postpone(units, of: recipient, limit, oldest: sent.map(\.at).min() ?? now)
                return
            }
        }
        tell(message, events, to: recipient)
    }

    private mutating func postpone(
        _ units: [TellingUnit],
        of recipient: Recipient,
        _ limit: LimitPolicy,
        oldest: Timestamp
    ) {
        let words = "over the limit of \(limit.most) in \(limit.per.text) for \(recipient.sink)"
        let known = memory.limited.first { $0.recipient == recipient }?.due
        let due = known ?? oldest + limit.per
        for unit in units {
            if limit.then == .digest { memory.limited.append(.init(recipient: recipient, unit: unit, due: due)) }
            for item in unit.items {
                let what = limit.then == .drop ? "dropped" : "collected until \(shown(due))"
                note(item.event.id, limit.then == .drop ? .skipped : .waiting, "\(words): \(what)")
            }
        }
    }

    private mutating func tell(_ message: Message, _ events: [Event], to recipient: Recipient) {
        if !rule.isDryRun { messages.append(message) }
        if policies.limit != nil {
            let sent = PolicyMemory.Sent(
                recipient: recipient.key,
                message: message.id,
                at: now,
                isTrial: rule.isDryRun
            )
            memory.sent.append(sent)
        }
        for event in events {
            if toldThrough[event.id] == nil { order.append(event.id) }
            toldThrough[event.id, default: []].append(
                rule.isDryRun ? "\(recipient.sink): \(message.title.plain)" : recipient.sink
            )
            remember(event, message, to: recipient, isAlone: events.count == 1)
        }
    }

    private mutating func failed(_ event: String, _ reasons: [String]) {
        if toldThrough[event] == nil, failures[event] == nil { order.append(event) }
        for reason in reasons where !(failures[event] ?? []).contains(reason) {
            failures[event, default: []].append(reason)
        }
    }

    /// Says what became of the events that were told.
    mutating func finish() {
        var seen: Set<String> = []
        for event in order where seen.insert(event).inserted {
            if let sinks = toldThrough[event] {
                let list = sinks.joined(separator: rule.isDryRun ? "; " : ", ")
                note(
                    event,
                    rule.isDryRun ? .dryRun : .told,
                    rule.isDryRun ? "would be sent: \(list)" : "told through \(list)"
                )
            }
            if let reasons = failures[event] { note(event, .failed, reasons.joined(separator: "; ")) }
        }
        memory.prune(at: now, limit: policies.limit)
    }

    /// An instant as the rule's author reads it.
    func shown(_ instant: Timestamp) -> String {
        let (date, time) = rule.zone.reading(at: instant)
        return "\(date) \(time)"
    }
}
