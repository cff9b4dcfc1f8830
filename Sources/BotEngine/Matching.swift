import BotCore

/// Brings stored records and those of an answer together, and writes down what differs.
struct Matching {
    private let differ: Differ
    private let records: [Record]
    /// What is stored under the key of each record of the answer, in its order; nil for what is not stored.
    private let counterparts: [StoredRecord?]
    /// Stored records that the answer shows to be gone, before likeness has been asked.
    private(set) var missing: [StoredRecord] = []
    /// Records of the answer under keys that are not stored, before likeness has been asked.
    private var unknown: [Record] = []
    /// What a record of the answer was before, under another key.
    private var formerByKey: [String: StoredRecord] = [:]
    /// Stored records that stay as they are although the answer does not hold them.
    private var kept: [Record] = []
    /// What became of each record of the answer, in its order; nil for what is as it was.
    private var changes: [Change?] = []

    /// - Parameter records: of the answer, each with a key of its own.
    init(_ differ: Differ, _ records: [Record]) {
        self.differ = differ
        self.records = records
        let places = Dictionary(records.indices.map { (records[$0].key, $0) }) { first, _ in first }
        var counterparts = [StoredRecord?](repeating: nil, count: records.count)
        // An entry without a readable key could be any of those that seem to be gone.
        let someAreNameless = differ.snapshot.unreadable > differ.snapshot.unreadableKeys.count
        for row in differ.stored.present {
            if let place = places[row.record.key] {
                counterparts[place] = row
                continue
            }
            let isProven =
                differ.isCompared(row.record.date) && !differ.snapshot.unreadableKeys.contains(row.record.key)
            if isProven && !someAreNameless { missing.append(row) } else { kept.append(row.record) }
        }
        self.counterparts = counterparts
        unknown = records.indices.filter { counterparts[$0] == nil && differ.isCompared(records[$0].date) }
            .map { records[$0] }
    }

    /// Records left over on both sides that are alike are the same thing under another key; equal ones are paired first.
    mutating func pairLeftovers() {
        var candidates = Dictionary(grouping: missing.filter { $0.record.likeness != nil }) { $0.record.likeness ?? "" }
        let lonely = unknown.filter { candidates[$0.likeness ?? ""] != nil && $0.likeness != nil }
        for equalOnly in [true, false] {
            for record in lonely where formerByKey[record.key] == nil {
                guard let likeness = record.likeness, var rows = candidates[likeness] else { continue }
                let place = rows.firstIndex { !equalOnly || differ.fields.changes(from: $0.record, to: record).isEmpty }
                guard let place else { continue }
                formerByKey[record.key] = rows.remove(at: place)
                candidates[likeness] = rows
            }
        }
        let paired = Set(formerByKey.values.map(\.record.key))
        missing.removeAll { paired.contains($0.record.key) }
        changes = records.indices.map { change(of: records[$0], storedAs: counterparts[$0]) }
    }

    /// The changes in the order of the answer, removals last.
    var difference: Difference {
        let first = differ.snapshot.window?.first
        let before = differ.stored.present.map(\.record).filter { record in
            guard let first, let date = record.date else { return true }
            return date >= first
        }
        return Difference(
            changes: changes.compactMap(\.self) + removals,
            before: before,
            after: records + kept,
            oldMemo: differ.source.memo,
            newMemo: differ.snapshot.memo
        )
    }

    private func change(of record: Record, storedAs counterpart: StoredRecord?) -> Change? {
        if let row = counterpart {
            let fields = differ.fields.changes(from: row.record, to: record)
            if fields.isEmpty { return nil }
            return Change(.changed, old: row.record, new: record, fields: fields, revision: row.revision + 1)
        }
        let returning = differ.stored.gone[record.key] ?? 0
        if let row = formerByKey[record.key] {
            let fields = differ.fields.changes(from: row.record, to: record)
            let last = max(row.revision, returning)
            if fields.isEmpty { return Change(.renumbered, old: row.record, new: record, revision: last) }
            return Change(.changed, old: row.record, new: record, fields: fields, revision: last + 1)
        }
        let kind: Change.Kind = differ.isCompared(record.date) ? .added : .entered
        return Change(kind, new: record, revision: returning + 1)
    }

    private var removals: [Change] {
        missing.map { Change(.removed, old: $0.record, revision: $0.revision + 1) }
    }

    /// The rows to write: all that is new or other than stored, fields that do not count included.
    var put: [StoredRecord] {
        records.indices.compactMap { place in
            let (record, change, stored) = (records[place], changes[place], counterparts[place])
            if change == nil && stored?.record == record { return nil }
            return StoredRecord(record, revision: change?.revision ?? stored?.revision ?? 1)
        }
    }

    /// Keys that hold nothing any more. A removal counts as a revision, so that a return is the next one.
    var gone: [String: Int64] {
        var gone = Dictionary(missing.map { ($0.record.key, $0.revision + 1) }) { first, _ in first }
        for row in formerByKey.values { gone[row.record.key] = row.revision }
        return gone
    }
}
