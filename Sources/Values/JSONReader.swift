/// Why a text is not JSON, and at which byte.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: String, Sendable {
        case unexpectedByte = "unexpected character"
        case unexpectedEnd = "the text ends in the middle"
        case badNumber = "not a number"
        case badString = "not a text"
        case badUTF8 = "not UTF-8"
        case tooDeep = "nested too deeply"
        case trailing = "something follows the end"
    }
    public let reason: Reason
    /// The offset from the start, in bytes.
    public let offset: Int

    public var description: String { "\(reason.rawValue) at byte \(offset)" }
}

extension Value {
    /// How deep lists and objects may lie in each other. Answers of schools nest about 8 deep; 100,000 is an attack.
    public static let deepestJSON = 128

    /// Reads one JSON document (RFC 8259), UTF-8, a byte order mark at its start allowed.
    ///
    /// A whole number becomes an `int`, above 2^63-1 a `uint`, anything else a `double`. Of doubled keys the last counts, as in
    /// JavaScript, which most servers are tested against. Half a surrogate pair becomes U+FFFD.
    public init(json bytes: some Collection<UInt8>) throws(JSONError) {
        let outcome: Result<Value, JSONError>? = bytes.withContiguousStorageIfAvailable(Self.read)
        self = try (outcome ?? Array(bytes).withUnsafeBufferPointer(Self.read)).get()
    }

    /// Reads one JSON document from text.
    public init(json text: String) throws(JSONError) {
        var text = text
        self = try text.withUTF8(Self.read).get()
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Value, JSONError> {
        var reader = JSONReader(bytes: bytes)
        do throws(JSONError) {
            return .success(try reader.document())
        } catch {
            return .failure(error)
        }
    }
}

/// A recursive-descent reader over bytes that outlive it.
private struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var at = 0
    var depth = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func document() throws(JSONError) -> Value {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { at = 3 }
        skipSpace()
        let value = try value()
        skipSpace()
        guard at == bytes.count else { throw failure(.trailing) }
        return value
    }

    func failure(_ reason: JSONError.Reason) -> JSONError { JSONError(reason: reason, offset: at) }

    @inline(__always) mutating func skipSpace() {
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x0A || bytes[at] == 0x0D || bytes[at] == 0x09 {
            at += 1
        }
    }

    mutating func value() throws(JSONError) -> Value {
        guard at < bytes.count else { throw failure(.unexpectedEnd) }
        switch bytes[at] {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    mutating func word(_ word: StaticString, _ value: Value) throws(JSONError) -> Value {
        for offset in 0..<word.utf8CodeUnitCount {
            guard at < bytes.count else { throw failure(.unexpectedEnd) }
            guard bytes[at] == word.utf8Start[offset] else { throw failure(.unexpectedByte) }
            at += 1
        }
        return value
    }

    mutating func descend() throws(JSONError) {
        depth += 1
        if depth > Value.deepestJSON { throw failure(.tooDeep) }
        at += 1
        skipSpace()
    }

    mutating func array() throws(JSONError) -> Value {
        try descend()
        defer { depth -= 1 }
        var list: [Value] = []
        if try take(UInt8(ascii: "]")) { return .list(list) }
        while true {
            list.append(try value())
            skipSpace()
            if try take(UInt8(ascii: "]")) { return .list(list) }
            try expectComma()
        }
    }

    mutating func object() throws(JSONError) -> Value {
        try descend()
        defer { depth -= 1 }
        var map = ValueMap()
        if try take(UInt8(ascii: "}")) { return .map(map) }
        while true {
            guard at < bytes.count else { throw failure(.unexpectedEnd) }
            guard bytes[at] == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
            let key = try string()
            skipSpace()
            guard try take(UInt8(ascii: ":")) else { throw failure(.unexpectedByte) }
            skipSpace()
            map[Value.string(key)] = try value()
            skipSpace()
            if try take(UInt8(ascii: "}")) { return .map(map) }
            try expectComma()
        }
    }

    mutating func take(_ byte: UInt8) throws(JSONError) -> Bool {
        guard at < bytes.count else { throw failure(.unexpectedEnd) }
        guard bytes[at] == byte else { return false }
        at += 1
        return true
    }

    mutating func expectComma() throws(JSONError) {
        guard try take(UInt8(ascii: ",")) else { throw failure(.unexpectedByte) }
        skipSpace()
    }

    // MARK: Numbers

    mutating func number() throws(JSONError) -> Value {
        let start = at
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        let digits = at
        try skipDigits()
        if bytes[digits] == UInt8(ascii: "0"), at - digits > 1 { throw failure(.badNumber) }
        var isWhole = true
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            isWhole = false
            at += 1
            try skipDigits()
        }
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            try skipDigits()
        }
        if isWhole, let whole = whole(from: start) { return whole }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<at]), as: UTF8.self)
        guard let double = Double(text), double.isFinite else { throw failure(.badNumber) }
        return .double(double)
    }

    mutating func skipDigits() throws(JSONError) {
        let start = at
        while at < bytes.count, (0x30...0x39).contains(bytes[at]) { at += 1 }
        if at == start {
            throw failure(at < bytes.count ? (depth == 0 ? .unexpectedByte : .badNumber) : .unexpectedEnd)
        }
    }

    func whole(from start: Int) -> Value? {
        let isNegative = bytes[start] == UInt8(ascii: "-")
        var magnitude: UInt64 = 0
        for byte in bytes[(isNegative ? start + 1 : start)..<at] {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(UInt64(byte & 0x0F))
            if overflow || carried { return nil }
            magnitude = sum
        }
        if isNegative { return magnitude <= 1 << 63 ? .int(Int64(truncatingIfNeeded: 0 &- magnitude)) : nil }
        return magnitude <= UInt64(Int64.max) ? .int(Int64(magnitude)) : .uint(magnitude)
    }

    // MARK: Texts

    mutating func string() throws(JSONError) -> String {
        at += 1
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\"), bytes[at] >= 0x20 {
            at += 1
        }
        guard at < bytes.count else { throw failure(.unexpectedEnd) }
        if bytes[at] == UInt8(ascii: "\"") {
            let text = try validated(UnsafeBufferPointer(rebasing: bytes[start..<at]))
            at += 1
            return text
        }
        return try escapedString(from: start)
    }

    func validated(_ slice: UnsafeBufferPointer<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else { throw failure(.badUTF8) }
        return text
    }

    /// The rest of a text in which an escape was met; `at` stands on it.
    mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var buffer = Array(bytes[start..<at])
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                guard let text = String(validating: buffer, as: UTF8.self) else { throw failure(.badUTF8) }
                at += 1
                return text
            }
            guard byte >= 0x20 else { throw failure(.badString) }
            if byte == UInt8(ascii: "\\") {
                try escape(into: &buffer)
            } else {
                buffer.append(byte)
                at += 1
            }
        }
        throw failure(.unexpectedEnd)
    }

    mutating func escape(into buffer: inout [UInt8]) throws(JSONError) {
        guard at + 1 < bytes.count else { throw failure(.unexpectedEnd) }
        at += 2
        switch bytes[at - 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(bytes[at - 1])
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): try unicodeEscape(into: &buffer)
        default: throw failure(.badString)
        }
    }

    mutating func unicodeEscape(into buffer: inout [UInt8]) throws(JSONError) {
        var code = UInt32(try hexDigits())
        if (0xD800..<0xDC00).contains(code), at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
            bytes[at + 1] == UInt8(ascii: "u")
        {
            let back = at
            at += 2
            let low = UInt32(try hexDigits())
            if (0xDC00..<0xE000).contains(low) {
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            } else {
                at = back
            }
        }
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        buffer.append(contentsOf: String(scalar).utf8)
    }

    mutating func hexDigits() throws(JSONError) -> UInt16 {
        guard at + 4 <= bytes.count else { throw failure(.unexpectedEnd) }
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[at])).hexDigitValue else { throw failure(.badString) }
            value = value << 4 | UInt16(digit)
            at += 1
        }
        return value
    }
}
