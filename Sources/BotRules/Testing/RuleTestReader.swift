import BotCore
import StrictYAML
import Values

/// Reads one entry of `tests`.
struct RuleTestReader {
    let vocabulary: Vocabulary
    /// The file's rules; those with errors cannot be expected to tell anything.
    let rules: [Rule]
    let inactive: [String]
    var complaints: [Complaint] = []
    /// Numbers the records that nothing else tells apart.
    var recordCount = 0

    init(vocabulary: Vocabulary, rules: [Rule], inactive: [String]) {
        self.vocabulary = vocabulary
        self.rules = rules
        self.inactive = inactive
    }

    private static let sceneKeys = ["events", "polls", "sinks", "expect", "then"]

    mutating func read(_ node: YAMLNode, file: String) -> RuleTestCase? {
        guard let pairs = keys(of: node, ["name", "now"] + Self.sceneKeys) else { return nil }
        let line = node.source.place(of: node.span.lowerBound).line
        let name = pairs["name"].flatMap { $0.asText(&complaints) } ?? "test in line \(line)"
        guard let place = pairs["now"], let now = readInstant(place) else {
            if pairs["now"] == nil {
                complain(at: node.pairs.first?.key ?? node, "the test has no 'now'", "write now: 2026-11-30T12:00")
            }
            return nil
        }
        var stages = [readStage(pairs, at: now)]
        var next = pairs["then"]
        while let node = next {
            guard let (stage, following) = readThen(node, after: stages.last?.at ?? now) else { return nil }
            stages.append(stage)
            next = following
        }
        if stages.allSatisfy({ $0.expectations == nil }) {
            complain(
                at: node.pairs.first?.key ?? node,
                "the test expects nothing",
                "write expect: [], or what is to come"
            )
        }
        return RuleTestCase(name: name, file: file, line: line, now: now, stages: stages)
    }

    private mutating func readThen(_ node: YAMLNode, after start: Timestamp) -> (RuleTestCase.Stage, YAMLNode?)? {
        guard let pairs = keys(of: node, ["at"] + Self.sceneKeys) else { return nil }
        guard let place = pairs["at"], let at = readInstant(place) else {
            if pairs["at"] == nil {
                complain(at: node, "'at' is missing", "write then: {at: 2026-12-12T12:00, expect: …}")
            }
            return nil
        }
        if at < start { complain(at: place, "time goes on in a test, never back", "write a later 'at'") }
        return (readStage(pairs, at: at), pairs["then"])
    }

    private mutating func readStage(_ pairs: [String: YAMLNode], at now: Timestamp) -> RuleTestCase.Stage {
        var stage = RuleTestCase.Stage(at: now)
        for item in pairs["polls"]?.asList(&complaints) ?? [] {
            if let poll = readPoll(item, at: now) { stage.polls.append(poll) }
        }
        for item in pairs["events"]?.asList(&complaints) ?? [] {
            if let event = readEvent(item, at: now) { stage.events.append(event) }
        }
        for pair in pairs["sinks"]?.asMapping(&complaints) ?? [] {
            let known = vocabulary.installation.sinks.map(\.name)
            if !known.contains(pair.name) { unknown("sink", pair.name, at: pair.key, known) }
            stage.sinks[pair.name] = readAnswers(pair.value)
        }
        if let expect = pairs["expect"] {
            stage.expectations = (expect.asList(&complaints) ?? []).compactMap { readExpectation($0) }
        }
        return stage
    }

    /// `fails`, or `[fails, fails, delivers]`: the answers to the tries in order.
    private mutating func readAnswers(_ node: YAMLNode) -> [SinkAnswer] {
        let items = node.asList(&complaints) ?? []
        if items.isEmpty { complain(at: node, "the sink answers nothing", "write [fails, delivers], or one of them") }
        let words = SinkAnswer.allCases.map(\.rawValue)
        return items.compactMap { $0.asChoice(among: words, &complaints).flatMap { SinkAnswer(rawValue: $0) } }
    }

    private mutating func readInstant(_ node: YAMLNode) -> Timestamp? {
        guard let (date, time) = node.asDateAndTime(&complaints) else { return nil }
        return vocabulary.installation.zone.instant(of: date, at: time)
    }

    // MARK: Expectations

    private static let expectationKeys = ["rule", "sink", "count", "title", "contains", "excludes", "state", "tries"]

    private mutating func readExpectation(_ node: YAMLNode) -> RuleTestCase.Expectation? {
        guard let pairs = keys(of: node, Self.expectationKeys) else { return nil }
        var expectation = RuleTestCase.Expectation(line: node.source.place(of: node.span.lowerBound).line)
        if let place = pairs["rule"], let id = place.asText(&complaints) {
            expectation.rule = id
            let known = rules.map(\.id) + inactive + (vocabulary.installation.admin.isEmpty ? [] : [AdminRule.id])
            if !known.contains(id) { unknown("rule", id, at: place, known) }
        }
        if let place = pairs["sink"], let name = place.asText(&complaints) {
            expectation.sink = name
            let known = vocabulary.installation.sinks.map(\.name)
            if !known.contains(name) { unknown("sink", name, at: place, known) }
        }
        if let place = pairs["count"] { expectation.count = place.asInt(in: 0...10_000, &complaints).map { Int($0) } }
        if let place = pairs["state"] {
            let words = RehearsedState.allCases.map(\.rawValue)
            let word = place.asChoice(among: words, &complaints)
            expectation.state = word.flatMap { RehearsedState(rawValue: $0) } ?? .delivered
        }
        if let place = pairs["tries"] { expectation.tries = place.asInt(in: 0...10_000, &complaints).map { Int($0) } }
        expectation.title = pairs["title"].flatMap { $0.asText(&complaints) }
        expectation.contains = texts(pairs["contains"])
        expectation.excludes = texts(pairs["excludes"])
        return expectation
    }

    private mutating func texts(_ node: YAMLNode?) -> [String] {
        (node?.asList(&complaints) ?? []).compactMap { $0.asText(&complaints) }
    }

    // MARK: Complaints

    mutating func complain(at node: YAMLNode, _ message: String, _ cures: String...) {
        complaints.append(Complaint(at: node.span, message, cures: cures))
    }

    mutating func unknown(_ what: String, _ name: String, at node: YAMLNode, _ known: [String]) {
        let question = Spelling.question(about: name, among: known)
        let list = known.isEmpty ? "there is none" : "there are: \(known.joined(separator: ", "))"
        let cures = [question, list].compactMap(\.self)
        complaints.append(Complaint(at: node.span, "there is no \(what) '\(name)' here", cures: cures))
    }

    mutating func keys(of node: YAMLNode, _ known: [String]) -> [String: YAMLNode]? {
        guard let pairs = node.asMapping(known: known, &complaints) else { return nil }
        return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
