public import BotCore
import Synchronization
public import Values

/// A store whose owner dies, or whose disk is full, at a step that the test names.
///
/// Steps are the calls that write: claims, commits, prunings. They count from 1.
public final class FaultyStore: StateStore {
    public enum Fault: Sendable, Hashable {
        /// The process ends before the step: nothing of it is written, and no later call does anything.
        case diesBefore(Int)
        /// The process ends right after the step: it is written, and nobody hears of it.
        case diesAfter(Int)
        /// These steps find no room on the disk.
        case diskFull(ClosedRange<Int>)
    }

    private struct Progress {
        var steps = 0
        var isDead = false
        var isFull = false
    }
    private let base: any StateStore
    private let fault: Fault?
    private let watch: @Sendable (String) async -> Void
    private let afterView: @Sendable (String) async -> Void
    private let progress = Mutex(Progress())
    private static let death = StateError.failed("the process was killed")

    /// - Parameter watch: hears of every step as it comes and as it is done: `before commit`, `after commit`. A test may end its process
    ///   there in earnest, or let the step wait.
    /// - Parameter afterView: hears of every source whose records have been read, before the caller has them.
    public init(
        _ base: any StateStore,
        _ fault: Fault? = nil,
        watch: @escaping @Sendable (String) async -> Void = { _ in },
        afterView: @escaping @Sendable (String) async -> Void = { _ in }
    ) {
        self.base = base
        self.fault = fault
        self.watch = watch
        self.afterView = afterView
    }

    /// How many steps were taken.
    public var steps: Int { progress.withLock { $0.steps } }
    public var isDead: Bool { progress.withLock { $0.isDead } }
    /// From now on no step finds room on the disk, or each does again.
    public func setFull(_ isFull: Bool) { progress.withLock { $0.isFull = isFull } }

    private func step<Outcome>(
        _ name: String,
        _ work: () async throws(StateError) -> Outcome
    ) async throws(StateError) -> Outcome {
        await watch("before \(name)")
        let (number, isFull) = progress.withLock { progress in
            progress.steps += 1
            if fault == .diesBefore(progress.steps) { progress.isDead = true }
            guard case .diskFull(let steps) = fault else { return (progress.steps, progress.isFull) }
            return (progress.steps, progress.isFull || steps.contains(progress.steps))
        }
        try live()
        if isFull { throw .diskFull("no room in this test") }
        let outcome = try await work()
        await watch("after \(name)")
        if fault == .diesAfter(number) { progress.withLock { $0.isDead = true } }
        try live()
        return outcome
    }

    private func live() throws(StateError) {
        if isDead { throw Self.death }
    }

    public func commit(_ commits: [Commit]) async throws(StateError) {
        try await step("commit") { () async throws(StateError) in try await base.commit(commits) }
    }
    public func claim(_ request: ClaimRequest) async throws(StateError) -> Claim {
        try await step("claim") { () async throws(StateError) in try await base.claim(request) }
    }
    public func prune(before cut: Timestamp, keeping names: NamesInUse) async throws(StateError) {
        try await step("prune") { () async throws(StateError) in try await base.prune(before: cut, keeping: names) }
    }
    public func requeue(_ ids: [String]?, at now: Timestamp) async throws(StateError) -> Int {
        try await step("requeue") { () async throws(StateError) in try await base.requeue(ids, at: now) }
    }

    public func sources() async throws(StateError) -> [String: SourceState] {
        try live()
        return try await base.sources()
    }
    public func keys(of source: String) async throws(StateError) -> Set<String> {
        try live()
        return try await base.keys(of: source)
    }
    public func records(for questions: [RecordQuestion]) async throws(StateError) -> [StoredRecords] {
        try live()
        return try await base.records(for: questions)
    }
    public func view(of source: String) async throws(StateError) -> SourceView? {
        try live()
        let view = try await base.view(of: source)
        await afterView(source)
        return view
    }
    public func worlds(_ keys: [String]) async throws(StateError) -> [String: WorldState] {
        try live()
        return try await base.worlds(keys)
    }
    public func policyMemory() async throws(StateError) -> [String: Value] {
        try live()
        return try await base.policyMemory()
    }
    public func interrupted() async throws(StateError) -> [ClaimedPayload] {
        try live()
        return try await base.interrupted()
    }
    public func nextDue(of sinks: [String]) async throws(StateError) -> Timestamp? {
        try live()
        return try await base.nextDue(of: sinks)
    }
    public func deliveries(in states: Set<DeliveryState>, limit: Int) async throws(StateError) -> [Delivery] {
        try live()
        return try await base.deliveries(in: states, limit: limit)
    }
    public func counts() async throws(StateError) -> [DeliveryState: Int] {
        try live()
        return try await base.counts()
    }
    public func fired(_ slots: [Slot]) async throws(StateError) -> Set<Slot> {
        try live()
        return try await base.fired(slots)
    }
    public func checkedThrough() async throws(StateError) -> Timestamp? {
        try live()
        return try await base.checkedThrough()
    }
    public func rests() async throws(StateError) -> [String: AccountRest] {
        try live()
        return try await base.rests()
    }
    public func sinks() async throws(StateError) -> [String: SinkState] {
        try live()
        return try await base.sinks()
    }
    public func rules() async throws(StateError) -> [String: Health] {
        try live()
        return try await base.rules()
    }
    public func events(since start: Timestamp, limit: Int) async throws(StateError) -> [Event] {
        try live()
        return try await base.events(since: start, limit: limit)
    }
    public func notes(about id: String) async throws(StateError) -> [RuleNote] {
        try live()
        return try await base.notes(about: id)
    }
    public func fingerprintKey() async throws(StateError) -> [UInt8] {
        try live()
        return try await base.fingerprintKey()
    }
    public func memoryLoss() async throws(StateError) -> String? {
        try live()
        return try await base.memoryLoss()
    }
    public func changedElsewhere() async throws(StateError) -> Bool {
        try live()
        return try await base.changedElsewhere()
    }
    public func close() async { await base.close() }
}
