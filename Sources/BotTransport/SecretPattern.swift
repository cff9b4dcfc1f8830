/// The forms in which one secret may turn up in a text.
struct SecretPattern: Sendable {
    /// The secret's UTF-8 bytes.
    private let plain: [UInt8]
    /// The parts of its base64 that do not depend on what stands before and after it: one for each of the three alignments.
    private let base64Cores: [[UInt8]]
    /// The bytes that any form of it may begin with: most places of a text need no second look.
    private let beginnings: ByteSet

    /// Shorter secrets are masked only as words of their own: everything would be dots otherwise.
    private static let shortest = 4

    /// Nil for an empty secret.
    init?(_ plain: [UInt8]) {
        guard !plain.isEmpty else { return nil }
        self.plain = plain
        base64Cores = plain.count < Self.shortest ? [] : (0..<3).map { Self.base64Core(of: plain, offset: $0) }
        var beginnings = ByteSet(
            [UInt8(ascii: "%"), UInt8(ascii: "\\"), plain[0]] + (plain[0] == 0x20 ? [UInt8(ascii: "+")] : [])
        )
        let sextets = Set(base64Cores.compactMap(\.first))
        for byte in UInt8.min...UInt8.max where Self.base64Value(byte).map(sextets.contains) ?? false {
            beginnings.insert(byte)
        }
        self.beginnings = beginnings
    }

    /// Adds the places of this secret in a text.
    func collect(from text: [UInt8], into spans: inout [Range<Int>]) {
        var index = 0
        while index < text.count {
            if !beginnings.contains(text[index]) {
                index += 1
            } else if let end = match(text, at: index) {
                spans.append(index..<end)
                index = end
            } else if let span = matchBase64(text, at: index) {
                spans.append(span)
                index = span.upperBound
            } else {
                index += 1
            }
        }
    }

    /// The end of the secret if it begins here.
    private func match(_ text: [UInt8], at start: Int) -> Int? {
        // A secret may itself contain `%41` or `\n`, so each escape is tried as an escape and as written.
        let readings: [Escapes] = [[.percent, .json], .percent, .json, []]
        guard let end = readings.lazy.compactMap({ end(in: text, from: start, escapes: $0) }).first else { return nil }
        if plain.count < Self.shortest {
            let isWord =
                (start == 0 || !Self.isLetterOrDigit(text[start - 1]))
                && (end == text.count || !Self.isLetterOrDigit(text[end]))
            guard isWord else { return nil }
        }
        return end
    }

    private struct Escapes: OptionSet {
        let rawValue: Int
        static let percent = Escapes(rawValue: 1)
        static let json = Escapes(rawValue: 2)
    }

    private func end(in text: [UInt8], from start: Int, escapes: Escapes) -> Int? {
        var position = start
        var matched = 0
        while matched < plain.count {
            guard position < text.count else { return nil }
            let byte = text[position]
            if let unit = Self.encodedUnit(in: text, at: position, escapes) {
                guard plain[matched...].starts(with: unit.bytes) else { return nil }
                matched += unit.bytes.count
                position += unit.length
            } else if byte == plain[matched]
                || escapes.contains(.percent) && byte == UInt8(ascii: "+") && plain[matched] == 0x20
            {
                matched += 1
                position += 1
            } else {
                return nil
            }
        }
        return position
    }

    /// What an escape sequence stands for, and how many bytes it takes; nil where none begins.
    private static func encodedUnit(
        in text: [UInt8],
        at index: Int,
        _ escapes: Escapes
    ) -> (bytes: [UInt8], length: Int)? {
        switch text[index] {
        case UInt8(ascii: "%") where escapes.contains(.percent):
            return hexadecimal(in: text, at: index + 1, digits: 2).map { ([UInt8($0)], 3) }
        case UInt8(ascii: "\\") where escapes.contains(.json) && index + 1 < text.count:
            let short: [UInt8: UInt8] = [
                0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9,
            ]
            if let byte = short[text[index + 1]] { return ([byte], 2) }
            return text[index + 1] == UInt8(ascii: "u") ? unicodeEscape(in: text, at: index) : nil
        default:
            return nil
        }
    }

    /// `\u00fc`, or a surrogate pair of two such escapes (RFC 8259 §7).
    private static func unicodeEscape(in text: [UInt8], at index: Int) -> (bytes: [UInt8], length: Int)? {
        guard let first = hexadecimal(in: text, at: index + 2, digits: 4) else { return nil }
        if let scalar = Unicode.Scalar(UInt32(first)) { return (Array(String(scalar).utf8), 6) }
        guard first < 0xDC00, index + 7 < text.count, text[index + 6] == 0x5C, text[index + 7] == UInt8(ascii: "u"),
            let second = hexadecimal(in: text, at: index + 8, digits: 4), (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + UInt32(first - 0xD800) << 10 + UInt32(second - 0xDC00))
        else { return nil }
        return (Array(String(scalar).utf8), 12)
    }

    private static func hexadecimal(in text: [UInt8], at index: Int, digits: Int) -> UInt16? {
        guard index + digits <= text.count else { return nil }
        var value: UInt16 = 0
        for byte in text[index..<index + digits] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    /// The whole run of base64 characters around a core that begins here.
    private func matchBase64(_ text: [UInt8], at start: Int) -> Range<Int>? {
        guard base64Cores.contains(where: { Self.isEqual($0, text, at: start) }) else { return nil }
        var lower = start
        while lower > 0, Self.base64Value(text[lower - 1]) != nil { lower -= 1 }
        var upper = start
        while upper < text.count, Self.base64Value(text[upper]) != nil || text[upper] == UInt8(ascii: "=") {
            upper += 1
        }
        return lower..<upper
    }

    /// Compares by value, so that `+/` of base64 and `-_` of base64url are the same.
    private static func isEqual(_ core: [UInt8], _ text: [UInt8], at start: Int) -> Bool {
        guard start + core.count <= text.count else { return false }
        for (offset, value) in core.enumerated() where base64Value(text[start + offset]) != value { return false }
        return true
    }

    /// The six-bit values that `offset` unknown bytes, the secret and more unknown bytes have in common.
    private static func base64Core(of secret: [UInt8], offset: Int) -> [UInt8] {
        let bytes = [UInt8](repeating: 0, count: offset) + secret
        let firstSextet = (offset * 8 + 5) / 6
        let endSextet = bytes.count * 8 / 6
        return (firstSextet..<endSextet).map { sextet in
            let bit = sextet * 6
            let high = UInt16(bytes[bit / 8]) << 8
            let low = bit / 8 + 1 < bytes.count ? UInt16(bytes[bit / 8 + 1]) : 0
            return UInt8((high | low) >> UInt16(10 - bit % 8) & 0x3F)
        }
    }

    /// RFC 4648 §4 and §5.
    private static func base64Value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
    }
}

/// A set of bytes, as 256 bits.
private struct ByteSet: Sendable {
    private var words = SIMD4<UInt64>()

    init(_ bytes: [UInt8]) { bytes.forEach { insert($0) } }

    mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] & 1 << UInt64(byte & 63) != 0 }
}
