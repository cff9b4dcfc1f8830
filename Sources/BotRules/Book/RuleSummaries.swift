import BotCore
import Values

extension Rule {
    var summary: RuleSummary {
        RuleSummary(
            id: id,
            description: description,
            file: file,
            trigger: triggerText,
            kinds: onEvents?.kinds ?? [],
            sends: audience.map(\.text),
            isEnabled: isEnabled,
            isDryRun: isDryRun
        )
    }

    private var triggerText: String {
        switch trigger {
        case .events(let trigger):
            let sources = trigger.sources.map { " of \($0.sorted().joined(separator: ", "))" } ?? ""
            return "on \(trigger.kinds.joined(separator: ", "))\(sources)"
        case .wallClock(let schedule): return schedule.text
        case .interval(let schedule): return "every \(schedule.interval.text)"
        case .recordTime(let schedule):
            let lead = schedule.before > .zero ? "\(schedule.before.text) before " : "at "
            return "\(lead)\(schedule.record).\(schedule.field)"
        }
    }
}

extension WallClockSchedule {
    private static let dayNames = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    fileprivate var text: String {
        var text = "at \(times.map(\.description).joined(separator: ", "))"
        let days = weekdays.sorted()
        if days == [1, 2, 3, 4, 5] {
            text += ", Monday to Friday"
        } else if days.count < 7 {
            text += ", \(days.map { Self.dayNames[$0 - 1] }.joined(separator: ", "))"
        }
        if let onlyOn { text += ", on \(onlyOn == .schoolDays ? "school days" : "holidays")" }
        return text
    }
}

extension TimeSpan {
    /// `1h30m`, as rule files write it.
    var text: String {
        var rest = seconds
        var text = ""
        for (unit, length) in [("d", Int64(86_400)), ("h", 3600), ("m", 60), ("s", 1)] where rest >= length {
            text += "\(rest / length)\(unit)"
            rest %= length
        }
        return text.isEmpty ? "0s" : text
    }
}
