import Values

/// Texts that are compared with what can never be one of them.
extension Checker {
    /// Complains of a literal that a field with declared values never has: `lesson.state == "canceled"`.
    mutating func checkValues(_ function: String, _ operands: [Node]) {
        guard environment.options.isChecked, operands.count == 2 else { return }
        let (left, right) = (operands[0], operands[1])
        switch function {
        case "_==_", "_!=_":
            checkValue(of: left, against: right)
            checkValue(of: right, against: left)
        case "@in":
            if case .list(let elements) = right.kind {
                for element in elements { checkValue(of: left, against: element.value) }
            }
            if let values = declaredValues(of: right), isList(right) { check(left, among: values, of: right) }
        default: break
        }
    }

    private mutating func checkValue(of node: Node, against literal: Node) {
        guard let values = declaredValues(of: node), !isList(node) else { return }
        check(literal, among: values, of: node)
    }

    private mutating func check(_ literal: Node, among values: [String], of node: Node) {
        guard case .literal(.string(let value)) = literal.kind, !values.contains(value) else { return }
        let name = text(node)
        complain(
            literal.span,
            isList(node) ? "'\(value)' is never in '\(name)'" : "'\(name)' is never '\(value)'",
            cures: Spelling.cures(forValue: value, among: values, of: name)
        )
    }

    /// All texts that a variable or field can be; nil where that is not declared.
    private func declaredValues(of node: Node) -> [String]? {
        if case .variable(let slot)? = references[node.id] {
            let values = environment.layout.variables[slot].values
            return values.isEmpty ? nil : values
        }
        switch node.kind {
        case .select(let operand, let field, _): return declaredValues(of: field, in: known(types[operand.id]))
        case .call("orValue", let target?, _): return declaredValues(of: target)
        default: return nil
        }
    }

    private func declaredValues(of field: String, in owner: CELType) -> [String]? {
        switch owner {
        case .record(let shape): shape.field(field).flatMap { $0.values.isEmpty ? nil : $0.values }
        case .optional(let wrapped): declaredValues(of: field, in: known(wrapped))
        default: nil
        }
    }

    private func isList(_ node: Node) -> Bool {
        if case .list = known(types[node.id]) { return true }
        return false
    }
}
