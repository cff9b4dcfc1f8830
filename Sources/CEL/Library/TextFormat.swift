import Glibc
import Values

/// `format`: `%s %d %f %e %b %o %x %X %%` (the strings extension).
extension FunctionTable {
    mutating func addTextFormat() {
        add(
            "format",
            [.on(.string, .list(.dyn), gives: .string)],
            .binary { meter, pattern, arguments in
                guard case .string(let pattern) = pattern, case .list(let arguments) = arguments else {
                    return .noOverload("format", [pattern, arguments])
                }
                var formatter = TextFormat(arguments: arguments, meter: meter)
                let result = formatter.text(pattern)
                meter = formatter.meter
                return result
            }
        )
        describe(Self.formatDocumentation)
    }
}

struct TextFormat {
    let arguments: ListDatum
    var meter: Meter
    private var result = ""

    init(arguments: ListDatum, meter: Meter) {
        self.arguments = arguments
        self.meter = meter
    }

    /// Decimals beyond these are only zeros, and a pattern could ask for a billion of them.
    private static let mostDecimals = 1000

    private struct Mistake: Error {
        let failure: Datum
        init(_ message: String) { failure = .failure(.invalidArgument, message) }
        init(failure: Datum) { self.failure = failure }
    }

    mutating func text(_ pattern: String) -> Datum {
        do throws(Mistake) {
            var rest = Substring(pattern).unicodeScalars
            var used = 0
            while let scalar = rest.popFirst() {
                if scalar == "%" { try clause(&rest, &used) } else { result.unicodeScalars.append(scalar) }
            }
            guard meter.charge(length: result.utf8.count) else { return meter.failure }
            return .string(result)
        } catch {
            return error.failure
        }
    }

    private mutating func clause(_ rest: inout Substring.UnicodeScalarView, _ used: inout Int) throws(Mistake) {
        if rest.first == "%" {
            rest.removeFirst()
            result += "%"
            return
        }
        var decimals: Int?
        if rest.first == "." {
            rest.removeFirst()
            let digits = rest.prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(digits.count)
            guard let count = Int(String(Substring(digits))), count <= Self.mostDecimals else {
                throw Mistake("the number of decimals in a format is missing or too large")
            }
            decimals = count
        }
        guard let letter = rest.popFirst() else { throw Mistake("the format ends behind '%'") }
        guard used < arguments.count else {
            throw Mistake("the format asks for \(used + 1) arguments, but there are \(arguments.count)")
        }
        result += try formatted(arguments[used], letter, decimals)
        guard meter.charge(length: result.utf8.count / 8) else { throw Mistake(failure: meter.failure) }
        used += 1
    }

    private mutating func formatted(_ value: Datum, _ letter: Unicode.Scalar, _ decimals: Int?) throws(Mistake)
        -> String
    {
        switch letter {
        case "s": return try plain(value)
        case "d": return try decimal(value)
        case "f": return try floating(value, "f", decimals ?? 6)
        case "e": return try floating(value, "e", decimals ?? 6)
        case "b":
            if case .bool(let truth) = value { return truth ? "1" : "0" }
            return try whole(value, radix: 2, "%b")
        case "o": return try whole(value, radix: 8, "%o")
        case "x": return try hexadecimal(value, isUpper: false)
        case "X": return try hexadecimal(value, isUpper: true)
        default: throw Mistake("a format has no '%\(letter)'")
        }
    }

    private func decimal(_ value: Datum) throws(Mistake) -> String {
        if case .double(let number) = value, !number.isFinite { return NumberText.shortest(number) }
        if case .double(let number) = value { return NumberText.shortest(number) }
        return try whole(value, radix: 10, "%d")
    }

    private func whole(_ value: Datum, radix: Int, _ clause: String) throws(Mistake) -> String {
        switch value {
        case .int(let number): return String(number, radix: radix)
        case .uint(let number): return String(number, radix: radix)
        default: throw Mistake("'\(clause)' writes whole numbers, not \(value.kindName)")
        }
    }

    private func hexadecimal(_ value: Datum, isUpper: Bool) throws(Mistake) -> String {
        func digits(_ bytes: some Sequence<UInt8>) -> String {
            bytes.map { byte in
                let text = String(byte, radix: 16, uppercase: isUpper)
                return text.count == 1 ? "0" + text : text
            }.joined()
        }
        switch value {
        case .string(let text): return digits(text.utf8)
        case .bytes(let bytes): return digits(bytes)
        case .int(let number): return String(number, radix: 16, uppercase: isUpper)
        case .uint(let number): return String(number, radix: 16, uppercase: isUpper)
        default: throw Mistake("'%x' writes whole numbers, texts and bytes, not \(value.kindName)")
        }
    }

    private func floating(_ value: Datum, _ letter: String, _ decimals: Int) throws(Mistake) -> String {
        let number: Double
        switch value {
        case .double(let double): number = double
        case .int(let whole): number = Double(whole)
        case .uint(let whole): number = Double(whole)
        default: throw Mistake("'%\(letter)' writes numbers, not \(value.kindName)")
        }
        guard number.isFinite else { return NumberText.shortest(number) }
        // The longest: 309 digits, a sign, a point and the decimals.
        var buffer: [CChar] = Array(repeating: 0, count: decimals + 330)
        let length = withVaList([Int32(decimals), number]) { vsnprintf(&buffer, buffer.count, "%.*\(letter)", $0) }
        return String(decoding: buffer.prefix(max(0, Int(length))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `%s`: what `string(value)` gives, and lists and maps in brackets, maps in the order of their keys.
    private mutating func plain(_ value: Datum) throws(Mistake) -> String {
        guard meter.charge(1) else { throw Mistake(failure: meter.failure) }
        switch value {
        case .string(let text): return text
        case .null: return "null"
        case .type(let name): return name
        case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .list(let list):
            var parts: [String] = []
            for position in 0..<list.count { parts.append(try plain(list[position])) }
            return try charged("[\(parts.joined(separator: ", "))]")
        case .map(let map):
            var parts: [(String, String)] = []
            for pair in map.pairs { parts.append((try plain(pair.key), try plain(pair.value))) }
            parts.sort { Text.compare($0.0, $1.0) < 0 }
            return try charged("{\(parts.map { "\($0.0): \($0.1)" }.joined(separator: ", "))}")
        default:
            guard case .string(let text) = Conversion.string(&meter, value) else {
                throw Mistake("'%s' does not write \(value.kindName)")
            }
            return text
        }
    }

    private mutating func charged(_ text: String) throws(Mistake) -> String {
        guard meter.charge(length: text.utf8.count) else { throw Mistake(failure: meter.failure) }
        return text
    }
}

extension FunctionTable {
    fileprivate static let formatDocumentation: [(name: String, documentation: String, example: String)] = [
        (
            "format",
            "The text with its clauses filled in: %s a text, %d a whole number, %.2f a decimal, %e %b %o %x %X.",
            #""%s: %.1f".format(["MAT", 7.25]) == "MAT: 7.2""#
        )
    ]
}
