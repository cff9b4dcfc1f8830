import BotCore
import CEL
import Values

/// Why a rule could not be asked, in words for the admin.
struct EvaluationFailure: Error, Sendable {
    let reason: String
}

extension Rule {
    /// Computes `vars`, then asks `if`.
    ///
    /// - Parameter schoolDays: what `school_day` answers from; nil for a rule that does not ask.
    /// - Returns: the values of `vars`, or nil where the condition is false.
    func evaluate(_ activation: CELActivation, schoolDays: SchoolDays?) -> Result<ValueMap?, EvaluationFailure> {
        guard let schoolDays else { return evaluate(activation) }
        return SchoolDays.$current.withValue(schoolDays) { evaluate(activation) }
    }

    private func evaluate(_ start: CELActivation) -> Result<ValueMap?, EvaluationFailure> {
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
        guard let condition else { return .success(values) }
        switch condition.test(activation) {
        case .success(let truth): return .success(truth ? values : nil)
        case .failure(let error): return .failure(EvaluationFailure(reason: "if: \(error.message)"))
        }
    }
}
