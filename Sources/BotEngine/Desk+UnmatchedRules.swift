import BotCore
import Values

/// Rules that hear of events and never have anything to say: often the school calls something by another name by now.
enum UnmatchedRules {
    /// Within such a span every rule that fits its school has something to say.
    static let span = TimeSpan.days(28)
    /// Of fewer events a rule may well have nothing to say.
    static let fewest = 20
    static let reminder = TimeSpan.days(7)
    /// More of the latest events are not looked at.
    static let mostEvents = 20_000

    /// Where the store keeps since when a rule has matched nothing; no rule can have it as its id.
    static func key(of rule: String) -> String { "\(prefix)\(rule)" }

    fileprivate static let prefix = "unmatched/"
}

/// What the keys say under which the store keeps the health of rules.
public enum RuleHealth {
    /// The rule that has had nothing to say for long, where that is what a key stands for.
    public static func unmatchedRule(ofKey key: String) -> String? {
        key.hasPrefix(UnmatchedRules.prefix) ? String(key.dropFirst(UnmatchedRules.prefix.count)) : nil
    }
}

extension Desk {
    /// Asks the rules of a while's events once more, and reminds the admin of those that match nothing. Once a day is enough.
    func noteUnmatchedRules(at now: Timestamp) async throws(StateError) {
        await turnstile.enter()
        defer { turnstile.leave() }
        let events = try await store.events(since: now - UnmatchedRules.span, limit: UnmatchedRules.mostEvents)
        let heard = inForce.rules.unmatched(by: events, in: try await context(at: now))
        var draft = Draft(at: now)
        for rule in inForce.rules.ids.sorted() { noteUnmatched(rule, of: heard[rule] ?? 0, in: &draft) }
        if !draft.commit.rules.isEmpty { try await conclude(draft) }
    }

    private func noteUnmatched(_ rule: String, of count: Int, in draft: inout Draft) {
        let now = draft.commit.at
        let key = UnmatchedRules.key(of: rule)
        let known = ruleHealth[key]
        guard count >= UnmatchedRules.fewest else {
            if let known, known.since != nil { draft.commit.rules[key] = Health(revision: known.revision) }
            return
        }
        var health = known ?? Health()
        guard let since = health.since, since <= now else {
            // None yet, or one of a clock that was ahead.
            health.since = now
            health.notBefore = nil
            draft.commit.rules[key] = health
            return
        }
        let isEarly = health.notBefore.map { $0 > now && $0 - now <= UnmatchedRules.reminder } ?? false
        guard now - since >= UnmatchedRules.span, !isEarly else { return }
        let day = since.rfc3339.prefix(10)
        let error =
            "It has matched none of the \(count) latest events that it hears of, and nothing since \(day); "
            + "perhaps the school calls something by another name now."
        health.fail(.permanent(error), at: now)
        health.told = nil
        health.notBefore = now + UnmatchedRules.reminder
        if let notice = health.tell(HealthSchema.ruleUnmatched, name: rule, at: now) { draft.notices.append(notice) }
        draft.commit.rules[key] = health
    }
}
