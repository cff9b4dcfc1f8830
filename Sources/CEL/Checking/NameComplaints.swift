import Values

/// What to say of names that are not known.
extension Checker {
    mutating func unknownName(_ node: Node, _ name: String) {
        complain(node.span, "there is no '\(name)' here", cures: curesForName(name))
    }

    private func curesForName(_ name: String) -> [String] {
        switch name {
        case "True", "TRUE", "yes", "Yes": return ["write true"]
        case "False", "FALSE", "no", "No": return ["write false"]
        case "None", "nil", "NULL", "Null", "undefined": return ["ask whether a field is there with has(record.field)"]
        case "AND", "and": return ["write '&&' for 'and'"]
        case "OR", "or": return ["write '||' for 'or'"]
        default: break
        }
        let names = environment.variables.map(\.name) + locals.map(\.name)
        let owners = environment.variables.filter { variable in
            guard case .record(let shape) = variable.type else { return false }
            return shape.field(name) != nil
        }
        if let owner = owners.first { return ["did you mean '\(owner.name).\(name)'?"] }
        if let question = Spelling.question(about: name, among: names) { return [question] }
        if environment.functionTable[name] != nil { return ["'\(name)' is a function: write \(name)(…)"] }
        var cures = ["for a text write \"\(name)\""]
        if !names.isEmpty { cures.append("what there is: \(Set(names).sorted().joined(separator: ", "))") }
        return cures
    }

    mutating func unknownField(_ shape: RecordShape, _ node: Node, _ field: String) {
        let operand: Node? =
            switch node.kind {
            case .select(let operand, _, _), .index(let operand, _, _): operand
            default: nil
            }
        unknownField(shape, node.span, operand, field)
    }

    /// - Parameter operand: what should have the field, if it can be written down.
    mutating func unknownField(_ shape: RecordShape, _ span: Range<Int>, _ operand: Node?, _ field: String) {
        let owner = operand.map { text($0) } ?? shape.name
        let names = shape.fields.map(\.name)
        var cures: [String] = []
        let nearest = Spelling.nearest(to: field, among: names, most: 3)
        if let near = nearest.first(where: { $0.hasPrefix(field) }) ?? nearest.first {
            cures.append("did you mean '\(owner).\(near)'?")
        } else if ["size", "length", "count"].contains(field) {
            cures.append("write size(\(owner)) for the number of fields")
        }
        cures.append("fields of '\(shape.name)': \(names.sorted().joined(separator: ", "))")
        let isOfVariable = operand.flatMap { path($0) }.map { !$0.hasPrefix("#") } ?? false
        let subject = isOfVariable ? environment.subject : nil
        complain(
            span,
            "\(subject.map { "\($0) has" } ?? "there is") no field '\(owner).\(field)'",
            cures: cures
        )
    }

    /// An optional field that is read without a guard.
    mutating func unguarded(_ field: FieldShape, _ node: Node) {
        let written = text(node)
        var cures: [String] = []
        if path(node) != nil { cures.append("ask first: has(\(written)) && …") }
        switch node.kind {
        case .select(let operand, let name, _):
            cures.append(
                "or give a value for that case: \(text(operand)).?\(name).orValue(\(Self.example(CELType(field.shape))))"
            )
        case .index(let operand, let index, _):
            cures.append(
                "or give a value for that case: \(text(operand))[?\(text(index))].orValue(\(Self.example(CELType(field.shape))))"
            )
        default: break
        }
        complain(node.span, "'\(written)' may be missing", cures: cures)
    }

    /// A value of a type, as an example of a default.
    private static func example(_ type: CELType) -> String {
        switch type {
        case .bool: "false"
        case .int: "0"
        case .uint: "0u"
        case .double: "0.0"
        case .string: "\"\""
        case .list: "[]"
        case .map: "{}"
        case .duration: "duration(\"0s\")"
        default: "…"
        }
    }

    /// A field of something that has none.
    mutating func noFields(_ type: CELType, _ node: Node, _ field: String) {
        guard case .select(let operand, _, _) = node.kind else { return }
        let owner = text(operand)
        var cures: [String] = []
        switch (type, field) {
        case (.list(let element), _):
            if case .record = known(element) {
                cures = ["write \(owner).exists(x, x.\(field) == …), or \(owner)[0].\(field)"]
            }
            if ["length", "size", "count"].contains(field) { cures = ["write size(\(owner))"] }
        case (.string, "length"), (.string, "size"), (.string, "count"), (.map, "length"):
            cures = ["write size(\(owner))"]
        case (.timestamp, _):
            cures = MismatchCures.timePart(owner, field, hasLocal: environment.functionTable["local"] != nil)
        default: break
        }
        if cures.isEmpty, let function = functionNear(field, receiver: type) {
            cures = ["write \(owner).\(function)(…)"]
        }
        complain(node.span, "\(type.spoken) has no field '\(field)'", cures: cures)
    }

    private func functionNear(_ name: String, receiver: CELType) -> String? {
        let names = environment.functionTable.entries.values.filter { entry in
            entry.overloads.contains { $0.isReceiverStyle && $0.parameters.first == receiver }
        }.map(\.name)
        return names.contains(name) ? name : Spelling.nearest(to: name, among: names).first
    }

    // MARK: Functions

    mutating func unknownFunction(_ node: Node, _ function: String, _ target: Node?, _ arguments: [Node]) {
        let span = nameSpan(of: function, node, target)
        let first = target ?? arguments.first
        let receiver = first.map { text($0) } ?? "x"
        if let target, case .record(let shape) = known(types[target.id]), shape.field(function) != nil {
            complain(span, "'\(function)' is a field, not a function", cures: ["write \(receiver).\(function)"])
            return
        }
        if environment.layout.slots[function] != nil {
            complain(span, "'\(function)' is no function", cures: ["write \(function) alone"])
            return
        }
        let isMacro = MismatchCures.macros.contains(function)
        complain(
            span,
            isMacro ? "'\(function)' is not called like this" : "there is no function '\(function)'",
            cures: MismatchCures.function(function, receiver, arguments.first.map { text($0) } ?? "…")
                ?? similarFunctions(function)
        )
    }

    private func similarFunctions(_ function: String) -> [String] {
        if MismatchCures.macros.contains(function) { return [MismatchCures.macro(function)] }
        let names = environment.functionTable.names.filter { Operator.symbol(of: $0) == nil } + MismatchCures.macros
        return Spelling.question(about: function, among: names).map { [$0] } ?? []
    }

    /// The place of a function's name within its call.
    private func nameSpan(of function: String, _ node: Node, _ target: Node?) -> Range<Int> {
        let name = Array(function.split(separator: ".").last ?? Substring(function)).map(String.init).joined()
        guard let start = target?.span.upperBound else {
            return node.span.lowerBound..<min(node.span.lowerBound + function.utf8.count, node.span.upperBound)
        }
        let found = Text.position(of: name, in: source, from: start)
        guard let found, found + name.utf8.count <= node.span.upperBound else { return node.span }
        return found..<found + name.utf8.count
    }
}
