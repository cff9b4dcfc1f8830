import BotCore
import Values

/// A moment of a scheduled rule that was missed.
struct SkippedSlot: Sendable, Hashable {
    var slot: Slot
    var reason: String
}

/// Slots of which one run is enough: the wall-clock times of one rule. Those inside records stand each for a record of its own.
private struct SlotGroup: Hashable {
    let rule: String
    let key: String?

    /// `Slot.key` says which it is: wall-clock times begin with their date.
    init(of slot: Slot) {
        rule = slot.rule
        let isWallClock = CalendarDate(slot.key.prefix(10)) != nil && slot.key.dropFirst(10).first == "T"
        key = isWallClock ? nil : slot.key
    }
}

/// Which of the slots that have come are fired; pure.
///
/// After an outage the missed times of one rule run once, if the last of them is still within its grace.
struct SlotPlan: Sendable, Hashable {
    var fire: [Slot] = []
    var skip: [SkippedSlot] = []

    /// How far back slots are looked for, however long the outage or the jump of the clock was.
    static let longestLook = TimeSpan.days(31)

    init(_ slots: [Slot], at now: Timestamp) {
        let byRule = Dictionary(grouping: slots) { SlotGroup(of: $0) }
        for group in byRule.values {
            let fresh = group.filter { now - $0.due <= $0.grace }
            let last = fresh.max { $0.due < $1.due }
            if let last { fire.append(last) }
            for slot in group where slot != last {
                let reason =
                    fresh.contains(slot)
                    ? "a later time of the same rule has come as well" : "later than its grace allows"
                skip.append(SkippedSlot(slot: slot, reason: reason))
            }
        }
        fire.sort { ($0.due, $0.rule, $0.key) < ($1.due, $1.rule, $1.key) }
        skip.sort { ($0.slot.due, $0.slot.rule, $0.slot.key) < ($1.slot.due, $1.slot.rule, $1.slot.key) }
    }
}
