import Values

/// What people really type, and what they should have typed.
enum SyntaxCures {
    /// `===` and `!==`.
    static func longOperator(_ symbol: String) -> (message: String, cure: String)? {
        guard symbol == "==" || symbol == "!=" else { return nil }
        return ("there is no operator '\(symbol)='", "write '\(symbol)'")
    }

    static func numberSuffix(_ number: String, _ suffix: String) -> String {
        switch suffix {
        case "h", "m", "s", "ms", "us", "ns": "a length of time is written duration(\"\(number)\(suffix)\")"
        case "d", "day", "days":
            "a length of time is written duration(\"\(hours(ofDays: number) ?? 24)h\")"
        case "min", "mins", "minutes": "a length of time is written duration(\"\(number)m\")"
        default: "if it is a text, write \"\(number)\(suffix)\""
        }
    }

    /// So many days in hours; nil for more than a duration holds.
    static func hours(ofDays text: some StringProtocol) -> Int? {
        Int(text).flatMap { $0 <= 106_751 ? $0 * 24 : nil }
    }

    /// A complaint about a character that stands for nothing outside of texts.
    static func complaint(
        about scalar: Unicode.Scalar,
        pair: String,
        at: Int,
        rest: ArraySlice<UInt8>
    ) -> Complaint {
        let width = UTF8.width(scalar)
        func told(_ length: Int, _ message: String, _ cures: String...) -> Complaint {
            Complaint(at: at..<at + length, message, cures: cures)
        }
        switch scalar {
        case "=":
            if pair == "=>" { return told(2, "there is no operator '=>'", "write '>=' for 'at least'") }
            if pair == "=<" { return told(2, "there is no operator '=<'", "write '<=' for 'at most'") }
            return told(1, "'=' compares nothing", "write '==' to compare")
        case "&": return told(1, "there is no operator '&'", "write '&&' for 'and'")
        case "|":
            return told(
                1,
                "there is no operator '|'",
                "write '||' for 'or'; filters such as '| date' are for message texts only"
            )
        case "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{AB}", "\u{BB}":
            return told(width, "'\(scalar)' is a typographic quotation mark", "write straight quotes: \"…\"")
        case "\u{2018}", "\u{2019}", "\u{201A}", "\u{201B}", "\u{2039}", "\u{203A}", "\u{B4}":
            return told(width, "'\(scalar)' is a typographic quotation mark", "write straight quotes: '…' or \"…\"")
        case "\u{2260}": return told(width, "there is no operator '\(scalar)'", "write '!='")
        case "\u{2264}": return told(width, "there is no operator '\(scalar)'", "write '<='")
        case "\u{2265}": return told(width, "there is no operator '\(scalar)'", "write '>='")
        case "\u{2013}", "\u{2014}", "\u{2212}":
            return told(width, "'\(scalar)' is a dash, not a minus", "write '-'")
        case "\u{D7}": return told(width, "there is no operator '\(scalar)'", "write '*'")
        case "\u{F7}": return told(width, "there is no operator '\(scalar)'", "write '/'")
        case "\u{A0}", "\u{2000}"..."\u{200B}", "\u{202F}", "\u{3000}", "\u{FEFF}":
            return told(width, "there is an invisible character (\(code(scalar))) here", "delete it and type a blank")
        case ";": return told(1, "';' ends nothing here", "delete it; a condition is one expression")
        case "#": return told(1, "'#' is no comment here", "a comment begins with '//'")
        case "$": return told(1, "'$' is not part of a name", "write the name alone")
        case "^": return told(1, "there is no operator '^'", "for 'one but not both' write 'a != b'")
        case "\\": return told(1, "'\\' stands outside of a text", "put the text between quotes")
        default:
            if scalar.properties.isAlphabetic {
                let word = String(decoding: rest.prefix(120), as: UTF8.self).prefix { $0.isLetter || $0.isNumber }
                return told(
                    word.utf8.count,
                    "'\(word)' is no name: names have only the letters a-z and A-Z, digits and '_'",
                    "for a text write \"\(word)\""
                )
            }
            let shown = scalar.value < 0x20 || scalar.value == 0x7F ? code(scalar) : "'\(scalar)'"
            return told(width, "\(shown) has no meaning here")
        }
    }

    private static func code(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// What a word means that stands where an operator is due.
    static func infixWord(_ word: String) -> String? {
        switch word.lowercased() {
        case "and", "und": "write '&&' for 'and'"
        case "or", "oder": "write '||' for 'or'"
        case "is", "eq", "equals": "write '==' to compare"
        case "isnt", "ne", "neq": "write '!=' for 'not equal'"
        case "lt": "write '<'"
        case "gt": "write '>'"
        case "le", "lte": "write '<='"
        case "ge", "gte": "write '>='"
        case "not": "write '!(x in list)' for 'x not in list'"
        case "contains", "has", "includes": "write text.contains(\"part\") for texts, 'element in list' for lists"
        case "startswith": "write text.startsWith(\"beginning\")"
        case "endswith": "write text.endsWith(\"end\")"
        case "matches", "like", "regex": "write text.matches(\"^regular expression$\")"
        case "mod": "write '%'"
        case "div": "write '/'"
        case "xor": "write 'a != b' for 'one but not both'"
        case "if", "then", "else": "write 'condition ? value : other value'"
        case "between": "write 'low <= value && value <= high'"
        default: nil
        }
    }
}
