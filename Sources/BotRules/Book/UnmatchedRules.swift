public import BotCore
import CEL
import Values

extension RuleBook {
    public func unmatched(by events: [Event], in context: RuleContext) -> [String: Int] {
        var matched: Set<Int> = []
        var heard: [HeardKind: (event: Event, count: Int)] = [:]
        for event in events {
            heard[HeardKind(event), default: (event, 0)].count += 1
            for place in index.candidates(for: event) where !matched.contains(place) {
                if hasSomethingToSay(rules[place], of: event, in: context) { matched.insert(place) }
            }
        }
        let byKind = Dictionary(grouping: heard.values) { $0.event.kind }
        var counts: [String: Int] = [:]
        for (place, rule) in rules.enumerated() where rule.isEnabled && !matched.contains(place) {
            guard let trigger = rule.onEvents, rule.file != AdminRule.file else { continue }
            let count = trigger.kinds.flatMap { byKind[$0] ?? [] }.filter { trigger.accepts($0.event) }
                .reduce(0) { $0 + $1.count }
            if count > 0 { counts[rule.id] = count }
        }
        return counts
    }

    /// A condition that fails is told of by itself.
    private func hasSomethingToSay(_ rule: Rule, of event: Event, in context: RuleContext) -> Bool {
        guard let trigger = rule.onEvents, trigger.accepts(event), rule.match.allSatisfy({ $0.accepts(event) }) else {
            return false
        }
        if rule.condition == nil { return true }
        let activation = rule.scope.activation(for: event, at: context.now)
        let schoolDays = SchoolDays(rule.schoolDaySources, in: context.snapshots)
        guard case .success(.none) = rule.evaluate(activation, schoolDays: schoolDays) else { return true }
        return false
    }

    /// Events that triggers cannot tell apart.
    private struct HeardKind: Hashable {
        let kind: String
        let source: String
        let student: Student

        init(_ event: Event) {
            kind = event.kind
            source = event.source
            student = event.student
        }
    }
}
