import Glibc
import Values

/// Whether a stored text is what a value is written as, without building anything.
///
/// Sure where it says yes. Where it says no the text may still mean the same: what needs an escape is not looked at, and equal maps may be
/// written in another order.
struct StoredValueMatching {
    private let text: UnsafeBufferPointer<UInt8>
    private var place = 0

    static func isWritten(_ value: Value, as text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress else { return false }
        // Without an escape a text in quotes stands for itself and ends at the next quote.
        if memchr(start, Int32(UInt8(ascii: "\\")), text.count) != nil { return false }
        var matching = StoredValueMatching(text: text)
        return matching.takes(value) && matching.place == text.count
    }

    private init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    private mutating func takes(_ value: Value) -> Bool {
        switch value {
        case .null: takes(word: "null")
        case .bool(let value): takes(word: value ? "true" : "false")
        case .int(let number): takes(number)
        case .string(let string): takes(quoted: string)
        case .list(let list): takes(list)
        case .map(let map): takes(map)
        // A whole double has a fraction there, as `Value.json` writes it.
        case .double(let number): number.isFinite && takes(plain: String(number))
        case .timestamp(let instant):
            takes(word: #"{"$":"timestamp","is":["#) && takes(instant.seconds, instant.nanoseconds)
        case .duration(let span): takes(word: #"{"$":"duration","is":["#) && takes(span.seconds, span.nanoseconds)
        case .uint, .bytes: false
        }
    }

    private mutating func takes(_ seconds: Int64, _ nanoseconds: Int32) -> Bool {
        takes(seconds) && takes(word: ",") && takes(Int64(nanoseconds)) && takes(word: "]}")
    }

    private mutating func takes(_ list: [Value]) -> Bool {
        guard takes(byte: UInt8(ascii: "[")) else { return false }
        for index in list.indices {
            if index > 0, !takes(byte: UInt8(ascii: ",")) { return false }
            guard takes(list[index]) else { return false }
        }
        return takes(byte: UInt8(ascii: "]"))
    }

    private mutating func takes(_ map: ValueMap) -> Bool {
        guard takes(byte: UInt8(ascii: "{")) else { return false }
        for index in map.pairs.indices {
            if index > 0, !takes(byte: UInt8(ascii: ",")) { return false }
            // A map with the mark for a key is written otherwise, and what is written with it is no map.
            guard case .string(let key) = map.pairs[index].key, key != StoredValue.mark, takes(quoted: key),
                takes(byte: UInt8(ascii: ":")), takes(map.pairs[index].value)
            else { return false }
        }
        return takes(byte: UInt8(ascii: "}"))
    }

    private mutating func takes(byte: UInt8) -> Bool {
        guard place < text.count, text[place] == byte else { return false }
        place += 1
        return true
    }

    /// A text that ends where the next quote stands.
    private mutating func takes(quoted string: String) -> Bool {
        guard takes(byte: UInt8(ascii: "\"")), let start = text.baseAddress else { return false }
        let rest = text.count - place
        guard let end = memchr(start + place, Int32(UInt8(ascii: "\"")), rest) else { return false }
        let length = end - UnsafeMutableRawPointer(mutating: start + place)
        guard takes(plain: string, of: length) else { return false }
        place += 1
        return true
    }

    private mutating func takes(plain string: String, of length: Int? = nil) -> Bool {
        var string = string
        let (start, rest) = (place, text.count - place)
        let count = string.withUTF8 { bytes -> Int? in
            guard bytes.count == length ?? bytes.count, bytes.count <= rest else { return nil }
            guard let first = bytes.baseAddress, let stored = text.baseAddress else { return 0 }
            return memcmp(first, stored + start, bytes.count) == 0 ? bytes.count : nil
        }
        place += count ?? 0
        return count != nil
    }

    private mutating func takes(word: StaticString) -> Bool {
        guard let stored = text.baseAddress, word.utf8CodeUnitCount <= text.count - place,
            memcmp(word.utf8Start, stored + place, word.utf8CodeUnitCount) == 0
        else { return false }
        place += word.utf8CodeUnitCount
        return true
    }

    /// Digit by digit, since most numbers are short and a text of them would be thrown away.
    private mutating func takes(_ number: Int64) -> Bool {
        if number < 0, !takes(byte: UInt8(ascii: "-")) { return false }
        let first = place
        var read: UInt64 = 0
        while place < text.count, case let digit = text[place] &- UInt8(ascii: "0"), digit < 10 {
            let (times, isTooLarge) = read.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeYet) = times.addingReportingOverflow(UInt64(digit))
            if isTooLarge || isTooLargeYet { return false }
            read = sum
            place += 1
        }
        let isShortest = place - first == 1 || place > first && text[first] != UInt8(ascii: "0")
        return isShortest && read == number.magnitude
    }
}
