extension Value {
    /// This value as compact JSON on one line (RFC 8259), pairs in their order.
    ///
    /// What JSON has no form for is written as text: timestamps in RFC 3339, durations as seconds with an `s`, bytes in hexadecimal,
    /// NaN and the infinities as `null`. Reading it back gives the same value for everything that came from JSON.
    public var json: String {
        JSONWriter.text(of: self, indent: nil)
    }

    /// The same as UTF-8, as it is sent.
    public var jsonBytes: [UInt8] { JSONWriter.bytes(of: self, indent: nil) }

    /// The same over several lines, two blanks a level, for people and for files that are compared.
    public var prettyJSON: String {
        JSONWriter.text(of: self, indent: 2)
    }

    /// The same value with the pairs of every map in the order of their keys: equal values give the same bytes,
    /// which is what content hashes are made of.
    public var canonical: Value {
        switch self {
        case .list(let list): .list(list.map(\.canonical))
        case .map(let map):
            .map(
                ValueMap(
                    map.pairs.map { ($0.key, $0.value.canonical) }.sorted { $0.0.plainText < $1.0.plainText }
                )
            )
        default: self
        }
    }

    /// A scalar as people write it: texts without quotes, whole doubles without `.0`, lists and maps as JSON, null as nothing.
    public var plainText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .double(let double): Self.text(of: double)
        case .timestamp(let instant): instant.rfc3339
        case .duration(let span): Self.text(of: span)
        default: json
        }
    }

    fileprivate static func text(of double: Double, keepingFraction: Bool = false) -> String {
        if !keepingFraction, let whole = Int64(exactly: double) { return String(whole) }
        return String(double)
    }

    fileprivate static func text(of span: TimeSpan) -> String {
        if span.nanoseconds == 0 { return "\(span.seconds)s" }
        let sign = span.seconds < 0 || span.nanoseconds < 0 ? "-" : ""
        var fraction = padded(Int(abs(span.nanoseconds)), 9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(sign)\(abs(span.seconds)).\(fraction)s"
    }
}

/// Puts JSON together byte by byte: texts are copied in runs of what needs no escape.
private struct JSONWriter {
    private var bytes: [UInt8] = []
    private let indent: Int?

    static func text(of value: Value, indent: Int?) -> String {
        let bytes = bytes(of: value, indent: indent)
        // Put together of whole texts, so that it need not be validated.
        var text = UTF8Span(unchecked: bytes.span)
        _ = text.checkForASCII()
        return String(copying: text)
    }

    static func bytes(of value: Value, indent: Int?) -> [UInt8] {
        var writer = JSONWriter(indent: indent)
        writer.write(value, level: 0)
        return writer.bytes
    }

    private init(indent: Int?) {
        self.indent = indent
        bytes.reserveCapacity(256)
    }

    private mutating func write(_ value: Value, level: Int) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .int(let value): append(text: String(value))
        case .uint(let value): append(text: String(value))
        case .double(let value) where value.isFinite: append(text: Value.text(of: value, keepingFraction: true))
        case .double: append("null")
        case .string(let value): quote(value)
        case .bytes(let value): quote(value.map { Self.hex($0) }.joined())
        case .timestamp(let value): quote(value.rfc3339)
        case .duration(let value): quote(Value.text(of: value))
        case .list(let list):
            bytes.append(UInt8(ascii: "["))
            for place in list.indices {
                separate(place, level)
                write(list[place], level: level + 1)
            }
            close(UInt8(ascii: "]"), isEmpty: list.isEmpty, level)
        case .map(let map):
            bytes.append(UInt8(ascii: "{"))
            for place in map.pairs.indices {
                separate(place, level)
                quote(map.pairs[place].key.plainText)
                append(indent == nil ? ":" : ": ")
                write(map.pairs[place].value, level: level + 1)
            }
            close(UInt8(ascii: "}"), isEmpty: map.isEmpty, level)
        }
    }

    private mutating func separate(_ place: Int, _ level: Int) {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        breakLine(level + 1)
    }

    private mutating func close(_ bracket: UInt8, isEmpty: Bool, _ level: Int) {
        if !isEmpty { breakLine(level) }
        bytes.append(bracket)
    }

    private mutating func breakLine(_ level: Int) {
        guard let indent else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: indent * level))
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { escape($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
        var copied = 0
        var at = 0
        while at < utf8.count {
            if Self.isPlain(utf8, at) {
                at += 8
                continue
            }
            let length = Self.lengthOfOdd(in: utf8, at)
            if length > 0 {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[copied..<at]))
                escapeOne(utf8, at)
                copied = at + length
            }
            at += max(1, length)
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[copied...]))
    }

    /// Whether the next eight bytes are there and are ASCII that stands for itself.
    private static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
        guard at + 8 <= utf8.count else { return false }
        let word = UnsafeRawBufferPointer(utf8).loadUnaligned(fromByteOffset: at, as: UInt64.self)
        // A zero where the control character 0x7F is, which JSON allows; the arithmetic is that of `others`.
        let deletes = word ^ 0x7F7F_7F7F_7F7F_7F7F
        return (JSONReader.others(in: word) | (deletes &- 0x0101_0101_0101_0101) & ~deletes & 0x8080_8080_8080_8080)
            == 0
    }

    /// How many bytes what cannot stand for itself has; 0 for all else.
    private static func lengthOfOdd(in utf8: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
        switch utf8[at] {
        case 0..<0x20, 0x22, 0x5C, 0x7F: 1
        // U+2028 and U+2029 end a line in JavaScript; written as escapes they are harmless everywhere.
        case 0xE2 where at + 2 < utf8.count && utf8[at + 1] == 0x80 && utf8[at + 2] & 0xFE == 0xA8: 3
        default: 0
        }
    }

    private mutating func escapeOne(_ utf8: UnsafeBufferPointer<UInt8>, _ at: Int) {
        switch utf8[at] {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0xE2: append(text: "\\u20" + Self.hex(utf8[at + 2] & 0x7F))
        default: append(text: "\\u00" + Self.hex(utf8[at]))
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}
