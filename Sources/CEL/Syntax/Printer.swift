/// Writes a tree as source that parses to the same tree.
enum Printer {
    static func text(_ node: Node) -> String { text(node, tighterThan: 0) }

    /// Strengths: 0 conditional, 1 or, 2 and, 3 relation, 4 sum, 5 product, 6 prefix, 7 member.
    private static func text(_ node: Node, tighterThan weakest: Int) -> String {
        let (strength, text) = written(node)
        return strength < weakest ? "(\(text))" : text
    }

    private static func written(_ node: Node) -> (strength: Int, text: String) {
        switch node.kind {
        case .literal(let literal): (isNegative(literal) ? 6 : 7, self.literal(literal))
        case .identifier(let name, let isAbsolute): (7, (isAbsolute ? "." : "") + name)
        case .select(let operand, let field, let isOptional):
            (7, text(operand, tighterThan: 7) + (isOptional ? ".?" : ".") + name(field))
        case .presence(let operand, let field, let isOptional):
            (7, "has(\(text(operand, tighterThan: 7))\(isOptional ? ".?" : ".")\(name(field)))")
        case .index(let operand, let index, let isOptional):
            (7, "\(text(operand, tighterThan: 7))[\(isOptional ? "?" : "")\(text(index))]")
        case .call(let function, let target, let arguments): call(function, target, arguments)
        case .and(let operands): (2, operands.map { text($0, tighterThan: 3) }.joined(separator: " && "))
        case .or(let operands): (1, operands.map { text($0, tighterThan: 2) }.joined(separator: " || "))
        case .conditional(let condition, let one, let other):
            (0, "\(text(condition, tighterThan: 1)) ? \(text(one, tighterThan: 1)) : \(text(other))")
        case .list(let elements):
            (7, "[\(elements.map { ($0.isOptional ? "?" : "") + text($0.value) }.joined(separator: ", "))]")
        case .map(let entries):
            (
                7,
                "{\(entries.map { "\($0.isOptional ? "?" : "")\(text($0.key)): \(text($0.value))" }.joined(separator: ", "))}"
            )
        case .message(let type, let fields):
            (
                7,
                type
                    + "{\(fields.map { "\($0.isOptional ? "?" : "")\(name($0.name)): \(text($0.value))" }.joined(separator: ", "))}"
            )
        case .comprehension(let comprehension): (7, self.comprehension(comprehension))
        case .bind(let variable, let value, let body): (7, "cel.bind(\(variable.name), \(text(value)), \(text(body)))")
        case .optionalMap(let operand, let variable, let body, let isFlat):
            (7, "\(text(operand, tighterThan: 7)).\(isFlat ? "optFlatMap" : "optMap")(\(variable.name), \(text(body)))")
        }
    }

    private static func call(_ function: String, _ target: Node?, _ arguments: [Node]) -> (Int, String) {
        if target == nil, let symbol = Operator.symbol(of: function) {
            if arguments.count == 1 { return (6, symbol + prefixed(arguments[0], symbol)) }
            let strength = Operator.binary[symbol]?.strength ?? 7
            let left = text(arguments[0], tighterThan: strength)
            return (strength, "\(left) \(symbol) \(text(arguments[1], tighterThan: strength + 1))")
        }
        let list = arguments.map { text($0) }.joined(separator: ", ")
        return (7, (target.map { text($0, tighterThan: 7) + "." } ?? "") + "\(function)(\(list))")
    }

    /// Between a minus and a number the parser sees one negative number, so that such an operand goes into parentheses.
    private static func prefixed(_ operand: Node, _ symbol: String) -> String {
        let (strength, text) = written(operand)
        let startsLikeNumber = symbol == "-" && text.utf8.first.map { Lexer.isDigit($0) || $0 == 0x2E } ?? false
        let isSamePrefix = strength == 6 && text.hasPrefix(symbol) && !isNegativeLiteral(operand)
        return (strength >= 7 && !startsLikeNumber) || isSamePrefix ? text : "(\(text))"
    }

    private static func isNegativeLiteral(_ node: Node) -> Bool {
        if case .literal = node.kind { return true }
        return false
    }

    private static func comprehension(_ comprehension: Node.Comprehension) -> String {
        let names = comprehension.variables.map(\.name)
        let rest = [comprehension.filter, comprehension.body].compactMap { $0.map { text($0) } }
        return
            "\(text(comprehension.range, tighterThan: 7)).\(comprehension.macro)(\((names + rest).joined(separator: ", ")))"
    }

    private static func name(_ field: String) -> String {
        let isPlain =
            field.utf8.first.map(Lexer.isNameStart) ?? false
            && field.utf8.allSatisfy { Lexer.isNameStart($0) || Lexer.isDigit($0) }
            && !["in", "true", "false", "null"].contains(field)
        return isPlain ? field : "`\(field)`"
    }

    private static func isNegative(_ literal: Node.Literal) -> Bool {
        switch literal {
        case .int(let value): value < 0
        case .double(let value): value.sign == .minus
        default: false
        }
    }

    private static func literal(_ literal: Node.Literal) -> String {
        switch literal {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .uint(let value): "\(value)u"
        case .double(let value): String(value)
        case .string(let value): quoted(value)
        case .bytes(let value): "b\"\(value.map(octal).joined())\""
        }
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
