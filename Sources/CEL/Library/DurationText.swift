import Values

/// Durations as text: numbers with units, such as `1h30m` and `1.5s` (Go's `time.ParseDuration`, which cel-spec refers to).
enum DurationText {
    /// The units, in nanoseconds. Days are missing on purpose: a day has 23 to 25 hours.
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("h", 3_600_000_000_000), ("ms", 1_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("us", 1000),
        ("µs", 1000), ("μs", 1000), ("ns", 1),
    ]

    enum Reading {
        case span(TimeSpan)
        case outOfRange
        case malformed
        /// A unit that there is not, as in `2d`.
        case unknownUnit(String)
    }

    static func read(_ text: String) -> Reading {
        var rest = Substring(text)
        var isNegative = false
        if let sign = rest.first, sign == "-" || sign == "+" {
            isNegative = sign == "-"
            rest.removeFirst()
        }
        if rest == "0" { return .span(.zero) }
        if rest.isEmpty { return .malformed }
        var total = TimeSpan.zero
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard digits.contains(where: \.isNumber), digits.count(where: { $0 == "." }) <= 1 else { return .malformed }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { !$0.isNumber && $0 != "." && $0 != "-" && $0 != "+" && $0 != " " }
            guard !unit.isEmpty else { return .malformed }
            guard let known = units.first(where: { $0.name == unit }) else { return .unknownUnit(String(unit)) }
            rest = rest.dropFirst(unit.count)
            guard let part = span(digits, known.nanoseconds) else { return .outOfRange }
            total = total + part
            guard abs(total.seconds) <= TimeArithmetic.spanLimit else { return .outOfRange }
        }
        return .span(isNegative ? -total : total)
    }

    /// `1.5` of a unit; nil past what a duration holds.
    private static func span(_ digits: Substring, _ unit: Int64) -> TimeSpan? {
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts[0].isEmpty ? 0 : Int64(parts[0]), whole <= Int64.max / unit else { return nil }
        var nanoseconds = whole * unit
        if parts.count > 1 {
            var scale = unit
            for digit in parts[1].prefix(18) where scale > 0 {
                scale /= 10
                nanoseconds += Int64(digit.wholeNumberValue ?? 0) * scale
                if nanoseconds < 0 { return nil }
            }
        }
        return TimeSpan(seconds: nanoseconds / 1_000_000_000, nanoseconds: nanoseconds % 1_000_000_000)
    }

    /// Seconds with as many decimals as there are: `3600s`, `-1.5s`.
    static func text(of span: TimeSpan) -> String { Value.duration(span).plainText }
}
