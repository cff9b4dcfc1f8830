import Values

/// Quotes that end too early, too late or never: the parser notices only at the next thing that makes no sense.
extension SyntaxDiagnosis {
    var quoteTrap: Complaint? {
        if fault.context.contains("quoted scalar") {
            guard fault.problem.hasPrefix("found unexpected"), let opening = fault.contextOffset else { return nil }
            return openQuote(at: opening)
        }
        let line = source.lineRange(source.lineIndex(of: fault.offset))
        var end = min(fault.offset, line.upperBound)
        while end > line.lowerBound, source.bytes[end - 1].isBlank { end -= 1 }
        guard end > line.lowerBound, fault.offset < line.upperBound else { return nil }
        let quote = source.bytes[end - 1]
        guard quote == .singleQuote || quote == .doubleQuote else { return nil }
        if source.bytes[fault.offset] == .colon {
            let key = line.lowerBound..<end
            return Complaint(at: key, "a key must be a text of one line", cures: ["write the key in one line"])
        }
        return quoteClosedByChance(at: end - 1) ?? textBehind(quote)
    }

    private func openQuote(at opening: Int) -> Complaint {
        let quote = source.byte(at: opening) == .doubleQuote ? "\"" : "'"
        let line = source.lineRange(source.lineIndex(of: opening))
        return Complaint(
            at: opening..<max(opening + 1, line.upperBound),
            "this quote is never closed",
            cures: ["write \(quote) at the end of the text"]
        )
    }

    private func textBehind(_ quote: UInt8) -> Complaint {
        let isSingle = quote == .singleQuote
        return Complaint(
            at: source.valueSpan(from: fault.offset),
            "text after the closing quote",
            cures: [
                isSingle
                    ? "an apostrophe inside '…' is written twice: ''"
                    : "a double quote inside \"…\" is written \\\"; or put single quotes around the text"
            ]
        )
    }

    /// The quote at the beginning of a value has closed one that was left open above.
    private func quoteClosedByChance(at closing: Int) -> Complaint? {
        let line = source.lineIndex(of: closing)
        guard LineStatement(line, in: source).value.lowerBound == closing else { return nil }
        let quote = source.bytes[closing]
        for above in (0..<line).reversed() {
            let value = LineStatement(above, in: source).value
            guard let opening = source.bytes[value].firstIndex(of: quote) else { continue }
            guard opening == value.lowerBound, !source.bytes[(opening + 1)..<value.upperBound].contains(quote) else {
                return nil
            }
            return Complaint(
                at: value,
                "this quote is closed only on line \(line + 1)",
                cures: ["write \(Character(Unicode.Scalar(quote))) at the end of the text"]
            )
        }
        return nil
    }
}
