import Values

/// The standard filters on lists, and those that fit every kind of value.
enum ListFilters {
    static let all: [FilterDefinition] = general + ordering

    private static let general: [FilterDefinition] = [
        FilterDefinition(
            "default",
            0...1,
            keywords: ["allow_false"],
            gives: .input,
            about: FilterExample(
                "Another value where there is none, or it is false or empty. `allow_false: true` keeps a false.",
                #"{{ "" | default: "ohne Raum" }}"#,
                "ohne Raum"
            )
        ) {
            input,
            arguments,
            _ throws(LiquidError) in
            let keepsFalse = arguments["allow_false"].isTruthy
            if case .value(.bool(false)) = input, keepsFalse { return input }
            if input.isTruthy, !input.isEmpty { return input }
            return arguments.count > 0 ? arguments[0] : .null
        },
        FilterDefinition(
            "size",
            gives: .whole,
            about: FilterExample("How many characters, or elements.", #"{{ "Anna" | size }}"#, "4")
        ) { input, _, _ throws(LiquidError) in
            .value(.int(Int64(size(of: input) ?? 0)))
        },
        FilterDefinition(
            "first",
            gives: .element,
            about: FilterExample("The first element.", #"{{ "MAT,ENG" | split: "," | first }}"#, "MAT")
        ) { input, _, _ throws(LiquidError) in first(of: input) ?? .null },
        FilterDefinition(
            "last",
            gives: .element,
            about: FilterExample("The last element.", #"{{ "MAT,ENG" | split: "," | last }}"#, "ENG")
        ) { input, _, _ throws(LiquidError) in last(of: input) ?? .null },
        FilterDefinition(
            "join",
            0...1,
            gives: .text,
            about: FilterExample(
                "The elements as one text, a blank or another separator between them.",
                #"{{ "MAT,ENG" | split: "," | join: " + " }}"#,
                "MAT + ENG"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let separator = arguments.count > 0 ? try workspace.text(arguments[0]) : " "
            let elements = try workspace.elements(input)
            var text = ""
            for (index, element) in elements.enumerated() {
                if index > 0 { text += separator }
                text += element.liquidText(in: workspace.context.zone)
                try workspace.check(bytes: text.utf8.count)
            }
            return .text(text)
        },
        FilterDefinition(
            "concat",
            1...1,
            gives: .input,
            about: FilterExample(
                "One list behind the other.",
                #"{% assign a = "1,2" | split: "," %}{{ a | concat: a | join }}"#,
                "1 2 1 2"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            switch arguments[0] {
            case .value(.list), .range:
                let first = try workspace.elements(input)
                if case .value(.list(let second)) = arguments[0] { return .list(first + second) }
                return .list(first + (try workspace.elements(arguments[0])))
            default: throw workspace.unsuitable("'concat' joins lists, and its argument is none")
            }
        },
        FilterDefinition(
            "reverse",
            gives: .input,
            about: FilterExample("Back to front.", #"{{ "1,2" | split: "," | reverse | join }}"#, "2 1")
        ) { input, _, workspace throws(LiquidError) in
            .list(try workspace.elements(input).reversed())
        },
    ]

    /// Characters of a text, elements of a list, pairs of a map; nil for what has no size.
    static func size(of datum: Datum) -> Int? {
        switch datum {
        case .value(.string(let text)), .captured(let text): text.count
        case .value(.list(let list)): list.count
        case .value(.map(let map)): map.count
        case .range(let first, let last): max(0, Int(last - first) + 1)
        default: nil
        }
    }

    static func first(of datum: Datum) -> Datum? {
        switch datum {
        case .value(.list(let list)): list.first.map { .value($0) }
        case .value(.map(let map)): map.pairs.first.map { .list([$0.key, $0.value]) }
        case .value(.string(let text)): text.first.map { .text(String($0)) }
        case .range(let first, let last): first <= last ? .value(.int(first)) : nil
        default: nil
        }
    }

    static func last(of datum: Datum) -> Datum? {
        switch datum {
        case .value(.list(let list)): list.last.map { .value($0) }
        case .value(.string(let text)): text.last.map { .text(String($0)) }
        case .range(let first, let last): first <= last ? .value(.int(last)) : nil
        default: nil
        }
    }

    // MARK: Order

    private static let ordering: [FilterDefinition] = [
        FilterDefinition(
            "sort",
            0...1,
            gives: .input,
            about: FilterExample(
                "In order, by a field of each element if one is named.",
                #"{{ "b,a" | split: "," | sort | join }}"#,
                "a b"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let elements = try workspace.elements(input)
            let keys = try keys(of: elements, arguments, &workspace)
            guard areComparable(keys) else {
                throw workspace.unsuitable("'sort' cannot order different kinds of values")
            }
            return .list(try sorted(elements, by: keys, &workspace))
        },
        FilterDefinition(
            "sort_natural",
            0...1,
            gives: .input,
            about: FilterExample(
                "In order, small letters and capitals alike.",
                #"{{ "b,A" | split: "," | sort_natural | join }}"#,
                "A b"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let elements = try workspace.elements(input)
            var keys = try keys(of: elements, arguments, &workspace)
            for (place, key) in keys.enumerated() where !key.isNull {
                let text = try workspace.text(.value(key))
                try workspace.count(lookingThrough: text)
                keys[place] = .string(text.lowercased())
            }
            return .list(try sorted(elements, by: keys, &workspace))
        },
        FilterDefinition(
            "uniq",
            0...1,
            gives: .input,
            about: FilterExample(
                "Each element once, by a field if one is named.",
                #"{{ "a,b,a" | split: "," | uniq | join }}"#,
                "a b"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let elements = try workspace.elements(input)
            var seen: Set<Value> = []
            let keys = try keys(of: elements, arguments, &workspace)
            for key in keys { try workspace.count(weightOf: key) }
            return .list(zip(elements, keys).filter { seen.insert($0.1).inserted }.map(\.0))
        },
        FilterDefinition(
            "compact",
            0...1,
            gives: .input,
            about: FilterExample(
                "Without elements that are nothing.",
                #"{{ "a,b" | split: "," | compact | join }}"#,
                "a b"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let elements = try workspace.elements(input)
            let keys = try keys(of: elements, arguments, &workspace)
            return .list(zip(elements, keys).filter { !$0.1.isNull }.map(\.0))
        },
    ]

    /// The elements themselves, or the field of each that the first argument names.
    static func keys(
        of elements: [Value],
        _ arguments: FilterArguments,
        _ workspace: inout FilterWorkspace
    ) throws(LiquidError) -> [Value] {
        guard !arguments[0].isNothing else { return elements }
        var keys: [Value] = []
        keys.reserveCapacity(elements.count)
        for element in elements {
            keys.append(try SelectionFilters.property(arguments[0], of: element, &workspace) ?? .null)
        }
        return keys
    }

    private static func areComparable(_ keys: [Value]) -> Bool {
        let present = keys.filter { !$0.isNull }
        guard present.count > 1, let first = present.first else { return true }
        return present.allSatisfy { LiquidComparison.order(first, $0) != nil }
    }

    /// In the order of the keys, null last, equal ones as they came.
    private static func sorted(
        _ elements: [Value],
        by keys: [Value],
        _ workspace: inout FilterWorkspace
    ) throws(LiquidError) -> [Value] {
        // Each key is compared about as often as the number of keys can be halved.
        let times = Int.bitWidth - keys.count.leadingZeroBitCount
        for key in keys { try workspace.count(weightOf: key, times: times) }
        return zip(keys, elements).enumerated().sorted { one, other in
            switch (one.element.0, other.element.0) {
            case (.null, .null): one.offset < other.offset
            case (.null, _): false
            case (_, .null): true
            case (let left, let right):
                switch LiquidComparison.order(left, right) {
                case -1: true
                case 1: false
                default: one.offset < other.offset
                }
            }
        }.map(\.element.1)
    }
}
