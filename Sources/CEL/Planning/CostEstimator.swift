import Values

/// Estimates what an evaluation costs, from the tree and the types.
struct CostEstimator {
    struct Estimate {
        var least: Int
        var most: Int
        /// How many elements or bytes the value has, where it is a list, map or text.
        var length: Int = CELCostEstimate.assumedLength

        static func + (one: Estimate, other: Estimate) -> Estimate {
            Estimate(least: sum(one.least, other.least), most: sum(one.most, other.most), length: other.length)
        }

        private static func sum(_ one: Int, _ other: Int) -> Int {
            let (sum, overflow) = one.addingReportingOverflow(other)
            return overflow ? Int.max : sum
        }
    }

    let types: [CELType]

    func estimate(_ node: Node) -> Estimate {
        switch node.kind {
        case .literal(let literal): return Estimate(least: 0, most: 0, length: length(literal))
        case .identifier: return Estimate(least: 0, most: 0)
        case .select(let operand, _, _), .presence(let operand, _, _):
            return with(all([operand]), units: 1, length: CELCostEstimate.assumedLength)
        case .index(let operand, let index, _):
            return with(all([operand, index]), units: 1, length: CELCostEstimate.assumedLength)
        case .call(_, let target, let arguments): return call((target.map { [$0] } ?? []) + arguments)
        case .and(let operands), .or(let operands):
            // The first may decide alone.
            let every = operands.map { estimate($0) }
            return Estimate(least: every.map(\.least).min() ?? 0, most: total(every.map(\.most)))
        case .conditional(let condition, let one, let other):
            let (first, second) = (estimate(one), estimate(other))
            let branch = Estimate(
                least: min(first.least, second.least),
                most: max(first.most, second.most),
                length: max(first.length, second.length)
            )
            return estimate(condition) + branch
        case .list(let elements):
            return with(all(elements.map(\.value)), units: 1 + elements.count / 10, length: elements.count)
        case .map(let entries):
            return with(
                all(entries.flatMap { [$0.key, $0.value] }),
                units: 1 + entries.count / 10,
                length: entries.count
            )
        case .message(_, let fields): return all(fields.map(\.value))
        case .comprehension(let comprehension): return self.comprehension(comprehension, of: node)
        case .bind(_, let value, let body): return estimate(value) + estimate(body)
        case .optionalMap(let operand, _, let body, _):
            let inner = estimate(body)
            return estimate(operand) + Estimate(least: 0, most: inner.most)
        }
    }

    private func comprehension(_ comprehension: Node.Comprehension, of node: Node) -> Estimate {
        let range = estimate(comprehension.range)
        let rounds = range.length
        let body = all((comprehension.filter.map { [$0] } ?? []) + [comprehension.body])
        // Only a literal is known to have elements, and `exists` and `all` may end with the first.
        let isLiteral = if case .list = comprehension.range.kind { true } else { false }
        let endsEarly = comprehension.form == .all || comprehension.form == .exists
        let leastRounds = isLiteral ? (endsEarly ? min(1, rounds) : rounds) : 0
        return range
            + Estimate(
                least: product(leastRounds, body.least + 1),
                most: product(rounds, total([body.most, 1])),
                length: rounds
            )
    }

    /// A call goes through its arguments once: texts and bytes by tens, lists and maps one by one.
    private func call(_ operands: [Node]) -> Estimate {
        let every = operands.map { estimate($0) }
        var units = 2
        var lengths = 0
        for (operand, estimate) in zip(operands, every) {
            switch types[operand.id] {
            case .string, .bytes: units = total([units, estimate.length / 10 + 1])
            case .list, .map, .record, .dyn, .optional: units = total([units, estimate.length])
            default: continue
            }
            lengths = total([lengths, estimate.length])
        }
        return Estimate(
            least: total(every.map(\.least)) + 1,
            most: total(every.map(\.most) + [units]),
            length: max(20, lengths)
        )
    }

    private func all(_ nodes: [Node]) -> Estimate {
        nodes.reduce(Estimate(least: 0, most: 0)) { $0 + estimate($1) }
    }

    private func with(_ estimate: Estimate, units: Int, length: Int) -> Estimate {
        Estimate(least: total([estimate.least, units]), most: total([estimate.most, units]), length: length)
    }

    private func length(_ literal: Node.Literal) -> Int {
        switch literal {
        case .string(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        default: 0
        }
    }

    private func total(_ numbers: [Int]) -> Int {
        numbers.reduce(0) { sum, number in
            let (result, overflow) = sum.addingReportingOverflow(number)
            return overflow ? Int.max : result
        }
    }

    private func product(_ one: Int, _ other: Int) -> Int {
        let (result, overflow) = one.multipliedReportingOverflow(by: other)
        return overflow ? Int.max : result
    }
}
