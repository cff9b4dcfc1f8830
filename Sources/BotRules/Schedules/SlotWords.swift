public import BotCore
import Values

extension RuleBook {
    /// What the record is called whose time a slot stands for, and from where it is: `MAT 07:50, timetable-3a`; empty for a time of day.
    public func words(for slot: Slot, in context: RuleContext) -> String {
        guard let rule = rule(slot.rule), let schedule = rule.onRecordTimes,
            let moment = schedule.moments(in: context.snapshots).first(where: { $0.key == slot.key })
        else { return "" }
        let time = rule.zone.reading(at: moment.instant).time
        return "\(moment.record.title) \(time), \(moment.source)"
    }
}

extension Record {
    /// What people call it: its subject, title or name, else its type.
    var title: String {
        ["subject", "title", "name"].lazy.compactMap { fields[$0]?.string }.first { !$0.isEmpty } ?? type
    }
}
