import Glibc
import Values

/// Searching bytes: a part of a UTF-8 text begins at a code point exactly if its bytes are found there.
extension Text {
    @inline(__always)
    static func hasPrefix(_ text: String, _ part: String) -> Bool {
        bytes(text, part) {
            $0.count >= $1.count && compare(UnsafeBufferPointer(rebasing: $0.prefix($1.count)), $1) == 0
        }
    }

    @inline(__always)
    static func hasSuffix(_ text: String, _ part: String) -> Bool {
        bytes(text, part) {
            $0.count >= $1.count && compare(UnsafeBufferPointer(rebasing: $0.suffix($1.count)), $1) == 0
        }
    }

    @inline(__always)
    private static func bytes<Answer>(
        _ one: String,
        _ other: String,
        _ use: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Answer
    ) -> Answer {
        let fast = one.utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in use(left, right) }
        }
        if case .some(.some(let answer)) = fast { return answer }
        return Array(one.utf8).withUnsafeBufferPointer { left in
            Array(other.utf8).withUnsafeBufferPointer { right in use(left, right) }
        }
    }

    /// The offset in bytes of the first occurrence, at or after another offset.
    static func position(of part: String, in text: String, from start: Int = 0) -> Int? {
        bytes(text, part) { text, part in position(of: part, in: text, from: start) }
    }

    /// Knuth, Morris and Pratt: linear in both lengths, whatever the texts are.
    static func position<Element: Equatable>(
        of part: UnsafeBufferPointer<Element>,
        in text: UnsafeBufferPointer<Element>,
        from start: Int
    ) -> Int? {
        if part.isEmpty { return start <= text.count ? start : nil }
        guard text.count - start >= part.count else { return nil }
        let borders = self.borders(of: part)
        var matched = 0
        for index in start..<text.count {
            while matched > 0, text[index] != part[matched] { matched = borders[matched - 1] }
            if text[index] == part[matched] { matched += 1 }
            if matched == part.count { return index + 1 - matched }
        }
        return nil
    }

    /// For each beginning of the part, how long the longest shorter beginning is that it also ends with.
    private static func borders<Element: Equatable>(of part: UnsafeBufferPointer<Element>) -> [Int] {
        var borders = Array(repeating: 0, count: part.count)
        var matched = 0
        for index in part.indices.dropFirst() {
            while matched > 0, part[index] != part[matched] { matched = borders[matched - 1] }
            if part[index] == part[matched] { matched += 1 }
            borders[index] = matched
        }
        return borders
    }
}

/// The bodies of the functions on texts.
enum Texts {
    static func outOfRange(_ index: Int64) -> Datum {
        .failure(.outOfRange, "the index \(index) is outside of the text")
    }

    static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    static func scalars(_ text: String, _ meter: inout Meter, _ use: ([Unicode.Scalar]) -> Datum) -> Datum {
        guard meter.charge(length: text.utf8.count) else { return meter.failure }
        return use(Array(text.unicodeScalars))
    }

    static func unary(_ name: String, _ change: @escaping @Sendable (String) -> String) -> FunctionEntry.Body {
        .unary { meter, value in
            guard case .string(let text) = value else { return .noOverload(name, [value]) }
            guard meter.charge(length: text.utf8.count) else { return meter.failure }
            return .string(change(text))
        }
    }

    @Sendable static func lowerASCII(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    @Sendable static func upperASCII(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
    }

    /// Without the white space (Unicode property White_Space) at both ends.
    @Sendable static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.drop { $0.properties.isWhitespace }
        var end = start.endIndex
        while end > start.startIndex {
            let before = start.index(before: end)
            guard start[before].properties.isWhitespace else { break }
            end = before
        }
        return String(Substring(start[start.startIndex..<end]))
    }

    @Sendable static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{07}": result += "\\a"
            case "\u{08}": result += "\\b"
            case "\u{0C}": result += "\\f"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0B}": result += "\\v"
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func substring(_ text: String, _ start: Int64, _ end: Int64?, _ meter: inout Meter) -> Datum {
        scalars(text, &meter) { scalars in
            let end = end ?? Int64(scalars.count)
            guard (0...Int64(scalars.count)).contains(start) else { return outOfRange(start) }
            guard (0...Int64(scalars.count)).contains(end) else { return outOfRange(end) }
            guard start <= end else {
                return .failure(.outOfRange, "the part would end at \(end), before its start \(start)")
            }
            return .string(self.text(scalars[Int(start)..<Int(end)]))
        }
    }

    static func position(
        of part: String,
        in text: String,
        from start: Int64?,
        isLast: Bool,
        _ meter: inout Meter
    ) -> Datum {
        guard meter.charge(length: part.utf8.count) else { return meter.failure }
        return scalars(text, &meter) { scalars in
            if let start, !(0...Int64(scalars.count)).contains(start) { return outOfRange(start) }
            let part = Array(part.unicodeScalars)
            guard isLast else {
                let found = scalars.withUnsafeBufferPointer { text in
                    part.withUnsafeBufferPointer { Text.position(of: $0, in: text, from: Int(start ?? 0)) }
                }
                return .int(Int64(found ?? -1))
            }
            // The last occurrence that begins at or before `start` is the first one of both texts read backwards.
            let end = min(scalars.count, Int(start ?? Int64(scalars.count)) + part.count)
            let found = Array(scalars[..<end].reversed()).withUnsafeBufferPointer { text in
                Array(part.reversed()).withUnsafeBufferPointer { Text.position(of: $0, in: text, from: 0) }
            }
            return .int(found.map { Int64(end - $0 - part.count) } ?? -1)
        }
    }

    static func replaced(
        _ text: String,
        _ old: String,
        _ new: String,
        _ most: Int64,
        _ meter: inout Meter
    ) -> Datum {
        guard meter.charge(length: text.utf8.count) else { return meter.failure }
        if most == 0 { return .string(text) }
        let parts = old.isEmpty ? letters(text, most) : pieces(text, old, most < 0 ? Int.max : Int(most) + 1)
        guard meter.charge(length: parts.count.multipliedReportingOverflow(by: new.utf8.count + 1).partialValue) else {
            return meter.failure
        }
        return .string(parts.joined(separator: new))
    }

    /// Between and around all code points, which is where the empty text stands; at most so many places.
    private static func letters(_ text: String, _ most: Int64) -> [String] {
        var parts = [""]
        for scalar in text.unicodeScalars {
            if most < 0 || parts.count < most + 1 {
                parts.append(String(scalar))
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
            }
        }
        if most < 0 || parts.count < most + 1 { parts.append("") }
        return parts
    }

    /// The text cut at a separator, into at most so many pieces; the last has the rest.
    private static func pieces(_ text: String, _ separator: String, _ most: Int) -> [String] {
        let bytes = Array(text.utf8)
        let mark = Array(separator.utf8)
        var pieces: [String] = []
        var start = 0
        bytes.withUnsafeBufferPointer { bytes in
            mark.withUnsafeBufferPointer { mark in
                while pieces.count + 1 < most, let found = Text.position(of: mark, in: bytes, from: start) {
                    pieces.append(String(decoding: bytes[start..<found], as: UTF8.self))
                    start = found + mark.count
                }
            }
        }
        return pieces + [String(decoding: bytes[start...], as: UTF8.self)]
    }

    static func split(_ text: String, _ separator: String, _ most: Int64, _ meter: inout Meter) -> Datum {
        guard meter.charge(text.utf8.count + 1) else { return meter.failure }
        if most == 0 { return .list(.own([])) }
        if most == 1 { return .list(.own([.string(text)])) }
        let limit = most < 0 ? Int.max : Int(most)
        guard separator.isEmpty else { return .list(.own(pieces(text, separator, limit).map { .string($0) })) }
        let scalars = Array(text.unicodeScalars)
        let single = scalars.count > limit ? limit - 1 : scalars.count
        var parts = scalars[..<single].map { Datum.string(String($0)) }
        if single < scalars.count { parts.append(.string(self.text(scalars[single...]))) }
        return .list(.own(parts))
    }

    static func joined(_ list: ListDatum, _ separator: String, _ meter: inout Meter) -> Datum {
        var result = ""
        for position in 0..<list.count {
            guard case .string(let text) = list[position] else { return .noOverload("join", [list[position]]) }
            guard meter.charge(length: text.utf8.count + separator.utf8.count) else { return meter.failure }
            if position > 0 { result += separator }
            result += text
        }
        return .string(result)
    }
}
