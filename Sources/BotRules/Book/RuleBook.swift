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
    public let readSources: Set<String>

    init(_ rules: [Rule], vocabulary: Vocabulary) {
        self.rules = rules
        self.vocabulary = vocabulary
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
        readSources = Set(rules.filter(\.isEnabled).flatMap { $0.readSources(in: vocabulary) })
    }

    func rule(_ id: String) -> Rule? { places[id].map { rules[$0] } }

    /// Each rule in words, in the order of the files.
    public var summary: [RuleSummary] { rules.map(\.summary) }

    public func decide(on events: [Event], in context: RuleContext) -> Decision {
        var round = DecisionRound(book: self, context: context)
        for event in events { round.take(event) }
        return round.finish()
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
        var round = FiringRound(rule: rule, book: self, slot: slot, context: context)
        return round.decision()
    }
}

extension Rule {
    /// The sources whose records it reads when it is asked.
    func readSources(in vocabulary: Vocabulary) -> [String] {
        var names = queries.map(\.source)
        switch trigger {
        case .events, .interval: break
        case .wallClock(let schedule): names += schedule.calendarSources
        case .recordTime(let schedule): names += schedule.sources
        }
        if asksSchoolDays { names += vocabulary.calendarSources(ofSchool: nil) }
        return names
    }
}

extension Vocabulary {
    /// The sources that tell when a school keeps school: its timetables. Nil stands for all schools.
    func calendarSources(ofSchool school: String?) -> [String] {
        sources(with: "lesson").map(\.source).filter { school == nil || $0.school?.name == school }.map(\.name)
    }
}
