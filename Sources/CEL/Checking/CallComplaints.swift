import Values

/// What to say of calls that no overload takes, and of literals that mean nothing.
extension Checker {
    mutating func mismatch(
        _ node: Node,
        _ entry: FunctionEntry,
        _ target: Node?,
        _ arguments: [Node],
        _ given: [CELType]
    ) {
        if entry.name == Operator.not, negatedOperands.contains(node.id) {
            negationMistakes[node.id] = given[0]
            return
        }
        let nodes = (target.map { [$0] } ?? []) + arguments
        let texts = nodes.map { text($0) }
        if let symbol = Operator.symbol(of: entry.name) {
            let cures = MismatchCures.operands(symbol, given, nodes, texts)
            complain(node.span, Self.sentence(symbol, given), cures: cures)
            return
        }
        let isReceiver = target != nil
        let fitting = entry.overloads.filter { $0.isReceiverStyle == isReceiver }
        if fitting.isEmpty {
            let style =
                isReceiver
                ? "\(entry.name)(\(texts.joined(separator: ", ")))"
                : "\(texts.first ?? "x").\(entry.name)(\(texts.dropFirst().joined(separator: ", ")))"
            complain(node.span, "'\(entry.name)' is not called like this", cures: ["write \(style)"])
            return
        }
        let written = given.map(\.shortName)
        let call =
            isReceiver
            ? "\(written[0]).\(entry.name)(\(written.dropFirst().joined(separator: ", ")))"
            : "\(entry.name)(\(written.joined(separator: ", ")))"
        complain(node.span, "there is no \(call)", cures: curesForCall(entry, fitting, nodes, given))
    }

    private static func sentence(_ symbol: String, _ given: [CELType]) -> String {
        guard given.count == 2 else { return "'\(symbol)' does not take \(given[0].spoken)" }
        switch symbol {
        case "==", "!=", "<", "<=", ">", ">=":
            return given[0] == given[1]
                ? "'\(symbol)' knows no order of \(given[0].shortName)"
                : "'\(symbol)' does not compare \(given[0].spoken) with \(given[1].spoken)"
        case "in":
            if case .list = given[1] { return "\(given[0].spoken) is never in a \(given[1].shortName)" }
            return "'in' looks into lists and maps, not into \(given[1].spoken)"
        default: return "'\(symbol)' does not take \(given[0].spoken) and \(given[1].spoken)"
        }
    }

    private func curesForCall(
        _ entry: FunctionEntry,
        _ overloads: [FunctionEntry.Overload],
        _ nodes: [Node],
        _ given: [CELType]
    ) -> [String] {
        var cures: [String] = []
        if given.first?.isOptional == true, let first = nodes.first {
            cures.append("write \(text(first)).orValue(…) first")
        }
        if case .list(let element)? = given.first, overloads.contains(where: { $0.parameters.first == known(element) }),
            nodes.count > 0
        {
            let rest = nodes.dropFirst().map { text($0) }.joined(separator: ", ")
            cures.append("write \(text(nodes[0])).exists(x, x.\(entry.name)(\(rest)))")
        }
        let forms = overloads.prefix(4).map { overload in
            let names = overload.parameters.map(\.shortName)
            return overload.isReceiverStyle
                ? "\(names[0]).\(entry.name)(\(names.dropFirst().joined(separator: ", ")))"
                : "\(entry.name)(\(names.joined(separator: ", ")))"
        }
        let more = overloads.count > 4 ? ", …" : ""
        cures.append("there \(forms.count == 1 ? "is" : "are") \(forms.joined(separator: ", "))\(more)")
        return cures
    }

    /// Texts that a function reads while the expression is compiled, so that a mistake in one is found now.
    mutating func checkLiterals(_ node: Node, _ function: String, _ operands: [Node]) {
        guard environment.options.isChecked, let last = operands.last, case .literal(.string(let text)) = last.kind
        else {
            return
        }
        switch function {
        case "duration": checkDuration(text, last)
        case "timestamp":
            if case .error(let failure) = TimeReading.timestamp(.string(text)) { badTimestamp(text, last, failure) }
        case "matches" where operands.count == 2:
            do throws(RegularExpression.Mistake) {
                expressions[last.id] = try RegularExpression(text)
            } catch {
                complain(
                    last.span,
                    "the regular expression is wrong: \(error.reason)",
                    cures: Self.expressionCures(text, error.reason)
                )
            }
        default:
            guard operands.count == 2, TimePart(rawValue: function) != nil, Clock(text) == nil else { return }
            complain(
                last.span,
                "there is no time zone '\(text)'",
                cures: ["write a name such as \"Europe/Rome\", or an offset such as \"+01:00\""]
            )
        }
    }

    private mutating func checkDuration(_ text: String, _ node: Node) {
        switch DurationText.read(text) {
        case .span: break
        case .outOfRange: complain(node.span, "a duration is at most 292 years long")
        case .unknownUnit(let unit):
            let number = text.prefix { $0.isNumber }
            var cures = ["the units are h, m, s, ms, us and ns"]
            if unit == "d" || unit.hasPrefix("day"), let hours = SyntaxCures.hours(ofDays: number) {
                cures = ["write duration(\"\(hours)h\")"]
                if environment.functionTable["days"] != nil { cures.append("or days(\(number))") }
            } else if unit.hasPrefix("min"), let minutes = Int(number) {
                cures = ["write duration(\"\(minutes)m\")"]
            }
            complain(node.span, "a duration has no unit '\(unit)'", cures: cures)
        case .malformed:
            complain(node.span, "'\(text)' is no duration", cures: ["write numbers with units: duration(\"1h30m\")"])
        }
    }

    private mutating func badTimestamp(_ text: String, _ node: Node, _ failure: Failure) {
        var cures = ["write date, time and offset: \"2026-11-30T07:50:00+01:00\""]
        if CalendarDate(text) != nil { cures = ["write the time and the offset too: \"\(text)T00:00:00+01:00\""] }
        if TimestampReader.timestamp(text + "Z") != nil { cures = ["add the offset: \"\(text)+01:00\", or Z for UTC"] }
        let message = failure.error.kind == .outOfRange ? failure.error.message : "'\(text)' is no timestamp"
        complain(node.span, message, cures: cures)
    }

    private static func expressionCures(_ pattern: String, _ reason: String) -> [String] {
        if pattern.hasPrefix("*") { return ["'*' repeats what stands before it: write '.*' for anything"] }
        if reason.hasPrefix("missing ]") { return ["close the '[' with ']', or write '[[]' for the bracket itself"] }
        if reason.hasPrefix("missing )") { return ["close the '(' with ')', or write '[(]' for the bracket itself"] }
        if reason.hasPrefix("invalid escape") { return ["write r\"…\" around it, and '[.]' for a full stop"] }
        if reason.contains("invalid perl operator") { return ["RE2 has no look-ahead and look-behind"] }
        return []
    }
}
