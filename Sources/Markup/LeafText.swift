/// Which characters may stand in a leaf, whatever the target.
enum LeafText {
    /// The lines of a value. Every line end that Unicode knows counts (Unicode Standard §5.8): LF, CR, CRLF, VT, FF, NEL, LS, PS.
    static func lines(of value: String) -> [String] {
        guard mayEndLine(value) else { return [value] }
        return value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }

    /// The same without what is empty at both ends.
    static func innerLines(of value: String) -> [String] {
        mayEndLine(value) ? lines(of: value.trimmed { $0.isNewline }) : [value]
    }

    /// Whether there is a byte that a line end begins with: 0A to 0D, C2 of NEL, E2 of LS and PS. Most values are one line without.
    private static func mayEndLine(_ value: String) -> Bool {
        value.utf8.contains { (0x0A...0x0D).contains($0) || $0 == 0xC2 || $0 == 0xE2 }
    }

    /// Whether anything of a text is seen once it is cleaned.
    static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            !isDangerous($0) && !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Characters that are never shown but change what is: controls, bidirectional embeddings, overrides and isolates, byte order marks,
    /// annotations, non-characters, and the marks of placeholders. Blanks and line ends are not among them.
    static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x202A...0x202E, 0x2066...0x2069: true
        case 0x2028, 0x2029, 0xFEFF, 0xFFF9...0xFFFB, 0xE000, 0xE001, 0xFDD0...0xFDEF: true
        case let value: value & 0xFFFE == 0xFFFE
        }
    }

    /// One line of text: dangerous characters out, tabs and line ends blanks. Isolates stay where they are balanced.
    static func cleanedLine(_ text: String) -> String {
        if isPlain(text) { return text }
        return cleaned(text, keepsIsolates: hasBalancedIsolates(text)) {
            $0 == "\t" || $0 == "\n" ? " " : $0
        }
    }

    /// Lines of code: dangerous characters out, tabs and line breaks stay.
    static func cleanedCode(_ text: String) -> String {
        let lines = lines(of: text).joined(separator: "\n")
        return cleaned(lines, keepsIsolates: false) { $0 }
    }

    /// ASCII without control characters, in which there is nothing to clean.
    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    private static func cleaned(
        _ text: String,
        keepsIsolates: Bool,
        _ change: (Unicode.Scalar) -> Unicode.Scalar
    ) -> String {
        if !text.unicodeScalars.contains(where: { isDangerous($0) || change($0) != $0 }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isKeptIsolate = keepsIsolates && (scalar == firstStrongIsolate || scalar == popIsolate)
            if isKeptIsolate || !isDangerous(scalar) {
                scalars.append(change(scalar))
            } else if scalar.properties.isWhitespace {
                scalars.append(" ")
            }
        }
        return String(scalars)
    }

    private static let firstStrongIsolate: Unicode.Scalar = "\u{2068}"
    private static let popIsolate: Unicode.Scalar = "\u{2069}"

    /// A line of a value, kept from re-ordering what stands around it if it has letters that run from right to left (Unicode Standard Annex 9 §2.4:
    /// inserted text of unknown direction belongs between FSI and PDI).
    static func isolated(_ line: String) -> String {
        if isPlain(line) { return line }
        guard line.unicodeScalars.contains(where: runsFromTheRight) else {
            return cleaned(line, keepsIsolates: false) { $0 }
        }
        var isolated = String.UnicodeScalarView([firstStrongIsolate])
        isolated.append(contentsOf: cleaned(line, keepsIsolates: false) { $0 }.unicodeScalars)
        isolated.append(popIsolate)
        return String(isolated)
    }

    /// The blocks of Hebrew, Arabic and the other scripts that run from right to left.
    private static func runsFromTheRight(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    private static func hasBalancedIsolates(_ text: String) -> Bool {
        var depth = 0
        for scalar in text.unicodeScalars {
            if scalar == firstStrongIsolate { depth += 1 }
            if scalar == popIsolate { depth -= 1 }
            if depth < 0 { return false }
        }
        return depth == 0
    }
}

extension String {
    /// Without the characters at both ends that are of this kind.
    func trimmed(_ isOuter: (Character) -> Bool) -> String {
        guard let first = firstIndex(where: { !isOuter($0) }), let last = lastIndex(where: { !isOuter($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
