import Values

/// Names, fields and indices.
extension Checker {
    /// The types that are values of their own (cel-spec, "Abstract types").
    static let typeNames: [String: CELType] = [
        "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string, "bytes": .bytes,
        "null_type": .null, "list": .list(.dyn), "map": .map(key: .dyn, value: .dyn), "type": .type(.dyn),
        "optional_type": .optional(.dyn), "google.protobuf.Timestamp": .timestamp,
        "google.protobuf.Duration": .duration,
    ]

    func local(_ name: String) -> Local? { locals.last { $0.name == name } }

    /// The names that a name may stand for in the container, the most special one first (cel-spec, "Name Resolution").
    func candidates(_ name: String) -> [String] {
        if name.hasPrefix(".") { return [String(name.dropFirst())] }
        if environment.container.isEmpty { return [name] }
        var names: [String] = []
        var parts = environment.container.split(separator: ".")
        while !parts.isEmpty {
            names.append(parts.joined(separator: ".") + "." + name)
            parts.removeLast()
        }
        return names + [name]
    }

    /// The variable or type that a whole name stands for.
    private func resolve(_ name: String) -> (reference: Reference, type: CELType)? {
        for candidate in candidates(name) {
            if let slot = environment.layout.slots[candidate] {
                return (.variable(slot: slot), environment.layout.variables[slot].type)
            }
            if let type = Self.typeNames[candidate] { return (.type(candidate), .type(type)) }
        }
        return nil
    }

    mutating func identifier(_ node: Node) -> CELType {
        guard case .identifier(let name, let isAbsolute) = node.kind else { return .failed }
        if !isAbsolute, let local = local(name) {
            references[node.id] = .local(slot: local.slot)
            return local.type
        }
        if let found = resolve(isAbsolute ? "." + name : name) {
            references[node.id] = found.reference
            note(node)
            return found.type
        }
        unknownName(node, name)
        return .failed
    }

    mutating func selection(_ node: Node, _ operand: Node, _ field: String, _ isOptional: Bool) -> CELType {
        if !isOptional, let found = qualified(node) {
            references[node.id] = found.reference
            note(node)
            return found.type
        }
        let operandType = knownType(of: operand)
        note(node)
        let type = fieldType(operandType, node, field, isOptional: isOptional)
        guard isOptional || operandType.isOptional else { return type }
        return .optional(type)
    }

    /// A chain of selections that is one name: `vars.early`, `google.protobuf.Timestamp`.
    func qualified(_ node: Node) -> (reference: Reference, type: CELType)? {
        guard let root = node.rootIdentifier, root.isAbsolute || local(root.name) == nil,
            environment.layout.hasDottedNames || root.name == "google", let name = node.qualifiedName
        else { return nil }
        return resolve(name)
    }

    /// The type of a field, after complaining of what is wrong with it.
    private mutating func fieldType(_ type: CELType, _ node: Node, _ field: String, isOptional: Bool) -> CELType {
        switch type {
        case .dyn, .failed: return type
        case .unknown:
            _ = inference.agree(type, .dyn)
            return .dyn
        case .optional(let wrapped): return fieldType(known(wrapped), node, field, isOptional: true)
        case .map(let key, let value):
            if inference.agree(.string, key) { return value }
            complain(
                node.span,
                "the keys of this map are \(known(key).shortName), so that '.\(field)' finds nothing",
                cures: ["write the key between brackets: map[1]"]
            )
            return .failed
        case .record(let shape): return recordField(shape, node, field, isOptional: isOptional)
        default:
            noFields(type, node, field)
            return .failed
        }
    }

    private mutating func recordField(
        _ shape: RecordShape,
        _ node: Node,
        _ field: String,
        isOptional: Bool
    ) -> CELType {
        guard let declared = shape.field(field) else {
            unknownField(shape, node, field)
            return .failed
        }
        if declared.isOptional, !isOptional { needGuard(declared, node) }
        return CELType(declared.shape)
    }

    /// Complains of an optional field that is read without a guard: once for each field, and not of what lies in one.
    private mutating func needGuard(_ field: FieldShape, _ node: Node) {
        guard let path = path(node) else { return unguarded(field, node) }
        if guarded.contains(path) || toldUnguarded.contains(where: { path == $0 || path.hasPrefix($0 + ".") }) {
            return
        }
        toldUnguarded.insert(path)
        unguarded(field, node)
    }

    mutating func presence(_ node: Node, _ operand: Node, _ field: String) {
        let type = knownType(of: operand)
        if let path = path(operand), !path.hasPrefix("#") { read.insert(path + "." + field) }
        switch type {
        case .dyn, .failed, .unknown: break
        case .map, .optional: break
        case .record(let shape):
            if shape.field(field) == nil {
                unknownField(shape, node.presenceSpan(of: field, in: source), operand, field)
            }
        default:
            complain(node.span, "has() asks a record or map for a field, and this is \(type.spoken)")
        }
    }

    mutating func indexing(_ node: Node, _ operand: Node, _ index: Node, _ isOptional: Bool) -> CELType {
        let type = knownType(of: operand)
        let key = check(index)
        note(node)
        let element = elementType(type, node, index, key, isOptional: isOptional)
        return isOptional || type.isOptional ? .optional(element) : element
    }

    private mutating func elementType(
        _ type: CELType,
        _ node: Node,
        _ index: Node,
        _ key: CELType,
        isOptional: Bool
    ) -> CELType {
        switch type {
        case .dyn, .failed: return type
        case .unknown:
            _ = inference.agree(type, .dyn)
            return .dyn
        case .optional(let wrapped): return elementType(known(wrapped), node, index, key, isOptional: true)
        case .list(let element):
            if inference.agree(key, .int) { return element }
            complain(index.span, "an index into a list is an int, not \(known(key).spoken)")
            return element
        case .map(let due, let value):
            if inference.agree(key, due) { return value }
            complain(index.span, "the keys of this map are \(known(due).shortName), not \(known(key).shortName)")
            return value
        case .record(let shape):
            if case .literal(.string(let field)) = index.kind {
                return recordField(shape, node, field, isOptional: isOptional)
            }
            if !inference.agree(key, .string) {
                complain(index.span, "a field is named by a text, not by \(known(key).spoken)")
            }
            return .dyn
        default:
            complain(
                node.span,
                "\(type.spoken) has no elements",
                cures: type == .string ? ["write text.charAt(0) for a letter of a text"] : []
            )
            return .failed
        }
    }

    // MARK: Paths

    /// `lesson.info` for a field below a variable, `#2.old` for one below a local; nil for anything that is no path of fields.
    func path(_ node: Node) -> String? {
        switch node.kind {
        case .identifier(let name, let isAbsolute):
            if !isAbsolute, let local = local(name) { return "#\(local.slot)" }
            return name
        case .select(let operand, let field, _): return path(operand).map { "\($0).\(field)" }
        case .index(let operand, let index, _):
            guard case .literal(.string(let field)) = index.kind else { return nil }
            return path(operand).map { "\($0).\(field)" }
        default: return nil
        }
    }

    private mutating func note(_ node: Node) {
        if let path = path(node), !path.hasPrefix("#") { read.insert(path) }
    }

    /// The optional fields that are known to be there if a condition is true, and if it is false.
    func facts(_ node: Node) -> (whenTrue: Set<String>, whenFalse: Set<String>) {
        switch node.kind {
        case .presence(let operand, let field, _):
            return (path(operand).map { ["\($0).\(field)"] } ?? [], [])
        case .call(Operator.not, nil, let arguments) where arguments.count == 1:
            let facts = self.facts(arguments[0])
            return (facts.whenFalse, facts.whenTrue)
        case .call("_!=_", nil, let operands): return (nullComparison(operands), [])
        case .call("_==_", nil, let operands): return ([], nullComparison(operands))
        case .and(let operands): return combined(operands.map { self.facts($0) }, { $0.whenTrue }, { $0.whenFalse })
        case .or(let operands):
            let facts = combined(operands.map { self.facts($0) }, { $0.whenFalse }, { $0.whenTrue })
            return (facts.whenFalse, facts.whenTrue)
        default: return ([], [])
        }
    }

    /// A field that is compared with null is meant to be guarded by that. The comparison is complained of; what it was to guard
    /// need not be.
    private func nullComparison(_ operands: [Node]) -> Set<String> {
        guard operands.count == 2, operands.contains(where: \.isNull) else { return [] }
        return Set(operands.compactMap { path($0) })
    }

    /// What holds if all operands are as `one` says, and if at least one of them is as `other` says.
    private func combined(
        _ facts: [(whenTrue: Set<String>, whenFalse: Set<String>)],
        _ one: ((whenTrue: Set<String>, whenFalse: Set<String>)) -> Set<String>,
        _ other: ((whenTrue: Set<String>, whenFalse: Set<String>)) -> Set<String>
    ) -> (whenTrue: Set<String>, whenFalse: Set<String>) {
        var all: Set<String> = []
        var common: Set<String>?
        for fact in facts {
            all.formUnion(one(fact))
            common = common.map { $0.intersection(other(fact)) } ?? other(fact)
        }
        return (all, common ?? [])
    }
}

extension Node {
    var isNull: Bool {
        if case .literal(.null) = kind { return true }
        return false
    }
}

extension CELType {
    var isOptional: Bool {
        if case .optional = self { return true }
        return false
    }
}

extension Node {
    /// The part of `has(operand.field)` between the parentheses.
    func presenceSpan(of field: String, in source: String) -> Range<Int> {
        guard case .presence(let operand, _, _) = kind else { return span }
        return operand.span.lowerBound..<max(operand.span.upperBound, span.upperBound - 1)
    }
}
