import BotCore
import Values

/// Finds the rules that an event may concern without looking at all others.
///
/// Rules are looked up by kind, and then each by one of the keys that it demands (`source`, a key of `match`): the one under whose values
/// the fewest other rules stand.
struct RuleIndex: Sendable {
    private struct KindIndex: Sendable {
        /// Rules that demand nothing but the kind.
        var always: [Int] = []
        var keys: [(key: MatchKey, rules: [Value: [Int]])] = []
    }

    /// What one rule demands, as far as an index can know.
    struct Demand: Sendable {
        let rule: Int
        let kinds: [String]
        let conditions: [MatchCondition]
    }

    private var kinds: [String: KindIndex] = [:]

    init(_ demands: [Demand]) {
        var byKind: [String: [Demand]] = [:]
        for demand in demands {
            for kind in demand.kinds { byKind[kind, default: []].append(demand) }
        }
        kinds = byKind.mapValues(Self.index)
    }

    private static func index(_ demands: [Demand]) -> KindIndex {
        var crowds: [MatchKey: [Value: Int]] = [:]
        for condition in demands.flatMap(\.conditions) {
            for value in condition.values { crowds[condition.key, default: [:]][value, default: 0] += 1 }
        }
        var index = KindIndex()
        var tables: [MatchKey: [Value: [Int]]] = [:]
        for demand in demands {
            let best = demand.conditions.min { crowd(of: $0, crowds) < crowd(of: $1, crowds) }
            guard let best else {
                index.always.append(demand.rule)
                continue
            }
            for value in best.values { tables[best.key, default: [:]][value, default: []].append(demand.rule) }
        }
        index.keys = tables.map { ($0.key, $0.value) }
        return index
    }

    /// How many rules stand under a condition's most crowded value.
    private static func crowd(of condition: MatchCondition, _ crowds: [MatchKey: [Value: Int]]) -> Int {
        condition.values.map { crowds[condition.key]?[$0] ?? 0 }.max() ?? 0
    }

    /// The rules that an event may concern, in the order of the book, each once.
    func candidates(for event: Event) -> [Int] {
        guard let index = kinds[event.kind] else { return [] }
        var found = index.always
        for (key, rules) in index.keys {
            _ = key.contains(in: event) { value in
                if let some = rules[value] { found += some }
                return false
            }
        }
        guard found.count > 1 else { return found }
        found.sort()
        var last = -1
        found.removeAll { rule in
            defer { last = rule }
            return rule == last
        }
        return found
    }
}
