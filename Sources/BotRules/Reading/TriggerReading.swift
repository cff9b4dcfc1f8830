import BotCore
import StrictYAML
import Values

/// What `when` gave.
struct TriggerReading {
    /// Nil where something is wrong with it.
    var trigger: Trigger?
    /// What the rest of the rule is checked against; nil where not even that is known.
    var scope: RuleScope?
    var isEventRule = false
    /// Whether it tells of records: of events, or of times inside records.
    var isAboutRecords = false
    /// The sources whose events, records or answers it hears of; an empty name for the bot's own health.
    var sources: Set<String> = []
    /// Whether there is a student whom it is about, for `send: family`.
    var hasStudent = true
}

extension RuleReader {
    /// What can set a rule going, and the keys that mean something beside it; the schema for editors says the same.
    static let triggerKeys: [(trigger: String, beside: [String])] = [
        ("event", ["source", "student", "within", "timezone"]),
        ("at", ["days", "only_on", "school", "timezone", "grace"]),
        ("time_of", ["source", "student", "timezone"]),
        ("every", ["timezone"]),
    ]
    private static let triggers = triggerKeys.map(\.trigger)
    private static let whenKeys = [
        "event", "source", "student", "within", "at", "days", "only_on", "school", "timezone", "grace", "time_of",
        "every",
    ]

    mutating func readTrigger(
        _ node: YAMLNode?,
        _ pairs: [String: YAMLNode],
        of rule: YAMLNode,
        ruleZone: Zone?,
        into draft: inout RuleDraft
    ) -> TriggerReading? {
        guard let node else {
            complain(
                atStartOf: rule,
                "the rule has no 'when'",
                "write when: {event: lesson.cancelled}, or {at: \"07:00\"}"
            )
            return nil
        }
        guard let when = mapping(node, Self.whenKeys) else { return nil }
        let named = Self.triggers.filter { when[$0] != nil }
        guard named.count == 1, let kind = named.first else {
            if named.isEmpty, hasComplained(inside: node) { return nil }
            let what =
                named.isEmpty
                ? "nothing sets this rule going" : "only one of \(named.joined(separator: ", ")) can stand here"
            complain(atStartOf: node, what, "write exactly one of \(Self.triggers.joined(separator: ", "))")
            return nil
        }
        let zone = when["timezone"].flatMap { readZone($0) } ?? ruleZone
        refuseStrangers(in: node, of: kind)
        if kind == "event" { return readEventTrigger(when, zone, pairs, into: &draft) }
        let queries = readQueries(pairs["query"], into: &draft)
        switch kind {
        case "at": return readWallClock(when, zone, queries, into: &draft)
        case "every": return readInterval(when, zone, queries, into: &draft)
        default: return readRecordTime(when, zone, queries, into: &draft)
        }
    }

    /// Keys that belong to another trigger.
    private mutating func refuseStrangers(in node: YAMLNode, of kind: String) {
        let known = [kind] + (Self.triggerKeys.first { $0.trigger == kind }?.beside ?? [])
        for pair in node.pairs where Self.whenKeys.contains(pair.name) && !known.contains(pair.name) {
            complain(at: pair.key, "'\(pair.name)' has no meaning beside '\(kind)'", "take it out")
        }
    }

    // MARK: Events

    private mutating func readEventTrigger(
        _ when: [String: YAMLNode],
        _ zone: Zone?,
        _ pairs: [String: YAMLNode],
        into draft: inout RuleDraft
    ) -> TriggerReading {
        if let query = pairs["query"] {
            complain(at: query, "a rule on events asks no queries", "take 'query' out; the event's record is at hand")
        }
        let sources = when["source"].flatMap { readSources($0) }
        let kinds = when["event"].map { readKinds($0, sources: sources) } ?? []
        let declared = kinds.flatMap { vocabulary.declarations(of: $0, in: sources) }
        let owners = Set(declared.map(\.source))
        let students = when["student"].map { readStudents($0, of: owners) }
        draft.zone = zone ?? self.zone(of: owners)
        guard !declared.isEmpty else { return TriggerReading(isEventRule: true, isAboutRecords: true) }
        if let within = when["within"] { draft.policies.within = readNearness(within, declared) }
        let trigger = EventTrigger(kinds: kinds, sources: sources, students: students)
        return TriggerReading(
            trigger: .events(trigger),
            scope: scopes.eventScope(declared, of: owners, zone: draft.zone),
            isEventRule: true,
            isAboutRecords: true,
            sources: owners,
            hasStudent: vocabulary.haveStudent(owners)
        )
    }

    private mutating func readKinds(_ node: YAMLNode, sources: Set<String>?) -> [String] {
        var seen: Set<String> = []
        var kinds: [String] = []
        for item in node.asList(&complaints) ?? [] {
            guard let name = item.asText(&complaints) else { continue }
            let found = vocabulary.kinds(named: name)
            if found.isEmpty {
                unknownKind(name, at: item)
            } else if !found.contains(where: { !vocabulary.declarations(of: $0, in: sources).isEmpty }) {
                let names = (sources ?? []).sorted().joined(separator: ", ")
                complain(at: item, "\(names) has no event '\(name)'", "name another source, or take 'source' out")
            }
            kinds += found.filter { kind in
                !vocabulary.declarations(of: kind, in: sources).isEmpty && seen.insert(kind).inserted
            }
        }
        return kinds
    }

    private mutating func unknownKind(_ name: String, at node: YAMLNode) {
        let question = Spelling.question(about: name, among: vocabulary.kindNames)
        let record = name.prefix { $0 != "." }
        let family = vocabulary.kindNames.filter { $0.hasPrefix("\(record).") }
        let list = family.isEmpty ? vocabulary.kindNames : family
        complaints.append(
            Complaint(
                at: node.span,
                "no source of the bot file has an event '\(name)'",
                cures: [question, "events here: \(list.joined(separator: ", "))"].compactMap(\.self)
            )
        )
    }

    /// Names of sources; nil where one of them is unknown.
    mutating func readSources(_ node: YAMLNode) -> Set<String>? {
        guard let names = readNamed(node, "source", vocabulary.installation.sources.map(\.name)) else { return nil }
        return Set(names)
    }

    mutating func readNamed(_ node: YAMLNode, _ what: String, _ known: [String]) -> [String]? {
        guard let items = node.asList(&complaints) else { return nil }
        let names = items.compactMap { item -> String? in
            guard let name = item.asText(&complaints) else { return nil }
            if known.contains(name) { return name }
            unknown(what, name, at: item, among: known)
            return nil
        }
        return names.count == items.count ? names : nil
    }

    /// Names and ids of students.
    mutating func readStudents(_ node: YAMLNode, of sources: Set<String>) -> Set<String> {
        let names = (node.asList(&complaints) ?? []).compactMap { item in
            item.asText(&complaints).map { name in
                checkStudent(name, at: item, of: sources)
                return name
            }
        }
        return Set(names)
    }

    mutating func readTexts(_ node: YAMLNode) -> [String]? {
        node.asList(&complaints)?.compactMap { $0.asText(&complaints) }
    }

    /// The zone that these sources share, else the bot's.
    func zone(of sources: some Sequence<String>) -> Zone {
        let zones = Set(sources.compactMap { vocabulary.source($0)?.zone })
        return zones.count == 1 ? zones.first ?? vocabulary.installation.zone : vocabulary.installation.zone
    }

    // MARK: Queries

    /// `query: {menu: mensa.today}`, or `{menu: {query: mensa.today, source: mensa}}`.
    private mutating func readQueries(_ node: YAMLNode?, into draft: inout RuleDraft) -> [FieldShape] {
        guard let node, let pairs = node.asMapping(&complaints) else { return [] }
        return pairs.compactMap { pair in
            guard isName(pair.key, "the answer"), let query = readQuery(pair) else { return nil }
            draft.queries.append(query)
            let shape = query.declaration.result
            let age = FieldShape("age", .duration, "how long ago the source answered")
            let answer = RecordShape(shape.name, shape.documentation, fields: shape.fields + [age])
            return FieldShape(query.name, .record(answer), query.declaration.documentation)
        }
    }

    private mutating func readQuery(_ pair: YAMLPair) -> RuleQuery? {
        var place = pair.value
        var source: String?
        if !pair.value.pairs.isEmpty {
            guard let keys = mapping(pair.value, ["query", "source"]) else { return nil }
            guard let query = keys["query"] else {
                complain(at: pair.value, "'query' is missing", "write {query: mensa.today, source: mensa}")
                return nil
            }
            place = query
            if let node = keys["source"] {
                guard let names = readNamed(node, "source", vocabulary.installation.sources.map(\.name)),
                    names.count == 1
                else { return nil }
                source = names[0]
            }
        }
        guard let name = place.asText(&complaints) else { return nil }
        let all = vocabulary.answers(to: name)
        guard !all.isEmpty else {
            unknown("query", name, at: place, among: vocabulary.queryNames)
            return nil
        }
        let fitting = all.filter { query in source.map(query.sources.contains) ?? true }
        guard fitting.count == 1, let answer = fitting.first else {
            let names = all.flatMap(\.sources).joined(separator: ", ")
            let what =
                source.map { "the source '\($0)' does not answer '\(name)'" } ?? "several sources answer '\(name)'"
            complain(
                at: place,
                what,
                "say which: \(pair.name): {query: \(name), source: \(all[0].sources[0])}",
                "sources that answer it: \(names)"
            )
            return nil
        }
        return RuleQuery(name: pair.name, sources: answer.sources, declaration: answer.declaration)
    }

    /// Whether a key can be a name in expressions and texts.
    mutating func isName(_ key: YAMLNode, _ what: String) -> Bool {
        let text = key.scalar?.text ?? ""
        let isWord = text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let startsWell = text.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
        let isTaken = ["now", "vars", "group", "event", "in", "true", "false", "null"].contains(text)
        if isWord, startsWell, !isTaken { return true }
        let cure = isTaken ? "the word is taken: choose another" : "names are made of letters, digits and '_'"
        complain(at: key, "'\(text)' cannot be the name of \(what)", cure)
        return false
    }
}
