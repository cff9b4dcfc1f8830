import BotCore
import CEL
import StrictYAML
import Values

/// Reads and checks one rule. Goes on after a mistake, so that all of them are told in one go.
struct RuleReader {
    let vocabulary: Vocabulary
    let file: String
    let scopes: ScopeTable
    var complaints: [Complaint] = []
    /// The rule's id, once it is read.
    var id: String?
    var idNode: YAMLNode?
    /// The id that it had before, and where that stands.
    var former: (id: String, node: YAMLNode)?

    init(vocabulary: Vocabulary, file: String, scopes: ScopeTable) {
        self.vocabulary = vocabulary
        self.file = file
        self.scopes = scopes
    }

    /// Keys in the order in which the reference lists them.
    static let keys = [
        "id", "description", "when", "query", "match", "vars", "if", "group", "digest", "quiet", "limit", "expires",
        "follow", "correction", "message", "send", "timezone", "locale", "enabled", "dry_run", "was",
    ]
    /// Keys that people look for here and that stand elsewhere.
    static let misplaced = [
        "event": "when", "at": "when", "every": "when", "time_of": "when", "source": "when", "student": "when",
        "days": "when", "only_on": "when", "within": "when", "grace": "when", "school": "when",
        "title": "message", "body": "message", "priority": "message", "link": "message", "many": "message",
    ]

    mutating func read(_ node: YAMLNode) -> Rule? {
        guard let pairs = mapping(node, Self.keys, misplaced: Self.misplaced) else {
            return nil
        }
        var draft = RuleDraft()
        draft.file = file
        readIdentity(pairs, of: node, into: &draft)
        readSwitches(pairs, into: &draft)
        let zone = pairs["timezone"].flatMap { readZone($0) }
        let trigger = readTrigger(pairs["when"], pairs, of: node, ruleZone: zone, into: &draft)
        guard let trigger, let scope = trigger.scope else {
            // Without knowing what the rule is about, only what stands by itself can be checked.
            draft.audience = readAudience(pairs["send"], of: node, TriggerReading())
            return nil
        }
        readMatch(pairs["match"], in: scope, of: trigger.sources, into: &draft)
        readVariables(pairs["vars"], in: scope, into: &draft)
        readCondition(pairs["if"], in: scope, isEventRule: trigger.isEventRule, into: &draft)
        readPolicies(pairs, of: trigger, in: scope, into: &draft)
        if draft.asksSchoolDays { draft.schoolDaySources = vocabulary.calendarSources(besides: trigger.sources) }
        let message = readMessage(pairs, of: node, in: scope, draft)
        draft.audience = readAudience(pairs["send"], of: node, trigger)
        if let quiet = pairs["quiet"] { checkSilence(draft, at: quiet) }
        guard let made = trigger.trigger, let message, !complaints.contains(where: { $0.severity == .error }) else {
            return nil
        }
        return Rule(draft, trigger: made, scope: scope, message: message)
    }

    // MARK: Identity and switches

    private mutating func readIdentity(_ pairs: [String: YAMLNode], of node: YAMLNode, into draft: inout RuleDraft) {
        if let description = pairs["description"] { draft.description = description.asText(&complaints) ?? "" }
        guard let place = pairs["id"] else {
            complain(atStartOf: node, "the rule has no 'id'", "write id: and a name of its own, such as anna-new-grade")
            return
        }
        guard let text = place.asText(&complaints) else { return }
        let isName = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0)
        }
        if !isName {
            complain(at: place, "'\(text)' cannot be an id", "ids are made of letters, digits, '-', '_' and '.'")
        } else if text == AdminRule.id, file != AdminRule.file {
            complain(at: place, "the id 'admin' is taken by the bot file's 'admin:'", "give the rule another id")
        } else {
            id = text
            idNode = place
            draft.id = text
        }
    }

    private mutating func readSwitches(_ pairs: [String: YAMLNode], into draft: inout RuleDraft) {
        if let node = pairs["enabled"] { draft.isEnabled = node.asBool(&complaints) ?? true }
        if let node = pairs["dry_run"] { draft.isDryRun = node.asBool(&complaints) ?? false }
        if let node = pairs["locale"] { draft.locale = node.asChoice(among: Self.locales, &complaints) }
        if let node = pairs["was"], let id = node.asText(&complaints) {
            draft.formerID = id
            former = (id, node)
        }
    }

    static let locales = ["de", "it", "en"]

    mutating func readZone(_ node: YAMLNode) -> Zone? {
        guard let name = node.asText(&complaints) else { return nil }
        if let zone = Zone(name) { return zone }
        complain(
            at: node,
            "there is no time zone '\(name)'",
            "write a name of the IANA database, such as Europe/Rome or Europe/Vienna"
        )
        return nil
    }

    /// A length of time that is not nothing.
    mutating func positive(_ node: YAMLNode) -> TimeSpan? {
        guard let span = node.asDuration(&complaints) else { return nil }
        if span > .zero { return span }
        complain(at: node, "this must be longer than nothing", "write it like 30m")
        return nil
    }
}

/// How every part of the reader complains.
extension RuleReader {
    mutating func complain(at node: YAMLNode, _ message: String, _ cures: String...) {
        complaints.append(Complaint(at: node.span, message, cures: cures))
    }

    /// For what is missing: points at where the rule or section begins.
    mutating func complain(atStartOf node: YAMLNode, _ message: String, _ cures: String...) {
        let start = node.pairs.first?.key.span ?? node.span.lowerBound..<node.span.lowerBound
        complaints.append(Complaint(at: start, message, cures: cures))
    }

    /// Whether something inside a node is known to be wrong, which may be the cause of what is missing there.
    func hasComplained(inside node: YAMLNode) -> Bool {
        complaints.contains { node.span.contains($0.span.lowerBound) }
    }

    /// Moves what another language says of a text to the text's place in the file.
    mutating func complain(in node: YAMLNode, _ inner: [Complaint]) {
        for complaint in inner {
            complaints.append(
                Complaint(
                    complaint.severity,
                    at: node.span(ofText: complaint.span),
                    complaint.message,
                    cures: Self.joined(complaint.cures)
                )
            )
        }
    }

    /// A question and what there is to choose from stand on one line.
    private static func joined(_ cures: [String]) -> [String] {
        guard cures.count > 1, cures[0].hasPrefix("did you mean"), cures[1].lowercased().hasPrefix("fields of") else {
            return cures
        }
        return ["\(cures[0]) \(cures[1].prefix(1).uppercased())\(cures[1].dropFirst())"] + cures.dropFirst(2)
    }

    /// The values of a mapping by key. Complains of keys that it does not know; says where those belong that stand elsewhere.
    mutating func mapping(
        _ node: YAMLNode,
        _ keys: [String],
        misplaced: [String: String] = [:]
    ) -> [String: YAMLNode]? {
        guard let pairs = node.asMapping(&complaints) else { return nil }
        var values: [String: YAMLNode] = [:]
        for pair in pairs {
            if keys.contains(pair.name) {
                values[pair.name] = values[pair.name] ?? pair.value
            } else if let owner = misplaced[pair.name] {
                complain(at: pair.key, "'\(pair.name)' does not stand here", "write it under '\(owner):'")
            } else {
                let question = Spelling.question(about: pair.name, among: keys).map { $0 + " " } ?? ""
                let cure = "\(question)Known keys: \(keys.joined(separator: ", "))"
                complain(at: pair.key, "unknown key '\(pair.name)'", cure)
            }
        }
        return values
    }

    /// Complains of a name that is none of those known.
    mutating func unknown(_ what: String, _ name: String, at node: YAMLNode, among known: [String]) {
        let question = Spelling.question(about: name, among: known)
        let list = known.isEmpty ? "the bot file has none" : "there are: \(known.joined(separator: ", "))"
        complaints.append(
            Complaint(
                at: node.span,
                "there is no \(what) '\(name)'",
                cures: [question, list].compactMap(\.self)
            )
        )
    }
}
