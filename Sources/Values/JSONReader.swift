/// Why a text is not JSON, and at which byte.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in words for people.
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
    public init(json bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer(Self.read).get()
    }

    /// Reads one JSON document from bytes that lie elsewhere, such as in a database's memory.
    public init(json bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
        self = try Self.read(bytes).get()
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
struct JSONReader: ~Copyable {
    let bytes: UnsafeBufferPointer<UInt8>
    let end: Int
    var at = 0
    var depth = 0
    /// What belongs to lists and objects that are not complete yet.
    private var parts = ValueStack()
    /// Keys that Swift would have to allocate, by their hash: in long documents most come again.
    var longKeys: [LongKey?] = []
    /// Where texts with escapes are put together.
    var unescaped: [UInt8] = []

    /// A key that was met before.
    struct LongKey {
        let start: Int
        let length: Int
        let text: String
    }

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        end = bytes.count
    }

    mutating func document() throws(JSONError) -> Value {
        if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { at = 3 }
        skipSpace()
        let value = try value()
        skipSpace()
        guard at == end else { throw failure(.trailing) }
        return value
    }

    func failure(_ reason: JSONError.Reason) -> JSONError { JSONError(reason: reason, offset: at) }

    @inline(__always) mutating func skipSpace() {
        while at < end, bytes[at] <= 0x20,
            bytes[at] == 0x20 || bytes[at] == 0x0A || bytes[at] == 0x0D || bytes[at] == 0x09
        {
            at += 1
        }
    }

    mutating func value() throws(JSONError) -> Value {
        guard at < end else { throw failure(.unexpectedEnd) }
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

    private mutating func word(_ word: StaticString, _ value: Value) throws(JSONError) -> Value {
        for offset in 0..<word.utf8CodeUnitCount {
            guard at < end else { throw failure(.unexpectedEnd) }
            guard bytes[at] == word.utf8Start[offset] else { throw failure(.unexpectedByte) }
            at += 1
        }
        return value
    }

    // MARK: Lists and objects

    private mutating func descend() throws(JSONError) {
        depth += 1
        if depth > Value.deepestJSON { throw failure(.tooDeep) }
        at += 1
        skipSpace()
    }

    private mutating func array() throws(JSONError) -> Value {
        try descend()
        defer { depth -= 1 }
        if try take(UInt8(ascii: "]")) { return .list([]) }
        let start = parts.count
        while true {
            parts.push(try value())
            skipSpace()
            if try take(UInt8(ascii: "]")) { return .list(parts.list(from: start)) }
            try expectComma()
        }
    }

    private mutating func object() throws(JSONError) -> Value {
        try descend()
        defer { depth -= 1 }
        if try take(UInt8(ascii: "}")) { return .map(ValueMap()) }
        let start = parts.count
        var seen: UInt64 = 0
        var repeats = false
        while true {
            guard at < end else { throw failure(.unexpectedEnd) }
            guard bytes[at] == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
            let (key, mark) = try key()
            // The keys before it are looked through only where one of them may be the same.
            repeats = repeats || mark & seen != 0 && mayRepeat(key, since: start)
            seen |= mark
            parts.push(.string(key))
            skipSpace()
            guard try take(UInt8(ascii: ":")) else { throw failure(.unexpectedByte) }
            skipSpace()
            parts.push(try value())
            skipSpace()
            if try take(UInt8(ascii: "}")) { break }
            try expectComma()
        }
        let pairs = parts.pairs(from: start)
        if repeats || pairs.count > ValueMap.searchedInOrder {
            return .map(ValueMap(pairs.lazy.map { ($0.key, $0.value) }))
        }
        return .map(ValueMap(unique: pairs))
    }

    /// Whether a key has come before in the object. Large objects are looked through in any case.
    private func mayRepeat(_ key: String, since start: Int) -> Bool {
        parts.count - start > 2 * ValueMap.searchedInOrder || parts.hasKey(key, from: start)
    }

    @inline(__always)
    private mutating func take(_ byte: UInt8) throws(JSONError) -> Bool {
        guard at < end else { throw failure(.unexpectedEnd) }
        guard bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func expectComma() throws(JSONError) {
        guard try take(UInt8(ascii: ",")) else { throw failure(.unexpectedByte) }
        skipSpace()
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> Value {
        let start = at
        let isNegative = bytes[at] == UInt8(ascii: "-")
        if isNegative { at += 1 }
        let digits = at
        var magnitude: UInt64 = 0
        while at < end, (0x30...0x39).contains(bytes[at]) {
            magnitude = magnitude &* 10 &+ UInt64(bytes[at] & 0x0F)
            at += 1
        }
        let count = at - digits
        if count == 0 { throw noDigits }
        if bytes[digits] == UInt8(ascii: "0"), count > 1 { throw failure(.badNumber) }
        var isWhole = true
        if at < end, bytes[at] == UInt8(ascii: ".") {
            isWhole = false
            at += 1
            try skipDigits()
        }
        if at < end, bytes[at] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            at += 1
            if at < end, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            try skipDigits()
        }
        // 18 digits fit whatever they are.
        if isWhole, count <= 18 { return .int(isNegative ? -Int64(magnitude) : Int64(magnitude)) }
        if isWhole, let whole = whole(from: start) { return whole }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<at]), as: UTF8.self)
        guard let double = Double(text), double.isFinite else { throw failure(.badNumber) }
        return .double(double)
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = at
        while at < end, (0x30...0x39).contains(bytes[at]) { at += 1 }
        if at == start { throw noDigits }
    }

    private var noDigits: JSONError {
        failure(at < end ? (depth == 0 ? .unexpectedByte : .badNumber) : .unexpectedEnd)
    }

    private func whole(from start: Int) -> Value? {
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
}
