package import CEL
package import Values

/// The environment of a test: its declared variables and functions.
package enum CELConformanceEnvironment {
    package struct Unreadable: Error {
        let type: String
    }

    package static func make(_ test: Value) throws -> CELEnvironment {
        var variables: [CELVariable] = []
        var functions: [CELFunction] = []
        for declaration in test["type_env"].list ?? [] {
            let name = declaration["name"].plainText
            if declaration["kind"].string == "variable" {
                variables.append(CELVariable(name, try type(declaration["type"].plainText)))
            } else {
                functions.append(try function(name, declaration))
            }
        }
        for (name, _) in test["bindings"].map ?? [:] where !variables.contains(where: { $0.name == name.plainText }) {
            variables.append(CELVariable(name.plainText, .dyn))
        }
        var options = CELEnvironment.Options()
        options.isChecked = test["disable_check"].bool != true
        return CELEnvironment(
            variables: variables,
            functions: functions,
            container: test["container"].plainText,
            options: options
        )
    }

    private static func function(_ name: String, _ declaration: Value) throws -> CELFunction {
        let overloads = try (declaration["overloads"].list ?? []).map { overload in
            CELFunction.Overload(
                try (overload["params"].list ?? []).map { try type($0.plainText) },
                try type(overload["result"].plainText),
                receiverStyle: overload["instance"].bool ?? false
            )
        }
        return CELFunction(name, overloads: overloads) { _ in .failure(CELError(.host, "only declared")) }
    }

    /// A type as the suite writes it: `map(string, dyn)`.
    package static func type(_ text: String) throws -> CELType {
        let (name, parameters) = try parts(text)
        switch (name, parameters.count) {
        case ("dyn", 0), ("any", 0): return .dyn
        case ("null_type", 0): return .null
        case ("bool", 0): return .bool
        case ("int", 0): return .int
        case ("uint", 0): return .uint
        case ("double", 0): return .double
        case ("string", 0): return .string
        case ("bytes", 0): return .bytes
        case ("timestamp", 0): return .timestamp
        case ("duration", 0): return .duration
        case ("list", 1): return .list(try type(parameters[0]))
        case ("map", 2): return .map(key: try type(parameters[0]), value: try type(parameters[1]))
        case ("wrapper", 1): return .wrapper(try type(parameters[0]))
        case ("optional_type", 1): return .optional(try type(parameters[0]))
        case ("type", 1): return .type(try type(parameters[0]))
        case ("param", 1): return .parameter(parameters[0])
        default: return .abstract(name, try parameters.map { try type($0) })
        }
    }

    private static func parts(_ text: String) throws -> (name: String, parameters: [String]) {
        guard let open = text.firstIndex(of: "(") else { return (text, []) }
        guard text.last == ")" else { throw Unreadable(type: text) }
        var parameters: [String] = []
        var current = ""
        var depth = 0
        for letter in text[text.index(after: open)...].dropLast() {
            if letter == ",", depth == 0 {
                parameters.append(current)
                current = ""
            } else if letter != " " || !current.isEmpty {
                depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
                current.append(letter)
            }
        }
        return (String(text[..<open]), parameters + [current])
    }
}
