public import BotCore
public import Values

extension MemoryStore {
    public func prune(before cut: Timestamp, keeping names: NamesInUse) {
        happened.removeAll { $0.at < cut }
        remarks.removeAll { $0.at < cut }
        slots = slots.filter { $0.value >= cut }
        entries.removeAll { entry in
            let isWaiting = [.queued, .sending].contains(entry.state) && names.sinks.contains(entry.payload.sink)
            return !isWaiting && entry.at < cut
        }
        let yearBefore = cut - .days(365)
        rows = rows.mapValues { $0.filter { row in row.value.goneAt.map { $0 >= yearBefore } ?? true } }
        let asked = { (state: SourceState) in state.attemptedAt.map { $0 >= cut } ?? false }
        sourceStates = sourceStates.filter { names.sources.contains($0.key) || asked($0.value) }
        rows = rows.filter { sourceStates[$0.key] != nil }
        let busy = Set(entries.map(\.payload.sink))
        sinkStates = sinkStates.filter { names.sinks.contains($0.key) || busy.contains($0.key) }
        for (name, state) in sinkStates {
            let known = Set(entries.filter { $0.payload.sink == name }.map(\.payload.recipient))
            sinkStates[name]?.recipients = state.recipients.filter { known.contains($0.key) }
        }
        ruleHealth = ruleHealth.filter { names.rules.contains($0.key) }
    }
}
