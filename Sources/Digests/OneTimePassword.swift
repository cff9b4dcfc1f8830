public import Values

/// Time-based one-time passwords (RFC 6238) as WebUntis wants them: HMAC-SHA1, 30 seconds, 6 digits.
public struct OneTimePassword: Sendable {
    private let key: [UInt8]

    /// - Parameter secret: the app secret in base 32 (RFC 4648 section 6); blanks, dashes, lower case and padding are forgiven. Nil for
    ///   a text with other characters, or none.
    public init?(secret: String) {
        guard let key = Self.base32Decoded(secret), !key.isEmpty else { return nil }
        self.key = key
    }

    /// The password at an instant, 0 ..< 1,000,000; WebUntis takes it as a number, so leading zeros do not matter.
    public func code(at instant: Timestamp) -> Int {
        let counter = UInt64(bitPattern: instant.seconds.floorDivided(by: 30).quotient)
        let digest = Digest.hmacSHA1(key: key, (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) })
        // Dynamic truncation, RFC 4226 section 5.3.
        let offset = Int(digest[digest.count - 1] & 0x0F)
        let number = digest[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        return number % 1_000_000
    }

    private static func base32Decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = 0
        var bits = 0
        for character in text.uppercased().utf8 {
            let value: Int
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(character) - 65
            case UInt8(ascii: "2")...UInt8(ascii: "7"): value = Int(character) - 50 + 26
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "="): continue
            default: return nil
            }
            buffer = (buffer << 5 | value) & 0xFFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        return bytes
    }
}
