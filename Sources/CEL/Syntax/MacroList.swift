/// A call that is no function: its arguments are parts of the expression, evaluated for each element or not at all (cel-spec, "Macros").
struct Macro: Sendable {
    let name: String
    let argumentCounts: ClosedRange<Int>
    /// What a comprehension does, and how many names it has; nil for what the parser expands by itself.
    let comprehension: (form: Node.Comprehension.Form, variables: Int)?
    /// How it is called: `list.exists(x, condition)`.
    let signature: String
    let documentation: String
    /// An expression with it that is true.
    let example: String

    private init(
        _ name: String,
        _ argumentCounts: ClosedRange<Int>,
        _ comprehension: (form: Node.Comprehension.Form, variables: Int)?,
        _ signature: String,
        _ documentation: String,
        _ example: String
    ) {
        self.name = name
        self.argumentCounts = argumentCounts
        self.comprehension = comprehension
        self.signature = signature
        self.documentation = documentation
        self.example = example
    }

    static let all: [Macro] = [
        Macro(
            "has",
            1...1,
            nil,
            "has(record.field)",
            "Whether a field is there. What is declared optional must be asked for so before it is read.",
            #"has({"a": 1}.a)"#
        ),
        Macro(
            "all",
            2...2,
            (.all, 1),
            "list.all(x, condition)",
            "Whether the condition holds for every element.",
            "[5, 6].all(x, x > 4)"
        ),
        Macro(
            "exists",
            2...2,
            (.exists, 1),
            "list.exists(x, condition)",
            "Whether the condition holds for some element.",
            #"["3A", "3B"].exists(k, k == "3B")"#
        ),
        Macro(
            "exists_one",
            2...2,
            (.existsOne, 1),
            "list.exists_one(x, condition)",
            "Whether the condition holds for exactly one element.",
            "[1, 2, 2].exists_one(x, x == 1)"
        ),
        Macro(
            "existsOne",
            2...2,
            (.existsOne, 1),
            "list.existsOne(x, condition)",
            "The same as `exists_one`.",
            "[1, 2].existsOne(x, x == 1)"
        ),
        Macro(
            "map",
            2...3,
            (.map, 1),
            "list.map(x, [condition,] value)",
            "A list of the values, of the elements for which the condition holds.",
            "[1, 2].map(x, x * 2) == [2, 4] && [1, 2].map(x, x > 1, x) == [2]"
        ),
        Macro(
            "filter",
            2...2,
            (.filter, 1),
            "list.filter(x, condition)",
            "The elements for which the condition holds.",
            "[4, 5, 6].filter(x, x > 4) == [5, 6]"
        ),
        Macro(
            "all",
            3...3,
            (.all, 2),
            "map.all(key, value, condition)",
            "The same with two names: key and value of a map, place and element of a list.",
            #"{"a": 1}.all(k, v, v > 0)"#
        ),
        Macro(
            "exists",
            3...3,
            (.exists, 2),
            "map.exists(key, value, condition)",
            "The same with two names.",
            "[5, 6].exists(i, x, i == 1 && x == 6)"
        ),
        Macro(
            "exists_one",
            3...3,
            (.existsOne, 2),
            "map.exists_one(key, value, condition)",
            "The same with two names.",
            #"{"a": 1}.exists_one(k, v, v == 1)"#
        ),
        Macro(
            "existsOne",
            3...3,
            (.existsOne, 2),
            "map.existsOne(key, value, condition)",
            "The same with two names.",
            #"{"a": 1}.existsOne(k, v, v == 1)"#
        ),
        Macro(
            "transformList",
            3...4,
            (.transformList, 2),
            "map.transformList(key, value, [condition,] result)",
            "A list of the results.",
            "[5, 6].transformList(i, x, i + x) == [5, 7]"
        ),
        Macro(
            "transformMap",
            3...4,
            (.transformMap, 2),
            "map.transformMap(key, value, [condition,] result)",
            "A map with the same keys and other values.",
            #"{"a": 1}.transformMap(k, v, v + 1) == {"a": 2}"#
        ),
        Macro(
            "transformMapEntry",
            3...4,
            (.transformMapEntry, 2),
            "map.transformMapEntry(key, value, [condition,] {key: value})",
            "A map with other keys and values.",
            #"{"a": 1}.transformMapEntry(k, v, {k + "b": v}) == {"ab": 1}"#
        ),
        Macro(
            "optMap",
            2...2,
            nil,
            "optional.optMap(x, value)",
            "The value made of what is there; none stays none.",
            "optional.of(2).optMap(x, x + 1).value() == 3"
        ),
        Macro(
            "optFlatMap",
            2...2,
            nil,
            "optional.optFlatMap(x, optional)",
            "The same, where what is made may be missing itself.",
            #"optional.of({"a": 1}).optFlatMap(m, m.?a).value() == 1"#
        ),
        Macro(
            "bind",
            3...3,
            nil,
            "cel.bind(x, value, expression)",
            "A name for a value that is used more than once.",
            "cel.bind(x, 3, x * x) == 9"
        ),
    ]
}
