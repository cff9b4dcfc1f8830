public import BotCore
public import Values

extension MemoryStore {
    public func claim(_ request: ClaimRequest) -> Claim {
        var claim = Claim()
        for place in entries.indices where entries[place].state == .queued {
            guard let expires = entries[place].payload.expires, expires <= request.now else { continue }
            entries[place].state = .dropped
            entries[place].at = request.now
            let answer = "Stale before it could be sent."
            entries[place].tries.append(Attempt(at: request.now, outcome: "dropped", answer: answer))
            claim.stale.append(entries[place].payload)
        }
        var places = request.places
        let first = firstOfLanes()
        for place in first {
            let entry = entries[place]
            let isDue = entry.at <= request.now || entry.at - request.now > ClaimRequest.longestWait
            let pause = pause(of: entry.payload) ?? request.now
            let isWilling = pause <= request.now || pause - request.now > ClaimRequest.longestWait
            guard isDue, isWilling, let free = places[entry.payload.sink], free > 0 else { continue }
            places[entry.payload.sink] = free - 1
            entries[place].state = .sending
            entries[place].at = request.now
            claim.payloads.append(entry.claimed)
        }
        return claim
    }

    private func pause(of payload: Payload) -> Timestamp? {
        sinkStates[payload.sink]?.recipients[payload.recipient]?.notBefore
    }

    /// Queued payloads with no earlier one of their lane on its way.
    private func firstOfLanes() -> [Int] {
        var lanes: Set<String> = []
        return entries.indices.filter { place in
            let entry = entries[place]
            guard entry.state == .queued || entry.state == .sending else { return false }
            return lanes.insert(entry.payload.lane).inserted && entry.state == .queued
        }
    }

    public func interrupted() -> [ClaimedPayload] {
        entries.filter { $0.state == .sending }.map(\.claimed)
    }

    public func nextDue(of sinks: [String]) -> Timestamp? {
        let due = firstOfLanes().map { entries[$0] }.filter { sinks.contains($0.payload.sink) }.map {
            max($0.at, pause(of: $0.payload) ?? $0.at)
        }
        let stale = entries.filter { $0.state == .queued && sinks.contains($0.payload.sink) }.compactMap(
            \.payload.expires
        )
        return (due + stale).min()
    }

    public func deliveries(in states: Set<DeliveryState>, limit: Int) -> [Delivery] {
        Array(
            entries.filter { states.contains($0.state) }.reversed().prefix(limit).map {
                Delivery(payload: $0.payload, state: $0.state, at: $0.at, attempts: $0.tries, remoteID: $0.remoteID)
            }
        )
    }

    public func counts() -> [DeliveryState: Int] {
        Dictionary(grouping: entries, by: \.state).mapValues(\.count)
    }

    public func requeue(_ ids: [String]?, at now: Timestamp) -> Int {
        var count = 0
        for place in entries.indices where entries[place].state == .dead || entries[place].state == .held {
            let payload = entries[place].payload
            guard ids?.contains(payload.id) ?? true, !payload.content.isNull else { continue }
            if entries[place].state == .held { entries[place].payload.isRepeat = true }
            entries[place].state = .queued
            entries[place].at = now
            entries[place].requeuedAt = now
            entries[place].payload.expires = nil
            sinkStates[payload.sink]?.endWaits()
            count += 1
        }
        // Only commands beside the engine ask for it.
        touch()
        return count
    }
}

extension MemoryStore.Entry {
    fileprivate var claimed: ClaimedPayload {
        ClaimedPayload(payload, attempts: attempts, isHealth: isHealth, requeuedAt: requeuedAt)
    }
}
