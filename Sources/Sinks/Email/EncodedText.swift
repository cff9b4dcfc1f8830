/// The two ways in which mail carries text that is not ASCII: encoded words in headers, quoted-printable in bodies.
enum EncodedText {
    /// A header field, folded, without the final CRLF.
    ///
    /// Lines hold at most 76 characters (RFC 2047 section 2 for lines with encoded words; RFC 5322 recommends 78). Text that is not plain
    /// ASCII becomes encoded words in UTF-8, each a whole number of characters.
    static func header(_ name: String, _ text: String) -> String {
        let clean = singleLine(text)
        let isPlain = clean.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !clean.contains("=?")
        return isPlain ? folded(name + ": " + clean) : encoded(name + ":", clean)
    }

    /// A display name and an address: `=?utf-8?Q?…?= <bot@example.org>`.
    static func mailbox(_ header: String, name: String, address: String) -> String {
        guard !name.isEmpty else { return folded("\(header): \(address)") }
        let clean = singleLine(name)
        let isPlain =
            clean.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C } && !clean.contains("=?")
        let shown = isPlain ? "\(header): \"\(clean)\"" : encoded(header + ":", clean)
        return shown + "\r\n <\(address)>"
    }

    /// Control characters, line ends above all, become blanks: nothing in a value can begin a new header.
    static func singleLine(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl =
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value)
            scalars.append(isControl ? " " : scalar)
        }
        return String(scalars)
    }

    private static let lineLength = 76

    /// Breaks before blanks. A line never consists of blanks alone (RFC 5322 section 3.2.2); a word longer than a line stays whole.
    private static func folded(_ line: String) -> String {
        var lines: [String] = []
        var current = ""
        for (position, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            let longer = position == 0 ? String(word) : current + " " + word
            if longer.utf8.count > lineLength, !word.isEmpty, current.contains(where: { $0 != " " }) {
                lines.append(current)
                current = " " + word
            } else {
                current = longer
            }
        }
        return (lines + [current]).joined(separator: "\r\n")
    }

    /// Encoded words hold at most 75 characters (RFC 2047 section 2), of which `=?utf-8?Q?` and `?=` take 12.
    private static func encoded(_ prefix: String, _ text: String) -> String {
        let wordLength = 75 - 12
        var words: [String] = []
        var current = ""
        for character in text {
            let piece = character.utf8.map(quotedForHeader).joined()
            let room = words.isEmpty ? wordLength - prefix.utf8.count : wordLength
            if !current.isEmpty, current.utf8.count + piece.utf8.count > room {
                words.append(current)
                current = ""
            }
            // One grapheme of many scalars may be longer than a word: it is divided between scalars.
            if piece.utf8.count > wordLength {
                let scalars = character.unicodeScalars.map { String($0).utf8.map(quotedForHeader).joined() }
                for scalar in scalars {
                    if current.utf8.count + scalar.utf8.count > wordLength {
                        words.append(current)
                        current = ""
                    }
                    current += scalar
                }
            } else {
                current += piece
            }
        }
        return prefix + " " + (words + [current]).map { "=?utf-8?Q?\($0)?=" }.joined(separator: "\r\n ")
    }

    /// RFC 2047 section 5 (3): the characters that are safe in a display name too.
    private static func quotedForHeader(_ byte: UInt8) -> String {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(Unicode.Scalar(byte))
        case 0x20: "_"
        case 0x21, 0x2A, 0x2B, 0x2D, 0x2F: String(Unicode.Scalar(byte))
        default: "=" + hexadecimal(byte)
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF")
        return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }

    /// Quoted-printable (RFC 2045 section 6.7) with CRLF line ends, lines of at most 76 characters.
    ///
    /// A dot at the start of a line and the word `From ` are encoded too: neither dot-stuffing nor mailbox formats can then change the text.
    static func quotedPrintable(_ text: String) -> String {
        normalizedLines(text).map(quotedLine).joined(separator: "\r\n")
    }

    private static func normalizedLines(_ text: String) -> [Substring] {
        text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
    }

    private static func quotedLine(_ line: Substring) -> String {
        var lines: [String] = []
        var current = ""
        let bytes = Array(line.utf8)
        for (position, byte) in bytes.enumerated() {
            let isLast = position == bytes.count - 1
            let startsLine = current.isEmpty
            let isPlain =
                switch byte {
                case 0x3D: false
                case 0x20, 0x09: !isLast
                case 0x2E, 0x46: !startsLine
                case 0x21...0x7E: true
                default: false
                }
            let piece = isPlain ? String(Unicode.Scalar(byte)) : "=" + hexadecimal(byte)
            // A line that goes on ends with `=`, which counts.
            if current.utf8.count + piece.utf8.count > (isLast ? lineLength : lineLength - 1) {
                lines.append(current + "=")
                current = ""
            }
            current += piece
        }
        return (lines + [current]).joined(separator: "\r\n")
    }
}
