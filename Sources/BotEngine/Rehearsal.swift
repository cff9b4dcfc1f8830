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
    ///   - revision: how often what was known has been seen; grows from one pair of answers to the next.
    ///   - worlds: what earlier pairs have made known of things that several accounts see; this one's is added.
    public static func events(
        of source: SourceSetup,
        from before: [Record],
        to after: [Record],
        student: Student,
        at now: Timestamp,
        revision: Int64,
        worlds: inout [String: WorldState]
    ) -> [Event] {
        let dates = (before + after).compactMap(\.date)
        var state = SourceState()
        state.isLearnt = true
        state.learntDates = Set(dates)
        // A test that empties a list means it.
        state.emptySince = now - Differ.emptinessProven
        var snapshot = Snapshot(records: after, student: student)
        if let first = dates.min(), let last = dates.max() { snapshot.window = DateWindow(first, through: last) }
        let stored = StoredRecords(present: before.map { StoredRecord($0, revision: revision) })
        let comparison = Differ(snapshot, state: state, stored: stored, schema: source.schema).compare(at: now)
        guard let difference = comparison.difference else { return [] }
        let occurrences = source.provider.interpret(
            difference,
            in: InterpretationContext(now: now, zone: source.zone)
        )
        let origin = EventOrigin(source: source.name, account: source.account, world: source.world, student: student)
        let built = EventBuilding.events(
            of: occurrences,
            changes: difference.changes,
            from: origin,
            worlds: worlds,
            at: now
        )
        worlds.merge(built.worlds) { _, new in new }
        return built.events
    }
}
