import Foundation
import Values

/// The standard filters that escape, encode and decode.
enum EncodingFilters {
    static let all: [FilterDefinition] = [
        FilterDefinition(
            "escape",
            gives: .text,
            about: FilterExample(
                "HTML's special characters as entities. Messages need it never: values are always text.",
                #"{{ "<b>" | escape }}"#,
                "&lt;b&gt;"
            )
        ) { input, _, workspace throws(LiquidError) in
            .text(escaped(try workspace.text(input), keepingEntities: false))
        },
        FilterDefinition(
            "h",
            gives: .text,
            about: FilterExample("The same as `escape`.", #"{{ "<b>" | h }}"#, "&lt;b&gt;")
        ) { input, _, workspace throws(LiquidError) in
            .text(escaped(try workspace.text(input), keepingEntities: false))
        },
        FilterDefinition(
            "escape_once",
            gives: .text,
            about: FilterExample(
                "The same, leaving entities that are there already.",
                #"{{ "&lt; <" | escape_once }}"#,
                "&lt; &lt;"
            )
        ) { input, _, workspace throws(LiquidError) in
            .text(escaped(try workspace.text(input), keepingEntities: true))
        },
        FilterDefinition(
            "strip_html",
            gives: .text,
            about: FilterExample("Without HTML tags.", #"{{ "<b>MAT</b>" | strip_html }}"#, "MAT")
        ) { input, _, workspace throws(LiquidError) in
            .text(withoutTags(try workspace.text(input)))
        },
        FilterDefinition(
            "url_encode",
            gives: .text,
            about: FilterExample("As part of an address.", #"{{ "a b/c" | url_encode }}"#, "a+b%2Fc")
        ) { input, _, workspace throws(LiquidError) in
            .text(urlEncoded(try workspace.text(input)))
        },
        FilterDefinition(
            "url_decode",
            gives: .text,
            about: FilterExample("The text behind such a part.", #"{{ "a+b%2Fc" | url_decode }}"#, "a b/c")
        ) { input, _, workspace throws(LiquidError) in
            guard let text = urlDecoded(try workspace.text(input)) else {
                throw workspace.unsuitable("'url_decode' gives no valid UTF-8")
            }
            return .text(text)
        },
        FilterDefinition(
            "base64_encode",
            gives: .text,
            about: FilterExample("As base64.", #"{{ "Anna" | base64_encode }}"#, "QW5uYQ==")
        ) { input, _, workspace throws(LiquidError) in
            .text(Data(try workspace.text(input).utf8).base64EncodedString())
        },
        FilterDefinition(
            "base64_url_safe_encode",
            gives: .text,
            about: FilterExample("As base64 for addresses.", #"{{ "a?>" | base64_url_safe_encode }}"#, "YT8-")
        ) { input, _, workspace throws(LiquidError) in
            .text(swapped(Data(try workspace.text(input).utf8).base64EncodedString(), from: "+/", to: "-_"))
        },
        FilterDefinition(
            "base64_decode",
            gives: .text,
            about: FilterExample("The text behind base64.", #"{{ "QW5uYQ==" | base64_decode }}"#, "Anna")
        ) { input, _, workspace throws(LiquidError) in
            try decoded(try workspace.text(input), workspace)
        },
        FilterDefinition(
            "base64_url_safe_decode",
            gives: .text,
            about: FilterExample("The text behind it.", #"{{ "YT8-" | base64_url_safe_decode }}"#, "a?>")
        ) { input, _, workspace throws(LiquidError) in
            try decoded(swapped(try workspace.text(input), from: "-_", to: "+/"), workspace)
        },
    ]

    // MARK: HTML

    private static func escaped(_ text: String, keepingEntities: Bool) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "&": result += keepingEntities && startsWithEntity(rest) ? "&" : "&amp;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// `amp;` or `#39;`, as the reference implementation tells entities.
    private static func startsWithEntity(_ rest: Substring.UnicodeScalarView) -> Bool {
        // The longest name of HTML has 31 letters (html.spec.whatwg.org, named character references).
        let body = rest.prefix(33).prefix { $0 != ";" }
        guard body.endIndex < rest.endIndex, rest[body.endIndex] == ";", let first = body.first else { return false }
        if first == "#" { return body.count > 1 && body.dropFirst().allSatisfy { ("0"..."9").contains($0) } }
        return body.allSatisfy { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
    }

    /// Without scripts, styles, comments and tags; entities stay. This cleans text, it does not make foreign HTML safe.
    private static func withoutTags(_ text: String) -> String {
        var text = text
        for (start, end) in [("<script", "</script>"), ("<!--", "-->"), ("<style", "</style>"), ("<", ">")] {
            text = without(from: start, to: end, in: text)
        }
        return text
    }

    private static func without(from start: String, to end: String, in text: String) -> String {
        let starts = ByteSearch.occurrences(of: start, in: text)
        let ends = ByteSearch.occurrences(of: end, in: text)
        var removed: [Range<Int>] = []
        var nextEnd = ends.startIndex
        for opening in starts where opening.lowerBound >= removed.last?.upperBound ?? 0 {
            while nextEnd < ends.endIndex, ends[nextEnd].lowerBound < opening.upperBound { nextEnd += 1 }
            guard nextEnd < ends.endIndex else { break }
            removed.append(opening.lowerBound..<ends[nextEnd].upperBound)
        }
        return ByteSearch.replace(removed, of: text, by: "")
    }

    // MARK: URL and Base64

    /// As HTML forms encode (application/x-www-form-urlencoded): letters, digits, `-._~` stay, a space becomes a plus sign.
    private static func urlEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) {
                result.append(byte)
            } else if byte == 0x20 {
                result.append(UInt8(ascii: "+"))
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Nil where what comes out is no UTF-8; a percent sign without two digits stays.
    private static func urlDecoded(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
                let high = Character(Unicode.Scalar(bytes[position + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(bytes[position + 2])).hexDigitValue
            {
                result.append(UInt8(high << 4 | low))
                position += 3
            } else {
                result.append(bytes[position] == UInt8(ascii: "+") ? 0x20 : bytes[position])
                position += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func swapped(_ text: String, from: String, to: String) -> String {
        let (from, to) = (Array(from.utf8), Array(to.utf8))
        let bytes = text.utf8.map { byte in from.firstIndex(of: byte).map { to[$0] } ?? byte }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func decoded(_ text: String, _ workspace: FilterWorkspace) throws(LiquidError) -> Datum {
        guard let data = Data(base64Encoded: text), let decoded = String(validating: data, as: UTF8.self) else {
            throw workspace.unsuitable("this is not Base64 of a text")
        }
        return .text(decoded)
    }
}
