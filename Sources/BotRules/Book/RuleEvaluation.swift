import BotCore
import CEL
import Values

/// Why a rule could not be asked, in words for the admin.
struct EvaluationFailure: Error, Sendable {
    let reason: String
}

/// What a rule computes of an event that it has something to say about.
struct EvaluatedRule: Sendable {
    var vars = ValueMap()
    var groupKey = Value.string("")
}

extension Rule {
    /// Computes `vars`, asks `if`, then computes `group.by`.
    ///
    /// - Parameter schoolDays: what `school_day` answers from; nil for a rule that does not ask.
    /// - Returns: nil where the condition is false.
    func evaluate(_ activation: CELActivation, schoolDays: SchoolDays?) -> Result<EvaluatedRule?, EvaluationFailure> {
        guard let schoolDays else { return evaluate(activation) }
        return SchoolDays.$current.withValue(schoolDays) { evaluate(activation) }
    }

    /// The values of `vars`, without those that cannot be computed.
    func values(_ start: CELActivation) -> ValueMap {
        var activation = start
        var values = ValueMap()
        for variable in variables {
            guard case .success(let value) = variable.program.evaluate(activation) else { break }
            values[variable.name] = value
            activation = activation.adding(["vars.\(variable.name)": value], in: variable.environment)
        }
        return values
    }

    private func evaluate(_ start: CELActivation) -> Result<EvaluatedRule?, EvaluationFailure> {
        var activation = start
        var values = ValueMap()
        for variable in variables {
            switch variable.program.evaluate(activation) {
            case .success(let value):
                values[variable.name] = value
                activation = activation.adding(["vars.\(variable.name)": value], in: variable.environment)
            case .failure(let error):
                return .failure(EvaluationFailure(reason: "vars.\(variable.name): \(error.message)"))
            }
        }
        if let condition {
            switch condition.test(activation) {
            case .success(true): break
            case .success(false): return .success(nil)
            case .failure(let error): return .failure(EvaluationFailure(reason: "if: \(error.message)"))
            }
        }
        guard let group = policies.group else { return .success(EvaluatedRule(vars: values)) }
        switch group.key.evaluate(activation) {
        case .success(let key): return .success(EvaluatedRule(vars: values, groupKey: key))
        case .failure(let error): return .failure(EvaluationFailure(reason: "group.by: \(error.message)"))
        }
    }
}
