import BotCore
import CEL
import Values

/// What the tests of rule files have reached of their rules.
public struct RuleCoverage: Sendable, Hashable {
    /// What no test reached of one rule.
    public struct Gap: Sendable, Hashable {
        public var rule: String
        public var file: String
        /// In words: `nothing was ever told`, `if: 'lesson.subject != "REL"' was never false`.
        public var missing: [String]

        public init(rule: String, file: String, missing: [String]) {
            self.rule = rule
            self.file = file
            self.missing = missing
        }
    }

    /// Rules in the order of the files, those without gaps left out.
    public var gaps: [Gap]
    public var ruleCount: Int

    public init(gaps: [Gap] = [], ruleCount: Int = 0) {
        self.gaps = gaps
        self.ruleCount = ruleCount
    }
}

/// Collects, while tests run, which rules have told something and which parts of their conditions were true and false.
struct CoverageCollector: Sendable {
    private struct Branch: Hashable {
        let rule: String
        let span: Range<Int>
    }

    private var told: Set<String> = []
    private var seen: [Branch: Set<Bool>] = [:]

    mutating func add(_ decision: Decision) {
        told.formUnion(decision.messages.map(\.rule))
        told.formUnion(decision.notes.filter { $0.outcome == .dryRun || $0.outcome == .told }.map(\.rule))
    }

    /// Looks at what the conditions of the rules make of an event, part by part.
    mutating func add(_ event: Event, _ book: RuleBook, in context: RuleContext) {
        for place in book.index.candidates(for: event) {
            let rule = book.rules[place]
            guard let trigger = rule.onEvents, trigger.accepts(event), rule.match.allSatisfy({ $0.accepts(event) })
            else { continue }
            add(rule, rule.scope.activation(for: event, at: context.now), in: context)
        }
    }

    /// Looks at what the condition of a scheduled rule makes of one of its moments.
    mutating func add(_ slot: Slot, _ book: RuleBook, in context: RuleContext) {
        guard let rule = book.rule(slot.rule) else { return }
        let round = FiringRound(rule: rule, vocabulary: book.vocabulary, key: slot.key, context: context)
        if let activation = round.activation { add(rule, activation, in: context) }
    }

    private mutating func add(_ rule: Rule, _ start: CELActivation, in context: RuleContext) {
        guard let condition = rule.condition else { return }
        let days = SchoolDays(rule.schoolDaySources, in: context.snapshots) ?? SchoolDays(views: [])
        let step = SchoolDays.$current.withValue(days) {
            var activation = start
            for variable in rule.variables {
                guard case .success(let value) = variable.program.evaluate(activation) else { break }
                activation = activation.adding(["vars.\(variable.name)": value], in: variable.environment)
            }
            return condition.explain(activation).root
        }
        add(step, of: rule.id)
    }

    private mutating func add(_ step: CELExplanation.Step, of rule: String) {
        if case .success(.bool(let truth)) = step.value {
            seen[Branch(rule: rule, span: step.span), default: []].insert(truth)
        }
        // Below a comparison there are operands, no branches.
        if step.isLogical { for part in step.parts { add(part, of: rule) } }
    }

    func coverage(of books: [RuleBook]) -> RuleCoverage {
        let rules = books.flatMap(\.rules)
        let gaps = rules.compactMap { rule -> RuleCoverage.Gap? in
            let missing = self.missing(of: rule)
            return missing.isEmpty ? nil : RuleCoverage.Gap(rule: rule.id, file: rule.file, missing: missing)
        }
        return RuleCoverage(gaps: gaps, ruleCount: rules.count)
    }

    private func missing(of rule: Rule) -> [String] {
        var missing = told.contains(rule.id) ? [] : ["nothing was ever told"]
        guard let condition = rule.condition else { return missing }
        let bytes = Array(condition.source.utf8)
        let own = seen.filter { $0.key.rule == rule.id }
        if own.isEmpty { return missing + ["if: never asked"] }
        let ordered = own.sorted {
            ($0.key.span.lowerBound, $0.key.span.upperBound) < ($1.key.span.lowerBound, $1.key.span.upperBound)
        }
        for (branch, truths) in ordered where truths.count == 1 {
            let text = String(decoding: bytes[branch.span.clamped(to: 0..<bytes.count)], as: UTF8.self)
            missing.append("if: '\(text)' was never \(truths.contains(true) ? "false" : "true")")
        }
        return missing
    }
}
