/// Names that follow from content alone: the same parts always make the same name.
public enum ContentID {
    /// 26 characters of Crockford's base 32 in lower case: the first 130 bits of the SHA-256 of the parts, each preceded by its length so
    /// that `["ab", "c"]` and `["a", "bc"]` differ. Safe in a Message-ID, a URL path and a file name.
    public static func make(_ parts: [String]) -> String {
        var bytes: [UInt8] = []
        // Room for the lengths too: most have at most three digits.
        bytes.reserveCapacity(parts.reduce(0) { $0 + 4 + $1.utf8.count })
        for part in parts {
            bytes.append(contentsOf: String(part.utf8.count).utf8)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: part.utf8)
        }
        return base32(Digest.sha256(bytes))
    }

    /// The same for bytes that are one whole.
    public static func make(of bytes: [UInt8]) -> String { base32(Digest.sha256(bytes)) }

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let length = 26

    private static func base32(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: length) { characters in
            for position in 0..<length {
                let bit = position * 5
                let pair = UInt16(bytes[bit / 8]) << 8 | UInt16(bytes[bit / 8 + 1])
                let character = alphabet[Int(pair >> UInt16(11 - bit % 8)) & 31]
                characters.initializeElement(at: position, to: character)
            }
            return length
        }
    }
}
