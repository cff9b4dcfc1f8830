public import BotCore
public import Values

/// A store without a disk that keeps the same contract; what is in it survives the engine that used it, as a disk would.
public actor MemoryStore: StateStore {
    struct Row: Sendable {
        var stored: StoredRecord
        var isPresent: Bool
        var goneAt: Timestamp?
    }
    struct Entry: Sendable {
        var payload: Payload
        var state: DeliveryState
        var at: Timestamp
        var attempts: Int
        var isHealth: Bool
        var requeuedAt: Timestamp?
        var remoteID: String?
        var tries: [Attempt] = []
    }
    struct FiredSlot: Hashable, Sendable {
        var rule: String
        var key: String
    }

    var sourceStates: [String: SourceState] = [:]
    var rows: [String: [String: Row]] = [:]
    var worldStates: [String: WorldState] = [:]
    var memory: [String: Value] = [:]
    var happened: [Event] = []
    var remarks: [(note: RuleNote, at: Timestamp)] = []
    /// In the order in which they were queued.
    var entries: [Entry] = []
    var slots: [FiredSlot: Timestamp] = [:]
    var checked: Timestamp?
    var accountRests: [String: AccountRest] = [:]
    var sinkStates: [String: SinkState] = [:]
    var ruleHealth: [String: Health] = [:]
    var loss: String?
    /// How often others have written, and what of that was noticed; nothing before the first question, as a real store counts from there.
    private var version = 0
    private var seenVersion: Int?

    /// - Parameter memoryLoss: what `memoryLoss` says until it has been told.
    public init(memoryLoss: String? = nil) { loss = memoryLoss }

    public func sources() -> [String: SourceState] { sourceStates }

    public func keys(of source: String) -> Set<String> {
        Set((rows[source] ?? [:]).filter(\.value.isPresent).keys)
    }

    public func records(for questions: [RecordQuestion]) -> [StoredRecords] { questions.map { records(for: $0) } }

    private func records(for question: RecordQuestion) -> StoredRecords {
        let wanted = Set(question.answer.map(\.key))
        var found = StoredRecords()
        for (key, row) in (rows[question.source] ?? [:]).sorted(by: { $0.key < $1.key }) {
            let date = row.stored.record.date
            let isInRange = question.first.map { first in date.map { $0 >= first } ?? true } ?? true
            guard isInRange || wanted.contains(key) else { continue }
            if row.isPresent { found.present.append(row.stored) } else { found.gone[key] = row.stored.revision }
        }
        return found
    }

    public func view(of source: String) -> SourceView? {
        guard let state = sourceStates[source], state.isLearnt, let takenAt = state.takenAt else { return nil }
        let records = records(for: RecordQuestion(source)).present.map(\.record).filter { record in
            guard let date = record.date, let window = state.window else { return true }
            return window.contains(date)
        }
        return SourceView(
            records: records,
            takenAt: takenAt,
            student: state.student,
            account: state.account,
            calendar: state.calendar
        )
    }

    public func worlds(_ keys: [String]) -> [String: WorldState] { worldStates.filter { keys.contains($0.key) } }
    public func policyMemory() -> [String: Value] { memory }

    public func fired(_ slots: [Slot]) -> Set<Slot> {
        Set(slots.filter { self.slots[FiredSlot(rule: $0.rule, key: $0.key)] != nil })
    }

    public func checkedThrough() -> Timestamp? { checked }
    public func rests() -> [String: AccountRest] { accountRests }
    public func sinks() -> [String: SinkState] { sinkStates }
    public func rules() -> [String: Health] { ruleHealth }

    public func events(since start: Timestamp, limit: Int) -> [Event] {
        Array(happened.filter { $0.at >= start }.reversed().prefix(limit))
    }

    public func notes(about id: String) -> [RuleNote] { remarks.map(\.note).filter { $0.about == id } }
    public func fingerprintKey() -> [UInt8] { [UInt8](repeating: 7, count: 32) }
    public func memoryLoss() -> String? { loss }

    /// As if another process had written.
    public func touch() { version += 1 }

    /// As if another process opened it.
    public func reopen() { seenVersion = nil }

    public func changedElsewhere() -> Bool {
        defer { seenVersion = version }
        return seenVersion.map { $0 != version } ?? false
    }

    public func close() {}
}
