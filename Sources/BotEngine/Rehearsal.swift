public import BotCore

public import Values

/// What a source's own differ and interpreter make of two answers, with no memory and nobody asked: for rule tests and previews.
public enum Rehearsal {
    /// The events that lie between two answers.
    ///
    /// - Parameters:
    ///   - before: what was known; its days and those of `after` count as seen.
    ///   - after: what came.
    ///   - student: whom all of it is about.
    public static func events(
        of source: SourceSetup,
        from before: [Record],
        to after: [Record],
        student: Student,
        at now: Timestamp
    ) -> [Event] {
        let dates = (before + after).compactMap(\.date)
        var state = SourceState()
        state.isLearnt = true
        state.learntDates = Set(dates)
        // A test that empties a list means it.
        state.emptySince = now - Differ.emptinessProven
        var snapshot = Snapshot(records: after, student: student)
        if let first = dates.min(), let last = dates.max() { snapshot.window = DateWindow(first, through: last) }
        let stored = StoredRecords(present: before.map { StoredRecord($0, revision: 1) })
        let comparison = Differ(snapshot, state: state, stored: stored, schema: source.schema).compare(at: now)
        guard let difference = comparison.difference else { return [] }
        let occurrences = source.provider.interpret(
            difference,
            in: InterpretationContext(now: now, zone: source.zone)
        )
        let origin = EventOrigin(source: source.name, account: source.account, world: source.world, student: student)
        return EventBuilding.events(
            of: occurrences,
            changes: difference.changes,
            from: origin,
            worlds: [:],
            at: now
        ).events
    }
}
