public import Values

/// The values of an environment's variables, bound once and then used by any number of programs.
public struct CELActivation: Sendable {
    let layout: VariableLayout
    var slots: [Datum]

    /// Binds values by the names of an environment's variables.
    ///
    /// Nothing is copied. A value that does not have the declared type is bound as it is, and shows when it is used; only a whole
    /// number becomes a double where one is declared. Names without a value are unbound: using one is an error. Names that the
    /// environment does not declare are ignored. Fields of records are found quickest if maps have them in the declared order.
    public init(_ values: [String: Value], in environment: CELEnvironment) {
        layout = environment.layout
        slots = environment.layout.bindings.map { binding in
            values[binding.name].map { Datum($0, as: binding.layout) } ?? .unbound
        }
    }

    /// The same for a map with text keys, such as a decoded event.
    public init(_ values: ValueMap, in environment: CELEnvironment) {
        layout = environment.layout
        slots = environment.layout.bindings.map { binding in
            values[binding.name].map { Datum($0, as: binding.layout) } ?? .unbound
        }
    }

    /// What is bound here, and more, for an environment that extends the one of this activation.
    ///
    /// May also give variables of the old environment new values.
    public func adding(_ values: [String: Value], in environment: CELEnvironment) -> CELActivation {
        guard environment.layout.extends(layout) else { return CELActivation(values, in: environment) }
        var extended = CELActivation(layout: environment.layout, slots: slots)
        let unbound = environment.layout.variables.count - slots.count
        extended.slots.append(contentsOf: repeatElement(Datum.unbound, count: unbound))
        for (name, value) in values {
            guard let slot = environment.layout.slots[name] else { continue }
            extended.slots[slot] = Datum(value, as: environment.layout.bindings[slot].layout)
        }
        return extended
    }

    private init(layout: VariableLayout, slots: [Datum]) {
        self.layout = layout
        self.slots = slots
    }
}
