/// A checked `local@domain` address, safe to put into an envelope and a header.
///
/// Narrower than RFC 5321 on purpose: no quoted local parts, no address literals, no comments. libcurl passes CR, LF and angle
/// brackets in an address on to the server as they are (measured with 7.88.1), so nothing unchecked may reach it.
public struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    public let local: String
    public let domain: String

    /// 254 bytes: the longest path that fits a command line of SMTP (RFC 5321 section 4.5.3.1.3, erratum 1690).
    public static let longest = 254

    /// Nil for anything that is not one plain address. A local part outside ASCII is refused: it needs SMTPUTF8 all the way (RFC 6531),
    /// which few servers offer. A domain outside ASCII has to be written in its `xn--` form (RFC 5890), which is the same domain.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= Self.longest, Self.isLocalPart(parts[0]), Self.isDomain(parts[1])
        else {
            return nil
        }
        local = String(parts[0])
        domain = String(parts[1])
    }

    public var description: String { "\(local)@\(domain)" }

    private static func isLocalPart(_ text: some StringProtocol) -> Bool {
        // RFC 5322 section 3.2.3, dot-atom.
        let dots = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 64 && dots.allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(isAtomText) }
    }

    private static func isAtomText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
        }
    }

    /// Whether a text is a host name of plain labels (RFC 1123 section 2.1).
    public static func isDomain(_ text: some StringProtocol) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy(isLabelByte)
        }
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D
    }
}
