/// Which addresses a link may have, and how they are written.
enum LinkTarget {
    /// Longer targets are no addresses a person was meant to open; browsers and mail programs begin to cut them near 2,000 characters.
    private static let longest = 2000

    /// The target that a template and its values make; "" where it must not be one.
    ///
    /// A value at the very beginning is the address, or its first part, and is taken as it is; any later one is data inside the address
    /// and percent-encoded, so that it cannot leave its place (in `mailto:` it keeps its `@`).
    static func resolve(_ pieces: [Placeholder.Piece]) -> String {
        var target = ""
        for (position, piece) in pieces.enumerated() {
            switch piece {
            case .written(let text): target += text
            case .value(let value) where position == 0: target += value
            case .value(let value):
                let isMail = target.lowercased().hasPrefix("mailto:")
                target += encoded(value, keeping: isMail ? unreserved + "@" : unreserved)
            }
        }
        return cleaned(target) ?? ""
    }

    /// The address if it is one that may be linked, percent-encoded where RFC 3986 wants it; else nil.
    static func cleaned(_ raw: String) -> String? {
        let text = raw.trimmed { $0.isWhitespace }
        guard text.utf8.count <= longest, !text.unicodeScalars.contains(where: LeafText.isDangerous) else { return nil }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = text[text.index(after: colon)...]
        switch text[..<colon].lowercased() {
        case "mailto":
            return rest.isEmpty ? nil : "mailto:" + encoded(rest, keeping: inAddress)
        case "http": return web(rest).map { "http://" + $0 }
        case "https": return web(rest).map { "https://" + $0 }
        default: return nil
        }
    }

    /// `//host:port/path?query#fragment`. A user name before the host only serves to deceive and is refused.
    private static func web(_ rest: Substring) -> String? {
        guard rest.hasPrefix("//") else { return nil }
        let address = rest.dropFirst(2)
        let end = address.firstIndex { "/?#".contains($0) } ?? address.endIndex
        let host = address[..<end]
        guard !host.isEmpty, host.allSatisfy(isHostCharacter) else { return nil }
        return host + encoded(address[end...], keeping: inAddress)
    }

    /// Letters of every script stay as they are in a host name: browsers and chat programs know how to write them.
    private static func isHostCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || ".-:[]_".contains(character)
    }

    /// RFC 3986 §2.3.
    private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    /// RFC 3986 §2.2 without brackets, parentheses, quotes and asterisks, which mean something in the markup of one target or another.
    private static let inAddress = unreserved + ":/?#@!$&+,;=%"

    private static func encoded(_ text: some StringProtocol, keeping kept: String) -> String {
        let keptBytes = Set(kept.utf8)
        let bytes = Array(text.utf8)
        var encoded = ""
        for (position, byte) in bytes.enumerated() {
            let isBarePercent = byte == UInt8(ascii: "%") && !isEscape(bytes, at: position)
            if keptBytes.contains(byte), !isBarePercent {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return encoded
    }

    private static func isEscape(_ bytes: [UInt8], at position: Int) -> Bool {
        guard position + 2 < bytes.count else { return false }
        return bytes[(position + 1)...(position + 2)].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}
