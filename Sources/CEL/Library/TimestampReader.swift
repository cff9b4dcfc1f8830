import Values

/// Timestamps as text: RFC 3339 section 5.6, read byte by byte, since conditions read them again for every event.
enum TimestampReader {
    /// Nil for anything else than date, `T`, time, fraction and offset.
    static func timestamp(_ text: String) -> Timestamp? {
        if let read = text.utf8.withContiguousStorageIfAvailable(timestamp) { return read }
        return Array(text.utf8).withUnsafeBufferPointer(timestamp)
    }

    private static func timestamp(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        // 2026-11-30T16:00:00Z is the shortest.
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let century = number(bytes, 0), let year = number(bytes, 2), let month = number(bytes, 5),
            let day = number(bytes, 8), let hour = number(bytes, 11), let minute = number(bytes, 14),
            let second = number(bytes, 17), hour < 24, minute < 60, second <= 60,
            let date = CalendarDate(year: century * 100 + year, month: month, day: day)
        else { return nil }
        var at = 19
        guard let nanoseconds = fraction(bytes, &at), let offset = offset(bytes, at) else { return nil }
        let local = date.dayNumber * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        return Timestamp(seconds: local - Int64(offset), nanoseconds: nanoseconds)
    }

    /// Two digits.
    @inline(__always)
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int? {
        let (tens, ones) = (bytes[at] &- 0x30, bytes[at + 1] &- 0x30)
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// `.25` in nanoseconds; digits past the ninth are cut off. Nil where no digit follows the point.
    private static func fraction(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Int64? {
        guard bytes[at] == UInt8(ascii: ".") else { return 0 }
        at += 1
        var (value, unit): (Int64, Int64) = (0, 100_000_000)
        let start = at
        while at < bytes.count, bytes[at] &- 0x30 < 10 {
            value += Int64(bytes[at] - 0x30) * unit
            unit /= 10
            at += 1
        }
        return at > start ? value : nil
    }

    /// `Z` or `+01:00`, in seconds, up to the end of the text.
    private static func offset(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int? {
        guard at < bytes.count else { return nil }
        if bytes[at] | 0x20 == UInt8(ascii: "z") { return bytes.count == at + 1 ? 0 : nil }
        guard bytes.count == at + 6, bytes[at + 3] == UInt8(ascii: ":"), let hours = number(bytes, at + 1), hours < 24,
            let minutes = number(bytes, at + 4), minutes < 60
        else { return nil }
        switch bytes[at] {
        case UInt8(ascii: "+"): return hours * 3600 + minutes * 60
        case UInt8(ascii: "-"): return -(hours * 3600 + minutes * 60)
        default: return nil
        }
    }
}
