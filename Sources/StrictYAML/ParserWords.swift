/// libyaml's complaints (0.2.5, `src/scanner.c` and `src/parser.c`) in words for people who write rules.
enum ParserWords {
    struct Explanation {
        let message: String
        let cure: String
        /// Whether the place to look at is where the unfinished thing began.
        var pointsAtContext = false
    }

    static let explanations: [String: Explanation] = inBlocks.merging(inBrackets) { one, _ in one }.merging(inTexts) {
        one,
        _ in one
    }

    private static let inBlocks: [String: Explanation] = [
        "did not find expected key": Explanation(
            message: "this does not fit the mapping above",
            cure: "keys of one mapping begin in the same column; a text with special characters needs quotes"
        ),
        "did not find expected '-' indicator": Explanation(
            message: "this does not fit the list above",
            cure: "items of one list begin with '- ' in the same column"
        ),
        "block sequence entries are not allowed in this context": Explanation(
            message: "a list cannot begin here",
            cure: "put '- ' on a line of its own below the key, or write the list in brackets: [a, b]"
        ),
        "mapping keys are not allowed in this context": Explanation(
            message: "'? ' is not allowed here",
            cure: "put a text that begins with '?' in quotes"
        ),
        "did not find expected <document start>": Explanation(
            message: "this does not belong to the mapping or list above",
            cure: "begin it in the same column as the first key of the file, or put a text of several lines below a '|'"
        ),
        "found character that cannot start any token": Explanation(
            message: "a text cannot begin with this character",
            cure: "put the text in quotes"
        ),
        "found undefined tag handle": Explanation(message: "tags are not read", cure: "put the text in quotes"),
        "found duplicate %YAML directive": Explanation(message: "directives are not read", cure: "delete this line"),
        "found incompatible YAML document": Explanation(message: "directives are not read", cure: "delete this line"),
        "found unknown directive name": Explanation(message: "directives are not read", cure: "delete this line"),
    ]

    private static let inBrackets: [String: Explanation] = [
        "did not find expected ',' or ']'": Explanation(
            message: "this '[' is not closed, or a ',' is missing",
            cure: "write ']' at the end of the list, and put texts with special characters in quotes",
            pointsAtContext: true
        ),
        "did not find expected ',' or '}'": Explanation(
            message: "this '{' is not closed, or a ',' is missing",
            cure: "write '}' at the end of the mapping, and put texts with special characters in quotes",
            pointsAtContext: true
        ),
        "did not find expected node content": Explanation(
            message: "a value is missing here",
            cure: "write a value, and put a text that begins with a special character in quotes"
        ),
    ]

    private static let inTexts: [String: Explanation] = [
        "found unknown escape character": Explanation(
            message: "an unknown escape: after '\\' in double quotes comes one of n t r \" \\ / x u …",
            cure: "write \\\\ for a backslash, or use single quotes, in which '\\' is an ordinary character"
        ),
        "did not find expected hexdecimal number": Explanation(
            message: "hexadecimal digits are missing after \\x, \\u or \\U",
            cure: "write \\x with 2 digits, \\u with 4 or \\U with 8; for a backslash write \\\\"
        ),
        "found invalid Unicode character escape code": Explanation(
            message: "this escape is no character",
            cure:
                "write the character itself, or \\U with its 8 digits (\\U0001F600); halves of surrogate pairs are not read"
        ),
        "did not find expected comment or line break": Explanation(
            message: "only a comment may follow '|' or '>' on its line",
            cure: "begin the text on the next line; put a text that begins with '|' or '>' in quotes"
        ),
        "found an indentation indicator equal to 0": Explanation(
            message: "the indentation after '|' or '>' cannot be 0",
            cure: "delete the digit; the indentation of the first line counts"
        ),
        "found a tab character where an indentation space is expected": Explanation(
            message: "a tab in the indentation",
            cure: "indent with spaces; most editors have a setting for it"
        ),
        "found a tab character that violates indentation": Explanation(
            message: "a tab in the indentation",
            cure: "indent with spaces; most editors have a setting for it"
        ),
    ]
}
