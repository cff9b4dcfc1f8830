import Values

/// How to mend what does not fit together.
enum MismatchCures {
    /// Something that should be a condition.
    static func condition(_ type: CELType, _ text: String) -> [String] {
        switch type {
        case .string: ["write \(text) != \"\""]
        case .int, .uint, .double: ["write \(text) != 0"]
        case .list, .map: ["write size(\(text)) > 0"]
        case .optional(.bool): ["write \(text).orValue(false)"]
        case .optional: ["write \(text).hasValue()"]
        case .timestamp, .duration: ["compare it with another \(type.shortName)"]
        default: []
        }
    }

    static func instead(ofNull type: CELType, _ text: String, isEqual: Bool) -> [String] {
        let sign = isEqual ? "==" : "!="
        switch type {
        case .string: return ["write \(text) \(sign) \"\""]
        case .list, .map: return ["write size(\(text)) \(sign) 0"]
        case .int, .uint, .double: return ["write \(text) \(sign) 0"]
        default: return ["delete the comparison"]
        }
    }

    /// `lesson.start.hour`.
    static func timePart(_ owner: String, _ field: String, hasLocal: Bool) -> [String] {
        let functions = [
            "hour": "getHours", "minute": "getMinutes", "second": "getSeconds", "year": "getFullYear",
            "month": "getMonth",
            "day": "getDate", "date": "getDate", "weekday": "getDayOfWeek",
        ]
        let name = field.lowercased()
        guard let function = functions[name] ?? functions[String(name.dropLast())] else {
            return ["the parts of a timestamp are functions: getHours(), getDate(), getDayOfWeek(), …"]
        }
        if hasLocal { return ["write local(\(owner)).\(field)"] }
        return ["write \(owner).\(function)(\"Europe/Rome\")"]
    }

    /// Functions of other languages; nil for names that are unknown everywhere.
    static func function(_ name: String, _ receiver: String, _ argument: String) -> [String]? {
        switch name.lowercased() {
        case "len", "length", "count", "strlen": ["write size(\(receiver))"]
        case "lower", "lowercase", "tolowercase", "tolower", "downcase": ["write \(receiver).lowerAscii()"]
        case "upper", "uppercase", "touppercase", "toupper", "upcase": ["write \(receiver).upperAscii()"]
        case "includes", "include", "has_text":
            ["write \(receiver).contains(\(argument)) for texts, '\(argument) in \(receiver)' for lists"]
        case "isempty", "empty", "is_empty": ["write size(\(receiver)) == 0"]
        case "any", "some": ["write \(receiver).exists(x, …)"]
        case "every": ["write \(receiver).all(x, …)"]
        case "where", "select": ["write \(receiver).filter(x, …)"]
        case "match", "regex", "test", "regexp": ["write \(receiver).matches(\"^…$\")"]
        case "strip": ["write \(receiver).trim()"]
        case "str", "tostring": ["write string(\(receiver))"]
        case "float", "number", "parsefloat": ["write double(\(receiver))"]
        case "parseint", "toint", "integer": ["write int(\(receiver))"]
        case "datetime", "time", "todate": ["write timestamp(\"2026-11-30T07:50:00+01:00\")"]
        case "exist", "defined", "isset": ["write has(record.field)"]
        case "not": ["write !(\(receiver))"]
        case "and": ["write '&&' between the two"]
        case "or": ["write '||' between the two"]
        case "if", "iff": ["write 'condition ? value : other value'"]
        case "max": ["write math.greatest(…)"]
        case "min": ["write math.least(…)"]
        case "abs": ["write math.abs(\(receiver))"]
        case "round": ["write math.round(\(receiver))"]
        default: nil
        }
    }

    /// Whether a name is a macro's, or what other languages call one.
    static func isLikeMacro(_ name: String) -> Bool {
        ["any", "some", "every", "where", "select", "find", "count"].contains(name.lowercased())
            || macros.contains(name)
    }

    /// `bind` is called `cel.bind`.
    static let macros = Macro.all.map(\.name).filter { $0 != "bind" }

    static func macro(_ name: String) -> String {
        switch name {
        case "has": "write has(record.field)"
        case "map": "write list.map(x, what x becomes)"
        case "filter": "write list.filter(x, condition on x)"
        case "transformList", "transformMap", "transformMapEntry": "write list.\(name)(index, x, what x becomes)"
        case "optMap", "optFlatMap": "write optional.\(name)(x, what x becomes)"
        default: "write list.\(name)(x, condition on x)"
        }
    }

    /// Two operands that an operator does not take together.
    static func operands(_ symbol: String, _ types: [CELType], _ nodes: [Node], _ texts: [String]) -> [String] {
        guard types.count == 2 else { return types.first.map { prefix(symbol, $0, texts[0]) } ?? [] }
        if symbol == "in" { return membership(types, texts) }
        let pair = (types[0], types[1])
        switch pair {
        case (.duration, .string), (.string, .duration):
            return lengthOfTime(nodes[types[0] == .string ? 0 : 1])
        case (.timestamp, .string), (.string, .timestamp):
            return pointInTime(
                texts[types[0] == .string ? 0 : 1],
                isLiteral: isLiteral(nodes[types[0] == .string ? 0 : 1])
            )
        case (.string, .int), (.string, .double), (.string, .uint), (.string, .bool):
            return text(0, symbol, types, nodes, texts)
        case (.int, .string), (.double, .string), (.uint, .string), (.bool, .string):
            return text(1, symbol, types, nodes, texts)
        case (.int, .double), (.double, .int):
            let whole = types[0] == .int ? 0 : 1
            return [isLiteral(nodes[whole]) ? "write \(texts[whole]).0" : "write double(\(texts[whole]))"]
        case (.int, .uint), (.uint, .int):
            let whole = types[0] == .int ? 0 : 1
            return [isLiteral(nodes[whole]) ? "write \(texts[whole])u" : "write uint(\(texts[whole]))"]
        case (.timestamp, .int), (.timestamp, .double), (.duration, .int), (.duration, .double):
            return ["a length of time is written duration(\"48h\")"]
        case (.timestamp, .duration), (.duration, .timestamp):
            return ["subtract two timestamps to get a duration: end - start"]
        case (.list(let element), let other) where element == other:
            return ["write \(texts[1]) in \(texts[0])"]
        case (let other, .list(let element)) where element == other:
            return symbol == "=="
                ? ["write \(texts[0]) in \(texts[1])"] : symbol == "!=" ? ["write !(\(texts[0]) in \(texts[1]))"] : []
        case (.optional, _): return ["write \(texts[0]).orValue(…)"]
        case (_, .optional): return ["write \(texts[1]).orValue(…)"]
        case (.bool, _), (_, .bool):
            return ["compare two values at a time: a < b && b < c"].filter { _ in symbol != "+" }
        default: return []
        }
    }

    /// A text beside something else; `place` is where the text stands.
    private static func text(
        _ place: Int,
        _ symbol: String,
        _ types: [CELType],
        _ nodes: [Node],
        _ texts: [String]
    ) -> [String] {
        let other = 1 - place
        if symbol == "+" { return ["write string(\(texts[other])) to make a text of it"] }
        if types[other] == .bool { return isLiteral(nodes[place]) ? ["write true or false without quotes"] : [] }
        if isLiteral(nodes[other]), !isLiteral(nodes[place]) { return ["write \"\(texts[other])\" for a text"] }
        return number(nodes[place], texts[place], types[other])
    }

    private static func prefix(_ symbol: String, _ type: CELType, _ text: String) -> [String] {
        if symbol == "!" {
            return condition(type, text).map {
                $0.replacing("!= 0", with: "== 0").replacing("> 0", with: "== 0").replacing("!= \"\"", with: "== \"\"")
            }
        }
        return []
    }

    private static func membership(_ types: [CELType], _ texts: [String]) -> [String] {
        switch (types[0], types[1]) {
        case (.string, .string):
            ["write \(texts[1]).contains(\(texts[0])) for a part of a text, or \(texts[0]) in [\(texts[1])]"]
        case (.list, .list): ["write \(texts[0]).exists(x, x in \(texts[1])) if one of them is enough"]
        case (.bool, .list): ["write !(x in list)"]
        case (_, .list(let element)): ["the list has elements of type \(element.shortName)"]
        default: ["write \(texts[0]) in [\(texts[1])]"]
        }
    }

    private static func isLiteral(_ node: Node) -> Bool {
        if case .literal = node.kind { return true }
        return false
    }

    private static func lengthOfTime(_ node: Node) -> [String] {
        guard case .literal(.string(let text)) = node.kind else { return ["write duration(text)"] }
        if case .span = DurationText.read(text) { return ["write duration(\"\(text)\")"] }
        return ["write duration(\"48h\")"]
    }

    private static func pointInTime(_ text: String, isLiteral: Bool) -> [String] {
        isLiteral
            ? ["write timestamp(\"2026-11-30T07:50:00+01:00\"), with date, time and offset"]
            : ["write timestamp(\(text))"]
    }

    private static func number(_ node: Node, _ text: String, _ type: CELType) -> [String] {
        if case .literal(.string(let content)) = node.kind {
            return Double(content) == nil ? [] : ["write \(content) without quotes"]
        }
        return ["write \(type.shortName)(\(text))"]
    }
}
