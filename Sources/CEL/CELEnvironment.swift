public import Values

/// A name that expressions may use, with its type.
public struct CELVariable: Sendable {
    /// `lesson`, or with dots `vars.early`.
    public let name: String
    /// What the checker takes its values for.
    public let type: CELType
    /// All texts that it can be, or that its elements can be; empty where any text will do.
    public let values: [String]

    /// A variable of a type.
    public init(_ name: String, _ type: CELType, oneOf values: [String] = []) {
        self.name = name
        self.type = type
        self.values = values
    }

    /// A variable whose values have a declared shape.
    public init(_ name: String, shape: Shape) { self.init(name, CELType(shape)) }

    /// A variable that is declared like a field of a record.
    public init(_ field: FieldShape) { self.init(field.name, CELType(field.shape), oneOf: field.values) }
}

/// What expressions are compiled against: variables, functions, and how strictly.
///
/// Make one for each kind of input and keep it: programs and activations of one environment belong together.
public struct CELEnvironment: Sendable {
    /// How strictly expressions are taken, and how much they may cost.
    public struct Options: Sendable {
        /// Units that one evaluation may cost (see `CELProgram.estimatedCost`).
        public var costLimit = 1_000_000
        /// Whether `1 < 1.5`, `1 == 1.0` and `1 in [1.0]` pass the checker. Evaluation compares across kinds anyhow.
        public var comparesNumbersAcrossTypes = true
        /// Whether expressions are type-checked. Without, mistakes show when they are evaluated.
        public var isChecked = true

        /// The defaults: checked, numbers compared across types, 1,000,000 units.
        public init() {}
    }

    /// The declared variables, those of a base first.
    public let variables: [CELVariable]
    /// The functions added by the host; the standard ones are always there.
    public let functions: [CELFunction]
    /// Names are looked for in this namespace first (cel-spec, "Name Resolution"): `com.example`.
    public let container: String
    /// What declares the variables, in the words of complaints: `event 'grade.added'`.
    public let subject: String?
    /// How strictly, and at what cost.
    public let options: Options
    let layout: VariableLayout
    let functionTable: FunctionTable

    /// - Parameters:
    ///   - variables: of two with the same name the later one counts.
    ///   - subject: completes messages such as `event 'grade.added' has no field 'grade.valu'`.
    public init(
        variables: [CELVariable] = [],
        functions: [CELFunction] = [],
        container: String = "",
        subject: String? = nil,
        options: Options = Options()
    ) {
        self.variables = variables
        self.functions = functions
        self.container = container
        self.subject = subject
        self.options = options
        self.layout = VariableLayout(variables)
        self.functionTable = FunctionTable.standard.adding(functions)
    }

    private init(extending base: CELEnvironment, by added: [CELVariable], functions: [CELFunction]) {
        variables = base.variables + added
        self.functions = base.functions + functions
        container = base.container
        subject = base.subject
        options = base.options
        layout = VariableLayout(added, extending: base.layout)
        functionTable = base.functionTable.adding(functions)
    }

    /// The same with more variables and functions: what one rule adds to the environment of its event.
    ///
    /// Activations of this environment can be extended to the new one (`CELActivation.adding`), without binding anew what is
    /// bound, and programs of this environment run with activations of the new one.
    public func adding(variables: [CELVariable] = [], functions: [CELFunction] = []) -> CELEnvironment {
        CELEnvironment(extending: self, by: variables, functions: functions)
    }
}

/// Which variable has which slot. Slots of a base come before those of its extensions.
final class VariableLayout: Sendable {
    let variables: [CELVariable]
    let slots: [String: Int]
    /// How the value of each variable is laid out.
    let bindings: [(name: String, layout: Layout)]
    let base: VariableLayout?
    /// Whether a name has dots in it, so that `a.b` may be one name.
    let hasDottedNames: Bool

    init(_ added: [CELVariable], extending base: VariableLayout? = nil) {
        var variables = base?.variables ?? []
        var slots = base?.slots ?? [:]
        bindings = (base?.bindings ?? []) + added.map { ($0.name, Layout($0.type)) }
        for variable in added {
            slots[variable.name] = variables.count
            variables.append(variable)
        }
        self.variables = variables
        self.slots = slots
        self.base = base
        hasDottedNames = base?.hasDottedNames ?? false || added.contains { $0.name.contains(".") }
    }

    /// Whether values bound for this layout serve programs of another.
    func extends(_ other: VariableLayout) -> Bool {
        var layout: VariableLayout? = self
        while let current = layout {
            if current === other { return true }
            layout = current.base
        }
        return false
    }
}
