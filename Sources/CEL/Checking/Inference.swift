import Values

/// What has been found out about the unknown types of one expression.
///
/// Types are made to agree as in cel-go's checker: an unknown takes the type it meets, and later the more general one of two that
/// agree, so that the order of elements and arguments has no influence.
struct Inference {
    private var found: [CELType?] = []

    mutating func unknown() -> CELType {
        found.append(nil)
        return .unknown(found.count - 1)
    }

    /// The type with everything put in that is known. What stays unknown becomes `dyn` where asked.
    func resolved(_ type: CELType, unknownAsDyn: Bool = false) -> CELType {
        switch type {
        case .unknown(let number):
            if let type = found[number] { return resolved(type, unknownAsDyn: unknownAsDyn) }
            return unknownAsDyn ? .dyn : type
        case .list(let element): return .list(resolved(element, unknownAsDyn: unknownAsDyn))
        case .map(let key, let value):
            return .map(
                key: resolved(key, unknownAsDyn: unknownAsDyn),
                value: resolved(value, unknownAsDyn: unknownAsDyn)
            )
        case .optional(let wrapped): return .optional(resolved(wrapped, unknownAsDyn: unknownAsDyn))
        case .type(let type): return .type(resolved(type, unknownAsDyn: unknownAsDyn))
        case .abstract(let name, let parameters):
            return .abstract(name, parameters.map { resolved($0, unknownAsDyn: unknownAsDyn) })
        default: return type
        }
    }

    /// A function's signature with fresh unknowns for its type parameters.
    mutating func instance(of overload: FunctionEntry.Overload) -> (parameters: [CELType], result: CELType) {
        guard overload.isGeneric else { return (overload.parameters, overload.result) }
        var names: [String: CELType] = [:]
        let parameters = overload.parameters.map { instance(of: $0, &names) }
        return (parameters, instance(of: overload.result, &names))
    }

    private mutating func instance(of type: CELType, _ names: inout [String: CELType]) -> CELType {
        switch type {
        case .parameter(let name):
            if let known = names[name] { return known }
            let fresh = unknown()
            names[name] = fresh
            return fresh
        case .list(let element): return .list(instance(of: element, &names))
        case .map(let key, let value):
            return .map(key: instance(of: key, &names), value: instance(of: value, &names))
        case .optional(let wrapped): return .optional(instance(of: wrapped, &names))
        case .type(let type): return .type(instance(of: type, &names))
        case .abstract(let name, let parameters):
            var instances: [CELType] = []
            for parameter in parameters { instances.append(instance(of: parameter, &names)) }
            return .abstract(name, instances)
        default: return type
        }
    }

    /// Whether a value of one type may stand where the other is due. What is learnt of unknowns is kept if it may.
    mutating func agree(_ given: CELType, _ due: CELType) -> Bool { agree([given], [due]) }

    mutating func agree(_ given: [CELType], _ due: [CELType]) -> Bool {
        guard given.count == due.count else { return false }
        let before = found
        for (one, other) in zip(given, due) where !unify(one, other) {
            found = before
            return false
        }
        return true
    }

    /// The type that both are, for elements of a list and branches of a condition; nil where there is none but `dyn`.
    mutating func joined(_ one: CELType, _ other: CELType) -> CELType? {
        guard agree(other, one) else { return nil }
        if case .null = resolved(other) { return one }
        return moreGeneral(one, other)
    }

    // MARK: The rules

    private mutating func unify(_ one: CELType, _ other: CELType) -> Bool {
        if case .unknown(let number) = other {
            let (isValid, isKnown) = substitute(one, number)
            if isValid { return true }
            if isKnown { return false }
        }
        if case .unknown(let number) = one { return substitute(other, number).isValid }
        switch (one, other) {
        case (.dyn, _), (_, .dyn), (.failed, _), (_, .failed): return true
        case (.null, let type), (let type, .null): return type.takesNull
        case (.wrapper(let scalar), .wrapper(let second)): return unify(scalar, second)
        case (.wrapper(let scalar), let type), (let type, .wrapper(let scalar)): return unify(scalar, type)
        case (.list(let one), .list(let other)): return unify(one, other)
        case (.map(let key, let value), .map(let otherKey, let otherValue)):
            return unify(key, otherKey) && unify(value, otherValue)
        case (.record, .map(let key, let value)), (.map(let key, let value), .record):
            return unify(.string, key) && unify(.dyn, value)
        case (.optional(let one), .optional(let other)): return unify(one, other)
        case (.type, .type): return true
        case (.abstract(let name, let parameters), .abstract(let otherName, let others)):
            guard name == otherName, parameters.count == others.count else { return false }
            for (one, other) in zip(parameters, others) where !unify(one, other) { return false }
            return true
        default: return one == other
        }
    }

    private mutating func substitute(_ type: CELType, _ number: Int) -> (isValid: Bool, isKnown: Bool) {
        if case .unknown(number) = type { return (true, true) }
        if let known = found[number] {
            if known == type { return (true, true) }
            guard unify(type, known) else { return (false, true) }
            let general = moreGeneral(type, known)
            if !refers(general, to: number) { found[number] = general }
            return (true, true)
        }
        guard !refers(type, to: number) else { return (false, false) }
        found[number] = type
        return (true, false)
    }

    private func moreGeneral(_ one: CELType, _ other: CELType) -> CELType {
        isAsGeneral(one, other) ? one : other
    }

    private func isAsGeneral(_ one: CELType, _ other: CELType) -> Bool {
        switch (one, other) {
        case (.dyn, _), (.failed, _), (.unknown, _): return true
        case (_, .dyn), (_, .failed), (_, .unknown): return false
        case (.list(let one), .list(let other)): return isAsGeneral(one, other)
        case (.map(let key, let value), .map(let otherKey, let otherValue)):
            return isAsGeneral(key, otherKey) && isAsGeneral(value, otherValue)
        case (.map, .record): return true
        case (.optional(let one), .optional(let other)): return isAsGeneral(one, other)
        case (.type, .type): return true
        case (.abstract(let name, let parameters), .abstract(let otherName, let others)):
            return name == otherName && parameters.count == others.count
                && zip(parameters, others).allSatisfy { isAsGeneral($0, $1) }
        default: return one == other
        }
    }

    /// Whether a type has an unknown in it, which then cannot be that type: a list is never its own element.
    private func refers(_ type: CELType, to number: Int) -> Bool {
        switch type {
        case .unknown(let other):
            if other == number { return true }
            return found[other].map { refers($0, to: number) } ?? false
        case .list(let element): return refers(element, to: number)
        case .map(let key, let value): return refers(key, to: number) || refers(value, to: number)
        case .optional(let wrapped): return refers(wrapped, to: number)
        case .type(let type): return refers(type, to: number)
        case .abstract(_, let parameters): return parameters.contains { refers($0, to: number) }
        default: return false
        }
    }
}

extension CELType {
    /// Whether null may stand for it (cel-spec, "Type checking": messages, wrappers and abstract types).
    fileprivate var takesNull: Bool {
        switch self {
        case .null, .dyn, .timestamp, .duration, .record, .optional, .abstract, .wrapper: true
        default: false
        }
    }

    fileprivate var isGeneric: Bool {
        switch self {
        case .parameter: true
        case .list(let element): element.isGeneric
        case .map(let key, let value): key.isGeneric || value.isGeneric
        case .optional(let wrapped): wrapped.isGeneric
        case .type(let type): type.isGeneric
        case .abstract(_, let parameters): parameters.contains(where: \.isGeneric)
        default: false
        }
    }
}

extension FunctionEntry.Overload {
    fileprivate var isGeneric: Bool { result.isGeneric || parameters.contains(where: \.isGeneric) }
}
