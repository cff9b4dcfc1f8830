/// Percent-encoding of a value that goes into an address.
public enum PercentEncoding {
    /// Right for one component of a path and for a value in a query: everything but the unreserved characters is encoded.
    public static func encoded(_ text: some StringProtocol) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            if isUnreserved(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// Letters, digits and `-._~` (RFC 3986 section 2.3).
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._~".utf8.contains(byte)
    }
}
