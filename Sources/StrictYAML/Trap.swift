import Values

/// The traps that YAML sets for people who do not know it by heart, each with the words that get one out of it.
enum Trap {
    static func unquotedTemplate(_ span: Range<Int>, in source: SourceText) -> Complaint {
        let line = firstLine(of: span, in: source)
        let text = source.text(line)
        let opening = text.hasPrefix("{%") ? "{%" : "{{"
        return Complaint(
            at: line,
            "a text that begins with '\(opening)' needs quotes",
            cures: ["YAML takes '{' for the beginning of a mapping; write \(quoted(text)), or put the text below a '|'"]
        )
    }

    static func tag(_ span: Range<Int>, in source: SourceText) -> Complaint {
        Complaint(
            at: span,
            "'\(source.text(span))' is a YAML tag, and tags are not read",
            cures: [
                "if '!' belongs to the value (\"not\" in an expression), put all of it in quotes: \(quoted(rest(of: span, in: source)))"
            ]
        )
    }

    static func anchor(_ span: Range<Int>, in source: SourceText) -> Complaint {
        Complaint(
            at: span,
            "'\(source.text(span))' is a YAML anchor, and anchors are not read",
            cures: [
                "delete it; if '&' belongs to the text, put all of it in quotes: \(quoted(rest(of: span, in: source)))"
            ]
        )
    }

    static func alias(_ span: Range<Int>, in source: SourceText) -> Complaint {
        Complaint(
            at: span,
            "'\(source.text(span))' looks like a YAML alias, and aliases are not read",
            cures: ["if '*' belongs to the text, put all of it in quotes: \(quoted(source.text(span)))"]
        )
    }

    static func reserved(_ character: String, _ span: Range<Int>, in source: SourceText) -> Complaint {
        Complaint(
            at: span,
            "a text cannot begin with '\(character)' unless it is in quotes",
            cures: ["put all of it in quotes: \(quoted(source.text(span)))"]
        )
    }

    static func loneDash(_ span: Range<Int>) -> Complaint {
        Complaint(at: span, "a text that is only '-' needs quotes", cures: ["write '-' with its quotes, or a value"])
    }

    static func tab(_ span: Range<Int>) -> Complaint {
        Complaint(
            at: span,
            "a tab in the indentation",
            cures: ["indent with spaces; most editors have a setting for it"]
        )
    }

    static func oddBlank(_ span: Range<Int>, in source: SourceText) -> Complaint {
        let scalar = source.text(span).unicodeScalars.first ?? " "
        let origin = "such characters come along when text is copied from a page or a chat"
        return OddBlank.isInvisible(scalar)
            ? Complaint(at: span, OddBlank.name(of: scalar), cures: ["delete it; \(origin)"])
            : Complaint(
                at: span,
                "\(OddBlank.name(of: scalar)) where YAML needs an ordinary space",
                cures: ["delete it and type a space; \(origin)"]
            )
    }

    static func typographicQuotes(_ span: Range<Int>, in source: SourceText) -> Complaint {
        let text = source.text(span)
        let plain = String(text.filter { !Typography.quotes.contains($0) })
        return Complaint(
            at: span,
            "typographic quotes do not quote anything in YAML",
            cures: ["write \(quoted(plain)); if the marks belong to the text, put straight quotes around all of it"]
        )
    }

    static func swallowedValue(_ span: Range<Int>, in source: SourceText) -> Complaint {
        let text = source.text(span)
        return Complaint(
            at: span,
            "'\(text)' is a comment, so there is no value here",
            cures: ["put the value in quotes: \(quoted(text)); for a comment, write a space after '#'"]
        )
    }

    static func swallowedTail(_ comment: Range<Int>, after value: Range<Int>, in source: SourceText) -> Complaint {
        let whole = source.text(value.lowerBound..<comment.upperBound)
        return Complaint(
            .warning,
            at: comment,
            "'\(source.text(comment))' is a comment and no part of the value",
            cures: [
                "if it belongs to the value, put all of it in quotes: \(quoted(whole)); for a comment, write a space after '#'"
            ]
        )
    }

    static func secondColon(_ span: Range<Int>, in source: SourceText) -> Complaint {
        Complaint(
            at: span,
            "a second ': ' in one line",
            cures: [
                "put the value in quotes: \(quoted(source.text(span))); a mapping as a value goes on lines of its own"
            ]
        )
    }

    static func missingBlank(after indicator: String, _ span: Range<Int>) -> Complaint {
        Complaint(
            at: span,
            "a space is missing after '\(indicator)'",
            cures: ["write '\(indicator) ' before the value"]
        )
    }

    static func explicitKey(_ span: Range<Int>) -> Complaint {
        Complaint(
            at: span,
            "a '?' that marks a key is not read",
            cures: ["write 'key: value'; put a text that begins with '?' in quotes"]
        )
    }

    static func missingKey(_ span: Range<Int>) -> Complaint {
        Complaint(
            at: span,
            "a key is missing before ':'",
            cures: ["write a key, or put a text that begins with ':' in quotes"]
        )
    }

    static func directive(_ span: Range<Int>) -> Complaint {
        Complaint(at: span, "directives such as %YAML and %TAG are not read", cures: ["delete this line"])
    }

    static func wideEmptyLine(_ span: Range<Int>) -> Complaint {
        Complaint(
            at: span,
            "an empty line above this text has more spaces than the text",
            cures: ["delete the spaces of the empty line"]
        )
    }

    static func itemInText(_ span: Range<Int>) -> Complaint {
        Complaint(
            at: span,
            "this looks like an item of a list, but goes on with the text above",
            cures: ["begin every item with '- ' in the same column, a space behind the dash; or put the text in quotes"]
        )
    }

    static func commentWithoutBlank(_ span: Range<Int>) -> Complaint {
        Complaint(at: span, "a space is missing before '#'", cures: ["write a space before the comment"])
    }

    static func tooLittleIndentation(_ span: Range<Int>, of what: String, needed: Int) -> Complaint {
        let spaces = needed == 1 ? "1 space" : "\(needed) spaces"
        return Complaint(
            at: span,
            "this line goes on with \(what) and is indented too little",
            cures: ["indent it by at least \(spaces)"]
        )
    }

    /// So much of a text is repeated in a cure, in characters.
    private static let longestExample = 100

    /// A text in quotes, as an example for a cure: in single quotes, unless it has an apostrophe and nothing that double quotes
    /// would change.
    static func quoted(_ text: String) -> String {
        let text = text.count > longestExample ? text.prefix(longestExample) + "…" : text
        if text.contains("'"), !text.contains("\""), !text.contains("\\") { return "\"\(text)\"" }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    /// From the beginning of a span to the end of its line, without a comment.
    private static func rest(of span: Range<Int>, in source: SourceText) -> String {
        // Bytes enough for the longest example.
        source.text(source.valueSpan(from: span.lowerBound, most: 4 * longestExample + 4))
    }

    private static func firstLine(of span: Range<Int>, in source: SourceText) -> Range<Int> {
        let end = source.lineRange(source.lineIndex(of: span.lowerBound)).upperBound
        return span.lowerBound..<max(span.lowerBound, min(end, span.upperBound))
    }
}

extension SourceText {
    /// From an offset to the end of its line, without a comment and blanks at the end.
    func valueSpan(from start: Int, most: Int = Int.max) -> Range<Int> {
        let whole = lineRange(lineIndex(of: start))
        let line =
            start..<max(
                start,
                min(whole.upperBound, start.addingReportingOverflow(most).overflow ? Int.max : start + most)
            )
        var end = start
        var offset = start
        while offset < line.upperBound {
            if bytes[offset] == .hash, offset > start, bytes[offset - 1].isBlank { break }
            offset += 1
            if !bytes[offset - 1].isBlank { end = offset }
        }
        return start..<end
    }
}
