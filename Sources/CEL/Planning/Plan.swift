import Values

/// What one evaluation works with. Variables and locals are found by number.
struct Frame {
    let slots: [Datum]
    var locals: [Datum]
    var meter: Meter
    var recorder: Recorder?
}

/// One planned part of an expression.
typealias Step = @Sendable (inout Frame) -> Datum

/// A checked expression: everything from which steps are made.
struct Blueprint: Sendable {
    let root: Node
    let environment: CELEnvironment
    let types: [CELType]
    let references: [Reference?]
    /// How many slots the variables of comprehensions and bindings take together.
    let localCount: Int
    let expressions: [Int: RegularExpression]
}

/// An expression that is ready to be evaluated.
struct Plan: Sendable {
    private let blueprint: Blueprint
    private let step: Step

    var rootSpan: Range<Int> { blueprint.root.span }
    var canonicalSource: String { Printer.text(blueprint.root) }

    init(_ blueprint: Blueprint, folds: Bool = true) {
        self.blueprint = blueprint
        var planner = Planner(blueprint: blueprint, folds: folds)
        step = planner.plan(blueprint.root).step
    }

    func run(_ activation: CELActivation) -> Datum {
        var meter = Meter(limit: blueprint.environment.options.costLimit)
        return run(activation, &meter)
    }

    /// The result as the host's value. Making that costs too.
    func value(_ activation: CELActivation) -> Result<Value, CELError> {
        var meter = Meter(limit: blueprint.environment.options.costLimit)
        return run(activation, &meter).value(charging: &meter)
    }

    func run(_ activation: CELActivation, _ meter: inout Meter) -> Datum {
        guard
            activation.layout === blueprint.environment.layout
                || activation.layout.extends(blueprint.environment.layout)
        else { return foreignActivation }
        var frame = frame(activation, meter, recorder: nil)
        let result = step(&frame)
        meter = frame.meter
        return frame.meter.isExhausted ? frame.meter.failure.placed(at: rootSpan) : result
    }

    func explain(_ activation: CELActivation) -> CELExplanation {
        var planner = Planner(blueprint: blueprint, folds: true, isTraced: true)
        let traced = planner.plan(blueprint.root).step
        guard activation.layout.extends(blueprint.environment.layout) else {
            return CELExplanation(root: Recorder.step(rootSpan, foreignActivation), isCutShort: false)
        }
        let recorder = Recorder()
        let meter = Meter(limit: blueprint.environment.options.costLimit)
        var frame = frame(activation, meter, recorder: recorder)
        let result = traced(&frame)
        if frame.meter.isExhausted {
            let failure = frame.meter.failure.placed(at: rootSpan)
            return CELExplanation(root: Recorder.step(rootSpan, failure), isCutShort: true)
        }
        return recorder.explanation(of: rootSpan, result)
    }

    private func frame(_ activation: CELActivation, _ meter: Meter, recorder: Recorder?) -> Frame {
        let locals = blueprint.localCount == 0 ? [] : Array(repeating: Datum.unbound, count: blueprint.localCount)
        return Frame(slots: activation.slots, locals: locals, meter: meter, recorder: recorder)
    }

    private var foreignActivation: Datum {
        .failure(.unbound, "the values are bound for another environment").placed(at: rootSpan)
    }
}

/// Keeps the values of parts while a traced plan runs. Used by one evaluation only.
final class Recorder {
    private static let most = 2000
    /// The parts that are being evaluated, outermost first; each collects the parts below it.
    private var open: [[CELExplanation.Step]] = [[]]
    private var count = 0

    func enter() { open.append([]) }

    func leave(_ span: Range<Int>, _ value: Datum, isLogical: Bool) {
        let parts = open.removeLast()
        count += 1
        guard count <= Self.most else { return }
        open[open.count - 1].append(Self.step(span, value, parts: parts, isLogical: isLogical))
    }

    func explanation(of span: Range<Int>, _ value: Datum) -> CELExplanation {
        let root = open[0].first ?? Self.step(span, value)
        return CELExplanation(root: root, isCutShort: count > Self.most)
    }

    static func step(
        _ span: Range<Int>,
        _ value: Datum,
        parts: [CELExplanation.Step] = [],
        isLogical: Bool = false
    ) -> CELExplanation.Step {
        // A part may be larger than anything worth showing.
        var meter = Meter(limit: 10_000)
        return CELExplanation.Step(span: span, value: value.value(charging: &meter), parts: parts, isLogical: isLogical)
    }
}
