/// Characters that look like the ones YAML means, and are not.
enum Typography {
    /// Quotation marks of the languages around (German, Italian, French, English), as word processors and phones set them.
    static let quotes: Set<Character> = ["“", "”", "„", "‟", "‘", "’", "‚", "‛", "«", "»", "‹", "›", "＂", "″"]

    /// Whether a plain text is meant to be quoted: it begins with such a mark, and either ends with a mark or has no second one
    /// (the text was split at a comma or a colon). `„Ausfall“ heute` is a text with quotation marks in it.
    static func looksQuoted(_ text: String) -> Bool {
        guard let first = text.first, quotes.contains(first), let last = text.last else { return false }
        if text.count > 1, quotes.contains(last) || last == "\"" || last == "'" { return true }
        return !text.dropFirst().contains { quotes.contains($0) }
    }
}

/// Blanks other than space and tab, and characters of no width: YAML takes them for letters, people for spaces.
enum OddBlank {
    static func contains(_ scalar: Unicode.Scalar) -> Bool { name(for: scalar.value) != nil }

    /// `a no-break space (U+00A0)`.
    static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let number = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "\(name(for: scalar.value) ?? "a character") (\(number))"
    }

    /// Whether it takes no room at all.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        name(for: scalar.value)?.hasPrefix("an invisible") ?? false
    }

    /// Unicode's space separators (general category Zs) and the invisible characters that pages and chats bring along.
    private static func name(for value: UInt32) -> String? {
        switch value {
        case 0xA0, 0x202F: "a no-break space"
        case 0x1680, 0x2000...0x200A, 0x205F: "a typographic space"
        case 0x3000: "a wide space"
        case 0x200B, 0x2060, 0x180E: "an invisible space"
        case 0x200C...0x200F, 0x202A...0x202E, 0x2066...0x2069: "an invisible control character"
        default: nil
        }
    }
}
