import Values

/// The standard filters that look into the elements of a list.
enum SelectionFilters {
    static let all: [FilterDefinition] = [
        FilterDefinition(
            "map",
            1...1,
            gives: .fields,
            about: FilterExample(
                "A field of each element.",
                #"{{ marks | map: "subject" | join: ", " }}"#,
                "MAT, ENG, MAT"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let elements = try workspace.elements(input)
            var values: [Value] = []
            values.reserveCapacity(elements.count)
            for element in elements { values.append(try property(arguments[0], of: element, &workspace) ?? .null) }
            return .list(values)
        },
        FilterDefinition(
            "sum",
            0...1,
            gives: .number,
            about: FilterExample(
                "The sum of the elements, or of a field of each.",
                #"{{ marks | sum: "value" }}"#,
                "22.5"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let elements = try workspace.elements(input)
            let values = try ListFilters.keys(of: elements, arguments, &workspace)
            return values.reduce(Quantity.whole(0)) { $0 + Quantity($1) }.datum
        },
        selection(
            "where",
            gives: .input,
            about: FilterExample(
                "The elements whose field has a value, or is there and true.",
                #"{{ marks | where: "subject", "MAT" | size }}"#,
                "2"
            )
        ) { elements, matches in .list(picked(elements, matches) { $0 }) },
        selection(
            "reject",
            gives: .input,
            about: FilterExample("The others.", #"{{ marks | reject: "subject", "MAT" | size }}"#, "1")
        ) { elements, matches in .list(picked(elements, matches) { !$0 }) },
        selection(
            "has",
            gives: .truth,
            about: FilterExample("Whether there is such an element.", #"{{ marks | has: "subject", "ENG" }}"#, "true")
        ) { _, matches in .value(.bool(matches.contains(true))) },
        selection(
            "find",
            gives: .element,
            about: FilterExample(
                "The first such element.",
                #"{% assign m = marks | find: "subject", "ENG" %}{{ m.value }}"#,
                "7.5"
            )
        ) { elements, matches in
            matches.firstIndex(of: true).map { .value(elements[$0]) } ?? .null
        },
        selection(
            "find_index",
            gives: .whole,
            about: FilterExample("Its place, from 0.", #"{{ marks | find_index: "subject", "ENG" }}"#, "1")
        ) { _, matches in
            matches.firstIndex(of: true).map { .value(.int(Int64($0))) } ?? .null
        },
    ]

    private static func picked(_ elements: [Value], _ matches: [Bool], _ keeps: (Bool) -> Bool) -> [Value] {
        zip(elements, matches).filter { keeps($0.1) }.map(\.0)
    }

    /// A filter that asks of every element whether a field of it equals a value, or is true where no value is given.
    private static func selection(
        _ name: String,
        gives result: FilterDefinition.Result,
        about example: FilterExample,
        _ choose: @escaping @Sendable (_ elements: [Value], _ matches: [Bool]) -> Datum
    ) -> FilterDefinition {
        FilterDefinition(name, 1...2, gives: result, about: example) {
            input,
            arguments,
            workspace throws(LiquidError) in
            let elements = try workspace.elements(input)
            var matches: [Bool] = []
            matches.reserveCapacity(elements.count)
            let wanted = arguments[1]
            for element in elements {
                // As in the reference implementation, an element without fields makes the whole result nothing.
                guard let found = try property(arguments[0], of: element, &workspace) else { return .null }
                matches.append(
                    try wanted.isNothing ? Datum.value(found).isTruthy : workspace.areEqual(.value(found), wanted)
                )
            }
            return choose(elements, matches)
        }
    }

    /// The field of an element: `.null` where it lacks it, nil where the element is nothing that could have one.
    ///
    /// A text has its own parts as fields and a whole number its bits, because the reference implementation's language says so.
    static func property(
        _ name: Datum,
        of element: Value,
        _ workspace: inout FilterWorkspace
    ) throws(LiquidError) -> Value? {
        switch (element, name) {
        case (.map(let map), .value(.string(let key))): return map[key] ?? .null
        case (.map, _): return .null
        case (.string(let text), .value(.string(let part))):
            return try workspace.contains(text, part) ? .string(part) : .null
        case (.string(let text), .value(.int(let index))):
            try workspace.count(lookingThrough: text)
            let characters = Array(text)
            let place = index < 0 ? Int64(characters.count) + index : index
            return characters.indices.contains(Int(place)) ? .string(String(characters[Int(place)])) : .null
        case (.int(let number), .value(.int(let bit))): return .int(bit < 0 ? 0 : number >> min(bit, 63) & 1)
        case (.int, _), (.uint, _), (.double, _):
            throw workspace.unsuitable("a list of numbers has no fields to look at")
        default: return nil
        }
    }
}
