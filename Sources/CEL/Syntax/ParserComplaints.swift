import Values

/// What to say where the grammar is left.
extension Parser {
    /// A token as it is named in a complaint.
    func text(of token: Token) -> String {
        switch token.kind {
        case .name(let name), .quotedName(let name): "'\(name)'"
        case .literal(.string(let text)): text.count <= 30 ? "the text \"\(text)\"" : "a text"
        case .literal(.bytes): "bytes"
        case .literal(.bool(let truth)): "'\(truth)'"
        case .literal(.null): "'null'"
        case .literal(.int(let value)): "'\(value)'"
        case .literal(.uint(let value)): "'\(value)u'"
        case .literal(.double(let value)): "'\(value)'"
        case .magnitudeOfLeastInt: "a number"
        case .punctuation(let symbol): "'\(symbol)'"
        case .end: "the end"
        }
    }

    /// Something that follows a whole expression.
    func surplus(after root: Node) -> Complaint {
        if case .name("not") = tokens[at - 1].kind { return wordForNot(at - 1) }
        switch current.kind {
        case .punctuation(")"), .punctuation("]"), .punctuation("}"):
            return Complaint(
                at: current.span,
                "this \(text(of: current)) closes nothing",
                cures: ["delete it, or open it further left"]
            )
        case .name(let word): return unexpectedWord(word)
        case .punctuation("in"):
            return Complaint(at: current.span, "'in' cannot stand here")
        case .punctuation(":"): return lonelyColon()
        case .punctuation(","):
            return Complaint(
                at: current.span,
                "',' stands between elements of a list or arguments of a function only",
                cures: ["write '&&' for 'and', '||' for 'or'"]
            )
        case .literal(.double) where isIndexAfterDot:
            return Complaint(
                at: current.span,
                "a field name is due after '.', not a number",
                cures: ["write [0] for the first element of a list"]
            )
        case .literal(.string(let text)):
            guard case .name(let name) = tokens[at - 1].kind else { break }
            return Complaint(
                at: current.span,
                "an operator is missing before \(self.text(of: current))",
                cures: [
                    "if '\(name)' is a function, write \(name)(\"\(text)\")",
                    "if not, write an operator between the two, such as '=='",
                ]
            )
        default: break
        }
        return missingOperator(before: text(of: current))
    }

    /// `.0`, which is a number of its own to the lexer, right behind a name.
    private var isIndexAfterDot: Bool {
        guard case .name = tokens[at - 1].kind else { return false }
        return tokens[at - 1].span.upperBound == current.span.lowerBound
    }

    private func missingOperator(before what: String) -> Complaint {
        Complaint(
            at: current.span,
            "an operator is missing before \(what)",
            cures: ["write '&&', '||', '==', '+' or another operator between the two"]
        )
    }

    private func wordForNot(_ index: Int) -> Complaint {
        let isBeforeIn = tokens[index + 1].kind == .punctuation("in")
        return Complaint(
            at: tokens[index].span,
            "there is no operator 'not'",
            cures: [
                isBeforeIn
                    ? "write '!(x in list)' for 'x not in list'" : "write '!' before what is to be untrue: !(a == b)"
            ]
        )
    }

    private func unexpectedWord(_ word: String) -> Complaint {
        if let cure = SyntaxCures.infixWord(word) {
            return Complaint(at: current.span, "there is no operator '\(word)'", cures: [cure])
        }
        return Complaint(
            at: current.span,
            "an operator is missing before '\(word)'",
            cures: ["write '&&' for 'and', '||' for 'or', '==' to compare, or put a text between quotes"]
        )
    }

    private func lonelyColon() -> Complaint {
        if at >= 1, case .literal(.int) = tokens[at - 1].kind, case .literal(.int) = tokens[at + 1].kind {
            return Complaint(
                at: tokens[at - 1].span.lowerBound..<tokens[at + 1].span.upperBound,
                "a time of day is no value here",
                cures: ["compare parts of a time: instant.getHours(\"Europe/Rome\") < 8"]
            )
        }
        return Complaint(
            at: current.span,
            "':' belongs to 'condition ? value : other value'; there is no '?' before it"
        )
    }

    func missingColon(after condition: Node) -> Complaint {
        Complaint(
            at: current.span,
            "':' is missing: 'condition ? value : other value' has both",
            cures: ["add ': other value'"]
        )
    }

    /// A bracket that has no counterpart.
    func unclosed(_ open: Token, _ closing: String) -> Complaint {
        if case .name("not") = tokens[at - 1].kind { return wordForNot(at - 1) }
        if case .name(let word) = current.kind { return unexpectedWord(word) }
        if current.kind == .end {
            return Complaint(
                at: open.span,
                "this \(text(of: open)) is never closed",
                cures: ["add '\(closing)' where it ends"]
            )
        }
        if isAt(":") { return lonelyColon() }
        switch current.kind {
        case .literal:
            return Complaint(
                at: current.span,
                "',' or an operator is missing before \(text(of: current))",
                cures: ["write ',' between elements and arguments"]
            )
        default:
            return Complaint(
                at: current.span,
                "'\(closing)' or ',' is due here, not \(text(of: current))",
                cures: ["the \(text(of: open)) before it is still open"]
            )
        }
    }

    /// Something that no expression begins with.
    func misplaced() -> Complaint {
        let before: String? = at > 0 ? text(of: tokens[at - 1]) : nil
        switch current.kind {
        case .end:
            guard at > 0 else { return Complaint(at: current.span, "there is no expression here") }
            return Complaint(
                at: tokens[at - 1].span,
                "something is missing after \(before ?? "")",
                cures: ["write a value, or delete \(before ?? "it")"]
            )
        case .punctuation(let symbol):
            if at > 0, case .punctuation(let last) = tokens[at - 1].kind, symbol == last, "+*&|/".contains(symbol) {
                return Complaint(
                    at: tokens[at - 1].span.lowerBound..<current.span.upperBound,
                    "there is no operator '\(last)\(symbol)'",
                    cures: [symbol == "*" ? "write a * a for a square" : "write '\(symbol)' once"]
                )
            }
            if case .name("not")? = at > 0 ? tokens[at - 1].kind : nil { return wordForNot(at - 1) }
            if symbol == ">", at > 0, isAfter("-") {
                return Complaint(
                    at: tokens[at - 1].span.lowerBound..<current.span.upperBound,
                    "there is no operator '->'",
                    cures: ["write '.' for a field"]
                )
            }
            let place = before.map { " after \($0)" } ?? " at the beginning"
            return Complaint(
                at: current.span,
                "a value is due\(place), not '\(symbol)'",
                cures: symbol == ")" || symbol == "]"
                    ? ["write a value before '\(symbol)', or delete what is left over"] : []
            )
        default:
            return Complaint(at: current.span, "a value is due here, not \(text(of: current))")
        }
    }

    private func isAfter(_ symbol: String) -> Bool { tokens[at - 1].kind == .punctuation(symbol) }

    func reserved(_ word: String, at span: Range<Int>) -> Complaint {
        let cure =
            switch word {
            case "if", "else": "write 'condition ? value : other value'"
            case "for", "while", "loop": "write list.exists(x, …), list.all(x, …) or list.filter(x, …)"
            case "let", "var", "const": "write cel.bind(name, value, expression)"
            case "return": "write the value alone"
            default: "use another name; as a field it may stand behind a dot"
            }
        return Complaint(at: span, "'\(word)' is a reserved word", cures: [cure])
    }

    func templateBraces(_ open: Token) -> Complaint {
        Complaint(
            at: open.span.lowerBound..<current.span.upperBound,
            "'{\(isAt("%") ? "%" : "{")' belongs to message texts, not to conditions",
            cures: ["write the name alone, without braces"]
        )
    }
}
