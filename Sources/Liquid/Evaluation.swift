import Values

/// What expressions are worth at this moment of a render.
extension Renderer {
    /// The value of an expression behind its filters.
    ///
    /// - Parameter printing: whether a missing value is an error of strict templates even where no filter is applied to it.
    mutating func evaluate(_ filtered: FilteredExpression, printing: Bool = true) throws(LiquidError) -> Datum {
        var result = try evaluate(filtered.base)
        if isStrict, case .missing = result, !filtered.hasDefault, printing || !filtered.filters.isEmpty {
            throw missing(filtered.base, at: filtered.span)
        }
        for call in filtered.filters { result = try apply(call, to: result) }
        // What stands in for a missing value may be missing itself.
        if isStrict, printing, case .missing = result {
            throw missing(filtered.filters.last?.positional.first ?? filtered.base, at: filtered.span)
        }
        return result
    }

    private func missing(_ expression: Expression, at span: Range<Int>) -> LiquidError {
        guard case .path(let path) = expression else {
            return LiquidError(.missing, at: span, "a value is missing", partial: workspace.partial)
        }
        return LiquidError(.missing, at: path.span, "'\(path.text)' is missing", partial: workspace.partial)
    }

    private mutating func apply(_ call: FilterCall, to input: Datum) throws(LiquidError) -> Datum {
        guard let definition = call.definition else { return input }
        workspace.span = call.span
        try workspace.count(steps: 1 + call.keywords.count)
        let input = try plain(input)
        try workspace.count(input)
        var arguments = FilterArguments()
        for expression in call.positional {
            let argument = try plain(evaluate(expression))
            try workspace.count(argument)
            arguments.positional.append(argument)
        }
        for keyword in call.keywords {
            arguments.keywords.append((keyword.name, try plain(evaluate(keyword.value))))
        }
        let result = try definition.body(input, arguments, &workspace)
        try workspace.count(result)
        return result
    }

    /// A captured text as plain text: what conditions and filters see.
    mutating func plain(_ datum: Datum) throws(LiquidError) -> Datum {
        if case .captured(let markup) = datum { return .text(try plainText(ofMarkup: markup)) }
        return datum
    }

    mutating func evaluate(_ expression: Expression) throws(LiquidError) -> Datum {
        switch expression {
        case .literal(let literal): literal
        case .path(let path): try resolve(path)
        case .range(let range): .range(try bound(range.first), try bound(range.last))
        }
    }

    /// An end of a range: decimals are cut off, what is no number counts as 0.
    private mutating func bound(_ expression: Expression) throws(LiquidError) -> Int64 {
        let number: Int64 =
            switch Quantity(try plain(evaluate(expression))) {
            case .whole(let number): number
            case .decimal(let number): Int64(exactly: number.rounded(.towardZero)) ?? 0
            }
        return max(-Self.farthestBound, min(Self.farthestBound, number))
    }

    /// No loop gets so far; with ends cut to it, lengths and places in ranges can be reckoned without overflow.
    private static let farthestBound: Int64 = 1 << 53

    // MARK: Paths

    private mutating func resolve(_ path: Path) throws(LiquidError) -> Datum {
        if let simple = path.simple { return try field(simple.field, ofVariable: simple.variable) }
        var current: Datum
        switch path.root {
        case .name(let name): current = variable(name)
        case .computed(let expression): current = variable(try workspace.text(plain(evaluate(expression))))
        }
        for step in path.steps {
            if case .missing = current { return .missing }
            current = try self.step(step, of: current)
        }
        return current
    }

    /// Loop variables and arguments first, then what was assigned, then what was handed over, then counters.
    private func variable(_ name: String) -> Datum {
        if let place = frames.lastIndex(named: name) { return frames[place].value }
        if let place = assigned.place(of: name) { return assigned.entries[place].value }
        if let value = globals[name] { return .value(value) }
        return counters[name].map { .value(.int($0)) } ?? .missing
    }

    /// A step from a variable without copying the variable first, which costs as much as the step itself.
    private mutating func field(_ field: String, ofVariable name: String) throws(LiquidError) -> Datum {
        guard let place = frames.lastIndex(named: name) else { return try self.field(field, of: variable(name)) }
        if case .value(.map(let map)) = frames[place].value, let value = map[field] { return .value(value) }
        return try self.field(field, of: frames[place].value)
    }

    private mutating func step(_ step: Path.Step, of datum: Datum) throws(LiquidError) -> Datum {
        switch step {
        case .field(let name): try field(name, of: datum)
        case .index(let index): element(index, of: datum)
        case .computed(let expression): try member(plain(evaluate(expression)), of: datum)
        }
    }

    private mutating func field(_ name: String, of datum: Datum) throws(LiquidError) -> Datum {
        if case .value(.map(let map)) = datum {
            if let value = map[name] { return .value(value) }
        } else if case .forLoop(let place) = datum {
            return loopField(name, place)
        } else if case .tableLoop(let place) = datum {
            return tableField(name, place)
        }
        guard ["size", "first", "last"].contains(name) else { return .missing }
        let whole = try plain(datum)
        // To find out where the characters of a long text begin and end takes time.
        if case .value(.string(let text)) = whole { try workspace.count(lookingThrough: text) }
        switch name {
        case "size": return ListFilters.size(of: whole).map { .value(.int(Int64($0))) } ?? .missing
        case "first": return ListFilters.first(of: whole) ?? .missing
        default: return ListFilters.last(of: whole) ?? .missing
        }
    }

    private func element(_ index: Int64, of datum: Datum) -> Datum {
        switch datum {
        case .value(.list(let list)):
            let place = index < 0 ? Int64(list.count) &+ index : index
            return place >= 0 && place < list.count ? .value(list[Int(place)]) : .missing
        case .value(.map(let map)): return map[Value.int(index)].map { .value($0) } ?? .missing
        case .range(let first, let last):
            guard index.magnitude <= Self.farthestBound.magnitude else { return .missing }
            let place = index < 0 ? last + 1 + index : first + index
            return place >= first && place <= last ? .value(.int(place)) : .missing
        default: return .missing
        }
    }

    private mutating func member(_ key: Datum, of datum: Datum) throws(LiquidError) -> Datum {
        switch key {
        case .value(.string(let name)): return try field(name, of: datum)
        case .value(let value):
            guard let index = value.integer else { return .missing }
            return element(index, of: datum)
        default: return .missing
        }
    }

    private func loopField(_ name: String, _ place: Int) -> Datum {
        guard loops.indices.contains(place) else { return .missing }
        let loop = loops[place]
        return switch name {
        case "index": .value(.int(Int64(loop.index + 1)))
        case "index0": .value(.int(Int64(loop.index)))
        case "rindex": .value(.int(Int64(loop.length - loop.index)))
        case "rindex0": .value(.int(Int64(loop.length - loop.index - 1)))
        case "first": .value(.bool(loop.index == 0))
        case "last": .value(.bool(loop.index == loop.length - 1))
        case "length": .value(.int(Int64(loop.length)))
        case "name": .text(loop.name)
        case "parentloop": loop.parent.map { .forLoop($0) } ?? .missing
        default: .missing
        }
    }

    private func tableField(_ name: String, _ place: Int) -> Datum {
        guard loops.indices.contains(place) else { return .missing }
        let loop = loops[place]
        let column = loop.columns > 0 ? loop.index % loop.columns : 0
        return switch name {
        case "col": .value(.int(Int64(column + 1)))
        case "col0": .value(.int(Int64(column)))
        case "row": .value(.int(Int64(loop.columns > 0 ? loop.index / loop.columns + 1 : 1)))
        case "col_first": .value(.bool(column == 0))
        case "col_last": .value(.bool(column == loop.columns - 1))
        case "name", "parentloop": .missing
        default: loopField(name, place)
        }
    }

    // MARK: Conditions

    mutating func holds(_ condition: Condition) throws(LiquidError) -> Bool {
        try workspace.count(steps: condition.comparisons.count)
        // Grouped from the right, so the first comparison that settles its own operator settles all.
        for (index, comparison) in condition.comparisons.enumerated() {
            let isTrue = try holds(comparison)
            guard index < condition.operators.count else { return isTrue }
            switch condition.operators[index] {
            case .and: if !isTrue { return false }
            case .or: if isTrue { return true }
            }
        }
        return true
    }

    private mutating func holds(_ comparison: Comparison) throws(LiquidError) -> Bool {
        let value = try evaluate(comparison.left)
        guard let (relation, rightExpression) = comparison.relation else { return value.isTruthy }
        let left = try plain(value)
        let right = try plain(evaluate(rightExpression))
        workspace.span = comparison.span
        switch relation {
        case .equal: return try workspace.areEqual(left, right)
        case .notEqual: return try !workspace.areEqual(left, right)
        case .contains: return try contains(left, right)
        default:
            try workspace.count(weightOf: left)
            try workspace.count(weightOf: right)
            guard let holds = LiquidComparison.holds(relation, left, right) else {
                throw workspace.unsuitable(
                    "'\(relation.rawValue)' cannot compare \(kind(left)) with \(kind(right))"
                )
            }
            return holds
        }
    }

    private func kind(_ datum: Datum) -> String { datum.plainValue.kindName.withArticle }

    /// A part of a text, an element of a list, a key of a map. Nothing is contained in anything, nor is false.
    private mutating func contains(_ left: Datum, _ right: Datum) throws(LiquidError) -> Bool {
        guard left.isTruthy, right.isTruthy else { return false }
        switch left {
        case .value(.string(let text)): return try workspace.contains(text, try workspace.text(right))
        case .value(.list(let list)):
            try workspace.count(steps: list.count)
            for element in list where try workspace.areEqual(.value(element), right) { return true }
            return false
        case .value(.map(let map)): return map[try workspace.text(right)] != nil
        case .range(let first, let last):
            guard case .value(let value) = right, let number = value.integer else { return false }
            return first <= number && number <= last
        default: return false
        }
    }
}

extension Path {
    /// The path as people write it: `lesson.teachers[0]`.
    var text: String {
        var text = "[…]"
        if case .name(let name) = root { text = name }
        for step in steps {
            switch step {
            case .field(let name): text += "." + name
            case .index(let index): text += "[\(index)]"
            case .computed: text += "[…]"
            }
        }
        return text
    }
}
