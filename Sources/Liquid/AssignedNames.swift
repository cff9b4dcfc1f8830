extension [Node] {
    /// All names that these nodes give values to, at any depth.
    var assignedNames: Set<String> {
        reduce(into: []) { names, node in
            switch node {
            case .assign(let assignment): names.insert(assignment.name)
            case .capture(let capture): names.formUnion(capture.body.assignedNames.union([capture.name]))
            case .count(let counter): names.insert(counter.name)
            case .conditional(let conditional):
                for branch in conditional.branches { names.formUnion(branch.body.assignedNames) }
            case .selection(let selection):
                for branch in selection.branches { names.formUnion(branch.body.assignedNames) }
            case .loop(let loop): names.formUnion((loop.body + loop.otherwise).assignedNames)
            case .tableRow(let loop, _): names.formUnion(loop.body.assignedNames)
            case .ifChanged(let body): names.formUnion(body.assignedNames)
            default: break
            }
        }
    }
}
