public import BotCore
public import Values

/// What an answer means beside what is stored.
public struct Comparison: Sendable {
    /// How the answer was taken.
    public enum Outcome: Sendable, Hashable {
        /// Taken in silently: a first poll, or a new era.
        case learnt
        case compared
        /// The far end said that nothing has changed.
        case unchanged
        /// A list that had entries is empty. Not believed before it has been so for a day.
        case suspicious
    }

    public var outcome: Outcome
    /// What providers interpret; nil unless `compared`.
    public var difference: Difference?
    /// The source's state after the answer; times and health are the poller's.
    public var state: SourceState
    /// Rows to write, and keys that are gone with the revision from which a return goes on.
    public var put: [StoredRecord] = []
    public var gone: [String: Int64] = [:]
}

/// Finds what lies between stored records and an answer; pure and linear in the number of records.
///
/// Records meet by key, then what is left over on both sides by likeness. Only days that were learnt and that the answer covers are
/// searched for removals; what stands on a day that is not learnt yet has entered, which is no news by itself.
public struct Differ: Sendable {
    let source: SourceState
    let stored: StoredRecords
    let snapshot: Snapshot
    let fields: ComparedFields

    /// - Parameters:
    ///   - state: what is remembered of the source.
    ///   - stored: its rows from `firstDay(of:state:)` on, and those under the keys of the answer.
    public init(_ snapshot: Snapshot, state: SourceState, stored: StoredRecords, schema: SourceSchema) {
        self.snapshot = snapshot
        self.source = state
        self.stored = stored
        fields = ComparedFields(schema)
    }

    /// From which day on stored rows are needed; nil for all of them.
    public static func firstDay(of snapshot: Snapshot, state: SourceState) -> CalendarDate? {
        continues(state, snapshot) ? snapshot.window?.first : nil
    }

    /// Whether an answer speaks of the same things as what is remembered: the same span in which keys keep their meaning, and the same
    /// student. A source that is given another child by its settings begins anew.
    private static func continues(_ state: SourceState, _ snapshot: Snapshot) -> Bool {
        let ids = [state.student.id, snapshot.student.id]
        return state.isLearnt && state.era == snapshot.era && (ids.contains("") || ids[0] == ids[1])
    }

    /// How long rows stay after their day has left the window: a clock that is set back finds them again.
    static let daysKept = 30

    /// What the answer means at this moment.
    public func compare(at now: Timestamp) -> Comparison {
        guard let records = snapshot.records else { return unchanged() }
        let usable = UsableRecords(records, unknownDates: snapshot.unknownDates)
        if !Self.continues(source, snapshot) { return learn(usable) }
        return compare(usable, at: now)
    }

    private func unchanged() -> Comparison {
        var state = source
        // Without a baseline a memo would keep the far end from ever sending one.
        if state.isLearnt { state.memo = snapshot.memo }
        state.calendar = snapshot.calendar ?? state.calendar
        // What is as it was when it was last believed is not empty any more: a later emptiness begins anew.
        state.emptySince = nil
        return Comparison(outcome: .unchanged, state: state)
    }

    private func learn(_ answer: UsableRecords) -> Comparison {
        let revisions = Dictionary(stored.present.map { ($0.record.key, $0.revision) }) { first, _ in first }
        let put = answer.records.map { record in
            let last = max(revisions[record.key] ?? 0, stored.gone[record.key] ?? 0)
            return StoredRecord(record, revision: last + 1)
        }
        let gone = revisions.filter { answer.places[$0.key] == nil }
        var state = stateAfterAnswer()
        state.learntDates = coveredDates
        return Comparison(outcome: .learnt, state: state, put: put, gone: gone)
    }

    private func compare(_ answer: UsableRecords, at now: Timestamp) -> Comparison {
        var matching = Matching(self, answer)
        if answer.records.isEmpty, snapshot.unreadable == 0, !matching.missing.isEmpty, !isEmptinessProven(at: now) {
            var state = source
            // A moment that lies ahead was written by a clock that was.
            state.emptySince = min(source.emptySince ?? now, now)
            return Comparison(outcome: .suspicious, state: state)
        }
        matching.pairLeftovers()
        var state = stateAfterAnswer()
        state.learntDates = source.learntDates.union(coveredDates)
        if let first = snapshot.window?.first {
            state.learntDates = state.learntDates.filter { $0 >= first.adding(days: -Self.daysKept) }
        }
        return Comparison(
            outcome: .compared,
            difference: matching.difference,
            state: state,
            put: matching.put,
            gone: matching.gone
        )
    }

    /// A list that had entries and is empty is a fault of the far end more often than the truth, and faults last for hours: it is
    /// believed when it has stayed empty for a day.
    private func isEmptinessProven(at now: Timestamp) -> Bool {
        source.emptySince.map { now - $0 >= Self.emptinessProven } ?? false
    }

    static let emptinessProven = TimeSpan.days(1)

    private func stateAfterAnswer() -> SourceState {
        var state = source
        state.isLearnt = true
        state.era = snapshot.era
        state.memo = snapshot.memo
        state.window = snapshot.window
        state.student = snapshot.student
        state.calendar = snapshot.calendar ?? source.calendar
        state.emptySince = nil
        return state
    }

    private var coveredDates: Set<CalendarDate> {
        Set(snapshot.window?.dates ?? []).subtracting(snapshot.unknownDates)
    }

    /// Whether the answer can prove that something is not on this day any more, or newly on it.
    func isCompared(_ date: CalendarDate?) -> Bool {
        guard let window = snapshot.window, let date else { return true }
        return window.contains(date) && source.learntDates.contains(date) && !snapshot.unknownDates.contains(date)
    }
}

/// Which fields count when two states of a record are compared, and in which order they are told.
struct ComparedFields: Sendable {
    private let declared: [String: [String]]
    private let uncompared: Set<String>

    init(_ schema: SourceSchema) {
        declared = Dictionary(schema.records.map { ($0.name, $0.fields.map(\.name)) }) { first, _ in first }
        uncompared = schema.uncomparedFields
    }

    /// The fields that differ; those that the declaration does not name come last.
    func changes(from old: Record, to new: Record) -> [FieldChange] {
        if old.fields == new.fields { return [] }
        let names = declared[new.type] ?? []
        let others = (new.fields.keys + old.fields.keys).compactMap(\.string)
        var seen: Set<String> = []
        return (names + others).compactMap { name in
            guard seen.insert(name).inserted, !uncompared.contains("\(new.type).\(name)") else { return nil }
            let (before, after) = (old.fields[name] ?? .null, new.fields[name] ?? .null)
            return before == after ? nil : FieldChange(field: name, old: before, new: after)
        }
    }
}
