/// Reads the raw source of plain and quoted scalars (YAML 1.2.2, section 7.3): escapes and folded lines.
struct FlowScalarReader {
    let bytes: [UInt8]
    /// The text between the quotes, or the whole of a plain scalar.
    let span: Range<Int>
    /// nil for plain scalars.
    let quote: UInt8?

    mutating func read(into layout: inout ScalarLayout) {
        var offset = span.lowerBound
        while offset < span.upperBound {
            let byte = bytes[offset]
            if byte.isBlank || byte.isBreak {
                offset = readBlanks(from: offset, into: &layout)
            } else if byte == .singleQuote, quote == .singleQuote {
                layout.append([.singleQuote], for: offset..<min(offset + 2, span.upperBound))
                offset += 2
            } else if byte == UInt8(ascii: "\\"), quote == .doubleQuote {
                offset = readEscape(from: offset, into: &layout)
            } else {
                let end = bytes[offset..<span.upperBound].firstIndex { endsRun($0) } ?? span.upperBound
                layout.append(bytes[offset..<max(end, offset + 1)])
                offset = max(end, offset + 1)
            }
        }
    }

    private func endsRun(_ byte: UInt8) -> Bool {
        byte.isBlank || byte.isBreak || (byte == quote && quote == .singleQuote)
            || (byte == UInt8(ascii: "\\") && quote == .doubleQuote)
    }

    /// Blanks inside a line stay; around a line end they go, one line end becomes a space and n become n - 1.
    private func readBlanks(from start: Int, into layout: inout ScalarLayout) -> Int {
        let (end, breaks) = skipBlanks(from: start)
        switch breaks {
        case 0: layout.append(bytes[start..<end])
        case 1: layout.append([.space], for: start..<end)
        default: layout.append(Array(repeating: .lineFeed, count: breaks - 1), for: start..<end)
        }
        return end
    }

    private func skipBlanks(from start: Int) -> (end: Int, breaks: Int) {
        var offset = start
        var breaks = 0
        while offset < span.upperBound, bytes[offset].isBlank || bytes[offset].isBreak {
            let isPair =
                bytes[offset] == .carriageReturn && offset + 1 < span.upperBound && bytes[offset + 1] == .lineFeed
            if bytes[offset].isBreak { breaks += 1 }
            offset += isPair ? 2 : 1
        }
        return (offset, breaks)
    }

    private func readEscape(from start: Int, into layout: inout ScalarLayout) -> Int {
        guard start + 1 < span.upperBound else {
            layout.append(bytes[start..<span.upperBound])
            return span.upperBound
        }
        let letter = bytes[start + 1]
        if letter.isBreak {
            // The line end is escaped: it is no space; empty lines behind it still count.
            let (end, breaks) = skipBlanks(from: start + 1)
            layout.append(Array(repeating: .lineFeed, count: breaks - 1), for: start..<end)
            return end
        }
        let digits = Self.digits[letter] ?? 0
        let end = min(start + 2 + digits, span.upperBound)
        layout.append(Self.meaning(of: letter, digits: bytes[min(start + 2, end)..<end]), for: start..<end)
        return end
    }

    private static let digits: [UInt8: Int] = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8]

    /// Section 5.7 of YAML 1.2.2.
    private static let letters: [Character: UInt32] = [
        "0": 0, "a": 7, "b": 8, "t": 9, "\t": 9, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D, "e": 0x1B,
        " ": 0x20, "\"": 0x22, "/": 0x2F, "\\": 0x5C, "'": 0x27, "N": 0x85, "_": 0xA0, "L": 0x2028, "P": 0x2029,
    ]

    private static func meaning(of letter: UInt8, digits: ArraySlice<UInt8>) -> [UInt8] {
        let number =
            digits.isEmpty
            ? letters[Character(Unicode.Scalar(letter))] : UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        guard let number, let scalar = Unicode.Scalar(number) else { return [letter] }
        return Array(String(Character(scalar)).utf8)
    }
}
