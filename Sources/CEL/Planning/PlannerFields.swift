import Values

/// Fields, indices, lists and maps.
extension Planner {
    mutating func selection(_ node: Node, _ operand: Node, _ field: String, _ isOptional: Bool) -> Planned {
        let span = node.span
        let place = FieldPlace(field, in: blueprint.types[operand.id])
        if !isOptional, !isTraced, let place, case .variable(let slot)? = blueprint.references[operand.id] {
            // The common `variable.field`, in one step.
            let missing = Self.missing(field, span)
            return Planned { frame in
                frame.meter.spent &+= 1
                if case .map(.foreign(let map)) = frame.slots[slot] {
                    let value = place.value(in: map)
                    if case .unbound = value { return missing }
                    return value
                }
                return Fields.select(frame.slots[slot], field, place).placed(at: span)
            }
        }
        let operand = plan(operand)
        let step = operand.step
        let select: Step = { frame in
            frame.meter.spent &+= 1
            let value = step(&frame)
            if case .error = value { return value }
            let found = isOptional ? Fields.optionalSelect(value, field, place) : Fields.select(value, field, place)
            return found.placed(at: span)
        }
        return operand.constant == nil ? Planned(select) : folded(select)
    }

    static func missing(_ field: String, _ span: Range<Int>) -> Datum {
        .error(Failure(CELError(.missing, "there is no '\(field)' in it", span: span)))
    }

    mutating func presence(_ node: Node, _ operand: Node, _ field: String) -> Planned {
        let span = node.span
        let place = FieldPlace(field, in: blueprint.types[operand.id])
        let operand = plan(operand)
        let step = operand.step
        let test: Step = { frame in
            frame.meter.spent &+= 1
            return Fields.isPresent(step(&frame), field, place).placed(at: span)
        }
        return operand.constant == nil ? Planned(test) : folded(test)
    }

    mutating func indexing(_ node: Node, _ operand: Node, _ index: Node, _ isOptional: Bool) -> Planned {
        if case .literal(.string(let field)) = index.kind, case .record = blueprint.types[operand.id] {
            return selection(node, operand, field, isOptional)
        }
        let span = node.span
        let operand = plan(operand)
        let index = plan(index)
        let (first, second) = (operand.step, index.step)
        let step: Step = { frame in
            frame.meter.spent &+= 1
            let value = first(&frame)
            if case .error = value { return value }
            let key = second(&frame)
            if case .error = key { return key }
            return (isOptional ? Fields.optionalElement(value, key) : Fields.element(value, key)).placed(at: span)
        }
        return operand.constant == nil || index.constant == nil ? Planned(step) : folded(step)
    }

    mutating func list(_ node: Node, _ elements: [Node.ListElement]) -> Planned {
        let planned = elements.map { (value: plan($0.value), isOptional: $0.isOptional, span: $0.value.span) }
        let steps = planned.map { (step: $0.value.step, isOptional: $0.isOptional, span: $0.span) }
        let step: Step = { frame in
            guard frame.meter.charge(length: steps.count) else { return frame.meter.failure }
            var values: [Datum] = []
            values.reserveCapacity(steps.count)
            for (step, isOptional, span) in steps {
                let value = step(&frame)
                if case .error = value { return value }
                if !isOptional {
                    values.append(value)
                } else if case .optional(let boxed) = value {
                    if let boxed { values.append(boxed.value) }
                } else {
                    return Datum.noOverload("[?]", [value]).placed(at: span)
                }
            }
            return .list(.own(values))
        }
        return planned.allSatisfy { $0.value.constant != nil } ? folded(step) : Planned(step)
    }

    mutating func map(_ node: Node, _ entries: [Node.MapEntry]) -> Planned {
        let planned = entries.map { (key: plan($0.key), value: plan($0.value), entry: $0) }
        let steps = planned.map { (key: $0.key.step, value: $0.value.step, entry: $0.entry) }
        let span = node.span
        let step: Step = { frame in
            guard frame.meter.charge(length: steps.count) else { return frame.meter.failure }
            var pairs = MapBuilder()
            for (key, value, entry) in steps {
                let key = key(&frame)
                if case .error = key { return key }
                var member = value(&frame)
                if case .error = member { return member }
                if entry.isOptional {
                    guard case .optional(let boxed) = member else {
                        return Datum.noOverload("{?}", [member]).placed(at: entry.value.span)
                    }
                    guard let boxed else { continue }
                    member = boxed.value
                }
                if let failure = pairs.add(key, member) { return failure.placed(at: entry.key.span) }
            }
            return .map(.own(pairs.map)).placed(at: span)
        }
        let isConstant = planned.allSatisfy { $0.key.constant != nil && $0.value.constant != nil }
        return isConstant ? folded(step) : Planned(step)
    }
}

/// Reading fields and elements of values of any kind.
enum Fields {
    static func select(_ value: Datum, _ field: String, _ place: FieldPlace?) -> Datum {
        switch value {
        case .map(.foreign(let map)) where place != nil:
            guard let found = place?.value(in: map), !found.isUnbound else { return missing(field) }
            return found
        case .map(let map): return map.member(field) ?? missing(field)
        case .optional: return optionalSelect(value, field, place)
        case .error: return value
        default: return .failure(.noSuchOverload, "\(value.kindName) has no fields")
        }
    }

    static func optionalSelect(_ value: Datum, _ field: String, _ place: FieldPlace?) -> Datum {
        switch value {
        case .map(.foreign(let map)) where place != nil:
            guard let found = place?.value(in: map), !found.isUnbound else { return .none }
            return .some(found)
        case .map(let map): return map.member(field).map { .some($0) } ?? .none
        case .optional(nil): return .none
        case .optional(.some(let boxed)): return optionalSelect(boxed.value, field, place)
        case .error: return value
        default: return .failure(.noSuchOverload, "\(value.kindName) has no fields")
        }
    }

    static func isPresent(_ value: Datum, _ field: String, _ place: FieldPlace?) -> Datum {
        switch value {
        case .map(.foreign(let map)) where place != nil:
            return .bool(!(place?.value(in: map).isUnbound ?? true))
        case .map(let map): return .bool(map.member(field) != nil)
        case .optional(let boxed): return boxed.map { isPresent($0.value, field, place) } ?? .bool(false)
        case .error, .unbound: return value
        default: return .failure(.noSuchOverload, "\(value.kindName) has no fields")
        }
    }

    static func element(_ value: Datum, _ key: Datum) -> Datum {
        switch value {
        case .list(let list):
            guard let index = index(key) else {
                return .failure(.noSuchOverload, "a list is indexed by whole numbers, not by \(key.kindName)")
            }
            guard index >= 0, index < list.count else {
                return .failure(.outOfRange, "there is no element \(index) in a list of \(list.count)")
            }
            return list[Int(index)]
        case .map(let map): return map.value(of: key) ?? missing(spoken(key))
        case .optional: return optionalElement(value, key)
        default: return .noOverload("[]", [value, key])
        }
    }

    static func optionalElement(_ value: Datum, _ key: Datum) -> Datum {
        switch value {
        case .list(let list):
            guard let index = index(key) else { return .noOverload("[?]", [value, key]) }
            return index >= 0 && index < list.count ? .some(list[Int(index)]) : .none
        case .map(let map): return map.value(of: key).map { .some($0) } ?? .none
        case .optional(nil): return .none
        case .optional(.some(let boxed)): return optionalElement(boxed.value, key)
        default: return .noOverload("[?]", [value, key])
        }
    }

    /// An index as a whole number; nil for what is none.
    private static func index(_ key: Datum) -> Int64? {
        switch key {
        case .int(let index): index
        case .uint(let index): Int64(exactly: index) ?? Int64.max
        case .double(let index): Int64(exactly: index)
        default: nil
        }
    }

    private static func missing(_ field: String) -> Datum { .failure(.missing, "there is no '\(field)' in it") }

    private static func spoken(_ key: Datum) -> String {
        switch key {
        case .string(let text): String(text.prefix(40))
        case .int(let number): String(number)
        case .uint(let number): String(number)
        case .double(let number): String(number)
        case .bool(let truth): String(truth)
        default: key.kindName
        }
    }
}

/// Collects the pairs of a map that an expression makes.
struct MapBuilder {
    private var pairs: [(Datum, Datum)] = []
    private var keys: Set<MapKey> = []

    var map: OwnMap { OwnMap(pairs) }

    /// Adds a pair, or says why not.
    mutating func add(_ key: Datum, _ value: Datum) -> Datum? {
        switch key {
        case .bool, .int, .uint, .string: break
        default: return .failure(.noSuchOverload, "\(key.kindName) cannot be a key of a map")
        }
        guard let normal = MapKey(key), keys.insert(normal).inserted else {
            return .failure(.invalidArgument, "a key comes twice in a map")
        }
        pairs.append((key, value))
        return nil
    }
}
