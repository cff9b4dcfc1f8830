import Values

/// A word of the language inside `{{ }}` and `{% %}`.
struct Token {
    enum Kind: Equatable {
        case name
        case text(String)
        case integer(Int64)
        case double(Double)
        /// `.` `,` `:` `|` `[` `]` `(` `)` `=`
        case symbol(Character)
        /// `..`
        case dots
        case comparison(ComparisonOperator)
        case end
    }

    var kind: Kind
    var span: Range<Int>
}

/// Reads the words of one tag or output, one ahead.
struct ExpressionScanner {
    let source: SourceText
    private let end: Int
    private var position: Int
    /// The word that comes next.
    private(set) var next: Token

    init(_ source: SourceText, _ span: Range<Int>) throws(Complaint) {
        self.source = source
        end = span.upperBound
        position = span.lowerBound
        next = Token(kind: .end, span: span.lowerBound..<span.lowerBound)
        next = try read()
    }

    var isAtEnd: Bool { next.kind == .end }

    /// The name that comes next, without taking it.
    var nextName: String? { next.kind == .name ? source.string(next.span) : nil }

    @discardableResult
    mutating func take() throws(Complaint) -> Token {
        let token = next
        next = try read()
        return token
    }

    mutating func take(_ symbol: Character) throws(Complaint) -> Bool {
        guard next.kind == .symbol(symbol) else { return false }
        try take()
        return true
    }

    mutating func takeName(_ name: String) throws(Complaint) -> Bool {
        guard nextName == name else { return false }
        try take()
        return true
    }

    mutating func expectName(_ what: String) throws(Complaint) -> String {
        guard let name = nextName else { throw unexpected(what) }
        try take()
        return name
    }

    mutating func expect(_ symbol: Character) throws(Complaint) {
        guard try take(symbol) else { throw unexpected("'\(symbol)'") }
    }

    func expectEnd() throws(Complaint) {
        guard isAtEnd else { throw Complaint(at: next.span, "'\(source.string(next.span))' is not expected here") }
    }

    func unexpected(_ wanted: String) -> Complaint {
        let found = isAtEnd ? "nothing follows" : "found '\(source.string(next.span))'"
        return Complaint(at: next.span, "\(wanted) is expected here, but \(found)")
    }

    /// Whether a colon follows the name that comes next: an argument with a name.
    func isKeyword() -> Bool {
        guard next.kind == .name else { return false }
        var ahead = position
        while ahead < end, source.bytes[ahead].isLiquidSpace { ahead += 1 }
        return ahead < end && source.bytes[ahead] == UInt8(ascii: ":")
    }

    // MARK: Words

    private mutating func read() throws(Complaint) -> Token {
        while position < end, source.bytes[position].isLiquidSpace { position += 1 }
        let start = position
        guard start < end else { return Token(kind: .end, span: end..<end) }
        let byte = source.bytes[start]
        if byte.isASCIILetter || byte == UInt8(ascii: "_") { return readName(from: start) }
        if byte.isASCIIDigit || (byte == UInt8(ascii: "-") && start + 1 < end && source.bytes[start + 1].isASCIIDigit) {
            return readNumber(from: start)
        }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try readText(from: start, quote: byte) }
        return try readSymbol(from: start)
    }

    private mutating func readName(from start: Int) -> Token {
        position = source.wordEnd(from: start, to: end)
        while position < end, source.bytes[position] == UInt8(ascii: "-") {
            position = source.wordEnd(from: position + 1, to: end)
        }
        if position < end, source.bytes[position] == UInt8(ascii: "?") { position += 1 }
        let span = start..<position
        return Token(kind: source.string(span) == "contains" ? .comparison(.contains) : .name, span: span)
    }

    private mutating func readNumber(from start: Int) -> Token {
        position = start + 1
        skipDigits()
        var isWhole = true
        if position + 1 < end, source.bytes[position] == UInt8(ascii: "."), source.bytes[position + 1].isASCIIDigit {
            isWhole = false
            position += 1
            skipDigits()
        }
        let text = source.string(start..<position)
        if isWhole, let number = Int64(text) { return Token(kind: .integer(number), span: start..<position) }
        return Token(kind: .double(Double(text) ?? 0), span: start..<position)
    }

    private mutating func skipDigits() {
        while position < end, source.bytes[position].isASCIIDigit { position += 1 }
    }

    private mutating func readText(from start: Int, quote: UInt8) throws(Complaint) -> Token {
        guard let close = source.bytes[(start + 1)..<end].firstIndex(of: quote) else {
            throw Complaint(
                at: start..<end,
                "this text is never closed",
                cures: ["end it with the quote it starts with"]
            )
        }
        position = close + 1
        return Token(kind: .text(source.string(start + 1..<close)), span: start..<position)
    }

    private mutating func readSymbol(from start: Int) throws(Complaint) -> Token {
        for (text, kind) in Self.longSymbols where source.starts(at: start, with: text) && start + 2 <= end {
            position = start + 2
            return Token(kind: kind, span: start..<position)
        }
        position = start + 1
        let span = start..<position
        switch source.bytes[start] {
        case UInt8(ascii: "<"): return Token(kind: .comparison(.less), span: span)
        case UInt8(ascii: ">"): return Token(kind: .comparison(.greater), span: span)
        case let byte where Self.symbols.contains(byte):
            return Token(kind: .symbol(Character(Unicode.Scalar(byte))), span: span)
        default: throw foreignCharacter(at: start)
        }
    }

    private static let longSymbols: [(StaticString, Token.Kind)] = [
        ("..", .dots), ("==", .comparison(.equal)), ("!=", .comparison(.notEqual)), ("<>", .comparison(.notEqual)),
        ("<=", .comparison(.lessOrEqual)), (">=", .comparison(.greaterOrEqual)),
    ]
    private static let symbols = Array(".,:|[]()=".utf8)

    /// What stands in a template but not in the language, with the cure for what people really type.
    private func foreignCharacter(at start: Int) -> Complaint {
        var length = 1
        while start + length < end, source.bytes[start + length] & 0xC0 == 0x80 { length += 1 }
        let span = start..<start + length
        let character = source.string(span)
        if source.starts(at: start, with: "&&") {
            return Complaint(at: start..<start + 2, "there is no '&&'", cures: ["write 'and'"])
        }
        switch character {
        case "\u{2018}", "\u{2019}", "\u{201A}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}":
            return Complaint(at: span, "'\(character)' is a typographic quote", cures: ["write \" or '"])
        case "\u{A0}", "\u{202F}", "\u{2009}":
            return Complaint(at: span, "this is a no-break space", cures: ["type an ordinary space"])
        case "!": return Complaint(at: span, "there is no '!'", cures: ["use 'unless', or compare with 'false'"])
        case "+", "-", "*", "/", "%":
            return Complaint(
                at: span,
                "there is no operator '\(character)'",
                cures: ["use a filter: plus, minus, times, divided_by, modulo"]
            )
        default: return Complaint(at: span, "'\(character)' is not expected here")
        }
    }
}
