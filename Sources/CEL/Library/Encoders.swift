import Values

/// `base64.encode` and `base64.decode` (the encoders extension).
extension FunctionTable {
    mutating func addEncoders() {
        add(
            "base64.encode",
            [.of(.bytes, gives: .string)],
            .unary { meter, value in
                guard case .bytes(let bytes) = value else { return .noOverload("base64.encode", [value]) }
                guard meter.charge(length: bytes.count) else { return meter.failure }
                return .string(Base64.text(of: bytes))
            }
        )
        add(
            "base64.decode",
            [.of(.string, gives: .bytes)],
            .unary { meter, value in
                guard case .string(let text) = value else { return .noOverload("base64.decode", [value]) }
                guard meter.charge(length: text.utf8.count) else { return meter.failure }
                guard let bytes = Base64.bytes(of: text) else {
                    return .failure(.invalidArgument, "the text is no base64")
                }
                return .bytes(bytes)
            }
        )
        describe(Self.encoderDocumentation)
    }
}

/// RFC 4648 section 4, standard alphabet; padding is written, and may be missing where it is read.
private enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(of bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(3 - group.count) * 8
            for position in 0..<4 {
                let letter = alphabet[Int(bits >> UInt32(18 - 6 * position) & 0x3F)]
                result.append(position <= group.count ? letter : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func bytes(of text: String) -> [UInt8]? {
        var letters = Array(text.utf8)
        while letters.last == UInt8(ascii: "="), text.utf8.count - letters.count < 2 { letters.removeLast() }
        guard letters.count % 4 != 1 else { return nil }
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for letter in letters {
            guard let value = value(of: letter) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return result
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

extension FunctionTable {
    fileprivate static let encoderDocumentation: [(name: String, documentation: String, example: String)] = [
        (
            "base64.encode", "Bytes as base64.",
            #"base64.encode(b"Anna") == "QW5uYQ==""#
        ),
        (
            "base64.decode", "The bytes that base64 stands for.",
            #"base64.decode("QW5uYQ==") == b"Anna""#
        ),
    ]
}
