import Values

/// One piece of a parsed template, in the order in which it is rendered.
enum Node: Sendable {
    /// UTF-8, as it stands in the source.
    case text([UInt8])
    /// `{{ … }}` and `{% echo … %}`.
    case output(FilteredExpression)
    case assign(Assignment)
    case capture(Capture)
    case conditional(Conditional)
    case selection(Selection)
    case loop(ForLoop)
    case tableRow(ForLoop, columns: Expression?)
    case breakLoop
    case continueLoop
    case cycle(Cycle)
    case count(Counter)
    case ifChanged([Node])
    case partial(PartialCall)
}

/// A value as written: a literal, a variable with its path, a range.
enum Expression: Sendable {
    case literal(Datum)
    case path(Path)
    case range(RangeExpression)
}

/// `lesson.teachers[0]`, `[name]`, `group['key']`.
final class Path: Sendable {
    let root: Root
    let steps: [Step]
    let span: Range<Int>
    /// Variable and field of a path that is no more than these, such as `lesson.subject`: nearly all that messages print.
    let simple: (variable: String, field: String)?

    init(root: Root, steps: [Step], span: Range<Int>) {
        self.root = root
        self.steps = steps
        self.span = span
        if steps.count == 1, case .name(let variable) = root, case .field(let field) = steps[0] {
            simple = (variable, field)
        } else {
            simple = nil
        }
    }

    enum Root: Sendable {
        case name(String)
        /// `[expression]`: the variable whose name the expression gives.
        case computed(Expression)
    }

    enum Step: Sendable {
        case field(String)
        case index(Int64)
        case computed(Expression)
    }
}

/// `(1..5)`; both ends belong to it.
final class RangeExpression: Sendable {
    let first: Expression
    let last: Expression

    init(first: Expression, last: Expression) {
        self.first = first
        self.last = last
    }
}

/// An expression and the filters it runs through.
final class FilteredExpression: Sendable {
    let base: Expression
    let filters: [FilterCall]
    let span: Range<Int>
    /// Whether a `default` stands somewhere in the chain, so that a missing value is provided for.
    let hasDefault: Bool

    init(base: Expression, filters: [FilterCall], span: Range<Int>) {
        self.base = base
        self.filters = filters
        self.span = span
        hasDefault = filters.contains { $0.name == "default" }
    }
}

final class FilterCall: Sendable {
    let name: String
    /// Nil for a filter that nobody knows, which only lax templates may have.
    let definition: FilterDefinition?
    let positional: [Expression]
    let keywords: [(name: String, value: Expression)]
    /// The filter's name in the source.
    let span: Range<Int>

    init(
        name: String,
        definition: FilterDefinition?,
        positional: [Expression],
        keywords: [(name: String, value: Expression)],
        span: Range<Int>
    ) {
        self.name = name
        self.definition = definition
        self.positional = positional
        self.keywords = keywords
        self.span = span
    }
}

/// Comparisons joined by `and` and `or`, grouped from the right, as the reference implementation does:
/// `a and b or c` is `a and (b or c)`.
struct Condition: Sendable {
    var comparisons: [Comparison]
    /// One fewer than comparisons; `operators[i]` stands before `comparisons[i + 1]`.
    var operators: [LogicalOperator]

    enum LogicalOperator: Sendable {
        case and
        case or
    }
}

struct Comparison: Sendable {
    let left: Expression
    /// Nil where the value's own truth is asked.
    let relation: (operator: ComparisonOperator, right: Expression)?
    let span: Range<Int>
}

enum ComparisonOperator: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains
}

final class Assignment: Sendable {
    let name: String
    let value: FilteredExpression

    init(name: String, value: FilteredExpression) {
        self.name = name
        self.value = value
    }
}

final class Capture: Sendable {
    let name: String
    let body: [Node]

    init(name: String, body: [Node]) {
        self.name = name
        self.body = body
    }
}

/// `if` and `unless`: the first branch whose condition holds is rendered.
final class Conditional: Sendable {
    struct Branch: Sendable {
        /// Nil for `else`.
        let condition: Condition?
        /// Whether the branch is taken when the condition does not hold: the first of `unless`.
        let isNegated: Bool
        var body: [Node]
    }

    let branches: [Branch]
    init(branches: [Branch]) { self.branches = branches }
}

/// `case`: every `when` value that equals the subject renders its body; an `else` renders if none before it did.
final class Selection: Sendable {
    struct Branch: Sendable {
        /// Nil for `else`.
        let values: [Expression]?
        /// Where the values stand.
        let span: Range<Int>
        var body: [Node]
    }

    let subject: Expression
    let branches: [Branch]

    init(subject: Expression, branches: [Branch]) {
        self.subject = subject
        self.branches = branches
    }
}

final class ForLoop: Sendable {
    let variable: String
    let collection: Expression
    let collectionSpan: Range<Int>
    /// `item-lessons`: what `forloop.name` says and what `offset: continue` goes by.
    let name: String
    let arguments: LoopArguments
    let body: [Node]
    let otherwise: [Node]

    init(header: LoopHeader, body: [Node], otherwise: [Node] = []) {
        variable = header.variable
        collection = header.collection
        collectionSpan = header.collectionSpan
        name = header.name
        arguments = header.arguments
        self.body = body
        self.otherwise = otherwise
    }
}

/// What stands between `for` and `%}`.
struct LoopHeader: Sendable {
    var variable: String
    var collection: Expression
    var collectionSpan: Range<Int>
    var name: String
    var arguments = LoopArguments()
    var columns: Expression?
}

struct LoopArguments: Sendable {
    enum Offset: Sendable {
        case start
        case at(Expression)
        /// Where the last loop of this name stopped.
        case resume
    }

    var isReversed = false
    var limit: Expression?
    var offset = Offset.start
    /// Where the whole tag is, for complaints about its numbers.
    var span = 0..<0
}

final class Cycle: Sendable {
    /// The expression before the colon; cycles of one name share their position.
    let name: Expression?
    /// The source of the items, which names a cycle that has no name.
    let text: String
    let items: [Expression]

    init(name: Expression?, text: String, items: [Expression]) {
        self.name = name
        self.text = text
        self.items = items
    }
}

/// `increment` prints, then adds one; `decrement` takes one off, then prints.
struct Counter: Sendable {
    let name: String
    let isUpwards: Bool
}

/// `render` and `include`.
final class PartialCall: Sendable {
    enum Binding: Sendable {
        case nothing
        case one(Expression)
        case each(Expression)
    }

    let name: Expression
    /// `render` shows the partial nothing but its arguments; `include` shows it everything.
    let isIsolated: Bool
    let binding: Binding
    let alias: String?
    let arguments: [(name: String, value: Expression)]
    let span: Range<Int>

    init(
        name: Expression,
        isIsolated: Bool,
        binding: Binding,
        alias: String?,
        arguments: [(name: String, value: Expression)],
        span: Range<Int>
    ) {
        self.name = name
        self.isIsolated = isIsolated
        self.binding = binding
        self.alias = alias
        self.arguments = arguments
        self.span = span
    }

    /// The name where it is written out, so that it can be looked up before anything is rendered.
    var literalName: String? {
        if case .literal(.value(.string(let name))) = name { return name }
        return nil
    }
}
