import Values

/// One part of a parsed expression. Immutable; what later phases find out is kept beside it, by number.
final class Node: Sendable {
    /// Numbers count up from 0 within one expression.
    let id: Int
    /// UTF-8 offsets into the source.
    let span: Range<Int>
    let kind: Kind
    /// How many levels of parts lie below, this one included.
    let height: Int

    indirect enum Kind: Sendable {
        case literal(Literal)
        /// `name`, or `.name` which skips the container and local variables.
        case identifier(String, isAbsolute: Bool)
        /// `operand.field`, or `operand.?field`.
        case select(Node, field: String, isOptional: Bool)
        /// `has(operand.field)`.
        case presence(Node, field: String, isOptional: Bool)
        /// `operand[index]`, or `operand[?index]`.
        case index(Node, Node, isOptional: Bool)
        /// `function(arguments)` or `target.function(arguments)`; operators are functions such as `_+_`.
        case call(String, target: Node?, arguments: [Node])
        case and([Node])
        case or([Node])
        case conditional(Node, Node, Node)
        case list([ListElement])
        case map([MapEntry])
        /// `Type{field: value}`.
        case message(String, [MessageField])
        case comprehension(Comprehension)
        /// `cel.bind(name, value, body)`.
        case bind(Variable, Node, Node)
        /// `operand.optMap(name, body)`, or `optFlatMap`, whose body gives an optional itself.
        case optionalMap(Node, Variable, Node, isFlat: Bool)
    }

    enum Literal: Sendable, Hashable {
        case null
        case bool(Bool)
        case int(Int64)
        case uint(UInt64)
        case double(Double)
        case string(String)
        case bytes([UInt8])
    }

    struct ListElement: Sendable {
        let value: Node
        let isOptional: Bool
    }

    struct MapEntry: Sendable {
        let key: Node
        let value: Node
        let isOptional: Bool
    }

    struct MessageField: Sendable {
        let name: String
        let value: Node
        let isOptional: Bool
    }

    struct Variable: Sendable {
        let name: String
        let span: Range<Int>
    }

    struct Comprehension: Sendable {
        enum Form: String, Sendable {
            case all
            case exists
            case existsOne
            case map
            case filter
            case transformList
            case transformMap
            case transformMapEntry
        }

        let form: Form
        /// The macro as it was written: `exists_one` and `existsOne` are the same.
        let macro: String
        let range: Node
        /// One variable for elements or keys; two for index and element, or key and value.
        let variables: [Variable]
        /// What an element must fulfil to be transformed.
        let filter: Node?
        let body: Node
    }

    init(id: Int, span: Range<Int>, kind: Kind) {
        self.id = id
        self.span = span
        self.kind = kind
        height = 1 + Node.greatestHeight(in: kind)
    }

    private static func greatestHeight(in kind: Kind) -> Int {
        switch kind {
        case .literal, .identifier: 0
        case .select(let operand, _, _), .presence(let operand, _, _): operand.height
        case .index(let operand, let index, _): max(operand.height, index.height)
        default: parts(of: kind).reduce(0) { max($0, $1.height) }
        }
    }

    /// The parts in the order of the source, as far as the grammar has one.
    var parts: [Node] { Self.parts(of: kind) }

    private static func parts(of kind: Kind) -> [Node] {
        switch kind {
        case .literal, .identifier: []
        case .select(let operand, _, _), .presence(let operand, _, _): [operand]
        case .index(let operand, let index, _): [operand, index]
        case .call(_, let target, let arguments): (target.map { [$0] } ?? []) + arguments
        case .and(let operands), .or(let operands): operands
        case .conditional(let condition, let one, let other): [condition, one, other]
        case .list(let elements): elements.map(\.value)
        case .map(let entries): entries.flatMap { [$0.key, $0.value] }
        case .message(_, let fields): fields.map(\.value)
        case .comprehension(let comprehension):
            [comprehension.range] + (comprehension.filter.map { [$0] } ?? []) + [comprehension.body]
        case .bind(_, let value, let body): [value, body]
        case .optionalMap(let operand, _, let body, _): [operand, body]
        }
    }
}

/// The functions behind the operators, named as in cel-spec.
enum Operator {
    static let binary: [String: (function: String, strength: Int)] = [
        "<": ("_<_", 3), "<=": ("_<=_", 3), ">": ("_>_", 3), ">=": ("_>=_", 3), "==": ("_==_", 3), "!=": ("_!=_", 3),
        "in": ("@in", 3), "+": ("_+_", 4), "-": ("_-_", 4), "*": ("_*_", 5), "/": ("_/_", 5), "%": ("_%_", 5),
    ]
    static let not = "!_"
    static let negate = "-_"

    /// `_==_` as `==`; nil for named functions.
    static func symbol(of function: String) -> String? {
        if function == "@in" { return "in" }
        if function == not { return "!" }
        if function == negate { return "-" }
        guard function.hasPrefix("_"), function.hasSuffix("_"), function.utf8.count > 2 else { return nil }
        return String(function.dropFirst().dropLast())
    }
}

extension Node {
    /// `a.b.c` as one name, with a leading dot where it is absolute; nil for anything else.
    var qualifiedName: String? {
        switch kind {
        case .identifier(let name, let isAbsolute): isAbsolute ? "." + name : name
        case .select(let operand, let field, isOptional: false): operand.qualifiedName.map { "\($0).\(field)" }
        default: nil
        }
    }

    /// The identifier that a chain of selections begins with.
    var rootIdentifier: (name: String, isAbsolute: Bool)? {
        switch kind {
        case .identifier(let name, let isAbsolute): (name, isAbsolute)
        case .select(let operand, _, isOptional: false): operand.rootIdentifier
        default: nil
        }
    }
}
