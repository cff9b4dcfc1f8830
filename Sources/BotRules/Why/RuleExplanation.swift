public import BotCore
import CEL
import Values

/// What one rule made of one event, and what decided.
public struct RuleExplanation: Sendable, Hashable {
    public var rule: String
    /// The file it is in; empty for `admin`.
    public var file: String
    /// Whether all that the rule asks for was so. What its policies then did is in the notes of the journal.
    public var matches: Bool
    /// False where it is not asked at all: it is off, fires at times, or hears of other kinds of events.
    public var isAsked: Bool
    /// Whether a match has anybody to tell.
    public var hasAudience: Bool
    /// What decided, a line each, in the order in which it was asked; the last one is the one that decided.
    public var lines: [String]

    public init(
        rule: String,
        file: String,
        matches: Bool,
        isAsked: Bool = true,
        hasAudience: Bool = true,
        lines: [String]
    ) {
        self.rule = rule
        self.file = file
        self.matches = matches
        self.isAsked = isAsked
        self.hasAudience = hasAudience
        self.lines = lines
    }
}

extension RuleBook {
    /// Asks every rule about an event once more, slowly, in the order of the files.
    ///
    /// - Parameters:
    ///   - event: as it was recorded, however long ago.
    ///   - context: what is known now; only silences and `school_day` read it.
    ///   - rule: a single rule's id; nil for all.
    public func explain(_ event: Event, rule id: String? = nil, in context: RuleContext) -> [RuleExplanation] {
        rules.filter { id == nil || $0.id == id }.map { rule in
            var explainer = EventExplainer(rule: rule, book: self, event: event, context: context)
            let matches = explainer.explain()
            if matches { explainer.askAudience() }
            return RuleExplanation(
                rule: rule.id,
                file: rule.file,
                matches: matches,
                isAsked: explainer.isAsked,
                hasAudience: explainer.hasAudience,
                lines: explainer.lines
            )
        }
    }
}

/// Goes the way of one event through one rule and writes down every step.
struct EventExplainer {
    let rule: Rule
    let book: RuleBook
    let event: Event
    let context: RuleContext
    private(set) var lines: [String] = []
    private(set) var isAsked = false
    /// Whether a match has anybody to tell.
    private(set) var hasAudience = true

    init(rule: Rule, book: RuleBook, event: Event, context: RuleContext) {
        self.rule = rule
        self.book = book
        self.event = event
        self.context = context
    }

    /// Whether the rule matches.
    mutating func explain() -> Bool {
        guard rule.isEnabled else { return no("the rule is off: enabled: false") }
        guard let trigger = rule.onEvents else { return no("the rule fires at its own times, not on events") }
        guard trigger.kinds.contains(event.kind) else {
            return no("event: \(event.kind) is none of \(trigger.kinds.joined(separator: ", "))")
        }
        isAsked = true
        lines.append("event: \(event.kind)")
        if let sources = trigger.sources {
            let list = sources.sorted().joined(separator: ", ")
            guard sources.contains(event.source) else { return no("source: \(event.source) is none of \(list)") }
            lines.append("source: \(event.source)")
        }
        if let students = trigger.students {
            let list = students.sorted().joined(separator: ", ")
            guard trigger.accepts(event) else { return no("student: \(event.student.name) is none of \(list)") }
            lines.append("student: \(event.student.name)")
        }
        for condition in rule.match {
            let text = "match \(condition.key.text): \(seen(condition.key)), wanted \(wanted(condition))"
            guard condition.accepts(event) else { return no(text) }
            lines.append(text)
        }
        return asksCondition() && !isSilenced()
    }

    private mutating func no(_ line: String) -> Bool {
        lines.append(line)
        return false
    }

    private func seen(_ key: MatchKey) -> String {
        var values: [String] = []
        _ = key.contains(in: event) { value in
            values.append(value.plainText)
            return false
        }
        return values.isEmpty ? "nothing" : values.joined(separator: ", ")
    }

    private func wanted(_ condition: MatchCondition) -> String {
        condition.values.map(\.plainText).sorted().joined(separator: " or ")
    }

    // MARK: vars and if

    private mutating func asksCondition() -> Bool {
        let views = book.vocabulary.calendarSources(ofSchool: nil).compactMap { context.snapshots[$0] }
        var lines: [String] = []
        let answer = SchoolDays.$current.withValue(SchoolDays(views: views)) { () -> Bool in
            evaluate(&lines)
        }
        self.lines += lines
        return answer
    }

    private func evaluate(_ lines: inout [String]) -> Bool {
        var activation = rule.scope.activation(for: event, at: event.at)
        for variable in rule.variables {
            switch variable.program.evaluate(activation) {
            case .success(let value):
                lines.append("vars.\(variable.name): \(ConditionWords.shown(value))")
                activation = activation.adding(["vars.\(variable.name)": value], in: variable.environment)
            case .failure(let error):
                lines.append("vars.\(variable.name): \(error.message)")
                return false
            }
        }
        guard let condition = rule.condition else { return true }
        let explanation = condition.explain(activation)
        lines += ConditionWords(source: condition.source).lines(explanation)
        if case .success(.bool(true)) = explanation.result { return true }
        return false
    }

    // MARK: Whom

    /// Says where a match tells no family, and whether anybody else is told.
    mutating func askAudience() {
        let telling = EventTelling(rule: rule, vocabulary: book.vocabulary, now: context.now)
        let item = MatchedEvent(event: event, vars: ValueMap())
        let recipients = telling.recipients(of: item)
        hasAudience = !recipients.isEmpty
        if let gap = telling.gap(of: item, isNaming: true) {
            lines.append(hasAudience ? "family: \(gap)" : "nobody is told: \(gap)")
        } else if !hasAudience {
            lines.append("nobody is told: 'send' names no sink but the one that this is about")
        }
    }

    // MARK: Silences

    private mutating func isSilenced() -> Bool {
        let silence = Silence.all(in: context.memory).first { $0.silences(event, of: rule.id, at: event.at) }
        if let silence { lines.append(silence.reason) }
        return silence != nil
    }
}

/// Says how a condition came to its result: the parts that decided, each with the values it looked at.
struct ConditionWords {
    private let bytes: [UInt8]

    init(source: String) { bytes = Array(source.utf8) }

    func lines(_ explanation: CELExplanation) -> [String] {
        switch explanation.result {
        case .failure(let error): return ["if: \(error.message), at '\(text(error.span))'"]
        case .success(let value):
            let head = "if: \(Self.shown(value))"
            return [head] + explanation.deciding.map { "  '\(text($0.span))' is \(result($0))\(operands(of: $0))" }
        }
    }

    private func result(_ step: CELExplanation.Step) -> String {
        switch step.value {
        case .success(let value): Self.shown(value)
        case .failure(let error): error.message
        }
    }

    /// ` (lesson.subject: "REL")`; literals explain nothing.
    private func operands(of step: CELExplanation.Step) -> String {
        let named = step.parts.filter { part in
            let first = text(part.span).unicodeScalars.first
            return first.map { $0.properties.isAlphabetic || $0 == "_" } ?? false
        }
        if named.isEmpty { return "" }
        return " (\(named.map { "\(text($0.span)): \(result($0))" }.joined(separator: ", ")))"
    }

    private func text(_ span: Range<Int>) -> String {
        String(decoding: bytes[span.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    /// A value as people write it in a condition; long ones are cut.
    static func shown(_ value: Value) -> String {
        let text: String =
            switch value {
            case .string, .list, .map: value.json
            default: value.plainText
            }
        return text.count > 80 ? text.prefix(80) + "…" : text
    }
}
