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
        if pair == "=>" {
            return Complaint(at: at..<at + 2, "there is no operator '=>'", cures: ["write '>=' for 'at least'"])
        }
        if pair == "=<" {
            return Complaint(at: at..<at + 2, "there is no operator '=<'", cures: ["write '<=' for 'at most'"])
        }
        let span = at..<at + UTF8.width(scalar)
        if let known = character(scalar) { return Complaint(at: span, known.message, cures: [known.cure]) }
        if scalar.properties.isAlphabetic {
            let word = String(decoding: rest.prefix(120), as: UTF8.self).prefix { $0.isLetter || $0.isNumber }
            return Complaint(
                at: at..<at + word.utf8.count,
                "'\(word)' is no name: names have only the letters a-z and A-Z, digits and '_'",
                cures: ["for a text write \"\(word)\""]
            )
        }
        let shown = scalar.value < 0x20 || scalar.value == 0x7F ? code(scalar) : "'\(scalar)'"
        return Complaint(at: span, "\(shown) has no meaning here")
    }

    private static func character(_ scalar: Unicode.Scalar) -> (message: String, cure: String)? {
        switch scalar {
        case "=": ("'=' compares nothing", "write '==' to compare")
        case "&": noOperator(scalar, "write '&&' for 'and'")
        case "|": noOperator(scalar, "write '||' for 'or'; filters such as '| date' are for message texts only")
        case "^": noOperator(scalar, "for 'one but not both' write 'a != b'")
        case "\u{2260}": noOperator(scalar, "write '!='")
        case "\u{2264}": noOperator(scalar, "write '<='")
        case "\u{2265}": noOperator(scalar, "write '>='")
        case "\u{D7}": noOperator(scalar, "write '*'")
        case "\u{F7}": noOperator(scalar, "write '/'")
        case "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{AB}", "\u{BB}":
            ("'\(scalar)' is a typographic quotation mark", "write straight quotes: \"…\"")
        case "\u{2018}", "\u{2019}", "\u{201A}", "\u{201B}", "\u{2039}", "\u{203A}", "\u{B4}":
            ("'\(scalar)' is a typographic quotation mark", "write straight quotes: '…' or \"…\"")
        case "\u{2013}", "\u{2014}", "\u{2212}": ("'\(scalar)' is a dash, not a minus", "write '-'")
        case "\u{A0}", "\u{2000}"..."\u{200B}", "\u{202F}", "\u{3000}", "\u{FEFF}":
            ("there is an invisible character (\(code(scalar))) here", "delete it and type a blank")
        case ";": ("';' ends nothing here", "delete it; a condition is one expression")
        case "#": ("'#' is no comment here", "a comment begins with '//'")
        case "$": ("'$' is not part of a name", "write the name alone")
        case "\\": ("'\\' stands outside of a text", "put the text between quotes")
        default: nil
        }
    }

    private static func noOperator(_ scalar: Unicode.Scalar, _ cure: String) -> (message: String, cure: String) {
        ("there is no operator '\(scalar)'", cure)
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
