import Values

/// What a name in an expression stands for.
enum Reference: Sendable {
    case variable(slot: Int)
    /// A variable of a comprehension or binding. Such a node itself has the first of its own.
    case local(slot: Int)
    /// A type as a value.
    case type(String)
    /// A function with a dotted name, so that what stands before the last dot is no value.
    case function(String)
}

/// Finds the type of every part, and everything that is wrong.
struct Checker {
    struct Local {
        let name: String
        let slot: Int
        let type: CELType
    }

    let environment: CELEnvironment
    let source: String
    var inference = Inference()
    var types: [CELType]
    var references: [Reference?]
    var locals: [Local] = []
    var localCount = 0
    /// Paths of optional fields that are known to be there at this place.
    var guarded: Set<String> = []
    /// Paths of optional fields that were complained of.
    var toldUnguarded: Set<String> = []
    /// Nodes of `!` that are the left operand of an operator, and what is negated in those that negate no condition.
    var negatedOperands: Set<Int> = []
    var negationMistakes: [Int: CELType] = [:]
    var complaints: [Complaint] = []
    /// Variables and paths below them that are read.
    var read: Set<String> = []
    /// Functions of the host that are called, which may give something else each time.
    var hostFunctions: Set<String> = []
    /// Regular expressions of literal patterns, by the number of the pattern's node.
    var expressions: [Int: RegularExpression] = [:]

    init(environment: CELEnvironment, source: String, nodeCount: Int) {
        self.environment = environment
        self.source = source
        types = Array(repeating: .failed, count: nodeCount)
        references = Array(repeating: nil, count: nodeCount)
    }

    /// More than these nobody reads, and each may take as long as the source is.
    private static let mostComplaints = 50

    mutating func complain(_ span: Range<Int>, _ message: String, cures: [String] = []) {
        guard complaints.count < Self.mostComplaints else { return }
        complaints.append(Complaint(at: span, message, cures: cures))
    }

    mutating func warn(_ span: Range<Int>, _ message: String, cures: [String] = []) {
        complaints.append(Complaint(.warning, at: span, message, cures: cures))
    }

    @discardableResult
    mutating func check(_ node: Node) -> CELType {
        let type = type(of: node)
        types[node.id] = type
        return type
    }

    /// The type as far as it is known by now.
    func known(_ type: CELType) -> CELType { inference.resolved(type) }

    /// Checks a part, and gives its type as far as it is known then. One after the other: `self` in `known(check(part))` would be
    /// the checker as it was before.
    mutating func knownType(of node: Node) -> CELType {
        let type = check(node)
        return known(type)
    }

    private mutating func type(of node: Node) -> CELType {
        switch node.kind {
        case .literal(let literal): return literal.type
        case .identifier: return identifier(node)
        case .select(let operand, let field, let isOptional): return selection(node, operand, field, isOptional)
        case .presence(let operand, let field, _):
            presence(node, operand, field)
            return .bool
        case .index(let operand, let index, let isOptional): return indexing(node, operand, index, isOptional)
        case .call(let function, let target, let arguments): return call(node, function, target, arguments)
        case .and(let operands), .or(let operands):
            logic(node, operands)
            return .bool
        case .conditional(let condition, let one, let other): return conditional(node, condition, one, other)
        case .list(let elements): return list(elements)
        case .map(let entries): return map(entries)
        case .message(let name, let fields): return message(node, name, fields)
        case .comprehension(let comprehension): return self.comprehension(node, comprehension)
        case .bind(let variable, let value, let body):
            let type = check(value)
            references[node.id] = .local(slot: localCount)
            return withLocals([(variable, type)]) { checker in checker.check(body) }
        case .optionalMap(let operand, let variable, let body, let isFlat):
            return optionalMap(node, operand, variable, body, isFlat)
        }
    }

    // MARK: Literals

    private mutating func list(_ elements: [Node.ListElement]) -> CELType {
        var joined: CELType?
        for element in elements {
            var type = check(element.value)
            if element.isOptional { type = unwrapped(type, element.value) }
            joined = join(joined, type)
        }
        return .list(joined ?? inference.unknown())
    }

    private mutating func map(_ entries: [Node.MapEntry]) -> CELType {
        var keys: CELType?
        var values: CELType?
        for entry in entries {
            let key = check(entry.key)
            if !known(key).isPossibleKey {
                complain(
                    entry.key.span,
                    "a key of a map is a text, a whole number or a bool, not \(known(key).spoken)",
                    cures: ["write the key as a text: \"…\""]
                )
            }
            keys = join(keys, key)
            var value = check(entry.value)
            if entry.isOptional { value = unwrapped(value, entry.value) }
            values = join(values, value)
        }
        return .map(key: keys ?? inference.unknown(), value: values ?? inference.unknown())
    }

    /// Elements of different types are allowed; what is then known of them is nothing.
    private mutating func join(_ joined: CELType?, _ type: CELType) -> CELType {
        guard let joined else { return type }
        return inference.joined(joined, type) ?? .dyn
    }

    /// The type in an optional that `?` puts into a list or map.
    private mutating func unwrapped(_ type: CELType, _ node: Node) -> CELType {
        let wrapped = inference.unknown()
        if inference.agree(type, .optional(wrapped)) { return wrapped }
        complain(
            node.span,
            "'?' takes an optional, not \(known(type).spoken)",
            cures: ["delete the '?', or write .?field"]
        )
        return .failed
    }

    private mutating func message(_ node: Node, _ name: String, _ fields: [Node.MessageField]) -> CELType {
        for field in fields { check(field.value) }
        complain(
            node.span,
            "there is no message type '\(name)' to make",
            cures: ["write a map: {\"field\": value}"]
        )
        return .failed
    }

    // MARK: Logic

    private mutating func logic(_ node: Node, _ operands: [Node]) {
        let before = guarded
        let isAnd = if case .and = node.kind { true } else { false }
        // An operand that fails does not matter where another one decides, so that guards work from either side.
        for operand in operands {
            let facts = self.facts(operand)
            guarded.formUnion(isAnd ? facts.whenTrue : facts.whenFalse)
        }
        for operand in operands { needBool(check(operand), operand, "'\(isAnd ? "&&" : "||")' joins conditions") }
        guarded = before
    }

    mutating func needBool(_ type: CELType, _ node: Node, _ because: String) {
        if inference.agree(type, .bool) { return }
        complain(
            node.span,
            "\(because), and this is \(known(type).spoken)",
            cures: MismatchCures.condition(known(type), text(node))
        )
    }

    private mutating func conditional(_ node: Node, _ condition: Node, _ one: Node, _ other: Node) -> CELType {
        let facts = self.facts(condition)
        needBool(check(condition), condition, "'?' stands behind a condition")
        let before = guarded
        guarded.formUnion(facts.whenTrue)
        let first = check(one)
        guarded = before.union(facts.whenFalse)
        let second = check(other)
        guarded = before
        if let joined = inference.joined(first, second) { return joined }
        complain(
            node.span,
            "both values of '? :' need one type, and these are \(known(first).spoken) and \(known(second).spoken)",
            cures: ["make both alike, for example with string(…)"]
        )
        return .failed
    }

    /// The source of a node, for cures that repeat it; shortened where it is long.
    func text(_ node: Node) -> String {
        let bytes = Array(source.utf8)[node.span]
        let text = String(decoding: bytes, as: UTF8.self)
        return text.count <= 40 && !text.contains("\n") ? text : "…"
    }
}

extension Node.Literal {
    var type: CELType {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .uint: .uint
        case .double: .double
        case .string: .string
        case .bytes: .bytes
        }
    }
}

extension CELType {
    fileprivate var isPossibleKey: Bool {
        switch self {
        case .bool, .int, .uint, .string, .dyn, .failed, .unknown, .parameter: true
        default: false
        }
    }

    /// With an article, for sentences: `a string`, `an int`, `null`.
    var spoken: String {
        switch self {
        case .null: "null"
        case .dyn, .unknown, .failed: "anything"
        case .int, .abstract, .optional: "an \(shortName)"
        case .record(let record): "a \(record.name)"
        default: "a \(shortName)"
        }
    }

    /// The name in complaints: `optional(int)` where the specification says `optional_type(int)`.
    var shortName: String {
        switch self {
        case .null: "null"
        case .optional(let wrapped): "optional(\(wrapped.shortName))"
        case .list(let element): "list(\(element.shortName))"
        case .map(let key, let value): "map(\(key.shortName), \(value.shortName))"
        case .unknown, .failed: "dyn"
        default: name
        }
    }
}
