public import BotCore
import Synchronization
import Values

/// A provider that answers what it is told to, in order; the last answer stays.
public final class ScriptedProvider: Provider {
    /// What a question is answered.
    public enum Answer: Sendable {
        case snapshot(Snapshot)
        case failure(PluginError)
        /// Never ends, whatever happens to its task.
        case hang
        /// Waits for its task to be cancelled.
        case wait

        /// A whole list.
        public static func list(_ records: [Record]) -> Answer { .snapshot(Snapshot(records: records)) }
    }

    private struct State {
        var answers: [Answer]
        /// Whether the last answer has been given already.
        var isUsedUp = false
        var requests: [FetchRequest] = []
        var running = 0
        var mostRunning = 0
        var hanging: [CheckedContinuation<Void, Never>] = []
    }
    private let state: Mutex<State>
    private let meaning: @Sendable (Difference, InterpretationContext) -> [Occurrence]

    /// - Parameter meaning: what the changes mean; `ScriptedProvider.plainMeaning` unless said otherwise.
    public init(
        _ answers: [Answer],
        meaning: @escaping @Sendable (Difference, InterpretationContext) -> [Occurrence] = ScriptedProvider.plainMeaning
    ) {
        state = Mutex(State(answers: answers))
        self.meaning = meaning
    }

    public var requests: [FetchRequest] { state.withLock { $0.requests } }
    /// The most requests that ran at once.
    public var mostRunning: Int { state.withLock { $0.mostRunning } }

    /// Adds answers, the next ones if all others have been given; the one that stays is the last of these from then on.
    public func then(_ answers: Answer...) {
        state.withLock { state in
            if state.isUsedUp { state.answers = [] }
            state.isUsedUp = false
            state.answers += answers
        }
    }

    /// Lets what hangs end with a failure.
    public func release() {
        let hanging = state.withLock { state in
            defer { state.hanging = [] }
            return state.hanging
        }
        for continuation in hanging { continuation.resume() }
    }

    public func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let answer = state.withLock { state -> Answer? in
            state.requests.append(request)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
            if state.answers.count > 1 { return state.answers.removeFirst() }
            state.isUsedUp = true
            return state.answers.first
        }
        defer { state.withLock { $0.running -= 1 } }
        switch answer {
        case .snapshot(let snapshot)?: return snapshot
        case .failure(let error)?: throw error
        case .hang?:
            await withCheckedContinuation { continuation in state.withLock { $0.hanging.append(continuation) } }
            throw .transient("released")
        case .wait?:
            while !Task.isCancelled { await Task.yield() }
            throw .transient("cancelled")
        case nil: throw .permanent("the script is empty")
        }
    }

    public func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        meaning(difference, context)
    }

    /// `lesson.added`, `lesson.changed`, `lesson.removed` for records of type `lesson`; of what enters a window, nothing.
    public static let plainMeaning: @Sendable (Difference, InterpretationContext) -> [Occurrence] = { difference, _ in
        difference.changes.compactMap { change in
            guard let record = change.new ?? change.old else { return nil }
            let verb: String? =
                switch change.kind {
                case .added: "added"
                case .removed: "removed"
                case .changed: "changed"
                case .entered, .renumbered: nil
                }
            return verb.map { verb in
                Occurrence(
                    kind: "\(record.type).\(verb)",
                    record: record,
                    old: change.new == nil ? nil : change.old,
                    changes: change.fields,
                    revision: change.revision
                )
            }
        }
    }
}
