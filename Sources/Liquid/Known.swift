import Values

/// What is known of a value before it is there.
struct Known {
    var shape: Shape
    /// Whether it may be missing here, guards considered.
    var isOptional = false
    /// The path of the variable handed over that it was read from.
    var origin: [String]?
    /// All texts that it can be, or that its elements can be; empty where that is not declared.
    var values: [String] = []

    static let anything = Known(shape: .any)

    /// Either of two: what a variable holds that two branches set.
    func merged(with other: Known) -> Known {
        Known(
            shape: shape == other.shape ? shape : .any,
            isOptional: isOptional || other.isOptional,
            origin: origin == other.origin ? origin : nil,
            values: values == other.values ? values : []
        )
    }

    func element() -> Known {
        let origin = origin.map { $0 + ["[]"] }
        return switch shape {
        case .list(let element): Known(shape: element, origin: origin, values: values)
        case .map(let value): Known(shape: .list(value), origin: origin)
        default: Known(shape: .any, origin: origin)
        }
    }
}

/// What a condition says about which paths are there.
enum GuardFacts {
    /// The paths, as text, that are certainly there if the condition holds, or if it does not.
    static func present(in condition: Condition, when outcome: Bool) -> Set<String> {
        var facts: Set<String> = []
        for (index, comparison) in condition.comparisons.enumerated().reversed() {
            let own = present(in: comparison, when: outcome)
            guard index < condition.operators.count else {
                facts = own
                continue
            }
            // Both sides of a true `and` hold; of a true `or`, either: only what both say is certain. Turned around if false.
            facts = (condition.operators[index] == .and) == outcome ? own.union(facts) : own.intersection(facts)
        }
        return facts
    }

    private static func present(in comparison: Comparison, when outcome: Bool) -> Set<String> {
        guard let (relation, right) = comparison.relation else { return outcome ? paths(comparison.left) : [] }
        switch relation {
        case .equal, .notEqual:
            let isEqual = (relation == .equal) == outcome
            let sides = [(comparison.left, right), (right, comparison.left)]
            return sides.reduce(into: []) { facts, side in
                guard case .literal(let literal) = side.1 else { return }
                if isEqual != literal.saysNothing { facts.formUnion(paths(side.0)) }
            }
        default: return outcome ? paths(comparison.left).union(paths(right)) : []
        }
    }

    /// The path and all it leads through.
    static func paths(_ expression: Expression) -> Set<String> {
        guard case .path(let path) = expression else { return [] }
        return Set(
            (0...path.steps.count).map {
                Path(root: path.root, steps: Array(path.steps.prefix($0)), span: path.span).text
            }
        )
    }
}

extension Datum {
    /// Nothing, or without content: what a guard compares with.
    fileprivate var saysNothing: Bool { isNothing || isEmpty }
}
