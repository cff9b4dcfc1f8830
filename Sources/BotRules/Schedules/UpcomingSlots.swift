public import BotCore
public import Values

extension RuleBook {
    /// The coming moments of scheduled rules, earliest first, as far as records are known now.
    ///
    /// Moments that `only_on` will pass over are among them: what day it is to the school is asked when they come.
    ///
    /// - Parameters:
    ///   - id: a single rule; nil for all.
    ///   - count: at most so many.
    public func upcoming(
        after instant: Timestamp,
        rule id: String? = nil,
        count: Int,
        in context: RuleContext
    ) -> [Slot] {
        let asked = rules.filter { $0.isEnabled && (id == nil || $0.id == id) }
        let slots = asked.flatMap { rule -> [Slot] in
            var slots: [Slot] = []
            var clock = instant
            while slots.count < count, let next = rule.nextSlot(after: clock, in: context) {
                slots += rule.slots(after: clock, through: next, in: context).filter { $0.due > clock }
                clock = next
            }
            return slots
        }
        return Array(slots.sorted { ($0.due, $0.rule, $0.key) < ($1.due, $1.rule, $1.key) }.prefix(count))
    }
}
