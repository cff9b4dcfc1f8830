import BotCore
import Digests
import Values

/// Where events come from.
struct EventOrigin: Sendable {
    var source: String
    var account: String
    var world: String
    var student: Student
}

/// Gives occurrences their ids; pure.
enum EventBuilding {
    /// - Parameters:
    ///   - changes: those that the occurrences were made of.
    ///   - worlds: what is known under `worldKeys(of:world:)`.
    /// - Returns: the events, and the rows of the world that they change.
    static func events(
        of occurrences: [Occurrence],
        changes: [Change],
        from origin: EventOrigin,
        worlds: [String: WorldState],
        at now: Timestamp
    ) -> (events: [Event], worlds: [String: WorldState]) {
        // Only what others see, too, needs to know what became of it.
        let changed = origin.world.isEmpty ? [] : changes
        let kinds = Dictionary(
            changed.compactMap { change in (change.new ?? change.old).map { ($0.key, change.kind) } }
        ) { first, _ in first }
        var table = WorldTable(worlds)
        var seen: Set<String> = []
        let events = occurrences.compactMap { occurrence -> Event? in
            let record = occurrence.record
            let id = ContentID.make([origin.source, record.key, String(occurrence.revision), occurrence.kind])
            guard seen.insert(id).inserted else { return nil }
            var worldID = id
            if let key = WorldTable.key(world: origin.world, record: record) {
                let revision = table.revision(of: occurrence, change: kinds[record.key], key: key)
                worldID = ContentID.make(["world", key, String(revision), occurrence.kind])
            }
            return Event(
                id: id,
                worldID: worldID,
                kind: occurrence.kind,
                at: now,
                source: origin.source,
                account: origin.account,
                student: origin.student,
                record: record,
                old: occurrence.old,
                changes: occurrence.changes,
                revision: occurrence.revision
            )
        }
        return (events, table.changed)
    }

    /// The rows of the world that occurrences are judged by.
    static func worldKeys(of occurrences: [Occurrence], world: String) -> [String] {
        Array(Set(occurrences.compactMap { WorldTable.key(world: world, record: $0.record) })).sorted()
    }
}
