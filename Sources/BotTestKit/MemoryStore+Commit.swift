public import BotCore
import Values

extension MemoryStore {
    public func commit(_ commits: [Commit]) {
        for commit in commits { write(commit) }
    }

    private func write(_ commit: Commit) {
        for update in commit.sources { write(update, at: commit.at) }
        worldStates.merge(commit.worlds) { _, new in new }
        for event in commit.events where !happened.contains(where: { $0.id == event.id }) { happened.append(event) }
        remarks += commit.notes.map { ($0, commit.at) }
        for settlement in commit.settlements { settle(settlement) }
        for message in commit.withdrawn { withdraw(message, at: commit.at) }
        for outgoing in commit.payloads where isOfUse(outgoing) { write(outgoing, commit) }
        for (rule, value) in commit.memory { memory[rule] = value.isNull ? Value?.none : value }
        for slot in commit.slots { slots[FiredSlot(rule: slot.rule, key: slot.key)] = commit.at }
        checked = commit.checkedThrough ?? checked
        for account in commit.endedRests { accountRests[account] = nil }
        accountRests.merge(commit.rests) { _, new in new }
        for (name, state) in commit.sinks {
            guard let known = commit.knownSinks[name], let stored = sinkStates[name] else {
                sinkStates[name] = state
                continue
            }
            sinkStates[name] = state.without(restsEndedIn: stored, since: known)
        }
        for name in commit.endedSinkRests { sinkStates[name]?.endRests(at: commit.at) }
        ruleHealth.merge(commit.rules) { _, new in new }
        if commit.acknowledgesLoss { loss = nil }
    }

    private func write(_ update: SourceUpdate, at now: Timestamp) {
        sourceStates[update.source] = update.state
        var rows = rows[update.source] ?? [:]
        for (key, revision) in update.gone {
            rows[key]?.isPresent = false
            rows[key]?.stored.revision = revision
            rows[key]?.goneAt = now
        }
        for stored in update.put { rows[stored.record.key] = Row(stored: stored, isPresent: true) }
        if let day = update.forgetBefore {
            rows = rows.filter { row in row.value.stored.record.date.map { $0 >= day } ?? true }
        }
        self.rows[update.source] = rows
    }

    private func write(_ outgoing: OutgoingPayload, _ commit: Commit) {
        guard !entries.contains(where: { $0.payload.id == outgoing.payload.id }) else { return }
        var entry = Entry(
            payload: outgoing.payload,
            state: outgoing.deadReason == nil ? .queued : .dead,
            at: commit.at,
            attempts: 0,
            isHealth: outgoing.isHealth
        )
        if let reason = outgoing.deadReason {
            entry.tries = [Attempt(at: commit.at, outcome: "dead", answer: reason)]
        }
        entries.append(entry)
    }

    private func withdraw(_ message: String, at now: Timestamp) {
        for place in entries.indices where entries[place].payload.message == message {
            let entry = entries[place]
            guard entry.state == .queued && !entry.payload.isRepeat || [.dead, .held].contains(entry.state) else {
                continue
            }
            if entry.state == .held { entries[place].payload.isRepeat = true }
            entries[place].state = .dropped
            entries[place].at = now
            let answer = "No longer true before it could be sent."
            entries[place].tries.append(Attempt(at: now, outcome: "dropped", answer: answer))
        }
    }

    private func isOfUse(_ outgoing: OutgoingPayload) -> Bool {
        guard let corrected = outgoing.corrects else { return true }
        let parts = entries.filter { entry in
            let payload = entry.payload
            return payload.message == corrected && payload.sink == outgoing.payload.sink
                && payload.recipient == outgoing.payload.recipient
        }
        return parts.isEmpty
            || parts.contains { [.sending, .held, .delivered].contains($0.state) || $0.payload.isRepeat }
    }

    private func settle(_ settlement: Settlement) {
        guard let place = entries.firstIndex(where: { $0.payload.id == settlement.id && $0.state == .sending }) else {
            return
        }
        switch settlement.outcome {
        case .released:
            entries[place].state = .queued
            entries[place].at = settlement.at
        case .retry(let due, let mayHaveArrived):
            entries[place].attempts += 1
            entries[place].state = .queued
            entries[place].at = due
            entries[place].payload.isRepeat = entries[place].payload.isRepeat || mayHaveArrived
            entries[place].tries.append(Attempt(at: settlement.at, outcome: "retry", answer: settlement.answer))
        case .delivered(let remoteID):
            entries[place].remoteID = remoteID
            end(place, .delivered, settlement)
        case .held: end(place, .held, settlement)
        case .dropped:
            end(place, .dropped, settlement)
            entries[place].payload.isRepeat = true
        case .dead:
            end(place, .dead, settlement)
            endLaterParts(of: entries[place].payload, settlement)
        }
    }

    private func end(_ place: Int, _ state: DeliveryState, _ settlement: Settlement) {
        entries[place].attempts += 1
        entries[place].state = state
        entries[place].at = settlement.at
        entries[place].tries.append(
            Attempt(at: settlement.at, outcome: state.rawValue, answer: settlement.answer)
        )
    }

    private func endLaterParts(of payload: Payload, _ settlement: Settlement) {
        for place in entries.indices where entries[place].state == .queued {
            let other = entries[place].payload
            guard other.message == payload.message, other.recipient == payload.recipient, other.sink == payload.sink,
                other.part > payload.part
            else { continue }
            entries[place].state = .dead
            entries[place].at = settlement.at
            let answer = "An earlier part could not be delivered."
            entries[place].tries.append(Attempt(at: settlement.at, outcome: "dead", answer: answer))
        }
    }
}
