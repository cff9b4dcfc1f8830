import Values

/// Turns a checked tree into steps: names become slots, constants are computed now.
struct Planner {
    /// A step, and its value where that is known already.
    struct Planned {
        let step: Step
        let constant: Datum?

        init(_ step: @escaping Step) {
            self.step = step
            constant = nil
        }

        init(constant: Datum) {
            step = { _ in constant }
            self.constant = constant
        }
    }

    let blueprint: Blueprint
    let folds: Bool
    var isTraced = false
    /// What computing a constant may cost while planning.
    private static let foldingLimit = 10_000

    init(blueprint: Blueprint, folds: Bool, isTraced: Bool = false) {
        self.blueprint = blueprint
        self.folds = folds
        self.isTraced = isTraced
    }

    mutating func plan(_ node: Node) -> Planned {
        let planned = build(node)
        guard isTraced, planned.constant == nil || !node.isLiteral else { return planned }
        let (step, span, isLogical) = (planned.step, node.span, node.isLogical)
        return Planned { frame in
            frame.recorder?.enter()
            let value = step(&frame)
            frame.recorder?.leave(span, value, isLogical: isLogical)
            return value
        }
    }

    private mutating func build(_ node: Node) -> Planned {
        switch node.kind {
        case .literal(let literal): return Planned(constant: literal.datum)
        case .identifier(let name, _): return reference(node, name)
        case .select(let operand, let field, let isOptional):
            if blueprint.references[node.id] != nil { return reference(node, field) }
            return selection(node, operand, field, isOptional)
        case .presence(let operand, let field, _): return presence(node, operand, field)
        case .index(let operand, let index, let isOptional): return indexing(node, operand, index, isOptional)
        case .call(let function, let target, let arguments): return call(node, function, target, arguments)
        case .and(let operands): return logic(operands, deciding: false)
        case .or(let operands): return logic(operands, deciding: true)
        case .conditional(let condition, let one, let other): return conditional(condition, one, other)
        case .list(let elements): return list(node, elements)
        case .map(let entries): return map(node, entries)
        case .message(let name, _):
            return failing(node, .noSuchOverload, "there is no message type '\(name)'")
        case .comprehension(let comprehension): return self.comprehension(node, comprehension)
        case .bind(_, let value, let body): return binding(node, value, body)
        case .optionalMap(let operand, _, let body, let isFlat): return optionalMap(node, operand, body, isFlat)
        }
    }

    /// The slot of the first variable that a comprehension or binding has of its own.
    func firstLocal(_ node: Node) -> Int {
        if case .local(let slot)? = blueprint.references[node.id] { return slot }
        return 0
    }

    func failing(_ node: Node, _ kind: CELError.Kind, _ message: String) -> Planned {
        let failure = Datum.error(Failure(CELError(kind, message, span: node.span)))
        return Planned { _ in failure }
    }

    /// Computes a step without variables now. Errors stay for evaluation, where `||` may absorb them.
    func folded(_ step: @escaping Step) -> Planned {
        guard folds, !isTraced else { return Planned(step) }
        var frame = Frame(slots: [], locals: [], meter: Meter(limit: Self.foldingLimit), recorder: nil)
        let value = step(&frame)
        return value.isError || frame.meter.isExhausted ? Planned(step) : Planned(constant: value)
    }

    private func reference(_ node: Node, _ name: String) -> Planned {
        switch blueprint.references[node.id] {
        case .variable(let slot):
            let variable = blueprint.environment.layout.variables[slot].name
            let failure = Datum.error(
                Failure(CELError(.unbound, "'\(variable)' has no value", span: node.span))
            )
            return Planned { frame in
                let value = frame.slots[slot]
                if case .unbound = value { return failure }
                return value
            }
        case .local(let slot): return Planned { frame in frame.locals[slot] }
        case .type(let name): return Planned(constant: .type(name))
        case .function, nil: return failing(node, .unbound, "there is no '\(name)' here")
        }
    }

    // MARK: Logic

    private mutating func logic(_ operands: [Node], deciding: Bool) -> Planned {
        let steps = operands.map { operand -> Step in
            let step = plan(operand).step
            let span = operand.span
            return { frame in
                let value = step(&frame)
                switch value {
                case .bool, .error: return value
                default: return Datum.noCondition(value).placed(at: span)
                }
            }
        }
        if steps.count == 2 {
            let (first, second) = (steps[0], steps[1])
            return Planned { frame in
                let one = first(&frame)
                if case .bool(deciding) = one { return one }
                let other = second(&frame)
                if case .bool(deciding) = other { return other }
                return one.isError ? one : other
            }
        }
        return Planned { frame in
            var failure: Datum?
            for step in steps {
                let value = step(&frame)
                if case .bool(let truth) = value {
                    if truth == deciding { return value }
                } else if failure == nil {
                    failure = value
                }
            }
            return failure ?? .bool(!deciding)
        }
    }

    private mutating func conditional(_ condition: Node, _ one: Node, _ other: Node) -> Planned {
        let (condition, span) = (plan(condition).step, condition.span)
        let (first, second) = (plan(one).step, plan(other).step)
        return Planned { frame in
            let value = condition(&frame)
            switch value {
            case .bool(true): return first(&frame)
            case .bool(false): return second(&frame)
            case .error: return value
            default: return Datum.noCondition(value).placed(at: span)
            }
        }
    }

    private mutating func binding(_ node: Node, _ value: Node, _ body: Node) -> Planned {
        let value = plan(value).step
        let slot = firstLocal(node)
        let body = plan(body).step
        return Planned { frame in
            // An error is bound like any value: it counts where the name is used.
            frame.locals[slot] = value(&frame)
            return body(&frame)
        }
    }

    private mutating func optionalMap(_ node: Node, _ operand: Node, _ body: Node, _ isFlat: Bool) -> Planned {
        let operand = plan(operand).step
        let slot = firstLocal(node)
        let (body, span) = (plan(body).step, node.span)
        return Planned { frame in
            let value = operand(&frame)
            guard case .optional(let boxed) = value else {
                return value.isError ? value : Datum.noOverload("optMap", [value]).placed(at: span)
            }
            guard let boxed else { return .none }
            frame.locals[slot] = boxed.value
            let result = body(&frame)
            if result.isError { return result }
            guard isFlat else { return .some(result) }
            guard case .optional = result else { return Datum.noOverload("optFlatMap", [result]).placed(at: span) }
            return result
        }
    }
}

extension Datum {
    static func noCondition(_ value: Datum) -> Datum {
        .failure(.noSuchOverload, "a condition is true or false, and this is \(value.kindName)")
    }
}

extension Node.Literal {
    var datum: Datum {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .uint(let value): .uint(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .bytes(let value): .bytes(value)
        }
    }
}

extension Node {
    var isLiteral: Bool {
        if case .literal = kind { return true }
        return false
    }

    /// Whether its value is decided by its parts; see `CELExplanation.Step.isLogical`.
    var isLogical: Bool {
        switch kind {
        case .and, .or, .conditional: true
        case .call(Operator.not, _, _): true
        case .comprehension(let comprehension): [.all, .exists].contains(comprehension.form)
        default: false
        }
    }
}
