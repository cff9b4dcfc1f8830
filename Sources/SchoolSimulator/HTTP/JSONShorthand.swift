import Values

extension Value {
    static func number(_ number: Int) -> Value { .int(Int64(number)) }

    /// A text, or null.
    static func text(_ text: String?) -> Value { text.map { .string($0) } ?? .null }

    /// A whole number that may come as a number or as digits in a text, as clients send both.
    var wholeNumber: Int? { integer.map { Int(truncatingIfNeeded: $0) } ?? string.flatMap { Int($0) } }

    /// The same with every list in it empty.
    var withEmptyLists: Value {
        switch self {
        case .list: .list([])
        case .map(let map): .map(ValueMap(map.pairs.map { ($0.key, $0.value.withEmptyLists) }))
        default: self
        }
    }
}

extension Timestamp {
    /// `2026-11-30T16:00:00.000Z`: the POKYH backend always writes three decimals.
    var withMilliseconds: String {
        let whole = Timestamp(seconds: seconds).rfc3339.dropLast()
        let digits = String(1000 + nanoseconds / 1_000_000).dropFirst()
        return "\(whole).\(digits)Z"
    }
}

extension Slot {
    /// `2026-11-30T07:50`, local and without a zone, as the timetable of the view API has it.
    var startText: String { "\(date)T\(start)" }
    var endText: String { "\(date)T\(end)" }
}
