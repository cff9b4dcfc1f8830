import BotCore
import Values

/// Brings stored records and those of an answer together, and writes down what differs.
struct Matching {
    private let differ: Differ
    private let records: [Record]
    /// Where among the stored ones that lies which has the key of each record of the answer; nil for what is not stored. Places, since
    /// records are large and most of them are as they were.
    private let counterparts: [Int?]
    /// Stored records that the answer shows to be gone, before likeness has been asked.
    private(set) var missing: [StoredRecord] = []
    /// Records of the answer under keys that are not stored, before likeness has been asked.
    private var unknown: [Record] = []
    /// What a record of the answer was before, under another key.
    private var formerByKey: [String: StoredRecord] = [:]
    /// Stored records that stay as they are although the answer does not hold them.
    private var kept: [Record] = []
    /// What became of records of the answer, in its order, with their places there; nothing of what is as it was.
    private var changes: [(place: Int, change: Change)] = []

    init(_ differ: Differ, _ answer: UsableRecords) {
        self.differ = differ
        records = answer.records
        var counterparts = [Int?](repeating: nil, count: records.count)
        // An entry without a readable key could be any of those that seem to be gone.
        let someAreNameless = differ.snapshot.unreadable > differ.snapshot.unreadableKeys.count
        for index in differ.stored.present.indices {
            let key = differ.stored.present[index].record.key
            if let place = answer.places[key] {
                counterparts[place] = index
                continue
            }
            let row = differ.stored.present[index]
            let isProven = differ.isCompared(row.record.date) && !differ.snapshot.unreadableKeys.contains(key)
            if isProven && !someAreNameless { missing.append(row) } else { kept.append(row.record) }
        }
        self.counterparts = counterparts
        for place in records.indices where counterparts[place] == nil && differ.isCompared(records[place].date) {
            unknown.append(records[place])
        }
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
        for place in records.indices {
            if let change = change(at: place) { changes.append((place, change)) }
        }
    }

    /// The changes in the order of the answer, removals last.
    var difference: Difference {
        Difference(
            changes: changes.map(\.change) + removals,
            before: before,
            after: kept.isEmpty ? records : records + kept,
            oldMemo: differ.source.memo,
            newMemo: differ.snapshot.memo
        )
    }

    private var before: [Record] {
        let first = differ.snapshot.window?.first
        return differ.stored.present.compactMap { row in
            if let first, let date = row.record.date, date < first { return nil }
            return row.record
        }
    }

    private func change(at place: Int) -> Change? {
        let record = records[place]
        if let counterpart = counterparts[place] {
            let row = differ.stored.present[counterpart]
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
        var left = changes[...]
        return records.indices.compactMap { place in
            let record = records[place]
            if left.first?.place == place, let change = left.popFirst()?.change {
                return StoredRecord(record, revision: change.revision)
            }
            // What has no counterpart has changed.
            guard let counterpart = counterparts[place] else { return nil }
            let row = differ.stored.present[counterpart]
            return row.record == record ? nil : StoredRecord(record, revision: row.revision)
        }
    }

    /// Keys that hold nothing any more. A removal counts as a revision, so that a return is the next one.
    var gone: [String: Int64] {
        var gone = Dictionary(missing.map { ($0.record.key, $0.revision + 1) }) { first, _ in first }
        for row in formerByKey.values { gone[row.record.key] = row.revision }
        return gone
    }
}

/// The records of an answer that can be compared: of days of which it says something, each under a key of its own.
struct UsableRecords {
    let records: [Record]
    /// Where among them a key stands.
    let places: [String: Int]

    /// Of two records with one key the first counts.
    init(_ all: [Record], unknownDates: Set<CalendarDate>) {
        var places: [String: Int] = [:]
        places.reserveCapacity(all.count)
        var usable: [Int] = []
        usable.reserveCapacity(all.count)
        for index in all.indices {
            if let date = all[index].date, unknownDates.contains(date) { continue }
            if let first = places.updateValue(usable.count, forKey: all[index].key) {
                places[all[index].key] = first
            } else {
                usable.append(index)
            }
        }
        self.places = places
        records = usable.count == all.count ? all : usable.map { all[$0] }
    }
}
