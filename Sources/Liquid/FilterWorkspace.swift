import Values

/// What filters work with beside their input: the context, the limits, and the place for complaints.
struct FilterWorkspace {
    let context: LiquidContext
    private let limits: LiquidLimits
    private var stepsLeft: Int
    private var bytesLeft: Int
    /// The filter or tag at work, for errors.
    var span = 0..<0
    /// The partial at work, for errors.
    var partial: String?

    /// All texts that one render makes on the way may together be this many times its output limit.
    private static let intermediateFactor = 16

    init(context: LiquidContext, limits: LiquidLimits) {
        self.context = context
        self.limits = limits
        stepsLeft = limits.loopSteps
        bytesLeft = limits.outputBytes.multipliedReportingOverflow(by: Self.intermediateFactor).partialValue
    }

    func failure(_ reason: LiquidError.Reason, _ message: String) -> LiquidError {
        LiquidError(reason, at: span, message, partial: partial)
    }

    func unsuitable(_ message: String) -> LiquidError { failure(.unsuitable, message) }

    // MARK: Limits

    /// Counts rounds of loops and elements of lists.
    mutating func count(steps: Int = 1) throws(LiquidError) {
        stepsLeft -= steps
        if stepsLeft < 0 { throw failure(.limit, "more than \(limits.loopSteps) steps of loops and lists") }
    }

    /// Counts a text made on the way.
    mutating func count(bytes: Int) throws(LiquidError) {
        try check(bytes: bytes)
        bytesLeft -= bytes
        if bytesLeft < 0 {
            throw failure(
                .limit,
                "texts of more than \(Self.intermediateFactor) × \(limits.outputBytes) bytes together"
            )
        }
    }

    /// Refuses a text that is longer than the output may be, before it is made.
    func check(bytes: Int) throws(LiquidError) {
        if bytes > limits.outputBytes { throw failure(.limit, "a text of more than \(limits.outputBytes) bytes") }
    }

    /// Refuses to go on where blocks and partials lie too deep in each other.
    func check(depth: Int) throws(LiquidError) {
        if depth > 2 * limits.nesting {
            throw failure(.limit, "blocks and partials are nested more than \(2 * limits.nesting) deep")
        }
    }

    mutating func count(_ result: Datum) throws(LiquidError) {
        switch result {
        case .value(.string(let text)): try count(bytes: text.utf8.count)
        case .value(.list(let list)): try count(steps: list.count)
        default: break
        }
    }

    /// Counts a text that is looked through where its bytes are not counted.
    mutating func count(lookingThrough text: String) throws(LiquidError) {
        try count(steps: text.utf8.count / Self.bytesPerStep)
    }

    /// To look at so many bytes takes about as long as any other step.
    private static let bytesPerStep = 128

    /// Counts the long texts and the elements in each other that there are to compare.
    mutating func count(weightOf datum: Datum) throws(LiquidError) {
        if case .value(let value) = datum { try count(weightOf: value) }
    }

    /// - Parameter times: how often it is compared.
    mutating func count(weightOf value: Value, times: Int = 1) throws(LiquidError) {
        switch value {
        case .string(let text): try count(steps: text.utf8.count / Self.bytesPerStep * times)
        case .list(let list):
            try count(steps: list.count * times)
            for element in list { try count(weightOf: element, times: times) }
        case .map(let map):
            try count(steps: map.count * times)
            for pair in map { try count(weightOf: pair.value, times: times) }
        default: break
        }
    }

    // MARK: Work that counts

    /// Whether two values are equal, as `LiquidComparison` has it.
    mutating func areEqual(_ left: Datum, _ right: Datum) throws(LiquidError) -> Bool {
        try count(weightOf: left)
        try count(weightOf: right)
        return LiquidComparison.areEqual(left, right)
    }

    /// Whether one text is a part of another.
    mutating func contains(_ text: String, _ part: String) throws(LiquidError) -> Bool {
        try count(lookingThrough: text)
        try count(lookingThrough: part)
        return ByteSearch.contains(text, part)
    }

    // MARK: Readings of a value

    /// What the value prints.
    mutating func text(_ datum: Datum) throws(LiquidError) -> String {
        switch datum {
        case .value(.string(let text)): return text
        case .value(.list(let list)):
            var text = ""
            try append(list, to: &text)
            try count(bytes: text.utf8.count)
            return text
        case .value(let value): return value.liquidText(in: context.zone)
        case .captured(let text): return text
        case .range(let first, let last): return "\(first)..\(last)"
        default: return ""
        }
    }

    /// The elements side by side. Each is looked at before the next is written: a list may hold one long text many times.
    private mutating func append(_ list: [Value], to text: inout String) throws(LiquidError) {
        try count(steps: list.count)
        for element in list {
            if case .list(let inner) = element {
                try append(inner, to: &text)
            } else {
                text += element.liquidText(in: context.zone)
            }
            try check(bytes: text.utf8.count)
        }
    }

    /// The value as a list: lists flattened, a range as its numbers, nothing as no element, all else as one.
    mutating func elements(_ datum: Datum) throws(LiquidError) -> [Value] {
        switch datum {
        case .value(.list(let list)):
            guard list.contains(where: { $0.list != nil }) else { return list }
            var flat: [Value] = []
            flat.reserveCapacity(list.count)
            try flatten(list, into: &flat)
            return flat
        case .value(.null), .missing, .empty, .blank, .forLoop, .tableLoop: return []
        case .value(let value): return [value]
        case .captured(let text): return [.string(text)]
        case .range(let first, let last): return try numbers(from: first, through: last)
        }
    }

    private mutating func flatten(_ list: [Value], into flat: inout [Value]) throws(LiquidError) {
        try count(steps: list.count)
        for element in list {
            if case .list(let inner) = element { try flatten(inner, into: &flat) } else { flat.append(element) }
        }
    }

    mutating func numbers(from first: Int64, through last: Int64) throws(LiquidError) -> [Value] {
        guard first <= last else { return [] }
        try count(steps: Int(last - first))
        return (first...last).map { .int($0) }
    }

    /// A whole number: one, or a text of digits. Nil for nothing. No text and no list is longer than `farthest`, so numbers beyond are
    /// cut to it and can be reckoned with safely.
    func integer(_ datum: Datum, _ what: String) throws(LiquidError) -> Int? {
        switch datum {
        case .value(.null), .missing: return nil
        case .value(.string(let text)):
            if let number = Int(text.filter { !$0.isWhitespace }) { return Self.clamped(number) }
        case .value(.double): break
        case .value(let value):
            if let number = value.integer { return Self.clamped(Int(number)) }
        default: break
        }
        throw unsuitable("\(what) is not a whole number")
    }

    private static func clamped(_ number: Int) -> Int { max(-farthest, min(farthest, number)) }
    static let farthest = 1 << 48
}

/// What a filter was called with behind its colon.
struct FilterArguments {
    var positional: [Datum] = []
    var keywords: [(name: String, value: Datum)] = []

    /// The argument at a place; missing where there are fewer.
    subscript(index: Int) -> Datum { index < positional.count ? positional[index] : .missing }
    subscript(name: String) -> Datum { keywords.last { $0.name == name }?.value ?? .missing }
    var count: Int { positional.count }
}
