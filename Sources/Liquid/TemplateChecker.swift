import Values

/// Walks through a template as a render would, with shapes for values, through all branches.
struct TemplateChecker {
    private(set) var complaints: [Complaint] = []
    private var alreadyTold: Set<Complaint> = []
    private(set) var references: [LiquidReference] = []
    let template: LiquidTemplate
    /// Nil where nothing is declared and only references are collected.
    let declared: [FieldShape]?
    /// Variables of loops and arguments of partials, innermost last.
    var frames: [(name: String, known: Known)] = []
    /// What `assign`, `capture` and counters made so far.
    var assigned: [String: Known] = [:]
    /// How often something was assigned, so that branches without assignments need no merging.
    private var assignments = 0
    /// What they will make somewhere in the template: a loop may read in its second round what it assigned in its first.
    private var assignedAnywhere: Set<String> = []
    /// Paths that guards around say are there.
    var present: Set<String> = []
    /// The tag that named the partial at work, and the partial's name.
    private var partial: (span: Range<Int>, name: String)?
    /// Whether variables that are handed over are in sight: not in an isolated partial.
    var seesGlobals = true
    /// Whether all names are known: not behind a partial whose name a variable gives.
    var knowsAllNames = true
    private var openPartials: [String] = []
    private var partialsWalked = 0
    /// Bodies of blocks and partials around; a render goes no deeper than twice the limit of nesting.
    private var depth = 0

    /// Nobody mends more mistakes than these at a time.
    static let mostComplaints = 200
    /// Partials that name each other again and again are not followed further than this.
    private static let mostPartials = 500

    init(template: LiquidTemplate, variables: [FieldShape]?) {
        self.template = template
        declared = variables
        assignedAnywhere = template.nodes.assignedNames
    }

    // MARK: Telling

    mutating func complain(
        _ severity: Complaint.Severity = .error,
        at span: Range<Int>,
        _ message: String,
        cures: [String] = []
    ) {
        guard complaints.count < Self.mostComplaints else { return }
        let told = partial.map { "partial '\($0.name)': \(message)" } ?? message
        let complaint = Complaint(severity, at: partial?.span ?? span, told, cures: cures)
        if alreadyTold.insert(complaint).inserted { complaints.append(complaint) }
    }

    mutating func refer(to path: [String], at span: Range<Int>) {
        references.append(LiquidReference(path: path, span: partial?.span ?? span))
    }

    func willBeAssigned(_ name: String) -> Bool { assignedAnywhere.contains(name) }

    // MARK: Nodes

    mutating func walk(_ nodes: [Node]) {
        depth += 1
        defer { depth -= 1 }
        for node in nodes { walk(node) }
    }

    private mutating func walk(_ node: Node) {
        switch node {
        case .text, .breakLoop, .continueLoop: break
        case .output(let value):
            let known = known(value, isPrinted: true)
            warnAboutWhole(known, value)
        case .assign(let assignment): assign(assignment.name, known(assignment.value, isPrinted: false))
        case .capture(let capture):
            walk(capture.body)
            assign(capture.name, Known(shape: .string))
        case .conditional(let conditional): walk(conditional)
        case .selection(let selection): walk(selection)
        case .loop(let loop): walk(loop, variable: "forloop")
        case .tableRow(let loop, let columns):
            if let columns { _ = known(columns) }
            walk(loop, variable: "tablerowloop")
        case .cycle(let cycle):
            if let name = cycle.name { _ = known(name) }
            for item in cycle.items { _ = known(item) }
        case .count(let counter):
            if assigned[counter.name] == nil { assign(counter.name, Known(shape: .int)) }
        case .ifChanged(let body): walk(body)
        case .partial(let call): walk(call)
        }
    }

    private mutating func assign(_ name: String, _ known: Known) {
        assigned[name] = known
        assignments += 1
        present = present.filter { $0 != name && !$0.hasPrefix(name + ".") && !$0.hasPrefix(name + "[") }
    }

    private mutating func warnAboutWhole(_ known: Known, _ value: FilteredExpression) {
        guard value.filters.isEmpty, case .path(let path) = value.base else { return }
        switch known.shape {
        case .record(let record), .list(.record(let record)):
            let fields = record.fields.map { "\(path.text).\($0.name)" }.sorted().prefix(3).joined(separator: ", ")
            let isList = if case .list = known.shape { true } else { false }
            complain(
                .warning,
                at: value.span,
                "'\(path.text)' is \(isList ? "a list" : "a whole '\(record.name)'"), not a text",
                cures: [isList ? "loop over it: {% for … in \(path.text) %}" : "print one of its fields: \(fields), …"]
            )
        default: break
        }
    }

    // MARK: Branches

    /// Walks bodies of which one is rendered, or none, and merges what they assigned.
    private mutating func walkBranches(_ branches: [(facts: Set<String>, body: [Node])], isExhaustive: Bool) {
        let (presentBefore, assignedBefore, assignmentsBefore) = (present, assigned, assignments)
        var outcomes: [[String: Known]] = isExhaustive ? [] : [assignedBefore]
        for branch in branches {
            present = presentBefore.union(branch.facts)
            assigned = assignedBefore
            walk(branch.body)
            outcomes.append(assigned)
        }
        present = presentBefore
        if assignments > assignmentsBefore { assigned = Self.merged(outcomes) }
    }

    private static func merged(_ outcomes: [[String: Known]]) -> [String: Known] {
        guard var result = outcomes.first else { return [:] }
        for outcome in outcomes.dropFirst() {
            for name in Set(result.keys).union(outcome.keys) {
                switch (result[name], outcome[name]) {
                case (let one?, let other?): result[name] = one.merged(with: other)
                case (var one?, nil), (nil, var one?):
                    one.isOptional = true
                    result[name] = one
                case (nil, nil): break
                }
            }
        }
        return result
    }

    private mutating func walk(_ conditional: Conditional) {
        var facts: Set<String> = []
        var branches: [(facts: Set<String>, body: [Node])] = []
        for branch in conditional.branches {
            guard let condition = branch.condition else {
                branches.append((facts, branch.body))
                continue
            }
            check(condition)
            branches.append(
                (facts.union(GuardFacts.present(in: condition, when: !branch.isNegated)), branch.body)
            )
            facts.formUnion(GuardFacts.present(in: condition, when: branch.isNegated))
        }
        walkBranches(branches, isExhaustive: conditional.branches.last?.condition == nil)
    }

    private mutating func walk(_ selection: Selection) {
        let subject = known(selection.subject)
        var branches: [(facts: Set<String>, body: [Node])] = []
        for branch in selection.branches {
            for value in branch.values ?? [] {
                _ = known(value)
                checkValue(of: selection.subject, subject, against: value, at: branch.span)
            }
            let areAllLiteral = branch.values?.allSatisfy { value in
                if case .literal(let literal) = value { !literal.isNothing && !literal.isEmpty } else { false }
            }
            branches.append((areAllLiteral == true ? GuardFacts.paths(selection.subject) : [], branch.body))
        }
        walkBranches(branches, isExhaustive: false)
    }

    // MARK: Loops

    private mutating func walk(_ loop: ForLoop, variable: String) {
        let collection = known(loop.collection)
        checkLoop(over: collection, loop)
        for expression in [loop.arguments.limit, loop.arguments.offset.expression].compactMap({ $0 }) {
            _ = known(expression)
        }
        let presentBefore = present
        present = present.filter {
            $0 != loop.variable && !$0.hasPrefix(loop.variable + ".") && !$0.hasPrefix(loop.variable + "[")
        }
        let frame = frames.count
        frames.append((variable, Known(shape: .record(LoopShapes.shape(of: variable)))))
        frames.append((loop.variable, collection.element()))
        let assignedBefore = assigned
        walk(loop.body)
        frames.removeSubrange(frame...)
        present = presentBefore
        let assignedInBody = assigned
        assigned = assignedBefore
        walk(loop.otherwise)
        assigned = Self.merged([assigned, assignedInBody])
    }

    private mutating func checkLoop(over collection: Known, _ loop: ForLoop) {
        let text: String
        switch loop.collection {
        case .path(let path): text = "'\(path.text)'"
        case .literal: text = "this"
        case .range: return
        }
        switch collection.shape {
        case .any, .list, .map: break
        default:
            complain(
                at: loop.collectionSpan,
                "\(text) is \(collection.shape.name.withArticle), not a list",
                cures: ["a loop needs a list; print a single value with {{ }}"]
            )
        }
    }

    // MARK: Partials

    private mutating func walk(_ call: PartialCall) {
        _ = known(call.name)
        let arguments = call.arguments.map { (name: $0.name, known: known($0.value)) }
        var bound: Known?
        switch call.binding {
        case .nothing: break
        case .one(let expression): bound = known(expression)
        case .each(let expression): bound = known(expression).element()
        }
        guard let name = call.literalName else {
            knowsAllNames = false
            return
        }
        guard let body = template.partials[name], !openPartials.contains(name), partialsWalked < Self.mostPartials,
            depth < 2 * template.options.limits.nesting
        else { return }
        partialsWalked += 1
        let variable = call.alias ?? String(name.split(separator: "/").last ?? "")
        let variables = arguments + (bound.map { [(name: variable, known: $0)] } ?? [])
        let before = self
        openPartials.append(name)
        if partial == nil { partial = (call.span, name) }
        assignedAnywhere.formUnion(body.assignedNames)
        if call.isIsolated {
            (frames, assigned, present, seesGlobals) = ([], [:], [], false)
            if case .each = call.binding {
                frames = [("forloop", Known(shape: .record(LoopShapes.shape(of: "forloop"))))]
            }
            for variable in variables { assigned[variable.name] = variable.known }
        } else {
            frames += variables
        }
        walk(body)
        leavePartial(call, before)
    }

    private mutating func leavePartial(_ call: PartialCall, _ before: TemplateChecker) {
        (openPartials, partial, frames, present) = (before.openPartials, before.partial, before.frames, before.present)
        seesGlobals = before.seesGlobals
        if call.isIsolated { (assigned, assignedAnywhere) = (before.assigned, before.assignedAnywhere) }
    }
}

extension LoopArguments.Offset {
    fileprivate var expression: Expression? {
        if case .at(let expression) = self { return expression }
        return nil
    }
}
