import Values

/// A call as it was written, before it is known whether it is a macro (cel-spec, "Macros").
struct MacroCall {
    let name: String
    let target: Node?
    let arguments: [Node]
    let span: Range<Int>
}

extension Parser {
    /// The macro that a call stands for, or the call itself.
    mutating func expand(_ call: MacroCall) throws(Complaint) -> Node {
        if let target = call.target {
            if call.name == "bind", call.arguments.count == 3, target.qualifiedName == "cel" {
                let variable = try variable(call.arguments[0], of: call)
                return try make(call.span, .bind(variable, call.arguments[1], call.arguments[2]))
            }
            if let comprehension = try comprehension(call, over: target) {
                return try make(call.span, .comprehension(comprehension))
            }
            if call.name == "optMap" || call.name == "optFlatMap", call.arguments.count == 2 {
                let variable = try variable(call.arguments[0], of: call)
                let isFlat = call.name == "optFlatMap"
                return try make(call.span, .optionalMap(target, variable, call.arguments[1], isFlat: isFlat))
            }
        } else if call.name == "has", call.arguments.count == 1 {
            return try presence(call)
        }
        return try make(call.span, .call(call.name, target: call.target, arguments: call.arguments))
    }

    private mutating func presence(_ call: MacroCall) throws(Complaint) -> Node {
        guard case .select(let operand, let field, let isOptional) = call.arguments[0].kind else {
            var cures = ["write has(record.field)"]
            if case .index(let map, let key, _) = call.arguments[0].kind, case .literal(.string(let name)) = key.kind,
                let path = map.qualifiedName
            {
                cures = ["write \"\(name)\" in \(path)"]
            }
            throw Complaint(
                at: call.arguments[0].span,
                "has() asks for a field, such as has(record.field)",
                cures: cures
            )
        }
        return try make(call.span, .presence(operand, field: field, isOptional: isOptional))
    }

    private func comprehension(_ call: MacroCall, over range: Node) throws(Complaint) -> Node.Comprehension? {
        let macro = Macro.all.first { $0.name == call.name && $0.argumentCounts.contains(call.arguments.count) }
        guard let shape = macro?.comprehension else { return nil }
        var variables: [Node.Variable] = []
        for argument in call.arguments.prefix(shape.variables) { variables.append(try variable(argument, of: call)) }
        if variables.count == 2, variables[0].name == variables[1].name {
            throw Complaint(at: variables[1].span, "both names of '\(call.name)' are '\(variables[0].name)'")
        }
        let rest = call.arguments.dropFirst(shape.variables)
        return Node.Comprehension(
            form: shape.form,
            macro: call.name,
            range: range,
            variables: variables,
            filter: rest.count == 2 ? rest.first : nil,
            body: call.arguments[call.arguments.count - 1]
        )
    }

    private func variable(_ node: Node, of call: MacroCall) throws(Complaint) -> Node.Variable {
        guard case .identifier(let name, isAbsolute: false) = node.kind else {
            let example = call.target?.qualifiedName.flatMap { $0 == "cel" ? nil : $0 } ?? "list"
            throw Complaint(
                at: node.span,
                "'\(call.name)' first needs a name of your own, then what to do with it",
                cures: [
                    call.name == "bind"
                        ? "write cel.bind(x, value, x + x)" : "write \(example).\(call.name)(x, …) and use x"
                ]
            )
        }
        return Node.Variable(name: name, span: node.span)
    }
}
