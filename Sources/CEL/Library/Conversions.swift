import Values

/// `int uint double string bytes bool dyn type` and `size` (cel-spec, "List of Standard Definitions").
extension FunctionTable {
    mutating func addConversions() {
        add(
            "int",
            [.int, .uint, .double, .string, .timestamp].map { .of($0, gives: .int) },
            .unary(Conversion.int)
        )
        add("uint", [.int, .uint, .double, .string].map { .of($0, gives: .uint) }, .unary(Conversion.uint))
        add("double", [.int, .uint, .double, .string].map { .of($0, gives: .double) }, .unary(Conversion.double))
        let texts: [CELType] = [.string, .bool, .int, .uint, .double, .bytes, .timestamp, .duration]
        add("string", texts.map { .of($0, gives: .string) }, .unary(Conversion.string))
        add("bytes", [.bytes, .string].map { .of($0, gives: .bytes) }, .unary(Conversion.bytes))
        add("bool", [.bool, .string].map { .of($0, gives: .bool) }, .unary(Conversion.bool))
        add("dyn", [.of(.parameter("A"), gives: .dyn)], .unary { _, value in value })
        add(
            "type",
            [.of(.parameter("A"), gives: .type(.parameter("A")))],
            .unary { _, value in .type(value.typeName) }
        )
        let sized: [CELType] = [
            .string, .bytes, .list(.parameter("A")), .map(key: .parameter("A"), value: .parameter("B")),
        ]
        add("size", sized.flatMap { [.of($0, gives: .int), .on($0, gives: .int)] }, .unary(Conversion.size))
        describe(Self.conversionDocumentation)
    }
}

enum Conversion {
    private static func outOfRange(_ type: String) -> Datum {
        .failure(.outOfRange, "the number is outside the range of \(type)")
    }

    private static func notA(_ what: String, _ text: String) -> Datum {
        .failure(.invalidArgument, "the text '\(text.prefix(40))' is no \(what)")
    }

    @Sendable static func int(_ meter: inout Meter, _ value: Datum) -> Datum {
        switch value {
        case .int: return value
        case .uint(let number): return Int64(exactly: number).map { .int($0) } ?? outOfRange("int")
        case .double(let number):
            // 2^63 itself is a double that looks like the greatest int, which is why both ends are left out.
            guard number > -0x1p63, number < 0x1p63 else { return outOfRange("int") }
            return .int(Int64(number))
        case .string(let text): return Int64(text).map { .int($0) } ?? notA("int", text)
        case .timestamp(let instant): return .int(instant.seconds)
        default: return .noOverload("int", [value])
        }
    }

    @Sendable static func uint(_ meter: inout Meter, _ value: Datum) -> Datum {
        switch value {
        case .uint: return value
        case .int(let number): return UInt64(exactly: number).map { .uint($0) } ?? outOfRange("uint")
        case .double(let number):
            guard number >= 0, number < 0x1p64 else { return outOfRange("uint") }
            return .uint(UInt64(number))
        case .string(let text): return UInt64(text).map { .uint($0) } ?? notA("uint", text)
        default: return .noOverload("uint", [value])
        }
    }

    @Sendable static func double(_ meter: inout Meter, _ value: Datum) -> Datum {
        switch value {
        case .double: value
        case .int(let number): .double(Double(number))
        case .uint(let number): .double(Double(number))
        case .string(let text): Double(text).map { .double($0) } ?? notA("double", text)
        default: .noOverload("double", [value])
        }
    }

    @Sendable static func string(_ meter: inout Meter, _ value: Datum) -> Datum {
        switch value {
        case .string: return value
        case .bool(let truth): return .string(truth ? "true" : "false")
        case .int(let number): return .string(String(number))
        case .uint(let number): return .string(String(number))
        case .double(let number): return .string(NumberText.shortest(number))
        case .bytes(let bytes):
            guard meter.charge(length: bytes.count) else { return meter.failure }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return .failure(.invalidArgument, "the bytes are no UTF-8")
            }
            return .string(text)
        case .timestamp(let instant): return .string(instant.rfc3339)
        case .duration(let span): return .string(DurationText.text(of: span))
        default: return .noOverload("string", [value])
        }
    }

    @Sendable static func bytes(_ meter: inout Meter, _ value: Datum) -> Datum {
        switch value {
        case .bytes: return value
        case .string(let text):
            guard meter.charge(length: text.utf8.count) else { return meter.failure }
            return .bytes(Array(text.utf8))
        default: return .noOverload("bytes", [value])
        }
    }

    @Sendable static func bool(_ meter: inout Meter, _ value: Datum) -> Datum {
        switch value {
        case .bool: return value
        case .string(let text):
            if ["1", "t", "T", "true", "TRUE", "True"].contains(text) { return .bool(true) }
            if ["0", "f", "F", "false", "FALSE", "False"].contains(text) { return .bool(false) }
            return notA("bool", text)
        default: return .noOverload("bool", [value])
        }
    }

    @Sendable static func size(_ meter: inout Meter, _ value: Datum) -> Datum {
        switch value {
        case .string(let text):
            guard meter.charge(length: text.utf8.count) else { return meter.failure }
            return .int(Int64(text.unicodeScalars.count))
        case .bytes(let bytes): return .int(Int64(bytes.count))
        case .list(let list): return .int(Int64(list.count))
        case .map(let map): return .int(Int64(map.count))
        default: return .noOverload("size", [value])
        }
    }
}

/// Doubles as text.
enum NumberText {
    /// The shortest text that reads back as the same number; without a fraction where there is none.
    static func shortest(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        let text = String(number)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension FunctionTable {
    fileprivate static let conversionDocumentation: [(name: String, documentation: String, example: String)] = [
        (
            "int", "A whole number: a decimal loses its fraction, a time gives the seconds since 1970.",
            #"int("42") == 42 && int(7.9) == 7"#
        ),
        (
            "uint", "A whole number that is never negative.",
            "uint(3) == 3u"
        ),
        (
            "double", "A decimal number.",
            #"double("5.5") == 5.5"#
        ),
        (
            "string", "The text of a value.",
            #"string(7) == "7""#
        ),
        (
            "bytes", "The bytes of a text, in UTF-8.",
            #"size(bytes("ü")) == 2"#
        ),
        (
            "bool", "True or false, from a text.",
            #"bool("true")"#
        ),
        (
            "dyn", "The value, with its type forgotten: what is done with it is checked when it is evaluated.",
            "dyn(1) == 1"
        ),
        (
            "type", "The type of a value.",
            "type(1) == int"
        ),
        (
            "size", "How many: characters (code points) of a text, elements of a list, entries of a map.",
            #"size("Anna") == 4 && [1, 2, 3].size() == 3"#
        ),
    ]
}
