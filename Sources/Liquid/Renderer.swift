import Values

/// Renders one template once: what is printed so far, the variables of the moment, and what is left of the limits.
struct Renderer {
    /// What a body did to the loop around it.
    enum Flow {
        case onwards
        case breaks
        case continues
    }

    /// The state of a loop, for `forloop` and `tablerowloop`.
    struct LoopState {
        var index = 0
        var length: Int
        var name = ""
        /// The place of the loop around it in the stack.
        var parent: Int?
        /// Columns of a table row; 0 in other loops.
        var columns = 0
    }

    let partials: PartialLibrary
    let isStrict: Bool
    /// Whether values are replaced by placeholders.
    let isMarkup: Bool
    var workspace: FilterWorkspace
    var globals: ValueMap
    /// Variables of loops and arguments of partials, innermost last.
    var frames: [Variable] = []
    /// What `assign` and `capture` made.
    var assigned = VariableList()
    var counters: [String: Int64] = [:]
    var loops: [LoopState] = []
    var enclosingLoop: Int?
    var cyclePositions: [String: Int] = [:]
    /// Where the last loop of each name stopped.
    private var loopEnds = VariableList()
    var lastChanged = ""
    /// Bodies of blocks and partials that are being rendered inside each other.
    private var depth = 0
    /// UTF-8.
    private var output: [UInt8] = []
    /// The texts of the placeholders, in markup.
    var values: [String] = []
    private var valueBytes = 0

    init(partials: PartialLibrary, options: LiquidOptions, variables: ValueMap, context: LiquidContext, isMarkup: Bool)
    {
        self.partials = partials
        self.isMarkup = isMarkup
        isStrict = options.strictness == .strict
        workspace = FilterWorkspace(context: context, limits: options.limits)
        globals = variables
        output.reserveCapacity(Self.usualLength)
        frames.reserveCapacity(Self.usualFrames)
        loops.reserveCapacity(Self.usualFrames)
        if isMarkup { values.reserveCapacity(Self.usualValues) }
    }

    /// Room for most messages, so that the output is not moved while it grows.
    private static let usualLength = 1024
    private static let usualFrames = 4
    private static let usualValues = 32

    // MARK: Printing

    /// What was printed. Not validated again, since only whole texts are put together.
    var text: String { String(copying: UTF8Span(unchecked: output.span)) }

    mutating func print(text: String) throws(LiquidError) {
        append(text)
        try checkLength()
    }

    /// Prints a value: as it is, or in markup as a placeholder, unless it is captured markup itself.
    mutating func print(_ datum: Datum) throws(LiquidError) {
        switch datum {
        case .captured(let markup):
            append(markup)
            // It may be printed many times, and each time its values are in the message once more.
            valueBytes += placeholders(in: markup).reduce(0) { $0 + values[$1.index].utf8.count }
        case _ where isMarkup: appendPlaceholder(for: try workspace.text(datum))
        case .value(.string(let text)): append(text)
        default: append(try workspace.text(datum))
        }
        try checkLength()
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { output.append(contentsOf: $0) }
    }

    private mutating func appendPlaceholder(for text: String) {
        output.append(contentsOf: Self.placeholderStart)
        append(String(values.count))
        output.append(contentsOf: Self.placeholderEnd)
        values.append(text)
        valueBytes += text.utf8.count
    }

    private static let placeholderStart = Array("\u{E000}".utf8)
    private static let placeholderEnd = Array("\u{E001}".utf8)

    private func checkLength() throws(LiquidError) { try workspace.check(bytes: output.count + valueBytes) }

    /// Renders a body aside and gives what it printed.
    mutating func capture(_ body: [Node]) throws(LiquidError) -> (flow: Flow, text: String) {
        let before = output
        output = []
        let flow = try render(body)
        let text = self.text
        output = before
        try workspace.count(bytes: text.utf8.count)
        return (flow, text)
    }

    /// Markup with its placeholders filled: what it says as plain text.
    mutating func plainText(ofMarkup markup: String) throws(LiquidError) -> String {
        guard isMarkup else { return markup }
        var result = ""
        var start = markup.startIndex
        for placeholder in placeholders(in: markup) {
            result += markup[start..<placeholder.range.lowerBound]
            result += values[placeholder.index]
            start = placeholder.range.upperBound
            try workspace.check(bytes: result.utf8.count)
        }
        result += markup[start...]
        try workspace.count(bytes: result.utf8.count)
        return result
    }

    /// Where the placeholders stand in markup that this render made, and whose they are.
    private func placeholders(in markup: String) -> [(range: Range<String.Index>, index: Int)] {
        var found: [(range: Range<String.Index>, index: Int)] = []
        var rest = Substring(markup).unicodeScalars
        while let start = rest.firstIndex(of: "\u{E000}"), let end = rest[start...].firstIndex(of: "\u{E001}") {
            let digits = Substring(rest[rest.index(after: start)..<end])
            let next = rest.index(after: end)
            if let index = Int(digits), values.indices.contains(index) { found.append((start..<next, index)) }
            rest = rest[next...]
        }
        return found
    }

    // MARK: Nodes

    mutating func render(_ nodes: [Node]) throws(LiquidError) -> Flow {
        depth += 1
        defer { depth -= 1 }
        try workspace.check(depth: depth)
        try workspace.count(steps: nodes.count)
        var place = 0
        while place < nodes.count {
            switch nodes[place] {
            case .text(let text):
                output.append(contentsOf: text)
                try checkLength()
            case .output(let value): try print(try evaluate(value))
            default:
                let flow = try renderTag(nodes[place])
                if flow != .onwards { return flow }
            }
            place += 1
        }
        return .onwards
    }

    private mutating func renderTag(_ node: Node) throws(LiquidError) -> Flow {
        switch node {
        case .text, .output: break
        case .assign(let assignment): assigned.set(assignment.name, try evaluate(assignment.value, printing: false))
        case .capture(let capture):
            let (flow, text) = try self.capture(capture.body)
            assigned.set(capture.name, isMarkup ? .captured(text) : .text(text))
            return flow
        case .conditional(let conditional): return try render(conditional)
        case .selection(let selection): return try render(selection)
        case .loop(let loop): return try render(loop)
        case .tableRow(let loop, let columns): try renderTable(loop, columns: columns)
        case .breakLoop: return .breaks
        case .continueLoop: return .continues
        case .cycle(let cycle): try render(cycle)
        case .count(let counter): try render(counter)
        case .ifChanged(let body):
            let (flow, text) = try capture(body)
            let plain = try plainText(ofMarkup: text)
            if plain != lastChanged {
                lastChanged = plain
                try print(text: text)
            }
            return flow
        case .partial(let call): return try render(call)
        }
        return .onwards
    }

    func end(ofLoop name: String) -> Int {
        loopEnds.place(of: name).flatMap { loopEnds.entries[$0].value.plainValue.integer }.map { Int($0) } ?? 0
    }

    mutating func setEnd(_ end: Int, ofLoop name: String) { loopEnds.set(name, .value(.int(Int64(end)))) }

    private mutating func render(_ conditional: Conditional) throws(LiquidError) -> Flow {
        for branch in conditional.branches {
            if let condition = branch.condition, try holds(condition) == branch.isNegated { continue }
            return try render(branch.body)
        }
        return .onwards
    }

    private mutating func render(_ selection: Selection) throws(LiquidError) -> Flow {
        let subject = try plain(evaluate(selection.subject))
        var hasMatched = false
        for branch in selection.branches {
            guard let values = branch.values else {
                if hasMatched { continue }
                let flow = try render(branch.body)
                if flow != .onwards { return flow }
                continue
            }
            try workspace.count(steps: values.count)
            for value in values where try workspace.areEqual(subject, try plain(evaluate(value))) {
                hasMatched = true
                let flow = try render(branch.body)
                if flow != .onwards { return flow }
            }
        }
        return .onwards
    }

    private mutating func render(_ cycle: Cycle) throws(LiquidError) {
        var key = "items " + cycle.text
        if let name = cycle.name { key = "name " + (try workspace.text(plain(evaluate(name)))) }
        try workspace.count(lookingThrough: key)
        let position = cyclePositions[key, default: 0]
        if position < cycle.items.count { try print(try evaluate(cycle.items[position])) }
        cyclePositions[key] = position + 1 >= cycle.items.count ? 0 : position + 1
    }

    private mutating func render(_ counter: Counter) throws(LiquidError) {
        let before = counters[counter.name, default: 0]
        let after = counter.isUpwards ? before &+ 1 : before &- 1
        counters[counter.name] = after
        try print(.value(.int(counter.isUpwards ? before : after)))
    }
}
