import Values

/// Function calls and operators: finding the overload.
extension Checker {
    mutating func call(_ node: Node, _ function: String, _ target: Node?, _ arguments: [Node]) -> CELType {
        if let target, let name = namespacedFunction(function, target) {
            references[node.id] = .function(name)
            return resolve(node, name, nil, arguments)
        }
        if target == nil, Operator.symbol(of: function) != nil {
            return resolve(node, function, nil, arguments)
        }
        if target != nil { return resolve(node, function, target, arguments) }
        let name = candidates(function).first { environment.functionTable[$0] != nil } ?? function
        references[node.id] = .function(name)
        return resolve(node, name, nil, arguments)
    }

    /// `math.greatest` where `math` is no variable.
    private func namespacedFunction(_ function: String, _ target: Node) -> String? {
        guard let root = target.rootIdentifier, root.isAbsolute || local(root.name) == nil,
            let prefix = target.qualifiedName
        else { return nil }
        return candidates("\(prefix).\(function)").first { environment.functionTable[$0] != nil }
    }

    private mutating func resolve(_ node: Node, _ function: String, _ target: Node?, _ arguments: [Node]) -> CELType {
        let operands = (target.map { [$0] } ?? []) + arguments
        if environment.options.isChecked, comparesWithNull(node, function, operands) { return .bool }
        guard let entry = environment.functionTable[function] else {
            // Arguments of a macro that is written wrong have names that nothing declares.
            let isMacro = MismatchCures.isLikeMacro(function)
            for operand in operands where !isMacro || operand === target { check(operand) }
            if target.map({ !types[$0.id].isFailed }) ?? true { unknownFunction(node, function, target, arguments) }
            return .failed
        }
        if entry.isOfHost { hostFunctions.insert(entry.name) }
        var given: [CELType] = []
        if operands.count == 2, case .call(Operator.not, nil, _) = operands[0].kind {
            negatedOperands.insert(operands[0].id)
        }
        for operand in operands { given.append(check(operand)) }
        if complainOfNegation(node, function, operands) { return .bool }
        if given.contains(where: \.isFailed) { return commonResult(entry, isReceiver: target != nil) }
        guard let result = overloadResult(entry, isReceiver: target != nil, given) else {
            mismatch(node, entry, target, arguments, given.map { known($0) })
            return commonResult(entry, isReceiver: target != nil)
        }
        if !entry.isOfHost {
            checkLiterals(node, function, operands)
            checkValues(function, operands)
        }
        return result
    }

    /// The result of the overloads that take the arguments; `dyn` where they differ.
    private mutating func overloadResult(_ entry: FunctionEntry, isReceiver: Bool, _ given: [CELType]) -> CELType? {
        var result: CELType?
        for overload in overloads(of: entry) where overload.isReceiverStyle == isReceiver {
            guard overload.parameters.count == given.count else { continue }
            let (parameters, gives) = inference.instance(of: overload)
            guard inference.agree(given, parameters) else { continue }
            let type = known(gives)
            if let earlier = result, earlier != type { return .dyn }
            result = type
            // Where nothing is open no other overload can take the same arguments.
            if given.allSatisfy({ known($0).isClosed }) { break }
        }
        return result
    }

    private func overloads(of entry: FunctionEntry) -> [FunctionEntry.Overload] {
        guard environment.options.comparesNumbersAcrossTypes else { return entry.overloads }
        switch entry.name {
        case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_": return entry.overloads + FunctionTable.acrossNumbers
        case "@in": return entry.overloads + FunctionTable.inAcrossNumbers
        default: return entry.overloads
        }
    }

    /// After a mistake: the result if all overloads have the same, so that further mistakes are found.
    private func commonResult(_ entry: FunctionEntry, isReceiver: Bool) -> CELType {
        let results = Set(entry.overloads.map(\.result))
        if results.count == 1, let result = results.first, result.isClosed { return result }
        return .failed
    }

    /// Complains of `!a == b` and `!a in b`, where `!` belongs to `a` alone. True if it did.
    private mutating func complainOfNegation(_ node: Node, _ function: String, _ operands: [Node]) -> Bool {
        guard operands.count == 2, let symbol = Operator.symbol(of: function),
            let type = negationMistakes[operands[0].id],
            case .call(_, _, let negated) = operands[0].kind
        else { return false }
        let (left, right) = (text(negated[0]), text(operands[1]))
        let cure = symbol == "==" ? "write \(left) != \(right)" : "write !(\(left) \(symbol) \(right))"
        complain(node.span, "'!' belongs to '\(left)' alone, which is \(type.spoken)", cures: [cure])
        return true
    }

    /// Comparing with null, which most things never are. True if there is nothing more to check.
    private mutating func comparesWithNull(_ node: Node, _ function: String, _ operands: [Node]) -> Bool {
        guard function == "_==_" || function == "_!=_", operands.count == 2 else { return false }
        let nulls = operands.map(\.isNull)
        guard nulls[0] != nulls[1] else { return false }
        let other = operands[nulls[0] ? 1 : 0]
        types[operands[nulls[0] ? 0 : 1].id] = .null
        // A field that may be missing would be complained of as unguarded, which is not what its author has in mind.
        let before = guarded
        if let path = path(other) { guarded.insert(path) }
        let type = knownType(of: other)
        guarded = before
        let isEqual = function == "_==_"
        if isOptionalField(other) {
            complain(
                node.span,
                "a field that is missing is not null: '\(text(other))' is there or not",
                cures: ["write \(isEqual ? "!" : "")has(\(text(other)))"]
            )
            return true
        }
        switch type {
        case .dyn, .unknown, .failed, .null, .wrapper, .abstract: break
        case .optional:
            complain(
                node.span,
                "an optional is never null",
                cures: ["write \(isEqual ? "!" : "")\(text(other)).hasValue()"]
            )
        default:
            complain(
                node.span,
                "this is never null: '\(text(other))' is always \(type.spoken)",
                cures: MismatchCures.instead(ofNull: type, text(other), isEqual: isEqual)
            )
        }
        return true
    }

    private func isOptionalField(_ node: Node) -> Bool {
        switch node.kind {
        case .select(let operand, let field, isOptional: false): return isOptionalField(field, of: operand)
        case .index(let operand, let index, isOptional: false):
            guard case .literal(.string(let field)) = index.kind else { return false }
            return isOptionalField(field, of: operand)
        default: return false
        }
    }

    private func isOptionalField(_ field: String, of operand: Node) -> Bool {
        guard case .record(let shape) = known(types[operand.id]) else { return false }
        return shape.field(field)?.isOptional ?? false
    }
}

extension FunctionTable {
    /// `1 in [1.0]`.
    static let inAcrossNumbers: [FunctionEntry.Overload] = acrossNumbers.map { overload in
        FunctionEntry.Overload([overload.parameters[0], .list(overload.parameters[1])], .bool)
    }
}

extension CELType {
    var isFailed: Bool {
        if case .failed = self { return true }
        return false
    }

    /// Whether it is fully known: neither `dyn` nor unknown anywhere.
    var isClosed: Bool {
        switch self {
        case .dyn, .unknown, .failed, .parameter: false
        case .list(let element): element.isClosed
        case .map(let key, let value): key.isClosed && value.isClosed
        case .optional(let wrapped), .type(let wrapped), .wrapper(let wrapped): wrapped.isClosed
        case .abstract(_, let parameters): parameters.allSatisfy(\.isClosed)
        default: true
        }
    }
}
