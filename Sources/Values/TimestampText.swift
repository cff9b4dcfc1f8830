/// Timestamps as text: RFC 3339, section 5.6.
extension Timestamp {
    /// `2026-11-30T16:00:00Z`, `2026-11-30T17:00:00.25+01:00`; `t`, `z` and a space between date and time are taken too
    /// (RFC 3339 section 5.6, notes). Nil for anything else, a text without an offset included.
    public init?(rfc3339 text: some StringProtocol) {
        var reader = DigitReader(text)
        guard let date = reader.date(), reader.skip(anyOf: "Tt "),
            let hour = reader.number(digits: 2), reader.skip(anyOf: ":"),
            let minute = reader.number(digits: 2), reader.skip(anyOf: ":"),
            let second = reader.number(digits: 2), second <= 60, let time = WallTime(hour: hour, minute: minute)
        else { return nil }
        guard let nanoseconds = reader.fraction(), let offset = reader.offset(), reader.isAtEnd else { return nil }
        let local = date.dayNumber * 86_400 + Int64(time.secondOfDay + second)
        self.init(seconds: local - Int64(offset), nanoseconds: nanoseconds)
    }

    /// `2026-11-30T16:00:00Z`, with as many groups of three decimals as there are.
    public var rfc3339: String { text(offset: 0) }

    /// The same instant as clocks at so many seconds east of UTC show it: `2026-11-30T17:00:00+01:00`.
    public func text(offset: Int) -> String {
        let (day, second) = (seconds + Int64(offset)).floorDivided(by: 86_400)
        return "\(CalendarDate(dayNumber: day))T\(Self.clock(second))\(fractionText)\(Self.offsetText(offset))"
    }

    /// The same, always with milliseconds, what is finer cut off: lines of a log stand below each other.
    public func textWithMilliseconds(offset: Int) -> String {
        let (day, second) = (seconds + Int64(offset)).floorDivided(by: 86_400)
        return "\(CalendarDate(dayNumber: day))T\(Self.clock(second)).\(padded(Int(nanoseconds / 1_000_000), 3))"
            + Self.offsetText(offset)
    }

    private static func clock(_ second: Int64) -> String {
        "\(padded(Int(second / 3600), 2)):\(padded(Int(second / 60 % 60), 2)):\(padded(Int(second % 60), 2))"
    }

    private var fractionText: String {
        if nanoseconds == 0 { return "" }
        if nanoseconds % 1_000_000 == 0 { return "." + padded(Int(nanoseconds / 1_000_000), 3) }
        if nanoseconds % 1000 == 0 { return "." + padded(Int(nanoseconds / 1000), 6) }
        return "." + padded(Int(nanoseconds), 9)
    }

    private static func offsetText(_ offset: Int) -> String {
        if offset == 0 { return "Z" }
        let minutes = abs(offset) / 60
        return "\(offset < 0 ? "-" : "+")\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
    }
}

/// Reads digits and signs off the front of a text.
struct DigitReader {
    private var rest: Substring.UTF8View.SubSequence

    init(_ text: some StringProtocol) { rest = Substring(text).utf8[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(anyOf characters: String) -> Bool {
        guard let first = rest.first, characters.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
            rest = rest.dropFirst()
        }
        return value
    }

    mutating func date() -> CalendarDate? {
        guard let year = number(digits: 4), skip(anyOf: "-"), let month = number(digits: 2), skip(anyOf: "-"),
            let day = number(digits: 2)
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    /// `.25` as nanoseconds, 0 where there is no point, nil where no digit follows it; digits past the ninth are cut off.
    mutating func fraction() -> Int64? {
        guard skip(anyOf: ".") else { return 0 }
        var value: Int64 = 0
        var count = 0
        while let byte = rest.first, (0x30...0x39).contains(byte) {
            if count < 9 { value = value * 10 + Int64(byte - 0x30) }
            count += 1
            rest = rest.dropFirst()
        }
        guard count > 0 else { return nil }
        for _ in min(count, 9)..<9 { value *= 10 }
        return value
    }

    /// `Z` or `+01:00`, in seconds.
    mutating func offset() -> Int? {
        if skip(anyOf: "Zz") { return 0 }
        let sign = rest.first == 0x2D ? -1 : 1
        guard skip(anyOf: "+-"), let hours = number(digits: 2), hours < 24, skip(anyOf: ":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
