import Values

/// Requests that wait for their turn, host by host, first come first served. Pure: `now` is handed over, as time since any fixed start.
struct HostQueue<Item> {
    private struct Host {
        var waiting: [Item] = []
        var running = 0
        var nextStart = TimeSpan.zero
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
        for name in hosts.keys {
            let policy = policies[name]
            guard var host = hosts[name] else { continue }
            while !host.waiting.isEmpty, host.running < policy.connections, host.nextStart <= now {
                admitted.append(host.waiting.removeFirst())
                host.running += 1
                host.nextStart = now + policy.gap
            }
            let isForgotten = host.waiting.isEmpty && host.running == 0 && host.nextStart <= now
            hosts[name] = isForgotten ? nil : host
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
