/// Texts and keys.
extension JSONReader {
    mutating func string() throws(JSONError) -> String {
        at += 1
        let start = at
        skipPlain()
        return try rest(from: start)
    }

    /// A key, and a mark of it, one bit out of 64: keys of different marks differ. A key that is not plain ASCII has all bits, since it may
    /// equal one that is written with other bytes.
    mutating func key() throws(JSONError) -> (text: String, mark: UInt64) {
        at += 1
        let start = at
        let hash = skipPlain()
        guard at < end, bytes[at] == UInt8(ascii: "\"") else { return (try rest(from: start), .max) }
        let text = plainKey(from: start, hash)
        at += 1
        return (text, 1 << (hash >> 58))
    }

    /// Below this a document is too short for keys to come again often.
    private static let longDocument = 4096
    /// Texts of up to so many bytes need no memory of their own.
    private static let longestInPlace = 15

    private mutating func plainKey(from start: Int, _ hash: UInt64) -> String {
        let length = at - start
        guard length > Self.longestInPlace, end > Self.longDocument else { return plainText(from: start) }
        if longKeys.isEmpty { longKeys = Array(repeating: nil, count: 64) }
        let place = Int(hash >> 58)
        if let known = longKeys[place], known.length == length,
            bytes[known.start..<known.start + length].elementsEqual(bytes[start..<at])
        {
            return known.text
        }
        let text = plainText(from: start)
        longKeys[place] = LongKey(start: start, length: length, text: text)
        return text
    }

    /// The text up to here, in which nothing but plain ASCII was met: it need not be validated once more.
    @inline(__always)
    private func plainText(from start: Int) -> String {
        let slice = UnsafeBufferPointer(rebasing: bytes[start..<at])
        return String(copying: UTF8Span(unchecked: slice.span, isKnownASCII: true))
    }

    /// Skips ASCII that stands for itself; ends on anything else, or at the end. Gives a hash of what was skipped.
    @discardableResult @inline(__always)
    private mutating func skipPlain() -> UInt64 {
        var hash: UInt64 = 0
        while at + 8 <= end {
            let word = UInt64(
                littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: at, as: UInt64.self)
            )
            let others = Self.others(in: word)
            if others == 0 {
                hash = Self.mixed(hash, word)
                at += 8
                continue
            }
            let count = others.trailingZeroBitCount / 8
            at += count
            return count == 0 ? hash : Self.mixed(hash, word & (1 << UInt64(count * 8) - 1))
        }
        var (tail, count): (UInt64, UInt64) = (0, 0)
        while at < end, Self.others(in: UInt64(bytes[at]) | 0x6161_6161_6161_6100) == 0 {
            tail |= UInt64(bytes[at]) << (count * 8)
            count += 1
            at += 1
        }
        return count == 0 ? hash : Self.mixed(hash, tail)
    }

    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        // Multiplying by an odd number loses nothing; 2^64 divided by the golden ratio spreads neighbours far apart.
        let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 29
    }

    /// The top bit of the first byte that is a quote, a backslash, a control character or beyond ASCII; bytes behind it may be marked
    /// wrongly. The usual arithmetic on eight bytes at once (H. Warren, "Hacker's Delight", section 6-1).
    @inline(__always)
    static func others(in word: UInt64) -> UInt64 {
        let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let quote = word ^ ones &* 0x22
        let backslash = word ^ ones &* 0x5C
        let below = (word &- ones &* 0x20) & ~word
        return (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | below | word) & tops
    }

    /// The rest of a text that stands at its first byte that is not plain.
    private mutating func rest(from start: Int) throws(JSONError) -> String {
        let firstOther = at
        while at < end, bytes[at] >= 0x80 {
            at += 1
            skipPlain()
        }
        guard at < end else { throw failure(.unexpectedEnd) }
        guard bytes[at] == UInt8(ascii: "\"") else { return try escapedString(from: start) }
        let text =
            at == firstOther
            ? plainText(from: start) : try validated(UnsafeBufferPointer(rebasing: bytes[start..<at]).span)
        at += 1
        return text
    }

    private func validated(_ text: Span<UInt8>) throws(JSONError) -> String {
        do {
            return String(copying: try UTF8Span(validating: text))
        } catch {
            throw failure(.badUTF8)
        }
    }

    /// The rest of a text in which an escape or a control character was met; `at` stands on it.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        unescaped.removeAll(keepingCapacity: true)
        var copied = start
        while at < end {
            let byte = bytes[at]
            guard byte >= 0x20 else { throw failure(.badString) }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                unescaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied..<at]))
                if byte == UInt8(ascii: "\"") {
                    let text = try validated(unescaped.span)
                    at += 1
                    return text
                }
                try escape()
                copied = at
            } else {
                at += 1
            }
            skipPlain()
        }
        throw failure(.unexpectedEnd)
    }

    private mutating func escape() throws(JSONError) {
        guard at + 1 < end else { throw failure(.unexpectedEnd) }
        at += 2
        switch bytes[at - 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(bytes[at - 1])
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): try unicodeEscape()
        default: throw failure(.badString)
        }
    }

    private mutating func unicodeEscape() throws(JSONError) {
        var code = try hexDigits()
        if (0xD800..<0xDC00).contains(code), at + 1 < end, bytes[at] == UInt8(ascii: "\\"),
            bytes[at + 1] == UInt8(ascii: "u")
        {
            let back = at
            at += 2
            let low = try hexDigits()
            if (0xDC00..<0xE000).contains(low) {
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            } else {
                at = back
            }
        }
        unescaped.append(
            contentsOf: UTF8.encode(Unicode.Scalar(code) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
        )
    }

    private mutating func hexDigits() throws(JSONError) -> UInt32 {
        guard at + 4 <= end else { throw failure(.unexpectedEnd) }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = bytes[at]
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46, 0x61...0x66: digit = (byte | 0x20) - 0x57
            default: throw failure(.badString)
            }
            value = value << 4 | UInt32(digit)
            at += 1
        }
        return value
    }
}
