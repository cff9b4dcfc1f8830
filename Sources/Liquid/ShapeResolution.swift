import Values

/// What expressions have for a shape.
extension TemplateChecker {
    // MARK: Filters

    mutating func known(_ filtered: FilteredExpression, isPrinted: Bool) -> Known {
        var result = known(filtered.base)
        if result.isOptional, !filtered.hasDefault, isPrinted || !filtered.filters.isEmpty {
            complainMissing(filtered.base)
        }
        for call in filtered.filters {
            result = apply(call, to: result)
            // What stands in for a missing value may be missing itself.
            if call.name == "default", let standIn = call.positional.first, known(standIn).isOptional {
                complainMissing(standIn)
            }
        }
        return result
    }

    private mutating func complainMissing(_ expression: Expression) {
        guard case .path(let path) = expression else { return }
        complain(
            at: path.span,
            "'\(path.text)' may be missing",
            cures: [
                "ask for it: {% if \(path.text) %} … {% endif %}",
                "or say what stands in its place: {{ \(path.text) | default: \"–\" }}",
            ]
        )
    }

    private static let filtersOfFields: Set<String> = [
        "map", "where", "reject", "find", "find_index", "has", "sum", "sort", "sort_natural", "uniq", "compact",
        "average",
    ]

    private mutating func apply(_ call: FilterCall, to input: Known) -> Known {
        for argument in call.positional { _ = known(argument) }
        for keyword in call.keywords { _ = known(keyword.value) }
        if template.options.strictness == .lax {
            for complaint in FilterTable.complaints(about: call, strictness: .strict) {
                complain(at: complaint.span, complaint.message, cures: complaint.cures)
            }
        }
        guard let definition = call.definition else { return .anything }
        let field = field(named: call, of: input)
        return switch definition.result {
        case .text: Known(shape: .string)
        case .whole: Known(shape: .int)
        case .number: Known(shape: .double)
        case .truth: Known(shape: .bool)
        case .texts: Known(shape: .list(.string))
        case .input: Known(shape: input.shape, origin: input.origin)
        case .element: Known(shape: input.element().shape, origin: input.element().origin)
        case .fields: Known(shape: .list(field ?? .any))
        case .unknown: .anything
        }
    }

    /// The field of the input's elements that a filter's first argument names, and a complaint where there is none.
    private mutating func field(named call: FilterCall, of input: Known) -> Shape? {
        guard Self.filtersOfFields.contains(call.name), case .list(.record(let record)) = input.shape,
            case .literal(.value(.string(let name)))? = call.positional.first
        else { return nil }
        if let field = record.field(name) { return field.shape }
        complain(
            at: call.span,
            "'\(record.name)' has no field '\(name)'",
            cures: cures(for: name, in: record, prefix: "", of: record.name)
        )
        return nil
    }

    private func cures(for name: String, in record: RecordShape, prefix: String, of text: String) -> [String] {
        let fields = record.fields.map(\.name).sorted()
        let near = Spelling.nearest(to: name, among: fields).first.map { ["did you mean '\(prefix)\($0)'?"] }
        return (near ?? []) + ["Fields of '\(text)': \(fields.joined(separator: ", "))"]
    }

    // MARK: Expressions

    mutating func known(_ expression: Expression) -> Known {
        switch expression {
        case .literal(let literal): return Known(shape: Self.shape(of: literal))
        case .range(let range):
            _ = known(range.first)
            _ = known(range.last)
            return Known(shape: .list(.int))
        case .path(let path): return known(path)
        }
    }

    private static func shape(of literal: Datum) -> Shape {
        switch literal {
        case .value(.string): .string
        case .value(.int): .int
        case .value(.double): .double
        case .value(.bool): .bool
        default: .any
        }
    }

    private mutating func known(_ path: Path) -> Known {
        var current: Known
        var text: String
        switch path.root {
        case .name(let name):
            text = name
            current = variable(name, path)
        case .computed(let expression):
            _ = known(expression)
            text = "[…]"
            current = .anything
        }
        for step in path.steps {
            var next = self.step(step, from: current, text, path)
            next.isOptional = next.isOptional || current.isOptional
            text = Path(root: .name(text), steps: [step], span: path.span).text
            if present.contains(text) { next.isOptional = false }
            current = next
        }
        if let origin = current.origin { refer(to: origin, at: path.span) }
        return current
    }

    private mutating func variable(_ name: String, _ path: Path) -> Known {
        var known = knownVariable(name, path)
        if present.contains(name) { known.isOptional = false }
        return known
    }

    private mutating func knownVariable(_ name: String, _ path: Path) -> Known {
        if let frame = frames.last(where: { $0.name == name }) { return frame.known }
        if let known = assigned[name] { return known }
        if seesGlobals {
            guard let declared else {
                return willBeAssigned(name) ? .anything : Known(shape: .any, origin: [name])
            }
            if let field = declared.first(where: { $0.name == name }) {
                return Known(shape: field.shape, isOptional: field.isOptional, origin: [name], values: field.values)
            }
        }
        if willBeAssigned(name) { return Known(shape: .any, isOptional: true) }
        if knowsAllNames, declared != nil { complainUnknown(name, path) }
        return .anything
    }

    private mutating func complainUnknown(_ name: String, _ path: Path) {
        guard complaints.count < Self.mostComplaints else { return }
        let names = Set((seesGlobals ? declared ?? [] : []).map(\.name)).union(frames.map(\.name)).union(assigned.keys)
            .sorted()
        let question = Spelling.question(about: name, among: names).map { [$0] } ?? []
        let list = names.isEmpty ? [] : ["Variables: \(names.joined(separator: ", "))"]
        complain(at: path.span, "there is no variable '\(name)'", cures: question + list)
    }

    // MARK: Steps of a path

    private mutating func step(_ step: Path.Step, from known: Known, _ text: String, _ path: Path) -> Known {
        switch step {
        case .field(let name): return field(name, of: known, text, path)
        case .index: return element(of: known, text, path)
        case .computed(let expression):
            let key = self.known(expression)
            if case .record = known.shape { return .anything }
            if case .string = key.shape, case .list = known.shape { return .anything }
            return element(of: known, text, path)
        }
    }

    private mutating func field(_ name: String, of known: Known, _ text: String, _ path: Path) -> Known {
        let origin = known.origin.map { $0 + [name] }
        switch known.shape {
        case .any: return Known(shape: .any, origin: origin)
        case .record(let record):
            if let field = record.field(name) {
                return Known(shape: field.shape, isOptional: field.isOptional, origin: origin, values: field.values)
            }
            complain(
                at: path.span,
                "'\(text)' has no field '\(name)'",
                cures: cures(for: name, in: record, prefix: text + ".", of: text)
            )
            return .anything
        case .map(let value):
            return name == "size" ? Known(shape: .int) : Known(shape: value, isOptional: true, origin: origin)
        case .list(let element):
            if name == "size" { return Known(shape: .int) }
            // An empty list has neither.
            if name == "first" || name == "last" {
                return Known(
                    shape: element,
                    isOptional: true,
                    origin: known.origin.map { $0 + ["[]"] },
                    values: known.values
                )
            }
            return refuse(name, of: known, text, path, cure: "loop over it: {% for … in \(text) %}")
        case .string:
            if name == "size" { return Known(shape: .int) }
            return refuse(name, of: known, text, path, cure: "print it as it is: {{ \(text) }}")
        default: return refuse(name, of: known, text, path, cure: "print it as it is: {{ \(text) }}")
        }
    }

    private mutating func refuse(_ name: String, of known: Known, _ text: String, _ path: Path, cure: String) -> Known {
        complain(at: path.span, "'\(text)' is \(known.shape.name) and has no field '\(name)'", cures: [cure])
        return .anything
    }

    private mutating func element(of known: Known, _ text: String, _ path: Path) -> Known {
        let origin = known.origin.map { $0 + ["[]"] }
        switch known.shape {
        case .list(let element), .map(let element): return Known(shape: element, isOptional: true, origin: origin)
        case .any: return Known(shape: .any, origin: origin)
        default:
            complain(at: path.span, "'\(text)' is \(known.shape.name) and has no elements")
            return .anything
        }
    }

    // MARK: Conditions

    /// Complains of a literal that a field with declared values never has.
    mutating func checkValue(
        of expression: Expression,
        _ known: Known,
        against literal: Expression,
        at span: Range<Int>
    ) {
        guard case .path(let path) = expression, !known.values.isEmpty,
            case .literal(.value(.string(let value))) = literal, !value.isEmpty, !known.values.contains(value)
        else { return }
        let isList = if case .list = known.shape { true } else { false }
        complain(
            at: span,
            isList ? "'\(value)' is never in '\(path.text)'" : "'\(path.text)' is never '\(value)'",
            cures: Spelling.cures(forValue: value, among: known.values, of: path.text)
        )
    }

    mutating func check(_ condition: Condition) {
        for comparison in condition.comparisons {
            let left = known(comparison.left)
            guard let (relation, rightExpression) = comparison.relation else { continue }
            let right = known(rightExpression)
            switch relation {
            case .equal, .notEqual:
                checkValue(of: comparison.left, left, against: rightExpression, at: comparison.span)
                checkValue(of: rightExpression, right, against: comparison.left, at: comparison.span)
            case .contains:
                guard case .list = left.shape else { continue }
                checkValue(of: comparison.left, left, against: rightExpression, at: comparison.span)
            default:
                guard let one = left.shape.sizeKind, let other = right.shape.sizeKind, one != other else { continue }
                complain(
                    at: comparison.span,
                    "'\(relation.rawValue)' cannot compare \(left.shape.name) with \(right.shape.name)"
                )
            }
        }
    }
}

extension Shape {
    /// Values of one kind can be compared by size with each other; nil where nothing is known or nothing fails.
    fileprivate var sizeKind: Int? {
        switch self {
        case .int, .uint, .double: 0
        case .string: 1
        case .timestamp: 2
        case .duration: 3
        default: nil
        }
    }
}
