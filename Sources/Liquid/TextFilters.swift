import Values

/// The standard filters on texts.
enum TextFilters {
    static let all: [FilterDefinition] = plain + cutting + replacing

    private static func mapped(
        _ name: String,
        about example: FilterExample,
        _ change: @escaping @Sendable (String) -> String
    ) -> FilterDefinition {
        FilterDefinition(name, gives: .text, about: example) { input, _, workspace throws(LiquidError) in
            .text(change(try workspace.text(input)))
        }
    }

    private static let plain: [FilterDefinition] = [
        mapped("upcase", about: FilterExample("With capitals.", #"{{ "Mathe" | upcase }}"#, "MATHE")) {
            $0.uppercased()
        },
        mapped("downcase", about: FilterExample("With small letters.", #"{{ "MAT" | downcase }}"#, "mat")) {
            $0.lowercased()
        },
        mapped(
            "capitalize",
            about: FilterExample("The first letter a capital, the rest small.", #"{{ "mATHE" | capitalize }}"#, "Mathe")
        ) { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() },
        mapped("strip", about: FilterExample("Without white space at both ends.", #"[{{ " MAT " | strip }}]"#, "[MAT]"))
        { trimmed($0, start: true, end: true) },
        mapped(
            "lstrip",
            about: FilterExample("Without white space at the start.", #"[{{ " MAT " | lstrip }}]"#, "[MAT ]")
        ) { trimmed($0, start: true, end: false) },
        mapped(
            "rstrip",
            about: FilterExample("Without white space at the end.", #"[{{ " MAT " | rstrip }}]"#, "[ MAT]")
        ) { trimmed($0, start: false, end: true) },
        mapped(
            "squish",
            about: FilterExample(
                "Without white space at both ends, and single blanks within.",
                #"{{ " zwei   Wörter " | squish }}"#,
                "zwei Wörter"
            )
        ) { words($0).joined(separator: " ") },
        mapped(
            "strip_newlines",
            about: FilterExample(
                "Without line ends.",
                "{% capture t %}a\nb{% endcapture %}{{ t | strip_newlines }}",
                "ab"
            )
        ) { replaceLineEnds(of: $0, by: "") },
        mapped(
            "newline_to_br",
            about: FilterExample(
                "With `<br />` before each line end.",
                "{% capture t %}a\nb{% endcapture %}{{ t | newline_to_br }}",
                "a<br />\nb"
            )
        ) { replaceLineEnds(of: $0, by: "<br />\n") },
        FilterDefinition(
            "append",
            1...1,
            gives: .text,
            about: FilterExample("With a text behind it.", #"{{ "3A" | append: "-INF" }}"#, "3A-INF")
        ) { input, arguments, workspace throws(LiquidError) in
            .text(try workspace.text(input) + workspace.text(arguments[0]))
        },
        FilterDefinition(
            "prepend",
            1...1,
            gives: .text,
            about: FilterExample("With a text before it.", #"{{ "MAT" | prepend: "Fach " }}"#, "Fach MAT")
        ) { input, arguments, workspace throws(LiquidError) in
            .text(try workspace.text(arguments[0]) + workspace.text(input))
        },
        FilterDefinition(
            "split",
            1...1,
            gives: .texts,
            about: FilterExample(
                "A list of the parts between separators.",
                #"{{ "MAT,ENG" | split: "," | join: " und " }}"#,
                "MAT und ENG"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let separator = try workspace.text(arguments[0])
            let parts = split(try workspace.text(input), by: separator)
            return .list(parts.map { .string($0) })
        },
    ]

    private static func trimmed(_ text: String, start: Bool, end: Bool) -> String {
        var bytes = Substring(text).utf8
        if start { bytes = bytes.drop { $0.isLiquidSpace || $0 == 0 } }
        if end { while let last = bytes.last, last.isLiquidSpace || last == 0 { bytes = bytes.dropLast() } }
        return String(Substring(bytes))
    }

    private static func replaceLineEnds(of text: String, by replacement: String) -> String {
        let ends = ByteSearch.occurrences(of: "\n", in: text)
        let bytes = Array(text.utf8)
        let whole = ends.map {
            $0.lowerBound > 0 && bytes[$0.lowerBound - 1] == 0x0D ? $0.lowerBound - 1..<$0.upperBound : $0
        }
        return ByteSearch.replace(whole, of: text, by: replacement)
    }

    /// A space splits at any white space, nothing into characters; empty parts at the end are dropped, as in Ruby.
    private static func split(_ text: String, by separator: String) -> [String] {
        if separator.isEmpty { return text.map { String($0) } }
        if separator == " " { return words(text) }
        var parts = ByteSearch.split(text, at: ByteSearch.occurrences(of: separator, in: text))
        while parts.last?.isEmpty == true { parts.removeLast() }
        return parts
    }

    private static func words(_ text: String) -> [String] {
        text.utf8.split { $0.isLiquidSpace }.map { String(Substring($0)) }
    }

    // MARK: Cutting

    private static let cutting: [FilterDefinition] = [
        FilterDefinition(
            "slice",
            1...2,
            gives: .unknown,
            about: FilterExample(
                "So many characters, or elements, from a place on (0 is the first, -1 the last).",
                #"{{ "3A-INF" | slice: 0, 2 }}"#,
                "3A"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            guard let start = try workspace.integer(arguments[0], "the start of 'slice'") else {
                throw workspace.unsuitable("'slice' is told no start")
            }
            let length = try workspace.integer(arguments[1], "the length of 'slice'") ?? 1
            if case .value(.list(let list)) = input { return .list(Array(slice(list, start, length))) }
            if case .range = input {
                return .list(Array(slice(try workspace.elements(input), start, length)))
            }
            return .text(String(slice(Array(try workspace.text(input)), start, length)))
        },
        FilterDefinition(
            "truncate",
            0...2,
            gives: .text,
            about: FilterExample(
                "Cut to so many characters, the dots included; 50 unless said otherwise.",
                #"{{ "Mathematik" | truncate: 7 }}"#,
                "Math..."
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let text = try workspace.text(input)
            let length = try length(arguments, default: 50, workspace)
            let ellipsis = arguments.count > 1 ? try workspace.text(arguments[1]) : "..."
            guard text.count > length else { return .text(text) }
            return .text(text.prefix(max(0, length - ellipsis.count)) + ellipsis)
        },
        FilterDefinition(
            "truncatewords",
            0...2,
            gives: .text,
            about: FilterExample(
                "Cut to so many words; 15 unless said otherwise.",
                #"{{ "eins zwei drei" | truncatewords: 2 }}"#,
                "eins zwei..."
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let text = try workspace.text(input)
            let count = max(1, try length(arguments, default: 15, workspace))
            let ellipsis = arguments.count > 1 ? try workspace.text(arguments[1]) : "..."
            let words = words(text)
            guard words.count > count else { return .text(text) }
            return .text(words.prefix(count).joined(separator: " ") + ellipsis)
        },
    ]

    private static func length(
        _ arguments: FilterArguments,
        default usual: Int,
        _ workspace: FilterWorkspace
    ) throws(LiquidError) -> Int {
        guard arguments.count > 0 else { return usual }
        guard let length = try workspace.integer(arguments[0], "the length") else {
            throw workspace.unsuitable("the length is missing")
        }
        return length
    }

    private static func slice<Element>(_ elements: [Element], _ start: Int, _ length: Int) -> ArraySlice<Element> {
        let first = start < 0 ? elements.count.addingReportingOverflow(start).partialValue : start
        guard first >= 0, first <= elements.count, length > 0 else { return [] }
        return elements[first...].prefix(length)
    }

    // MARK: Replacing

    private static func replacement(
        _ name: String,
        _ arity: ClosedRange<Int>,
        about example: FilterExample,
        _ find: @escaping @Sendable (_ pattern: String, _ text: String) -> [Range<Int>]
    ) -> FilterDefinition {
        FilterDefinition(name, arity, gives: .text, about: example) { input, arguments, workspace throws(LiquidError) in
            let text = try workspace.text(input)
            let new = arity.upperBound > 1 ? try workspace.text(arguments[1]) : ""
            let pattern = try workspace.text(arguments[0])
            if arity.upperBound == 1, pattern.isEmpty { return .text(text) }
            let ranges = find(pattern, text)
            try workspace.check(bytes: ranges.count * new.utf8.count + text.utf8.count)
            return .text(ByteSearch.replace(ranges, of: text, by: new))
        }
    }

    private static let replacing: [FilterDefinition] = [
        replacement(
            "replace",
            1...2,
            about: FilterExample(
                "With each place of one text replaced by another.",
                #"{{ "a-b-c" | replace: "-", "/" }}"#,
                "a/b/c"
            )
        ) { ByteSearch.occurrences(of: $0, in: $1) },
        replacement(
            "replace_first",
            1...2,
            about: FilterExample(
                "The same for the first place alone.",
                #"{{ "a-b-c" | replace_first: "-", "/" }}"#,
                "a/b-c"
            )
        ) { ByteSearch.occurrences(of: $0, in: $1, atMost: 1) },
        replacement(
            "replace_last",
            2...2,
            about: FilterExample(
                "The same for the last place alone.",
                #"{{ "a-b-c" | replace_last: "-", "/" }}"#,
                "a-b/c"
            )
        ) { ByteSearch.lastOccurrence(of: $0, in: $1).map { [$0] } ?? [] },
        replacement(
            "remove",
            1...1,
            about: FilterExample("Without each place of a text.", #"{{ "a-b-c" | remove: "-" }}"#, "abc")
        ) { ByteSearch.occurrences(of: $0, in: $1) },
        replacement(
            "remove_first",
            1...1,
            about: FilterExample("Without the first of them.", #"{{ "a-b-c" | remove_first: "-" }}"#, "ab-c")
        ) { ByteSearch.occurrences(of: $0, in: $1, atMost: 1) },
        replacement(
            "remove_last",
            1...1,
            about: FilterExample("Without the last of them.", #"{{ "a-b-c" | remove_last: "-" }}"#, "a-bc")
        ) { ByteSearch.lastOccurrence(of: $0, in: $1).map { [$0] } ?? [] },
    ]
}
