/// Keeps text from calling people, and from turning into links or emoji by itself, where a target reads such things out of plain text.
///
/// A zero-width space (U+200B) is put behind the character that would begin it: the text looks the same and says nothing to the target's parser. It is
/// what discord.py's `escape_mentions` does, too.
struct PingGuard: OptionSet {
    let rawValue: Int

    /// `@name` at the beginning of a word, and `@everyone`, `@here`, `@channel`, `@all`, `@room` anywhere. Mail addresses stay whole.
    static let mentions = PingGuard(rawValue: 1)
    /// Every `@`, where the target makes links of mail addresses.
    static let addresses = PingGuard(rawValue: 2)
    /// `https://…` and `www.…`.
    static let links = PingGuard(rawValue: 4)
    /// `example.org` without a scheme.
    static let domains = PingGuard(rawValue: 8)
    /// `:smile:`.
    static let emoji = PingGuard(rawValue: 16)

    static let guardMark: Unicode.Scalar = "\u{200B}"

    func apply(_ text: String) -> String {
        guard
            text.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
        else { return text }
        let scalars = Array(text.unicodeScalars)
        var guarded = String.UnicodeScalarView()
        for position in scalars.indices {
            guarded.append(scalars[position])
            if needsMark(behind: position, scalars) { guarded.append(Self.guardMark) }
        }
        return String(guarded)
    }

    private func needsMark(behind position: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        let rest = scalars[(position + 1)...]
        switch scalars[position] {
        case "@": return contains(.addresses) || contains(.mentions) && isMention(position, scalars)
        case ":":
            if contains(.links), rest.starts(with: "//".unicodeScalars) { return true }
            return contains(.emoji) && Self.isEmojiName(rest)
        case "w", "W": return contains(.links) && isWWW(position, scalars)
        case ".": return contains(.domains) && Self.isDomainDot(position, scalars)
        default: return false
        }
    }

    /// The last letter of a `www` with a dot behind it.
    private func isWWW(_ position: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        position >= 2 && position + 1 < scalars.count && scalars[position + 1] == "."
            && Self.lowercased(scalars[(position - 2)...position]) == "www"
    }

    /// A dot with a letter or digit before it and two letters behind it, as in `example.org`.
    static func isDomainDot(_ position: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        let rest = scalars[(position + 1)...].prefix(2)
        return scalars[position] == "." && position > 0 && isWord(scalars[position - 1]) && rest.count == 2
            && rest.allSatisfy(\.properties.isAlphabetic)
    }

    private func isMention(_ position: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        guard position > 0, Self.isWord(scalars[position - 1]) else {
            // At the end of a leaf the name may follow in the next one.
            return position + 1 == scalars.count || !scalars[position + 1].properties.isWhitespace
        }
        let next = Self.lowercased(scalars[(position + 1)...].prefix(8))
        return next.isEmpty
            || ["everyone", "here", "channel", "all", "room"].contains {
                next.unicodeScalars.starts(with: $0.unicodeScalars)
            }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
    }

    private static func lowercased(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text).lowercased()
    }

    /// A name of letters, digits, `_`, `+`, `-` up to the next colon. Digits alone are a time of day, not an emoji, but for `:100:` and `:1234:`.
    private static func isEmojiName(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
        let name = rest.prefix { $0.isASCII && (isWord($0) || $0 == "+" || $0 == "-") }
        guard !name.isEmpty, rest.dropFirst(name.count).first == ":" else { return false }
        let text = lowercased(name)
        return text == "100" || text == "1234" || name.contains { !("0"..."9").contains($0) }
    }
}
