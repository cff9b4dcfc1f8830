import BotCore
import Values

/// What waits is told as it is by then: it takes over the newer states of its record.
extension PolicyRun {
    enum Renewal {
        case stays(MatchedEvent)
        /// Why it is not told.
        case dropped(String)
    }

    /// Takes the records of later events over into what waits. What these events make untrue is out already.
    mutating func renew(with events: [Event], _ contradiction: Contradiction) {
        guard rule.onEvents != nil, memory.pendingCount > 0 else { return }
        var notes: [RuleNote] = []
        var memory = memory
        for event in events {
            memory.renew(nearness: telling.nearness) { item in
                guard contradiction.isNewer(event, than: item.event) else { return item }
                var newer = item
                newer.event.revision = event.revision
                switch renewed(newer, with: event.record) {
                case .stays(let item): return item
                case .dropped(let reason):
                    let words = "not told: \(reason) (\(event.kind) has come)"
                    notes.append(RuleNote(rule: rule.id, about: item.event.id, outcome: .skipped, reason: words))
                    return nil
                }
            }
        }
        self.memory = memory
        self.notes += notes
    }

    /// What is told of an event whose record has another state by now. `match`, `vars`, `if` and `group.by` are asked once more, since
    /// what they said was about the state before.
    func renewed(_ item: MatchedEvent, with record: Record) -> Renewal {
        let before = item.event.record
        if record == before { return .stays(item) }
        var event = item.event
        event.record = record
        event.changes = event.changes.compactMap { change in
            let value = record.fields[change.field] ?? .null
            // A record that is not the changed one says nothing of the change.
            guard before.fields[change.field] ?? .null == change.new else { return change }
            return value == change.old ? nil : FieldChange(field: change.field, old: change.old, new: value)
        }
        if event.changes.isEmpty, !item.event.changes.isEmpty {
            return .dropped("it has been taken back meanwhile")
        }
        guard rule.match.allSatisfy({ $0.accepts(event) }) else {
            return .dropped("it is not what 'match' asks for any more")
        }
        if rule.variables.isEmpty, rule.condition == nil, rule.policies.group == nil {
            return .stays(MatchedEvent(event: event, vars: item.vars, groupKey: item.groupKey))
        }
        let schoolDays = SchoolDays(rule.schoolDaySources, in: context.snapshots)
        switch rule.evaluate(rule.scope.activation(for: event, at: now), schoolDays: schoolDays) {
        case .success(.some(let values)):
            return .stays(MatchedEvent(event: event, vars: values.vars, groupKey: values.groupKey))
        case .success(.none): return .dropped("the condition 'if' is false by now")
        case .failure: return .stays(MatchedEvent(event: event, vars: item.vars, groupKey: item.groupKey))
        }
    }
}

extension PolicyMemory {
    /// Puts newer states into what is not told yet. What has another time then waits for that, and what has another key is in another
    /// group.
    ///
    /// - Parameters:
    ///   - nearness: when an event is near enough to be told; nil where its record does not say.
    ///   - change: what becomes of an item; nil for nothing.
    mutating func renew(nearness: (Event) -> Timestamp?, _ change: (MatchedEvent) -> MatchedEvent?) {
        waiting = waiting.compactMap { entry in
            guard let item = change(entry.item) else { return nil }
            let isSame = item.event.revision == entry.item.event.revision
            return Waiting(item: item, due: isSame ? entry.due : nearness(item.event) ?? entry.due)
        }
        groups = groups.flatMap { group in
            Self.split(group.items.compactMap(change)).map { key, items in
                Group(key: key, first: group.first, due: group.due, items: items)
            }
        }
        joinGroups()
        held = held.flatMap { entry in
            Self.split(entry.unit, change).map { unit in
                var entry = entry
                entry.unit = unit
                return entry
            }
        }
        limited = limited.flatMap { entry in
            Self.split(entry.unit, change).map { Limited(recipient: entry.recipient, unit: $0, due: entry.due) }
        }
    }

    /// Groups that have come to have one key are one.
    private mutating func joinGroups() {
        groups = groups.reduce(into: []) { joined, group in
            guard let place = joined.firstIndex(where: { $0.key == group.key }) else { return joined.append(group) }
            joined[place].items += group.items
            joined[place].first = min(joined[place].first, group.first)
            joined[place].due = min(joined[place].due, group.due)
        }
    }

    private static func split(_ unit: TellingUnit, _ change: (MatchedEvent) -> MatchedEvent?) -> [TellingUnit] {
        let items = unit.items.compactMap(change)
        if items.isEmpty { return [] }
        if unit.key == nil { return [TellingUnit(items: items)] }
        return split(items).map { TellingUnit(items: $1, key: $0) }
    }

    /// Items by their keys, in their order.
    private static func split(_ items: [MatchedEvent]) -> [(key: Value, items: [MatchedEvent])] {
        items.reduce(into: []) { parts, item in
            if let place = parts.firstIndex(where: { $0.key == item.groupKey }) {
                parts[place].items.append(item)
            } else {
                parts.append((item.groupKey, [item]))
            }
        }
    }
}
