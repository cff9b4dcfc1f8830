public import BotCore
public import Values

/// What every provider keeps of the contract in `Provider`, whatever it polls.
public enum ProviderConformance {
    /// Fetches once and looks at the answer, then at what the provider makes of differences to it.
    /// - Parameters:
    ///   - provider: one whose far end answers well.
    ///   - schema: what its plugin declares for its settings.
    ///   - request: what the engine would ask with on a first poll.
    /// - Returns: what does not hold; empty for a provider that conforms.
    public static func failures(
        _ provider: any Provider,
        schema: SourceSchema,
        request: FetchRequest
    ) async -> [String] {
        var check = Conformance("provider")
        do throws(PluginError) {
            let first = try await provider.fetch(request)
            look(at: first, schema, &check)
            var next = request
            next.memo = first.memo
            next.knownKeys = Set(first.records?.map(\.key) ?? [])
            let second = try await provider.fetch(next)
            if let again = second.records {
                check.expect(
                    Set(again.map(\.key)),
                    is: Set(first.records?.map(\.key) ?? []),
                    "the same state of the far end gives the same keys"
                )
            }
            interpret(first, provider, schema, request, &check)
        } catch {
            return ["provider: a fetch failed: \(error.message)"]
        }
        return check.failures
    }

    private static func look(at snapshot: Snapshot, _ schema: SourceSchema, _ check: inout Conformance) {
        guard let records = snapshot.records else {
            check.expect(false, "a first answer has records; nothing can be unchanged yet")
            return
        }
        check.expect(Set(records.map(\.key)).count, is: records.count, "keys are unique")
        let shapes = Dictionary(schema.records.map { ($0.name, $0) }) { first, _ in first }
        for record in records {
            guard let shape = shapes[record.type] else {
                check.expect(false, "the type '\(record.type)' is declared")
                continue
            }
            for complaint in shape.complaints(about: record.fields) {
                check.expect(false, "\(record.type): \(complaint)")
            }
            if let date = record.date, let window = snapshot.window {
                check.expect(window.contains(date), "the day \(date) of a record lies in the answer's window")
            }
        }
        check.expect(
            snapshot.unreadable >= snapshot.unreadableKeys.count,
            "unreadable keys are counted as unreadable entries"
        )
    }

    /// What enters, goes and comes must give declared kinds, twice the same.
    private static func interpret(
        _ snapshot: Snapshot,
        _ provider: any Provider,
        _ schema: SourceSchema,
        _ request: FetchRequest,
        _ check: inout Conformance
    ) {
        let records = snapshot.records ?? []
        let context = InterpretationContext(now: request.now, zone: request.zone)
        let kinds = Set(schema.events.map(\.kind))
        let nothing = Difference(
            changes: [],
            before: records,
            after: records,
            oldMemo: snapshot.memo,
            newMemo: snapshot.memo
        )
        check.expect(provider.interpret(nothing, in: context).isEmpty, "where nothing has changed nothing happens")
        let renumbered = records.map { Change(.renumbered, old: $0, new: $0, revision: 1) }
        let same = Difference(changes: renumbered, before: records, after: records)
        check.expect(
            provider.interpret(same, in: context).allSatisfy { $0.kind.hasSuffix(".reimported") },
            "new keys alone are never told"
        )
        let differences = [
            Difference(changes: records.map { Change(.added, new: $0, revision: 1) }, before: [], after: records),
            Difference(changes: records.map { Change(.entered, new: $0, revision: 1) }, before: [], after: records),
            Difference(changes: records.map { Change(.removed, old: $0, revision: 2) }, before: records, after: []),
        ]
        for difference in differences {
            let occurrences = provider.interpret(difference, in: context)
            check.expect(provider.interpret(difference, in: context), is: occurrences, "interpreting is pure")
            for occurrence in occurrences {
                check.expect(kinds.contains(occurrence.kind), "the kind '\(occurrence.kind)' is declared")
            }
        }
    }
}

extension RecordShape {
    /// Where fields are other than declared, in words.
    public func complaints(about fields: ValueMap) -> [String] {
        let missing = self.fields.filter { !$0.isOptional && fields[$0.name] == nil }.map {
            "the field '\($0.name)' is missing"
        }
        let others = fields.pairs.compactMap { pair -> String? in
            let name = pair.key.plainText
            guard let field = field(name) else { return "the field '\(name)' is not declared" }
            return field.shape.accepts(pair.value)
                ? nil : "the field '\(name)' is a \(pair.value.kindName), not a \(field.shape.name)"
        }
        return missing + others
    }
}

extension Shape {
    /// Whether a value has this form.
    public func accepts(_ value: Value) -> Bool {
        switch (self, value) {
        case (.any, _), (.bool, .bool), (.int, .int), (.uint, .uint), (.double, .double), (.string, .string),
            (.bytes, .bytes),
            (.timestamp, .timestamp), (.duration, .duration):
            true
        case (.list(let shape), .list(let list)): list.allSatisfy(shape.accepts)
        case (.map(let shape), .map(let map)): map.allSatisfy { $0.key.string != nil && shape.accepts($0.value) }
        case (.record(let shape), .map(let map)): shape.complaints(about: map).isEmpty
        default: false
        }
    }
}
