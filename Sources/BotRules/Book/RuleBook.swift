public import BotCore
import CEL
public import Values

/// The rules in use.
///
/// Pure: what is known comes in, what follows goes out. One rule that fails never stops another.
public struct RuleBook: Rules {
    let rules: [Rule]
    let vocabulary: Vocabulary
    let index: RuleIndex
    private let places: [String: Int]
    /// By id and by earlier id.
    private let memoryPlaces: [String: Int]
    public let readSources: Set<String>

    /// Rules that cannot run now and keep their memory.
    private let dormant: Set<String>
    /// Whether all files could be read, so that a rule that is not here is gone.
    private let isWhole: Bool

    /// - Parameters:
    ///   - dormant: ids of rules with errors: what they remember is kept for when they are mended.
    ///   - isWhole: false where a file could not be read at all: nobody knows which rules are in it, and all memory is kept.
    init(_ rules: [Rule], vocabulary: Vocabulary, dormant: Set<String> = [], isWhole: Bool = true) {
        self.rules = rules
        self.vocabulary = vocabulary
        self.dormant = dormant
        self.isWhole = isWhole
        let demands = rules.enumerated().compactMap { place, rule -> RuleIndex.Demand? in
            guard rule.isEnabled, let trigger = rule.onEvents else { return nil }
            let sources = trigger.sources.map { names in
                MatchCondition(key: .source, values: Set(names.map { .string($0) }))
            }
            return RuleIndex.Demand(
                rule: place,
                kinds: trigger.kinds,
                conditions: [sources].compactMap(\.self) + rule.match
            )
        }
        index = RuleIndex(demands)
        places = Dictionary(rules.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        let former = rules.enumerated().compactMap { place, rule in rule.formerID.map { ($0, place) } }
        memoryPlaces = places.merging(former) { current, _ in current }
        readSources = Set(rules.filter(\.isEnabled).flatMap { $0.readSources(in: vocabulary) })
    }

    func rule(_ id: String) -> Rule? { places[id].map { rules[$0] } }

    public var ids: Set<String> { dormant.union(rules.map(\.id)) }

    // MARK: Memory

    /// The rule that a part of the memory belongs to.
    func place(ofMemory key: String) -> Int? { memoryPlaces[key] }

    /// When the policies want to be asked next, with a memory and what has changed in it.
    func deadline(of memory: [String: Value], changed: [String: Value]) -> Timestamp? {
        let kept = memory.lazy.filter { changed[$0.key] == nil }.compactMap { due($0.key, $0.value) }.min()
        let own = changed.lazy.compactMap { due($0.key, $0.value) }.min()
        return [kept, own].compactMap(\.self).min()
    }

    private func due(_ key: String, _ stored: Value) -> Timestamp? {
        memoryPlaces[key] == nil ? nil : PolicyMemory.due(in: stored)
    }

    /// Parts of the memory whose rules are gone, each with a note if something had not been told yet.
    func forgotten(_ memory: [String: Value]) -> [(key: String, note: RuleNote?)] {
        guard isWhole else { return [] }
        return memory.compactMap { key, stored in
            if memoryPlaces[key] != nil || dormant.contains(key) || key == Silence.memoryKey || stored.isNull {
                return nil
            }
            let count = PolicyMemory(stored).pendingCount
            guard count > 0 else { return (key, nil) }
            let reason = "the rule is gone: \(count.counted("collected notice is", "collected notices are")) dropped"
            return (key, RuleNote(rule: key, about: key, outcome: .skipped, reason: reason))
        }
        .sorted { $0.key < $1.key }
    }

    /// When the next group of events has been waited for long enough: the only waits that a rule test runs on through.
    func nextGroupDeadline(in memory: [String: Value]) -> Timestamp? {
        memory.lazy.filter { memoryPlaces[$0.key] != nil }
            .compactMap { PolicyMemory($0.value).groups.map(\.due).min() }.min()
    }

    /// Each rule in words, in the order of the files.
    public var summary: [RuleSummary] { rules.map(\.summary) }

    public func decide(on events: [Event], in context: RuleContext) -> Decision {
        var round = DecisionRound(book: self, context: context)
        for event in events { round.take(event) }
        return round.finish(events)
    }

    public func slots(after start: Timestamp, through end: Timestamp, in context: RuleContext) -> [Slot] {
        rules.filter(\.isEnabled)
            .flatMap { $0.slots(after: start, through: end, in: context) }
            .sorted { ($0.due, $0.rule, $0.key) < ($1.due, $1.rule, $1.key) }
    }

    public func nextSlot(after instant: Timestamp, in context: RuleContext) -> Timestamp? {
        rules.lazy.filter(\.isEnabled).compactMap { $0.nextSlot(after: instant, in: context) }.min()
    }

    public func fire(_ slot: Slot, in context: RuleContext) -> Decision {
        guard let rule = rule(slot.rule), rule.isEnabled else {
            let note = RuleNote(rule: slot.rule, about: slot.key, outcome: .skipped, reason: "the rule is gone")
            return Decision(notes: [note])
        }
        var decision = FiringRound(rule: rule, vocabulary: vocabulary, key: slot.key, context: context).decision()
        decision.deadline = deadline(of: context.memory, changed: decision.memory)
        return decision
    }
}

extension Rule {
    /// What it remembers, with what is still stored under its earlier id; what is stored under its own; and the earlier id, if there is
    /// something under it. A rule that takes the place of two has both.
    func memory(in memory: [String: Value]) -> (PolicyMemory, stored: Value, oldKey: String?) {
        let stored = memory[id] ?? .null
        var own = PolicyMemory(stored)
        guard let formerID, let former = memory[formerID], !former.isNull else { return (own, stored, nil) }
        own.take(over: PolicyMemory(former))
        return (own, stored, formerID)
    }

    /// The sources whose records it reads when it is asked.
    func readSources(in vocabulary: Vocabulary) -> [String] {
        var names = queries.flatMap(\.sources)
        switch trigger {
        case .events(let trigger):
            if policies.within != nil {
                names += trigger.kinds.flatMap { vocabulary.declarations(of: $0, in: trigger.sources).map(\.source) }
                    .filter { !$0.isEmpty }
            }
        case .interval: break
        case .wallClock(let schedule): names += schedule.calendarSources
        case .recordTime(let schedule): names += schedule.sources
        }
        return names + schoolDaySources
    }
}

extension Vocabulary {
    /// The sources that tell when a school keeps school: its timetables. Nil stands for all schools.
    func calendarSources(ofSchool school: String?) -> [String] {
        sources(with: "lesson").map(\.source).filter { school == nil || $0.school?.name == school }.map(\.name)
    }

    /// The timetables of the schools that some sources belong to; those of all schools where they belong to none.
    func calendarSources(besides sources: Set<String>) -> [String] {
        let schools = Set(sources.compactMap { source($0)?.school?.name })
        if schools.isEmpty { return calendarSources(ofSchool: nil) }
        return schools.sorted().flatMap { calendarSources(ofSchool: $0) }
    }
}
