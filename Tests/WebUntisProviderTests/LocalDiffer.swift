import BotCore
import Values

/// A source's memory in small, for tests: what the engine keeps and how it compares.
struct LocalDiffer {
    let schema: SourceSchema
    var stored: [String: StoredRecord] = [:]
    var memo = Value.null
    var window: DateWindow?
    var seenDates: Set<CalendarDate> = []
    var isFirst = true

    init(_ schema: SourceSchema) { self.schema = schema }

    /// Takes in an answer; nil for the first, which is only learnt, and for one that says that nothing changed.
    mutating func take(_ snapshot: Snapshot, today: CalendarDate) -> Difference? {
        defer { memo = snapshot.memo }
        guard let records = snapshot.records else { return nil }
        stored = stored.filter { entry in
            entry.value.record.date.map { $0 >= snapshot.window?.first ?? today } ?? true || snapshot.window == nil
        }
        let before = stored.values.map(\.record)
        var changes: [Change] = []
        var kept: [String: StoredRecord] = [:]
        var fresh: [Record] = []
        for record in records {
            if let old = stored.removeValue(forKey: record.key) {
                changes += change(old, record, into: &kept)
            } else {
                fresh.append(record)
            }
        }
        for record in fresh {
            let twin = record.likeness.flatMap { likeness in stored.first { $0.value.record.likeness == likeness } }
            if let twin {
                stored[twin.key] = nil
                changes += change(twin.value, record, into: &kept)
            } else {
                let isKnown = record.date.map { seenDates.contains($0) || snapshot.window == nil } ?? true
                kept[record.key] = StoredRecord(record, revision: 1)
                changes.append(Change(isKnown ? .added : .entered, new: record, revision: 1))
            }
        }
        for (key, old) in stored.sorted(by: { $0.key < $1.key }) {
            if isCovered(old.record, by: snapshot), !snapshot.unreadableKeys.contains(key) {
                changes.append(Change(.removed, old: old.record, revision: old.revision + 1))
            } else {
                kept[key] = old
            }
        }
        stored = kept
        seenDates = Set(
            (snapshot.window?.dates ?? []).filter { !snapshot.unknownDates.contains($0) || seenDates.contains($0) }
        )
        defer { isFirst = false }
        return isFirst
            ? nil : Difference(changes: changes, before: before, after: records, oldMemo: memo, newMemo: snapshot.memo)
    }

    private func isCovered(_ record: Record, by snapshot: Snapshot) -> Bool {
        guard let window = snapshot.window, let date = record.date else { return true }
        return window.contains(date) && !snapshot.unknownDates.contains(date)
    }

    private func change(_ old: StoredRecord, _ new: Record, into kept: inout [String: StoredRecord]) -> [Change] {
        let names = schema.records.first { $0.name == new.type }?.fields.map(\.name) ?? []
        let fields = names.filter { !schema.uncomparedFields.contains("\(new.type).\($0)") }.compactMap {
            name -> FieldChange? in
            let (before, after) = (old.record.fields[name] ?? .null, new.fields[name] ?? .null)
            return before == after ? nil : FieldChange(field: name, old: before, new: after)
        }
        let revision = fields.isEmpty ? old.revision : old.revision + 1
        kept[new.key] = StoredRecord(new, revision: revision)
        if !fields.isEmpty { return [Change(.changed, old: old.record, new: new, fields: fields, revision: revision)] }
        return old.record.key == new.key ? [] : [Change(.renumbered, old: old.record, new: new, revision: revision)]
    }
}
