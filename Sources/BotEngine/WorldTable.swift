import BotCore
import Digests
import Values

/// Tells whether something that several accounts see has been seen through another account already.
///
/// A change is a repeat of what the world knows if every field that it changed has that value there already; something whole (added, or
/// entered with a deviation) if its kind was told and nothing known of it contradicts. In doubt it is news: rather told twice by
/// two accounts than lost.
struct WorldTable {
    private let known: [String: WorldState]
    private var seen: [String: WorldState] = [:]

    init(_ known: [String: WorldState]) { self.known = known }

    /// The rows that are new or other than before.
    var changed: [String: WorldState] { seen }

    /// The key of a thing in the table.
    static func key(world: String, record: Record) -> String? {
        guard !world.isEmpty, let key = record.worldKey else { return nil }
        return "\(world)\u{1F}\(key)"
    }

    /// The revision of the thing in the world that an occurrence tells of. All occurrences of one poll are judged by what was known
    /// before it, since one change may have several meanings.
    mutating func revision(of occurrence: Occurrence, change: Change.Kind?, key: String) -> Int64 {
        let before = known[key]
        let facts = Self.facts(of: occurrence)
        if let before, Self.isRepeat(occurrence, change, facts, of: before) {
            return before.kinds[occurrence.kind] ?? before.revision
        }
        var state = seen[key] ?? before ?? WorldState()
        state.revision = (before?.revision ?? 0) + 1
        state.isPresent = change != .removed
        state.facts.merge(facts) { _, new in new }
        state.kinds[occurrence.kind] = state.revision
        seen[key] = state
        return state.revision
    }

    private static func isRepeat(
        _ occurrence: Occurrence,
        _ change: Change.Kind?,
        _ facts: [String: String],
        of state: WorldState
    ) -> Bool {
        if change == .removed { return !state.isPresent }
        guard state.isPresent else { return false }
        if !occurrence.changes.isEmpty { return facts.allSatisfy { state.facts[$0.key] == $0.value } }
        return state.kinds[occurrence.kind] != nil
            && facts.allSatisfy { state.facts[$0.key] == nil || state.facts[$0.key] == $0.value }
    }

    /// The fields that changed; all of them for what has no earlier state.
    private static func facts(of occurrence: Occurrence) -> [String: String] {
        let pairs: [(String, Value)] =
            occurrence.changes.isEmpty
            ? occurrence.record.fields.pairs.compactMap { pair in pair.key.string.map { ($0, pair.value) } }
            : occurrence.changes.map { ($0.field, $0.new) }
        return Dictionary(pairs.map { ($0.0, ContentID.make([$0.1.canonical.json])) }) { _, last in last }
    }
}
