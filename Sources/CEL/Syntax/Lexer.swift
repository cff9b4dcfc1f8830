import Values

/// One word of the source.
struct Token: Sendable {
    enum Kind: Sendable, Equatable {
        case name(String)
        /// A field name between backticks.
        case quotedName(String)
        case literal(Node.Literal)
        /// 9223372036854775808, which is a number only behind a minus.
        case magnitudeOfLeastInt
        case punctuation(String)
        case end
    }

    let kind: Kind
    let span: Range<Int>
}

/// Splits source text into tokens (cel-spec, "Lexis").
struct Lexer {
    let bytes: [UInt8]
    var at = 0

    init(_ source: String) { bytes = Array(source.utf8) }

    static func tokens(of source: String) throws(Complaint) -> [Token] {
        var lexer = Lexer(source)
        var tokens: [Token] = []
        tokens.reserveCapacity(source.utf8.count / 3)
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    /// The byte so many places ahead; 0 past the end.
    func byte(_ ahead: Int = 0) -> UInt8 { at + ahead < bytes.count ? bytes[at + ahead] : 0 }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func next() throws(Complaint) -> Token {
        skipSpaceAndComments()
        let start = at
        guard at < bytes.count else { return Token(kind: .end, span: start..<start) }
        switch bytes[at] {
        case 0x30...0x39: return try number()
        case UInt8(ascii: ".") where Self.isDigit(byte(1)): return try number()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(prefixLength: 0)
        case UInt8(ascii: "`"): return try quotedName()
        case let first where Self.isNameStart(first):
            if let prefix = stringPrefixLength() { return try string(prefixLength: prefix) }
            while at < bytes.count, Self.isNameStart(bytes[at]) || Self.isDigit(bytes[at]) { at += 1 }
            try refuseForeignLetter(from: start)
            return Token(kind: word(text(start..<at)), span: start..<at)
        default: return try punctuation()
        }
    }

    private mutating func skipSpaceAndComments() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: at += 1
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
                while at < bytes.count, bytes[at] != 0x0A { at += 1 }
            default: return
            }
        }
    }

    private func word(_ text: String) -> Token.Kind {
        switch text {
        case "true": .literal(.bool(true))
        case "false": .literal(.bool(false))
        case "null": .literal(.null)
        case "in": .punctuation("in")
        default: .name(text)
        }
    }

    private mutating func quotedName() throws(Complaint) -> Token {
        let start = at
        at += 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "`"), bytes[at] != 0x0A { at += 1 }
        guard byte() == UInt8(ascii: "`"), at > start + 1 else {
            throw Complaint(
                at: start..<at,
                "this '`' is never closed",
                cures: ["write `field-name` with '`' on both sides"]
            )
        }
        at += 1
        let name = text(start + 1..<at - 1)
        let isAllowed = name.utf8.allSatisfy { Self.isNameStart($0) || Self.isDigit($0) || "./- ".utf8.contains($0) }
        guard isAllowed else {
            throw Complaint(
                at: start..<at,
                "a name between backticks has only letters, digits, '_', '.', '-', '/' and blanks",
                cures: ["write [\"\(name)\"] instead"]
            )
        }
        return Token(kind: .quotedName(name), span: start..<at)
    }

    private mutating func punctuation() throws(Complaint) -> Token {
        let start = at
        if let symbol = longSymbol() {
            at += 2
            if byte() == UInt8(ascii: "="), let mistake = SyntaxCures.longOperator(symbol) {
                throw Complaint(at: start..<at + 1, mistake.message, cures: [mistake.cure])
            }
            return Token(kind: .punctuation(symbol), span: start..<at)
        }
        let scalar = Unicode.Scalar(bytes[start])
        if "<>+-*/%!?:.,()[]{}".utf8.contains(bytes[start]) {
            at += 1
            if scalar == "<", byte() == UInt8(ascii: ">") {
                throw Complaint(at: start..<at + 1, "there is no operator '<>'", cures: ["write '!=' for 'not equal'"])
            }
            return Token(kind: .punctuation(String(scalar)), span: start..<at)
        }
        throw strayCharacter()
    }

    private func longSymbol() -> String? {
        switch (byte(), byte(1)) {
        case (UInt8(ascii: "&"), UInt8(ascii: "&")): "&&"
        case (UInt8(ascii: "|"), UInt8(ascii: "|")): "||"
        case (UInt8(ascii: "="), UInt8(ascii: "=")): "=="
        case (UInt8(ascii: "!"), UInt8(ascii: "=")): "!="
        case (UInt8(ascii: "<"), UInt8(ascii: "=")): "<="
        case (UInt8(ascii: ">"), UInt8(ascii: "=")): ">="
        default: nil
        }
    }

    /// A complaint about the character here, which no expression has outside of texts.
    private func strayCharacter() -> Complaint {
        let rest = String(decoding: bytes[at..<min(at + 4, bytes.count)], as: UTF8.self)
        let scalar = rest.unicodeScalars.first ?? "\u{FFFD}"
        let two = rest.unicodeScalars.prefix(2).map { String($0) }.joined()
        return SyntaxCures.complaint(about: scalar, pair: two, at: at, rest: bytes[at...])
    }

    /// Names have ASCII letters only; `schüler` would fall apart into two tokens and a confusing complaint.
    private func refuseForeignLetter(from start: Int) throws(Complaint) {
        guard byte() >= 0x80 else { return }
        let rest = String(decoding: bytes[start...].prefix(120), as: UTF8.self)
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard name.utf8.count > at - start else { return }
        throw Complaint(
            at: start..<start + name.utf8.count,
            "'\(name)' is no name: names have only the letters a-z and A-Z, digits and '_'",
            cures: ["for a field write [\"\(name)\"] behind what has it, for a text \"\(name)\""]
        )
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    static func isNameStart(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || byte == 0x5F
    }
    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46: UInt32(byte - 0x41 + 10)
        case 0x61...0x66: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }
}

// MARK: Numbers

extension Lexer {
    private mutating func skipDigits() { while Self.isDigit(byte()) { at += 1 } }

    mutating func number() throws(Complaint) -> Token {
        let start = at
        if byte() == 0x30, byte(1) | 0x20 == UInt8(ascii: "x"), Self.hexValue(byte(2)) != nil {
            at += 2
            while Self.hexValue(byte()) != nil { at += 1 }
            return try whole(from: start, radix: 16, digitsAt: start + 2)
        }
        skipDigits()
        var isWhole = true
        if byte() == UInt8(ascii: "."), Self.isDigit(byte(1)) {
            isWhole = false
            at += 1
            skipDigits()
        }
        let sign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-") ? 1 : 0
        if byte() | 0x20 == UInt8(ascii: "e"), Self.isDigit(byte(1 + sign)) {
            isWhole = false
            at += 1 + sign
            skipDigits()
        }
        if isWhole { return try whole(from: start, radix: 10, digitsAt: start) }
        try refuseSuffix(from: start)
        guard let value = Double(text(start..<at)), value.isFinite else {
            throw Complaint(at: start..<at, "this number is too large for a double (about 1.8e308)")
        }
        return Token(kind: .literal(.double(value)), span: start..<at)
    }

    private mutating func whole(from start: Int, radix: Int, digitsAt: Int) throws(Complaint) -> Token {
        let magnitude = UInt64(text(digitsAt..<at), radix: radix)
        let isUnsigned = byte() | 0x20 == UInt8(ascii: "u")
        if isUnsigned { at += 1 }
        try refuseSuffix(from: start)
        guard let magnitude else {
            throw Complaint(at: start..<at, "this number is too large: whole numbers have 64 bits")
        }
        if isUnsigned { return Token(kind: .literal(.uint(magnitude)), span: start..<at) }
        if magnitude == 1 << 63 { return Token(kind: .magnitudeOfLeastInt, span: start..<at) }
        guard let value = Int64(exactly: magnitude) else {
            throw Complaint(
                at: start..<at,
                "this number is too large for an int (at most 9223372036854775807)",
                cures: ["write \(magnitude)u for an unsigned number, or \(magnitude).0 for a double"]
            )
        }
        return Token(kind: .literal(.int(value)), span: start..<at)
    }

    /// `48h` and `3A` are no numbers.
    private mutating func refuseSuffix(from start: Int) throws(Complaint) {
        guard Self.isNameStart(byte()) else { return }
        let number = text(start..<at)
        let suffixAt = at
        while Self.isNameStart(byte()) || Self.isDigit(byte()) { at += 1 }
        let suffix = text(suffixAt..<at)
        throw Complaint(
            at: start..<at,
            "'\(number)\(suffix)' is no number",
            cures: [SyntaxCures.numberSuffix(number, suffix)]
        )
    }
}
