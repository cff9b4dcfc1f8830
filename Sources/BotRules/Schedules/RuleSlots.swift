import BotCore
import Values

/// When a scheduled rule fires.
extension Rule {
    func slots(after start: Timestamp, through end: Timestamp, in context: RuleContext) -> [Slot] {
        switch trigger {
        case .events: []
        case .wallClock(let schedule):
            schedule.moments(after: start, through: end).map {
                Slot(rule: id, key: $0.key, due: $0.due, grace: schedule.grace, needs: neededSources)
            }
        case .interval(let schedule):
            schedule.moments(after: start, through: end).map {
                Slot(rule: id, key: $0.rfc3339, due: $0, grace: schedule.interval, needs: neededSources)
            }
        case .recordTime(let schedule):
            schedule.moments(in: context.snapshots)
                .filter { $0.due <= end && ($0.due > start || isLate($0, at: start)) }
                .map { moment in
                    Slot(
                        rule: id,
                        key: moment.key,
                        due: moment.due,
                        grace: schedule.grace,
                        needs: Array(Set(neededSources + [moment.source])).sorted()
                    )
                }
        }
    }

    /// Whether a record's time is still to come though its moment has passed: the record came late.
    private func isLate(_ moment: RecordSchedule.Moment, at start: Timestamp) -> Bool { moment.instant > start }

    func nextSlot(after instant: Timestamp, in context: RuleContext) -> Timestamp? {
        switch trigger {
        case .events: nil
        case .wallClock(let schedule): schedule.next(after: instant)
        case .interval(let schedule): schedule.next(after: instant)
        case .recordTime(let schedule):
            schedule.moments(in: context.snapshots).lazy.map(\.due).filter { $0 > instant }.min()
        }
    }

    /// What is to be fresh when it fires: what it asks, and what says whether it is a school day.
    private var neededSources: [String] {
        var seen: Set<String> = []
        var names = queries.flatMap(\.sources) + schoolDaySources
        if case .wallClock(let schedule) = trigger { names += schedule.calendarSources }
        return names.filter { seen.insert($0).inserted }
    }
}
