extension Value {
    /// This value as compact JSON on one line (RFC 8259), pairs in their order.
    ///
    /// What JSON has no form for is written as text: timestamps in RFC 3339, durations as seconds with an `s`, bytes in hexadecimal,
    /// NaN and the infinities as `null`. Reading it back gives the same value for everything that came from JSON.
    public var json: String {
        var text = ""
        write(into: &text, indent: nil, level: 0)
        return text
    }

    /// The same over several lines, two blanks a level, for people and for files that are compared.
    public var prettyJSON: String {
        var text = ""
        write(into: &text, indent: 2, level: 0)
        return text
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

    private func write(into text: inout String, indent: Int?, level: Int) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .int(let value): text += String(value)
        case .uint(let value): text += String(value)
        case .double(let value): text += value.isFinite ? Self.text(of: value, keepingFraction: true) : "null"
        case .string(let value): Self.quote(value, into: &text)
        case .bytes(let value): Self.quote(value.map { Self.hex($0) }.joined(), into: &text)
        case .timestamp(let value): Self.quote(value.rfc3339, into: &text)
        case .duration(let value): Self.quote(Self.text(of: value), into: &text)
        case .list(let list):
            Self.write(list, "[", "]", into: &text, indent, level) { element, text in
                element.write(into: &text, indent: indent, level: level + 1)
            }
        case .map(let map):
            Self.write(map.pairs, "{", "}", into: &text, indent, level) { pair, text in
                Self.quote(pair.key.plainText, into: &text)
                text += indent == nil ? ":" : ": "
                pair.value.write(into: &text, indent: indent, level: level + 1)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element],
        _ open: String,
        _ close: String,
        into text: inout String,
        _ indent: Int?,
        _ level: Int,
        _ write: (Element, inout String) -> Void
    ) {
        text += open
        for (position, element) in elements.enumerated() {
            if position > 0 { text += "," }
            if let indent { text += "\n" + String(repeating: " ", count: indent * (level + 1)) }
            write(element, &text)
        }
        if let indent, !elements.isEmpty { text += "\n" + String(repeating: " ", count: indent * level) }
        text += close
    }

    private static func quote(_ string: String, into text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // U+2028 and U+2029 end a line in JavaScript; written as escapes they are harmless everywhere.
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
                text += "\\u" + hex(UInt8(scalar.value >> 8)) + hex(UInt8(scalar.value & 0xFF))
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }

    private static func text(of double: Double, keepingFraction: Bool = false) -> String {
        if !keepingFraction, let whole = Int64(exactly: double) { return String(whole) }
        return String(double)
    }

    private static func text(of span: TimeSpan) -> String {
        if span.nanoseconds == 0 { return "\(span.seconds)s" }
        let sign = span.seconds < 0 || span.nanoseconds < 0 ? "-" : ""
        var fraction = padded(Int(abs(span.nanoseconds)), 9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(sign)\(abs(span.seconds)).\(fraction)s"
    }
}
