/// Names that follow from content alone: the same parts always make the same name.
public enum ContentID {
    /// 26 characters of Crockford's base 32 in lower case: the first 130 bits of the SHA-256 of the parts, each preceded by its length so
    /// that `["ab", "c"]` and `["a", "bc"]` differ. Safe in a Message-ID, a URL path and a file name.
    public static func make(_ parts: [String]) -> String {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += String(part.utf8.count).utf8
            bytes.append(UInt8(ascii: ":"))
            bytes += part.utf8
        }
        return base32(Digest.sha256(bytes))
    }

    /// The same for bytes that are one whole.
    public static func make(of bytes: [UInt8]) -> String { base32(Digest.sha256(bytes)) }

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let length = 26

    private static func base32(_ bytes: [UInt8]) -> String {
        let characters = (0..<length).map { position in
            let bit = position * 5
            let pair = UInt16(bytes[bit / 8]) << 8 | UInt16(bytes[bit / 8 + 1])
            return alphabet[Int(pair >> UInt16(11 - bit % 8)) & 31]
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
