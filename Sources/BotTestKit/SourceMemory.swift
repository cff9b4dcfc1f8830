public import BotCore
import BotEngine
public import Values

/// What the engine remembers of one source, in memory: polls of a provider are compared by the engine's own differ.
public struct SourceMemory: Sendable {
    private let schema: SourceSchema
    private var state = SourceState()
    private var gone: [String: Int64] = [:]
    /// The stored rows by key.
    public private(set) var stored: [String: StoredRecord] = [:]

    public init(_ schema: SourceSchema) { self.schema = schema }

    /// What a provider is asked with next.
    public func request(at now: Timestamp, in zone: Zone) -> FetchRequest {
        FetchRequest(now: now, zone: zone, memo: state.memo, knownKeys: Set(stored.keys))
    }

    /// Takes in an answer.
    /// - Returns: what a provider interprets; nil where there is nothing to tell: for a first answer, for one that says that nothing
    ///   changed, and for a list that is suddenly empty.
    public mutating func take(_ snapshot: Snapshot, at now: Timestamp) -> Difference? {
        let first = Differ.firstDay(of: snapshot, state: state)
        let answered = Set((snapshot.records ?? []).map(\.key))
        let present = stored.values.filter { row in
            guard let first, let date = row.record.date else { return true }
            return date >= first || answered.contains(row.record.key)
        }
        let rows = StoredRecords(present: present.sorted { $0.record.key < $1.record.key }, gone: gone)
        let comparison = Differ(snapshot, state: state, stored: rows, schema: schema).compare(at: now)
        for (key, revision) in comparison.gone {
            stored[key] = nil
            gone[key] = revision
        }
        for row in comparison.put {
            stored[row.record.key] = row
            gone[row.record.key] = nil
        }
        state = comparison.state
        return comparison.difference
    }
}
