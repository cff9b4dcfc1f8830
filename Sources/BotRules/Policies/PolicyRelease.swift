import BotCore
import Values

/// What comes out of the memory: what is due, what is no longer true, what has to be corrected.
extension PolicyRun {
    // MARK: What is due

    /// Hands on everything whose moment has come.
    mutating func release() {
        releaseWaiting()
        releaseGroups()
        releaseHeld()
        releaseLimited()
        releaseCorrections()
    }

    /// What a rule that is off had collected is not told; what it told is remembered, and is not corrected.
    mutating func switchOff() {
        let count = memory.pendingCount + memory.corrections.count
        memory = PolicyMemory(sent: memory.sent, told: memory.told)
        guard count > 0 else { return }
        let what = count.counted("collected notice is", "collected notices are")
        note(rule.id, .skipped, "the rule is off: \(what) dropped")
    }

    private mutating func releaseWaiting() {
        let now = now
        let due = memory.waiting.filter { $0.due <= now }
        memory.waiting.removeAll { $0.due <= now }
        take(due.map(\.item).filter { isHeard($0.event) }.compactMap { current($0) })
    }

    /// The event with its record as it is now; nil where it is no longer true.
    private mutating func current(_ item: MatchedEvent) -> MatchedEvent? {
        let event = item.event
        guard let view = context.snapshots[event.source] else { return item }
        let record =
            view.records.first { $0.key == event.record.key }
            ?? view.records.first { $0.likeness != nil && $0.likeness == event.record.likeness }
        guard let record else { return item }
        let isBack = event.changes.contains { change in
            let value = record.fields[change.field] ?? .null
            return value != change.new && value == change.old
        }
        if isBack {
            note(event.id, .skipped, "not told: it has been taken back meanwhile")
            return nil
        }
        switch renewed(item, with: record) {
        case .stays(let item): return item
        case .dropped(let reason):
            note(event.id, .skipped, "not told: \(reason)")
            return nil
        }
    }

    private mutating func releaseGroups() {
        let now = now
        let due = memory.groups.filter { $0.due <= now }
        memory.groups.removeAll { $0.due <= now }
        let isGrouped = rule.policies.group != nil
        pass(
            due.flatMap { group in
                let items = live(group.items)
                if items.isEmpty { return [TellingUnit]() }
                // The rule may have been edited since.
                return isGrouped
                    ? [TellingUnit(items: items, key: group.key)] : items.map { TellingUnit(items: [$0]) }
            }
        )
    }

    private mutating func releaseHeld() {
        let now = now
        let due = memory.held.filter { $0.due <= now }
        memory.held.removeAll { $0.due <= now }
        let gathering: Gathering = due.contains { $0.gathering == .quietHours } ? .quietHours : .digest
        dispatch(due.compactMap { live($0.unit, isAskedAgain: $0.isAskedAgain) }, gathered: gathering)
    }

    private mutating func releaseLimited() {
        let now = now
        let due = memory.limited.filter { $0.due <= now }
        memory.limited.removeAll { $0.due <= now }
        var seen: Set<String> = []
        for recipient in due.map(\.recipient) where seen.insert(recipient.key).inserted {
            let units = due.filter { $0.recipient == recipient }.compactMap { live($0.unit) }
            send(units, to: recipient, gathered: .limit, isSilent: false, ignoringLimit: true)
        }
    }

    /// Whether no silence keeps the rule from telling of an event by now. What was told already is corrected all the same.
    private mutating func isHeard(_ event: Event) -> Bool {
        let matched = event.record.type.isEmpty ? nil : event
        guard let silence = silences.first(where: { $0.silences(matched, of: rule.id, at: now) }) else { return true }
        note(event.id, .skipped, silence.reason)
        return false
    }

    /// A unit without what has become stale or was silenced while it waited; nil if nothing is left.
    private mutating func live(_ unit: TellingUnit, isAskedAgain: Bool = false) -> TellingUnit? {
        let items = live(unit.items, isAskedAgain: isAskedAgain)
        return items.isEmpty ? nil : TellingUnit(items: items, key: unit.key)
    }

    private mutating func live(_ items: [MatchedEvent], isAskedAgain: Bool = false) -> [MatchedEvent] {
        items.compactMap { item in
            guard isHeard(item.event) else { return nil }
            guard let expiry = telling.expiry(of: item.event), expiry <= now else {
                return asked(item, isAskedAgain: isAskedAgain)
            }
            note(item.event.id, .skipped, "not told: stale since \(shown(expiry))")
            return nil
        }
    }

    /// What a scheduled rule says now of a moment that had to wait: of one that a record's time has set, whether the record still is so.
    private mutating func asked(_ item: MatchedEvent, isAskedAgain: Bool) -> MatchedEvent? {
        guard item.event.isMoment, isAskedAgain || rule.onRecordTimes != nil else { return item }
        let round = FiringRound(
            rule: rule,
            vocabulary: telling.vocabulary,
            key: item.event.id,
            context: context
        )
        switch round.asked() {
        case .told(let current): return current
        case .note(let note):
            notes.append(note)
            return nil
        }
    }

    // MARK: What was told

    /// What has no end of its own is remembered for as long as events are.
    private static let longestMemory = TimeSpan.days(30)
    /// No school plans farther ahead: a record that says so is wrong.
    private static let farthestEnd = TimeSpan.days(400)

    /// Remembers what may have to be corrected.
    ///
    /// - Parameter isAlone: whether the message tells of this event and of no other.
    mutating func remember(_ event: Event, _ message: Message, to recipient: Recipient, isAlone: Bool) {
        guard let until = memorable(event) else { return }
        let receiver = ToldEvent.Receiver(
            recipient: recipient,
            title: message.title.plain,
            orderKey: message.orderKey,
            message: isAlone ? message.id : nil
        )
        if let place = memory.told.firstIndex(where: { $0.id == event.id && $0.isTrial == rule.isDryRun }) {
            memory.told[place].receivers.append(receiver)
            return
        }
        memory.told.append(
            ToldEvent(
                id: event.id,
                world: event.worldID,
                kind: event.kind,
                source: event.source,
                key: event.record.key,
                likeness: event.record.likeness,
                worldKey: event.record.worldKey,
                revision: event.revision,
                until: until,
                isTrial: rule.isDryRun,
                receivers: [receiver]
            )
        )
    }

    /// Until when it may have to be corrected that an event was told; nil for never. That is until what it is about is over, whatever
    /// `expires` says: news that are too old to be told may still be corrected.
    private func memorable(_ event: Event) -> Timestamp? {
        if event.isMoment {
            // Until the time has come that it was told ahead of.
            guard rule.policies.follows, let field = rule.onRecordTimes?.field,
                let instant = event.record.fields[field]?.timestamp, instant > now
            else { return nil }
            return instant
        }
        guard rule.policies.follows || !rule.policies.isImmediate,
            telling.vocabulary.declaration(of: event)?.opposite != nil || !rule.policies.isImmediate
        else { return nil }
        guard let end = telling.end(of: event) else { return now + Self.longestMemory }
        return min(end, now + Self.farthestEnd)
    }
}
