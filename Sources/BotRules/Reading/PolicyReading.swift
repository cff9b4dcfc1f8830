import BotCore
import CEL
import StrictYAML
import Values

extension RuleReader {
    /// Keys that mean nothing for a rule that fires at times of day or after elapsed time, and why.
    static let recordKeys = [
        ("group", "each time is one message", "to tell of several times in one message, write digest: {at: \"18:00\"}"),
        ("follow", "what is told at a time of day is not taken back", "take it out"),
        ("correction", "what is told at a time of day is not taken back", "take it out"),
    ]

    mutating func readPolicies(
        _ pairs: [String: YAMLNode],
        of trigger: TriggerReading,
        in scope: RuleScope,
        into draft: inout RuleDraft
    ) {
        if !trigger.isAboutRecords {
            for (key, reason, cure) in Self.recordKeys {
                guard let node = pairs[key] else { continue }
                complain(at: node, "'\(key)' is for rules on events and on 'time_of': \(reason)", cure)
            }
        }
        if let node = pairs["expires"] { draft.policies.expires = positive(node) }
        if let node = pairs["follow"] { draft.policies.follows = node.asBool(&complaints) ?? true }
        if let node = pairs["quiet"] { draft.policies.quiet = readQuiet(node, zone: draft.zone) }
        if let node = pairs["group"], trigger.isAboutRecords {
            draft.policies.group = readGroup(node, in: scope, draft)
        }
        if let node = pairs["digest"] { draft.policies.digest = readDigest(node, zone: draft.zone) }
        if let node = pairs["limit"] { readLimit(node, into: &draft) }
        if let node = pairs["correction"], trigger.isAboutRecords, !draft.policies.follows {
            complain(at: node, "the rule has 'follow: false' and will never send this", "take one of the two out")
        }
    }

    // MARK: within

    /// The time of a record: its `start`, else its first time.
    mutating func readNearness(_ node: YAMLNode, _ declared: [Vocabulary.Declared]) -> Nearness? {
        guard let span = positive(node) else { return nil }
        var fields: [String: String] = [:]
        for record in declared.map(\.record) {
            let times = record.fields.filter { $0.shape == .timestamp && !$0.isOptional }.map(\.name)
            guard let field = times.contains("start") ? "start" : times.first else {
                complain(at: node, "a '\(record.name)' has no time that could be near", "take 'within' out")
                return nil
            }
            fields[record.name] = field
        }
        return Nearness(span: span, fields: fields)
    }

    // MARK: group

    private mutating func readGroup(_ node: YAMLNode, in scope: RuleScope, _ draft: RuleDraft) -> GroupPolicy? {
        guard let keys = mapping(node, ["by", "wait", "max_wait"]) else { return nil }
        let wait = keys["wait"].map { positive($0) } ?? GroupPolicy.standardWait
        guard let by = keys["by"] else {
            complain(atStartOf: node, "'by' is missing", "write group: {by: lesson.date, wait: 5m}")
            return nil
        }
        let environment = draft.environment ?? scope.environment
        let program = compile(by, in: environment, expecting: nil)
        guard let wait else { return nil }
        // Twice the wait, unless said otherwise: no row of events can put a message off for ever.
        var longest = wait + wait
        if let node = keys["max_wait"] {
            guard let span = positive(node) else { return nil }
            if span < wait { complain(at: node, "'max_wait' is shorter than 'wait'", "make it at least \(wait.text)") }
            longest = span
        }
        return program.map { GroupPolicy(key: $0, wait: wait, longest: longest) }
    }

    // MARK: digest

    private mutating func readDigest(_ node: YAMLNode, zone: Zone) -> WallClockSchedule? {
        guard let keys = mapping(node, ["at", "days"]) else { return nil }
        guard let at = keys["at"] else {
            complain(atStartOf: node, "'at' is missing", "write digest: {at: \"18:00\"}")
            return nil
        }
        let items = at.asList(&complaints) ?? []
        let times = items.compactMap { $0.asWallTime(&complaints) }
        var weekdays: Set<Int>? = Set(1...7)
        if let days = keys["days"] { weekdays = readDays(days) }
        guard times.count == items.count, !times.isEmpty, let weekdays else { return nil }
        return WallClockSchedule(
            times: Array(Set(times)).sorted(),
            weekdays: weekdays,
            zone: zone,
            grace: WallClockSchedule.standardGrace
        )
    }

    // MARK: quiet

    private mutating func readQuiet(_ node: YAMLNode, zone: Zone) -> QuietHours? {
        guard let keys = mapping(node, ["from", "to", "then"]) else { return nil }
        guard let from = keys["from"], let to = keys["to"] else {
            complain(
                atStartOf: node,
                "quiet hours need 'from' and 'to'",
                "write quiet: {from: \"21:30\", to: \"06:30\", then: hold}"
            )
            return nil
        }
        let choices = QuietHours.Choice.allCases.map(\.rawValue)
        let then = keys["then"].map { $0.asChoice(among: choices, &complaints) } ?? QuietHours.Choice.hold.rawValue
        guard let start = from.asWallTime(&complaints), let end = to.asWallTime(&complaints),
            let choice = then.flatMap({ QuietHours.Choice(rawValue: $0) })
        else { return nil }
        guard start != end else {
            complain(at: to, "quiet hours that end when they begin", "write another time")
            return nil
        }
        return QuietHours(from: start, to: end, zone: zone, then: choice)
    }

    /// `silent` needs sinks that can deliver without a sound.
    mutating func checkSilence(_ draft: RuleDraft, at node: YAMLNode) {
        guard draft.policies.quiet?.then == .silent else { return }
        let installation = vocabulary.installation
        let names = draft.audience.flatMap { entry in
            switch entry {
            case .sink(let name, _): [name]
            case .family: installation.families.flatMap(\.sinks)
            }
        }
        var seen: Set<String> = []
        for name in names where seen.insert(name).inserted {
            guard let sink = installation.sink(name), !sink.plugin.canBeSilent else { continue }
            complain(
                at: node["then"] ?? node,
                "the sink '\(name)' cannot deliver without a sound",
                "write then: hold, or then: drop"
            )
        }
    }

    // MARK: limit

    private mutating func readLimit(_ node: YAMLNode, into draft: inout RuleDraft) {
        if node.scalar?.text == "none" {
            draft.policies.limit = nil
            return
        }
        if let text = node.scalar?.text, !text.isEmpty {
            complain(at: node, "'\(text)' is no limit", "write limit: {max: 5, per: 1h, then: digest}, or limit: none")
            return
        }
        guard let keys = mapping(node, ["max", "per", "then"]) else { return }
        guard let most = keys["max"], let per = keys["per"] else {
            complain(
                atStartOf: node,
                "a limit needs 'max' and 'per'",
                "write limit: {max: 5, per: 1h, then: digest}, or limit: none"
            )
            return
        }
        let choices = LimitPolicy.Choice.allCases.map(\.rawValue)
        let then = keys["then"].map { $0.asChoice(among: choices, &complaints) } ?? LimitPolicy.Choice.digest.rawValue
        guard let count = most.asInt(in: 1...10_000, &complaints), let span = positive(per),
            let choice = then.flatMap({ LimitPolicy.Choice(rawValue: $0) })
        else { return }
        draft.policies.limit = LimitPolicy(most: Int(count), per: span, then: choice)
    }
}
