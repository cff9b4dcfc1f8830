import Values

/// Comprehensions, and what binds names of its own.
extension Checker {
    mutating func withLocals<Result>(
        _ variables: [(variable: Node.Variable, type: CELType)],
        _ body: (inout Checker) -> Result
    ) -> Result {
        for (variable, type) in variables {
            if environment.layout.slots[variable.name] != nil {
                warn(
                    variable.span,
                    "'\(variable.name)' hides the variable of that name",
                    cures: ["use another name, such as 'x'; '.\(variable.name)' is the variable still"]
                )
            }
            locals.append(Local(name: variable.name, slot: localCount, type: type))
            localCount += 1
        }
        defer { locals.removeLast(variables.count) }
        return body(&self)
    }

    mutating func comprehension(_ node: Node, _ comprehension: Node.Comprehension) -> CELType {
        let range = knownType(of: comprehension.range)
        let element = elements(of: range, comprehension)
        let variables = zip(
            comprehension.variables,
            comprehension.variables.count == 2 ? [element.key, element.value] : [element.single]
        )
        references[node.id] = .local(slot: localCount)
        return withLocals(Array(variables)) { checker in
            if let filter = comprehension.filter {
                checker.needBool(checker.check(filter), filter, "'\(comprehension.macro)' chooses by a condition")
            }
            let body = checker.check(comprehension.body)
            return checker.result(comprehension, body, element)
        }
    }

    /// What a round of a comprehension sees: one variable, or two.
    private typealias Elements = (single: CELType, key: CELType, value: CELType)

    private mutating func elements(of range: CELType, _ comprehension: Node.Comprehension) -> Elements {
        switch range {
        case .list(let element): return (element, .int, element)
        case .map(let key, let value): return (key, key, value)
        case .record: return (.string, .string, .dyn)
        case .dyn, .unknown:
            _ = inference.agree(range, .dyn)
            return (.dyn, .dyn, .dyn)
        case .failed: return (.failed, .failed, .failed)
        default:
            var cures: [String] = []
            if range == .string { cures = ["write text.contains(\"part\"), or text.split(\" \").exists(word, …)"] }
            if range.isOptional { cures = ["write .orValue([]) before it, or guard the field with has(…)"] }
            complain(
                comprehension.range.span,
                "'\(comprehension.macro)' goes through a list or map, and this is \(range.spoken)",
                cures: cures
            )
            return (.failed, .failed, .failed)
        }
    }

    private mutating func result(_ comprehension: Node.Comprehension, _ body: CELType, _ element: Elements) -> CELType {
        switch comprehension.form {
        case .all, .exists, .existsOne:
            needBool(body, comprehension.body, "'\(comprehension.macro)' asks a condition of every element")
            return .bool
        case .filter:
            needBool(body, comprehension.body, "'filter' chooses by a condition")
            return .list(element.single)
        case .map, .transformList: return .list(body)
        case .transformMap: return .map(key: element.key, value: body)
        case .transformMapEntry:
            let key = inference.unknown()
            let value = inference.unknown()
            if !inference.agree(body, .map(key: key, value: value)) {
                complain(
                    comprehension.body.span,
                    "'transformMapEntry' makes a map of each pair, and this is \(known(body).spoken)",
                    cures: ["write {key: value}"]
                )
            }
            return .map(key: key, value: value)
        }
    }

    mutating func optionalMap(
        _ node: Node,
        _ operand: Node,
        _ variable: Node.Variable,
        _ body: Node,
        _ isFlat: Bool
    ) -> CELType {
        let wrapped = inference.unknown()
        let type = check(operand)
        if !inference.agree(type, .optional(wrapped)) {
            complain(
                operand.span,
                "'\(isFlat ? "optFlatMap" : "optMap")' takes an optional, and this is \(known(type).spoken)",
                cures: ["write .?field before it, or use the value itself"]
            )
        }
        references[node.id] = .local(slot: localCount)
        let result = withLocals([(variable, wrapped)]) { checker in checker.check(body) }
        guard isFlat else { return .optional(result) }
        let inner = inference.unknown()
        if !inference.agree(result, .optional(inner)) {
            complain(
                body.span,
                "'optFlatMap' needs an optional, and this is \(known(result).spoken)",
                cures: ["write optMap"]
            )
        }
        return .optional(inner)
    }
}
