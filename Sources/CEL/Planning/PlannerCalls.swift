import Values

/// Functions and operators.
extension Planner {
    mutating func call(_ node: Node, _ function: String, _ target: Node?, _ arguments: [Node]) -> Planned {
        var name = function
        var receiver = target
        if case .function(let resolved)? = blueprint.references[node.id] {
            name = resolved
            receiver = nil
        }
        let operands = (receiver.map { [$0] } ?? []) + arguments
        let planned = operands.map { plan($0) }
        guard let entry = blueprint.environment.functionTable[name], let body = entry.body(forCount: operands.count)
        else {
            return failing(node, .noSuchOverload, "there is no function '\(name)' with \(operands.count) arguments")
        }
        if !entry.isOfHost, let special = special(node, name, operands, planned) { return special }
        let step = strict(body, planned.map(\.step), entry.cost, node.span)
        let isConstant = planned.allSatisfy { $0.constant != nil }
        return isConstant && !entry.isOfHost ? folded(step) : Planned(step)
    }

    /// A call that needs all its arguments, and fails as the first of them that fails.
    private func strict(_ body: FunctionEntry.Body, _ steps: [Step], _ cost: Int, _ span: Range<Int>) -> Step {
        switch body {
        case .nullary(let body):
            return { frame in
                guard frame.meter.charge(cost) else { return frame.meter.failure }
                return body(&frame.meter)
            }
        case .unary(let body):
            let first = steps[0]
            return { frame in
                let one = first(&frame)
                if case .error = one { return one }
                guard frame.meter.charge(cost) else { return frame.meter.failure }
                return body(&frame.meter, one).placed(at: span)
            }
        case .binary(let body): return strict(body, steps[0], steps[1], cost, span)
        case .ternary(let body):
            let (first, second, third) = (steps[0], steps[1], steps[2])
            return { frame in
                let one = first(&frame)
                if case .error = one { return one }
                let two = second(&frame)
                if case .error = two { return two }
                let three = third(&frame)
                if case .error = three { return three }
                guard frame.meter.charge(cost) else { return frame.meter.failure }
                return body(&frame.meter, one, two, three).placed(at: span)
            }
        case .variadic(let body): return strict(body, steps, cost, span)
        }
    }

    private func strict(
        _ body: @escaping @Sendable (inout Meter, Datum, Datum) -> Datum,
        _ first: @escaping Step,
        _ second: @escaping Step,
        _ cost: Int,
        _ span: Range<Int>
    ) -> Step {
        { frame in
            let one = first(&frame)
            if case .error = one { return one }
            let two = second(&frame)
            if case .error = two { return two }
            guard frame.meter.charge(cost) else { return frame.meter.failure }
            return body(&frame.meter, one, two).placed(at: span)
        }
    }

    private func strict(
        _ body: @escaping @Sendable (inout Meter, [Datum]) -> Datum,
        _ steps: [Step],
        _ cost: Int,
        _ span: Range<Int>
    ) -> Step {
        { frame in
            var values: [Datum] = []
            values.reserveCapacity(steps.count)
            for step in steps {
                let value = step(&frame)
                if case .error = value { return value }
                values.append(value)
            }
            guard frame.meter.charge(cost) else { return frame.meter.failure }
            return body(&frame.meter, values).placed(at: span)
        }
    }

    /// Calls that are better than their general form: what is constant is prepared, what is common is short.
    private func special(_ node: Node, _ name: String, _ operands: [Node], _ planned: [Planned]) -> Planned? {
        guard planned.contains(where: { $0.constant == nil }) else { return nil }
        switch name {
        case "_==_": return equality(planned, isEqual: true)
        case "_!=_": return equality(planned, isEqual: false)
        case "@in":
            guard case .list(let list)? = planned[1].constant else { return nil }
            return membership(planned[0].step, ConstantSet(list))
        case "matches":
            guard case .string(let pattern)? = planned[1].constant else { return nil }
            return matching(node, planned[0].step, pattern, prepared: blueprint.expressions[operands[1].id])
        case "or", "orValue": return otherwise(node, planned, isValue: name == "orValue")
        default: break
        }
        if let relation = Relation(rawValue: name) { return ordering(node, relation, planned) }
        if planned.count == 2, let part = TimePart(rawValue: name), case .string(let zone)? = planned[1].constant,
            let clock = Clock(zone)
        {
            let (step, span) = (planned[0].step, node.span)
            return Planned { frame in
                let value = step(&frame)
                if case .error = value { return value }
                frame.meter.spent &+= 1
                return part.of(value, in: clock).placed(at: span)
            }
        }
        return nil
    }

    private func equality(_ planned: [Planned], isEqual: Bool) -> Planned {
        let (first, second) = (planned[0].step, planned[1].step)
        let texts = planned.map { planned -> String? in
            if case .string(let text)? = planned.constant { return text }
            return nil
        }
        if let text = texts[1] ?? texts[0] {
            let step = texts[1] == nil ? second : first
            return Planned { frame in
                let value = step(&frame)
                frame.meter.spent &+= 1
                switch value {
                case .string(let other): return .bool(Text.areSame(other, text) == isEqual)
                case .error: return value
                default: return .bool(!isEqual)
                }
            }
        }
        return Planned { frame in
            let one = first(&frame)
            if case .error = one { return one }
            let other = second(&frame)
            if case .error = other { return other }
            frame.meter.spent &+= 1
            return .bool(Comparison.areEqual(one, other, &frame.meter) == isEqual)
        }
    }

    private func ordering(_ node: Node, _ relation: Relation, _ planned: [Planned]) -> Planned {
        let (first, second, span) = (planned[0].step, planned[1].step, node.span)
        if let constant = planned[1].constant {
            return Planned { frame in
                let value = first(&frame)
                if case .error = value { return value }
                frame.meter.spent &+= 1
                return relation.holds(value, constant, &frame.meter).placed(at: span)
            }
        }
        return Planned { frame in
            let one = first(&frame)
            if case .error = one { return one }
            let other = second(&frame)
            if case .error = other { return other }
            frame.meter.spent &+= 1
            return relation.holds(one, other, &frame.meter).placed(at: span)
        }
    }

    private func membership(_ step: @escaping Step, _ set: ConstantSet) -> Planned {
        Planned { frame in
            let value = step(&frame)
            if case .error = value { return value }
            frame.meter.spent &+= 1
            return .bool(set.contains(value, &frame.meter))
        }
    }

    private func matching(
        _ node: Node,
        _ step: @escaping Step,
        _ pattern: String,
        prepared: RegularExpression?
    ) -> Planned? {
        guard let expression = prepared ?? (try? RegularExpression(pattern)) else { return nil }
        let span = node.span
        return Planned { frame in
            let value = step(&frame)
            guard case .string(let text) = value else {
                return value.isError ? value : Datum.noOverload("matches", [value, .string(pattern)]).placed(at: span)
            }
            guard frame.meter.charge(expression.cost(of: text)) else { return frame.meter.failure }
            return .bool(expression.matches(text))
        }
    }

    /// `or` and `orValue`, which look at their second operand only where the first is empty.
    private func otherwise(_ node: Node, _ planned: [Planned], isValue: Bool) -> Planned? {
        guard planned.count == 2 else { return nil }
        let (first, second, span) = (planned[0].step, planned[1].step, node.span)
        return Planned { frame in
            let value = first(&frame)
            frame.meter.spent &+= 1
            guard case .optional(let boxed) = value else {
                return value.isError ? value : Datum.noOverload(isValue ? "orValue" : "or", [value]).placed(at: span)
            }
            if let boxed { return isValue ? boxed.value : value }
            return second(&frame)
        }
    }
}

/// A list that is known when the expression is compiled, made ready for `in`.
struct ConstantSet: Sendable {
    private let list: ListDatum
    /// Few texts are compared one after the other, which is quicker than hashing.
    private let fewTexts: [String]?
    private let keys: Set<MapKey>?

    private static let few = 6

    init(_ list: ListDatum) {
        self.list = list
        let elements = list.elements
        let texts = elements.compactMap { element -> String? in
            if case .string(let text) = element { return text }
            return nil
        }
        let isFew = texts.count == elements.count && texts.count <= Self.few
        fewTexts = isFew ? texts : nil
        let keys = elements.compactMap { $0.isExactKey ? MapKey($0) : nil }
        self.keys = !isFew && keys.count == elements.count ? Set(keys) : nil
    }

    @inline(__always)
    func contains(_ value: Datum, _ meter: inout Meter) -> Bool {
        if let fewTexts {
            guard case .string(let text) = value else { return false }
            for candidate in fewTexts where Text.areSame(text, candidate) { return true }
            return false
        }
        if let keys, value.isExactKey { return MapKey(value).map(keys.contains) ?? false }
        for position in 0..<list.count {
            guard meter.charge(1) else { return false }
            if Comparison.areEqual(list[position], value, &meter) { return true }
        }
        return false
    }
}

extension Datum {
    /// Whether equality with keys is exact: doubles beyond 2^53 compare with a loss that hashing does not know.
    fileprivate var isExactKey: Bool {
        switch self {
        case .bool, .string: true
        case .int(let value): value.magnitude <= 1 << 53
        case .uint(let value): value <= 1 << 53
        case .double(let value): value.magnitude <= 0x1p53
        default: false
        }
    }
}
