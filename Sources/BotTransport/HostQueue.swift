import Values

/// Requests that wait for their turn, host by host, first come first served. Pure: `now` is handed over, as time since any fixed start.
struct HostQueue<Item> {
    private struct Host {
        var waiting: [Item] = []
        var running = 0
        var nextStart = TimeSpan.zero

        /// Lets go all whose turn it is now.
        mutating func admit(into admitted: inout [Item], _ policy: HostPolicy, now: TimeSpan) {
            var count = 0
            while count < waiting.count, running < policy.connections, nextStart <= now {
                count += 1
                running += 1
                nextStart = now + policy.gap
            }
            admitted += waiting.prefix(count)
            waiting.removeFirst(count)
        }

        func isForgotten(now: TimeSpan) -> Bool { waiting.isEmpty && running == 0 && nextStart <= now }
    }

    private let policies: HostPolicies
    private var hosts: [String: Host] = [:]

    init(policies: HostPolicies) { self.policies = policies }

    mutating func join(_ item: Item, host: String) {
        hosts[host, default: Host()].waiting.append(item)
    }

    /// The items whose turn it is now; each counts as running until `finish`.
    mutating func admit(now: TimeSpan) -> [Item] {
        var admitted: [Item] = []
        var place = hosts.startIndex
        while place != hosts.endIndex {
            hosts.values[place].admit(into: &admitted, policies[hosts.keys[place]], now: now)
            hosts.formIndex(after: &place)
        }
        if hosts.values.contains(where: { $0.isForgotten(now: now) }) {
            hosts = hosts.filter { !$0.value.isForgotten(now: now) }
        }
        return admitted
    }

    /// A running item of this host has ended.
    mutating func finish(host: String) {
        hosts[host]?.running -= 1
    }

    /// Takes an item out of the line.
    mutating func withdraw(where matches: (Item) -> Bool) -> Item? {
        for name in hosts.keys {
            guard let index = hosts[name]?.waiting.firstIndex(where: matches) else { continue }
            return hosts[name]?.waiting.remove(at: index)
        }
        return nil
    }

    /// Takes all out of the line.
    mutating func withdrawAll() -> [Item] {
        defer { hosts.removeAll() }
        return hosts.values.flatMap(\.waiting)
    }

    /// When, after `now`, a waiting item's turn may come by the passing of time alone; nil if only the end of another brings it.
    var nextTurn: TimeSpan? {
        // Asked for after each wake-up of the transfers' thread: nothing is allocated for it.
        var soonest: TimeSpan?
        for (name, host) in hosts where !host.waiting.isEmpty && host.running < policies[name].connections {
            soonest = min(soonest ?? host.nextStart, host.nextStart)
        }
        return soonest
    }
}
