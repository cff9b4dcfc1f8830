import Values

/// Texts and bytes: `"…"`, `'…'`, `"""…"""`, `'''…'''`, with `r` (no escapes) and `b` (bytes) before them.
extension Lexer {
    /// How many of `r` and `b` stand before a quote here; nil where this is a name.
    func stringPrefixLength() -> Int? {
        func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
        let first = byte() | 0x20
        guard first == UInt8(ascii: "r") || first == UInt8(ascii: "b") else { return nil }
        if isQuote(byte(1)) { return 1 }
        let second = byte(1) | 0x20
        let isPair = second != first && (second == UInt8(ascii: "r") || second == UInt8(ascii: "b"))
        return isPair && isQuote(byte(2)) ? 2 : nil
    }

    mutating func string(prefixLength: Int) throws(Complaint) -> Token {
        let start = at
        let prefix = text(start..<start + prefixLength).lowercased()
        at += prefixLength
        let quote = byte()
        let isTriple = byte(1) == quote && byte(2) == quote
        at += isTriple ? 3 : 1
        var content: [UInt8] = []
        let isBytes = prefix.contains("b")
        while true {
            if isAtClosing(quote, isTriple: isTriple) { break }
            guard at < bytes.count, isTriple || (byte() != 0x0A && byte() != 0x0D) else {
                throw unclosed(from: start, quote: quote, isTriple: isTriple)
            }
            if byte() == UInt8(ascii: "\\"), !prefix.contains("r") {
                try escape(into: &content, isBytes: isBytes)
            } else {
                content.append(byte())
                at += 1
            }
        }
        at += isTriple ? 3 : 1
        if isBytes { return Token(kind: .literal(.bytes(content)), span: start..<at) }
        return Token(kind: .literal(.string(String(decoding: content, as: UTF8.self))), span: start..<at)
    }

    private func isAtClosing(_ quote: UInt8, isTriple: Bool) -> Bool {
        byte() == quote && at < bytes.count && (!isTriple || (byte(1) == quote && byte(2) == quote))
    }

    private func unclosed(from start: Int, quote: UInt8, isTriple: Bool) -> Complaint {
        let mark = String(repeating: String(Unicode.Scalar(quote)), count: isTriple ? 3 : 1)
        var cures = ["add \(mark) where the text ends"]
        if at < bytes.count { cures.append("a text over several lines stands between \"\"\" and \"\"\"") }
        return Complaint(at: start..<at, "this text is never closed", cures: cures)
    }

    private mutating func escape(into content: inout [UInt8], isBytes: Bool) throws(Complaint) {
        let start = at
        let letter = byte(1)
        at += 2
        if let plain = Self.plainEscapes[letter] {
            content.append(plain)
            return
        }
        switch letter {
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            try append(try hexDigits(2, from: start), from: start, into: &content, isBytes: isBytes)
        case UInt8(ascii: "u") where !isBytes:
            try append(try hexDigits(4, from: start), from: start, into: &content, isBytes: false)
        case UInt8(ascii: "U") where !isBytes:
            try append(try hexDigits(8, from: start), from: start, into: &content, isBytes: false)
        case 0x30...0x33 where (0x30...0x37).contains(byte()) && (0x30...0x37).contains(byte(1)):
            let code = UInt32(letter - 0x30) << 6 | UInt32(byte() - 0x30) << 3 | UInt32(byte(1) - 0x30)
            at += 2
            try append(code, from: start, into: &content, isBytes: isBytes)
        default:
            at = min(at, bytes.count)
            throw badEscape(from: start, isBytes: isBytes)
        }
    }

    private static let plainEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "v"): 0x0B, UInt8(ascii: "\\"): 0x5C,
        UInt8(ascii: "?"): 0x3F, UInt8(ascii: "\""): 0x22, UInt8(ascii: "'"): 0x27, UInt8(ascii: "`"): 0x60,
    ]

    private mutating func hexDigits(_ count: Int, from start: Int) throws(Complaint) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<count {
            guard let digit = Self.hexValue(byte()) else { throw badEscape(from: start, isBytes: false) }
            // Eight digits can exceed any code point; what is shifted out was too large already.
            code = code > 0x10_FFFF ? code : code << 4 | digit
            at += 1
        }
        return code
    }

    private func append(
        _ code: UInt32,
        from start: Int,
        into content: inout [UInt8],
        isBytes: Bool
    ) throws(Complaint) {
        if isBytes {
            content.append(UInt8(truncatingIfNeeded: code))
        } else if let scalar = Unicode.Scalar(code) {
            content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        } else {
            throw Complaint(at: start..<at, "there is no character with the code \(text(start..<at))")
        }
    }

    private func badEscape(from start: Int, isBytes: Bool) -> Complaint {
        let end = min(max(at, start + 2), bytes.count)
        let written = text(start..<end)
        var cures = ["write '\\\\' for one backslash, or r\"…\" for a text in which backslashes stand for themselves"]
        if isBytes { cures.append("bytes know \\x41 and \\101, but not \\u0041") }
        return Complaint(at: start..<end, "'\(written)' is no escape that texts have", cures: cures)
    }
}
