import BotCore
public import Values

/// What one rule holds back until one moment, and why; no names of students.
public struct HeldNews: Sendable, Hashable {
    /// The policy that holds it.
    public enum Reason: String, Sendable, CaseIterable {
        case within, group, digest, quiet, limit
        /// A correction in quiet hours.
        case correction
    }

    public var rule: String
    public var reason: Reason
    /// How many pieces of news.
    public var count: Int
    /// Whom it is for: names of sinks, and `family rossi`.
    public var audience: [String]
    /// When it is told, if it is still true then.
    public var until: Timestamp

    /// `3 notices collected for the digest`.
    public var text: String {
        switch reason {
        case .within: "\(count.counted("notice")) waiting for the time of the record to come near"
        case .group: "\(count.counted("notice")) being grouped"
        case .digest: "\(count.counted("notice")) collected for the digest"
        case .quiet: "\(count.counted("notice")) held by quiet hours"
        case .limit: "\(count.counted("notice")) over the limit"
        case .correction: "\(count.counted("correction")) held by quiet hours"
        }
    }
}

extension RuleBook {
    /// Everything that policies hold back, earliest first.
    ///
    /// - Parameter memory: what the policies remember, as the store has it.
    public func held(in memory: [String: Value]) -> [HeldNews] {
        memory.flatMap { key, stored -> [HeldNews] in
            guard PolicyMemory.due(in: stored) != nil, let place = place(ofMemory: key) else { return [] }
            var list = HeldList(rule: rules[place], installation: vocabulary.installation)
            list.read(PolicyMemory(stored))
            return list.entries
        }
        .sorted { ($0.until, $0.rule, $0.reason.rawValue) < ($1.until, $1.rule, $1.reason.rawValue) }
    }
}

/// Adds up what one rule holds, by reason and moment.
private struct HeldList {
    let rule: Rule
    let installation: Installation
    private(set) var entries: [HeldNews] = []

    init(rule: Rule, installation: Installation) {
        self.rule = rule
        self.installation = installation
    }

    mutating func read(_ memory: PolicyMemory) {
        for entry in memory.waiting { add([entry.item], .within, entry.due) }
        for group in memory.groups { add(group.items, .group, group.due) }
        for entry in memory.held {
            add(entry.unit.items, entry.gathering == .quietHours ? .quiet : .digest, entry.due)
        }
        for entry in memory.limited {
            add(.limit, entry.due, count: entry.unit.items.count, [entry.recipient.sink])
        }
        for entry in memory.corrections {
            add(.correction, entry.due, count: 1, entry.told.receivers.map(\.recipient.sink))
        }
    }

    private mutating func add(_ items: [MatchedEvent], _ reason: HeldNews.Reason, _ due: Timestamp) {
        let students = items.flatMap { $0.firing?.students ?? [$0.event.student] }
        let audience = rule.audience.flatMap { entry -> [String] in
            switch entry {
            case .sink(let name, _): return [name]
            case .family:
                let families = installation.families(of: students)
                return families.isEmpty ? ["no family"] : families.map { "family \($0.name)" }
            }
        }
        add(reason, due, count: items.count, audience)
    }

    private mutating func add(_ reason: HeldNews.Reason, _ due: Timestamp, count: Int, _ audience: [String]) {
        let known = entries.firstIndex { $0.reason == reason && $0.until == due }
        let place = known ?? entries.count
        if known == nil {
            entries.append(HeldNews(rule: rule.id, reason: reason, count: 0, audience: [], until: due))
        }
        entries[place].count += count
        for name in audience where !entries[place].audience.contains(name) { entries[place].audience.append(name) }
    }
}
