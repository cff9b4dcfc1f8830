/// What the language offers, for reference pages: made of the declarations that checker, planner and parser work with.
public enum CELLanguage {
    /// A function, an operator or a macro.
    public struct Entry: Sendable, Hashable {
        /// `startsWith`; of an operator its sign.
        public let name: String
        /// `string.startsWith(string) → bool`, one for each form.
        public let signatures: [String]
        /// What it does, in one line.
        public let documentation: String
        /// An expression with it that is true.
        public let example: String
    }

    /// The standard functions, by name.
    public static var functions: [Entry] { entries { Operator.symbol(of: $0) == nil } }

    /// The operators that are functions at heart; `&&`, `||`, `? :`, `[ ]` and the dot belong to the grammar.
    public static var operators: [Entry] { entries { Operator.symbol(of: $0) != nil } }

    /// Calls whose arguments are parts of the expression, in the order of their declaration.
    public static var macros: [Entry] {
        Macro.all.map {
            Entry(
                name: $0.name,
                signatures: [$0.signature],
                documentation: $0.documentation,
                example: $0.example
            )
        }
    }

    /// A function that a host adds, in the same form.
    public static func entry(of function: CELFunction) -> Entry {
        Entry(
            name: function.name,
            signatures: function.overloads.map { signature($0, of: function.name) },
            documentation: function.documentation,
            example: function.example
        )
    }

    private static func entries(_ isWanted: (String) -> Bool) -> [Entry] {
        let table = FunctionTable.standard
        return table.names.filter(isWanted).sorted().compactMap { table[$0] }.map { entry in
            Entry(
                name: Operator.symbol(of: entry.name) ?? entry.name,
                signatures: entry.overloads.map { signature($0, of: entry.name) },
                documentation: entry.documentation,
                example: entry.example
            )
        }
    }

    private static func signature(_ overload: CELFunction.Overload, of name: String) -> String {
        let types = overload.parameters.map(\.name)
        let result = " → " + overload.result.name
        if let symbol = Operator.symbol(of: name) {
            let operands = types.count == 2 ? "\(types[0]) \(symbol) \(types[1])" : symbol + (types.first ?? "")
            return operands + result
        }
        guard overload.isReceiverStyle, let receiver = types.first else {
            return "\(name)(\(types.joined(separator: ", ")))" + result
        }
        return "\(receiver).\(name)(\(types.dropFirst().joined(separator: ", ")))" + result
    }
}
