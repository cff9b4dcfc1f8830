import Values

/// Loops and partials.
extension Renderer {
    /// What a loop runs through, already cut to its offset and limit and turned around where that is asked for.
    private enum Items {
        case list(ArraySlice<Value>)
        case numbers(ClosedRange<Int64>)
        case none

        var count: Int {
            switch self {
            case .list(let list): list.count
            case .numbers(let range): range.count
            case .none: 0
            }
        }
    }

    mutating func render(_ loop: ForLoop) throws(LiquidError) -> Flow {
        let items = try items(of: loop)
        let count = items.count
        guard count > 0 else { return try render(loop.otherwise) }
        let place = loops.count
        let outerLoop = enclosingLoop
        let frame = frames.count
        loops.append(LoopState(length: count, name: loop.name, parent: enclosingLoop))
        enclosingLoop = place
        frames.append(Variable(name: "forloop", value: .forLoop(place)))
        frames.append(Variable(name: loop.variable, value: .missing))
        defer {
            frames.removeLast(frames.count - frame)
            loops.removeLast(loops.count - place)
            enclosingLoop = outerLoop
        }
        for index in 0..<count {
            try workspace.count()
            loops[place].index = index
            frames[frame + 1].value = item(index, of: items, isReversed: loop.arguments.isReversed)
            if try render(loop.body) == .breaks { break }
        }
        return .onwards
    }

    private func item(_ index: Int, of items: Items, isReversed: Bool) -> Datum {
        switch items {
        case .list(let list):
            .value(list[isReversed ? list.endIndex - 1 - index : list.startIndex + index])
        case .numbers(let range):
            .value(.int(isReversed ? range.upperBound - Int64(index) : range.lowerBound + Int64(index)))
        case .none: .missing
        }
    }

    private mutating func items(of loop: ForLoop) throws(LiquidError) -> Items {
        let collection = try plain(evaluate(loop.collection))
        workspace.span = loop.arguments.span
        var start = 0
        switch loop.arguments.offset {
        case .start: break
        case .at(let expression):
            start = max(0, try wholeNumber(expression, "'offset'") ?? 0)
        case .resume: start = end(ofLoop: loop.name)
        }
        var limit = FilterWorkspace.farthest
        if let expression = loop.arguments.limit { limit = max(0, try wholeNumber(expression, "'limit'") ?? limit) }
        let items = slice(collection, from: start, limit: limit)
        setEnd(start + items.count, ofLoop: loop.name)
        return items
    }

    private mutating func wholeNumber(_ expression: Expression, _ what: String) throws(LiquidError) -> Int? {
        let datum = try plain(evaluate(expression))
        if case .value(.double(let number)) = datum, let whole = Int64(exactly: number.rounded(.towardZero)) {
            return try workspace.integer(.value(.int(whole)), what)
        }
        return try workspace.integer(datum, what)
    }

    /// Lists by element, maps by pair, ranges by number; a text is one item.
    private func slice(_ collection: Datum, from start: Int, limit: Int) -> Items {
        let list: [Value]
        switch collection {
        case .value(.list(let elements)): list = elements
        case .value(.map(let map)): list = map.pairs.map { .list([$0.key, $0.value]) }
        case .value(.string(let text)): list = text.isEmpty ? [] : [.string(text)]
        case .range(let first, let last):
            let from = first + Int64(start)
            guard from <= last, limit > 0 else { return .none }
            return .numbers(from...min(last, from + Int64(limit) - 1))
        default: return .none
        }
        return .list(list.dropFirst(start).prefix(limit))
    }

    mutating func renderTable(_ loop: ForLoop, columns: Expression?) throws(LiquidError) {
        let items = try items(of: loop)
        let count = items.count
        var width = count
        if let columns { width = try wholeNumber(columns, "'cols'") ?? width }
        width = max(1, width)
        let place = loops.count
        let frame = frames.count
        loops.append(LoopState(length: count, columns: width))
        frames.append(Variable(name: "tablerowloop", value: .tableLoop(place)))
        frames.append(Variable(name: loop.variable, value: .missing))
        defer {
            frames.removeLast(frames.count - frame)
            loops.removeLast(loops.count - place)
        }
        try print(text: "<tr class=\"row1\">\n")
        for index in 0..<count {
            try workspace.count()
            if index > 0, index % width == 0 { try print(text: "</tr>\n<tr class=\"row\(index / width + 1)\">") }
            loops[place].index = index
            frames[frame + 1].value = item(index, of: items, isReversed: loop.arguments.isReversed)
            try print(text: "<td class=\"col\(index % width + 1)\">")
            let flow = try render(loop.body)
            try print(text: "</td>")
            if flow == .breaks { break }
        }
        try print(text: "</tr>\n")
    }

    // MARK: Partials

    mutating func render(_ call: PartialCall) throws(LiquidError) -> Flow {
        let name = try workspace.text(plain(evaluate(call.name)))
        workspace.span = call.span
        guard let body = partials[name] else {
            // The name may come from data, which has no place in an error.
            throw workspace.failure(
                .noPartial,
                call.literalName.map { "there is no partial '\($0)'" } ?? "no such partial"
            )
        }
        let outerPartial = workspace.partial
        defer { workspace.partial = outerPartial }
        try workspace.count(steps: call.arguments.count)
        var arguments: [Variable] = []
        for argument in call.arguments {
            arguments.append(Variable(name: argument.name, value: try evaluate(argument.value)))
        }
        let variable = call.alias ?? String(name.split(separator: "/").last ?? "")
        return call.isIsolated
            ? try renderIsolated(call, name, body, arguments, variable)
            : try renderIncluded(call, name, body, arguments, variable)
    }

    private mutating func renderIncluded(
        _ call: PartialCall,
        _ name: String,
        _ body: [Node],
        _ arguments: [Variable],
        _ variable: String
    ) throws(LiquidError) -> Flow {
        let frame = frames.count
        defer { frames.removeLast(frames.count - frame) }
        let bound: Datum?
        switch call.binding {
        case .nothing: bound = nil
        case .one(let expression), .each(let expression): bound = try evaluate(expression)
        }
        frames += arguments
        workspace.partial = name
        guard let bound else {
            try workspace.count()
            return try render(body)
        }
        frames.append(Variable(name: variable, value: bound))
        guard case .value(.list(let list)) = bound else {
            try workspace.count()
            return try render(body)
        }
        for element in list {
            try workspace.count()
            frames[frames.count - 1].value = .value(element)
            let flow = try render(body)
            if flow != .onwards { return flow }
        }
        return .onwards
    }

    /// Renders a partial that sees its arguments and nothing else, and that leaves no trace but its output.
    private mutating func renderIsolated(
        _ call: PartialCall,
        _ name: String,
        _ body: [Node],
        _ arguments: [Variable],
        _ variable: String
    ) throws(LiquidError) -> Flow {
        var bound: [Datum?] = [nil]
        var isLoop = false
        switch call.binding {
        case .nothing: break
        case .one(let expression): bound = [try evaluate(expression)]
        case .each(let expression):
            let collection = try plain(evaluate(expression))
            switch collection {
            case .value(.list), .range:
                bound = try workspace.elements(collection).map { .value($0) }
                isLoop = true
            default: bound = [collection]
            }
        }
        // Not the whole renderer: a second owner of the output would have it copied.
        let outer = (globals, frames, assigned, counters, enclosingLoop)
        workspace.partial = name
        let place = loops.count
        if isLoop { loops.append(LoopState(length: bound.count, name: variable)) }
        for (index, value) in bound.enumerated() {
            try workspace.count()
            isolate()
            if isLoop {
                loops[place].index = index
                frames.append(Variable(name: "forloop", value: .forLoop(place)))
            }
            // An assignment in the partial replaces an argument of the same name.
            for argument in arguments { assigned.set(argument.name, argument.value) }
            if let value { assigned.set(variable, value) }
            _ = try render(body)
        }
        (globals, frames, assigned, counters, enclosingLoop) = outer
        loops.removeLast(loops.count - place)
        return .onwards
    }

    private mutating func isolate() {
        globals = ValueMap()
        frames = []
        assigned = VariableList()
        counters = [:]
        enclosingLoop = nil
    }
}
