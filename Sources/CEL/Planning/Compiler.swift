import Values

/// Takes a source through all phases.
struct Compiler {
    let environment: CELEnvironment
    let source: String
    let expecting: CELType?
    /// Whether constants are computed while planning; tests compare both ways.
    var folds = true

    func program() throws(CELComplaints) -> CELProgram {
        let (root, nodeCount) = try parsed()
        var checker = Checker(environment: environment, source: source, nodeCount: nodeCount)
        let type = checker.check(root)
        if let expecting, environment.options.isChecked { checker.expect(expecting, type, root) }
        if expecting == .bool, checker.read.isEmpty, checker.hostFunctions.isEmpty, checker.complaints.isEmpty {
            checker.warn(root.span, "this is the same whatever happens", cures: ["compare a variable with something"])
        }
        let complaints = environment.options.isChecked ? checker.sortedComplaints : []
        if complaints.contains(where: { $0.severity == .error }) { throw CELComplaints(complaints) }
        let types = checker.types.map { checker.inference.resolved($0, unknownAsDyn: true) }
        let estimate = CostEstimator(types: types).estimate(root)
        if estimate.least > environment.options.costLimit {
            throw CELComplaints([
                Complaint(
                    at: root.span,
                    "this costs at least \(estimate.least) units, and the limit is \(environment.options.costLimit)",
                    cures: ["go through fewer elements, or through one list instead of two inside each other"]
                )
            ])
        }
        let blueprint = Blueprint(
            root: root,
            environment: environment,
            types: types,
            references: checker.references,
            localCount: checker.localCount,
            expressions: checker.expressions
        )
        return CELProgram(
            source: source,
            resultType: environment.options.isChecked ? checker.inference.resolved(type, unknownAsDyn: true) : .dyn,
            warnings: complaints,
            references: checker.read,
            hostFunctions: checker.hostFunctions,
            estimatedCost: CELCostEstimate(least: estimate.least, most: estimate.most),
            plan: Plan(blueprint, folds: folds)
        )
    }

    private func parsed() throws(CELComplaints) -> (root: Node, nodeCount: Int) {
        do throws(Complaint) {
            return try Parser.parse(source)
        } catch {
            throw CELComplaints([error])
        }
    }
}

extension Checker {
    /// Complains where the whole expression does not give what the host needs.
    mutating func expect(_ due: CELType, _ type: CELType, _ root: Node) {
        if inference.agree(type, due) { return }
        if due == .bool {
            needBool(type, root, "a condition is true or false")
        } else {
            complain(root.span, "\(due.spoken) is needed here, and this is \(known(type).spoken)")
        }
    }

    var sortedComplaints: [Complaint] {
        complaints.sorted { ($0.span.lowerBound, $0.span.upperBound) < ($1.span.lowerBound, $1.span.upperBound) }
    }
}
