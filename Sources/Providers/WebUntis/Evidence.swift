import Values

/// An answer made fit for a bug report: its form is kept, what it says is not.
enum Evidence {
    private static let longest = 400

    /// The beginning of an answer with the names of JSON members kept and all other letters and digits masked.
    static func outline(_ bytes: [UInt8]) -> String {
        let scalars = Array(String(decoding: bytes.prefix(longest), as: UTF8.self).unicodeScalars)
        var text = ""
        var position = 0
        while position < scalars.count {
            if scalars[position] == "\"", let end = scalars[(position + 1)...].firstIndex(of: "\""),
                isName(scalars, endingAt: end)
            {
                text.unicodeScalars.append(contentsOf: scalars[position...end])
                position = end + 1
            } else {
                text.unicodeScalars.append(masked(scalars[position]))
                position += 1
            }
        }
        return bytes.count > longest ? text + "…" : text
    }

    private static func isName(_ scalars: [Unicode.Scalar], endingAt end: Int) -> Bool {
        scalars[(end + 1)...].first { !$0.properties.isWhitespace } == ":"
    }

    private static func masked(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.properties.isAlphabetic { return "x" }
        return scalar.properties.numericType != nil ? "0" : scalar
    }
}
