/// Ways to keep text from being taken for marks, shared by the dialects.
///
/// They go by scalars, as parsers do: a `<` with an accent on it is still a `<`.
enum ChatEscapes {
    /// With another text in place of each of these characters.
    static func replaced(_ text: String, _ replacements: [Unicode.Scalar: String]) -> String {
        guard text.unicodeScalars.contains(where: { replacements[$0] != nil }) else { return text }
        var replaced = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let replacement = replacements[scalar] {
                replaced.append(contentsOf: replacement.unicodeScalars)
            } else {
                replaced.append(scalar)
            }
        }
        return String(replaced)
    }

    /// With a backslash before each of these characters.
    static func backslashed(_ text: String, _ special: Set<Unicode.Scalar>) -> String {
        guard text.unicodeScalars.contains(where: special.contains) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if special.contains(scalar) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }

    /// With characters that look alike in place of marks, for targets that know no escapes. An underscore inside a word marks nothing and stays.
    static func lookalikes(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { "*~`_".unicodeScalars.contains($0) }) else { return text }
        let scalars = Array(text.unicodeScalars)
        var changed = String.UnicodeScalarView()
        for (position, scalar) in scalars.enumerated() {
            switch scalar {
            case "*": changed.append("\u{2217}")
            case "~": changed.append("\u{223C}")
            case "`": changed.append("\u{2CB}")
            case "_":
                let isInWord =
                    position > 0 && position + 1 < scalars.count && scalars[position - 1].isAlphanumeric
                    && scalars[position + 1].isAlphanumeric
                changed.append(isInWord ? "_" : "\u{FF3F}")
            default: changed.append(scalar)
            }
        }
        return String(changed)
    }

    /// With a zero-width space behind each of these characters.
    static func parted(_ text: String, behind special: Set<Unicode.Scalar>) -> String {
        guard text.unicodeScalars.contains(where: special.contains) else { return text }
        var parted = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            parted.append(scalar)
            if special.contains(scalar) { parted.append(PingGuard.guardMark) }
        }
        return String(parted)
    }

    /// With a backslash where the beginning of a line would begin a block: `-`, `+`, `#`, `=`, `:`, `1.`, `1)`.
    static func backslashedStart(_ line: String) -> String {
        guard let first = line.unicodeScalars.first else { return line }
        if "-+#=:".unicodeScalars.contains(first) { return "\\" + line }
        let digits = line.unicodeScalars.prefix { ("0"..."9").contains($0) }
        let rest = line.unicodeScalars.dropFirst(digits.count)
        guard !digits.isEmpty, rest.first == "." || rest.first == ")" else { return line }
        return String(digits) + "\\" + String(rest)
    }

    /// With a zero-width space before a beginning that would begin a block.
    static func guardedStart(_ line: String) -> String {
        guard let first = line.unicodeScalars.first else { return line }
        let digits = line.unicodeScalars.prefix { ("0"..."9").contains($0) }
        let isNumber = !digits.isEmpty && [".", ")"].contains(line.unicodeScalars.dropFirst(digits.count).first)
        guard isNumber || "-+#=:>|&•".unicodeScalars.contains(first) else { return line }
        return String(PingGuard.guardMark) + line
    }
}
