import Values

/// Comprehensions: loops over lists and maps with their own slots.
extension Planner {
    mutating func comprehension(_ node: Node, _ comprehension: Node.Comprehension) -> Planned {
        let range = plan(comprehension.range).step
        let loop = Loop(
            slot: firstLocal(node),
            hasTwoVariables: comprehension.variables.count == 2,
            macro: comprehension.macro,
            span: comprehension.range.span
        )
        let filter = comprehension.filter.map { condition($0) }
        switch comprehension.form {
        case .all: return quantifier(loop, range, condition(comprehension.body), deciding: false)
        case .exists: return quantifier(loop, range, condition(comprehension.body), deciding: true)
        case .existsOne: return existsOne(loop, range, condition(comprehension.body))
        case .filter: return filtered(loop, range, condition(comprehension.body))
        case .map, .transformList: return mapped(loop, range, filter, plan(comprehension.body).step)
        case .transformMap:
            return transformed(loop, range, filter, plan(comprehension.body).step, makesEntries: false)
        case .transformMapEntry:
            return transformed(loop, range, filter, plan(comprehension.body).step, makesEntries: true)
        }
    }

    /// A step that gives a bool or an error.
    private mutating func condition(_ node: Node) -> Step {
        let (step, span) = (plan(node).step, node.span)
        return { frame in
            let value = step(&frame)
            switch value {
            case .bool, .error: return value
            default: return Datum.noCondition(value).placed(at: span)
            }
        }
    }

    private func quantifier(_ loop: Loop, _ range: @escaping Step, _ body: @escaping Step, deciding: Bool) -> Planned {
        Planned { frame in
            var failure: Datum?
            let stopped = loop.run(range(&frame), &frame) { frame in
                let value = body(&frame)
                if case .bool(let truth) = value { return truth == deciding ? value : nil }
                if failure == nil { failure = value }
                return nil
            }
            return stopped ?? failure ?? .bool(!deciding)
        }
    }

    private func existsOne(_ loop: Loop, _ range: @escaping Step, _ body: @escaping Step) -> Planned {
        Planned { frame in
            var count = 0
            let stopped = loop.run(range(&frame), &frame) { frame in
                switch body(&frame) {
                case .bool(let truth):
                    count += truth ? 1 : 0
                    return nil
                case let failure: return failure
                }
            }
            return stopped ?? .bool(count == 1)
        }
    }

    private func filtered(_ loop: Loop, _ range: @escaping Step, _ body: @escaping Step) -> Planned {
        Planned { frame in
            var kept: [Datum] = []
            let stopped = loop.run(range(&frame), &frame) { frame in
                switch body(&frame) {
                case .bool(let truth):
                    if truth { kept.append(frame.locals[loop.slot]) }
                    return nil
                case let failure: return failure
                }
            }
            return stopped ?? .list(.own(kept))
        }
    }

    private func mapped(_ loop: Loop, _ range: @escaping Step, _ filter: Step?, _ body: @escaping Step) -> Planned {
        Planned { frame in
            var results: [Datum] = []
            let stopped = loop.run(range(&frame), &frame) { frame in
                if let filter {
                    let choice = filter(&frame)
                    guard case .bool(true) = choice else { return choice.isError ? choice : nil }
                }
                let value = body(&frame)
                if case .error = value { return value }
                results.append(value)
                return nil
            }
            return stopped ?? .list(.own(results))
        }
    }

    private func transformed(
        _ loop: Loop,
        _ range: @escaping Step,
        _ filter: Step?,
        _ body: @escaping Step,
        makesEntries: Bool
    ) -> Planned {
        Planned { frame in
            var pairs = MapBuilder()
            let stopped = loop.run(range(&frame), &frame) { frame in
                if let filter {
                    let choice = filter(&frame)
                    guard case .bool(true) = choice else { return choice.isError ? choice : nil }
                }
                let value = body(&frame)
                if case .error = value { return value }
                guard makesEntries else { return pairs.add(frame.locals[loop.slot], value)?.placed(at: loop.span) }
                guard case .map(let map) = value else {
                    return Datum.noOverload(loop.macro, [value]).placed(at: loop.span)
                }
                for pair in map.pairs {
                    guard frame.meter.charge(1) else { return frame.meter.failure }
                    if let failure = pairs.add(pair.key, pair.value) { return failure.placed(at: loop.span) }
                }
                return nil
            }
            return stopped ?? .map(.own(pairs.map))
        }
    }
}

/// Goes through a list or map, and puts what a round sees into its slots.
private struct Loop: Sendable {
    /// The only variable, or the first of two.
    let slot: Int
    let hasTwoVariables: Bool
    let macro: String
    let span: Range<Int>

    /// Runs rounds until one gives a result, which is then given back; nil after the last one. Every round costs a unit, so that
    /// the limit of the environment ends any loop.
    @inline(__always)
    func run(_ range: Datum, _ frame: inout Frame, _ round: (inout Frame) -> Datum?) -> Datum? {
        switch range {
        case .list(let list):
            for position in 0..<list.count {
                guard frame.meter.charge(1) else { return frame.meter.failure }
                if hasTwoVariables {
                    frame.locals[slot] = .int(Int64(position))
                    frame.locals[slot + 1] = list[position]
                } else {
                    frame.locals[slot] = list[position]
                }
                if let result = round(&frame) { return result }
            }
            return nil
        case .map(let map):
            for pair in map.pairs {
                guard frame.meter.charge(1) else { return frame.meter.failure }
                frame.locals[slot] = pair.key
                if hasTwoVariables { frame.locals[slot + 1] = pair.value }
                if let result = round(&frame) { return result }
            }
            return nil
        case .error: return range
        default: return Datum.noOverload(macro, [range]).placed(at: span)
        }
    }
}
