public import BotCore
import Synchronization
public import Values

/// A clock that stands until it is told to move.
public final class ManualClock: WallClock {
    private struct Sleeper {
        let deadline: Timestamp
        let continuation: CheckedContinuation<Void, Never>
    }
    private struct State {
        var now: Timestamp
        var sleepers: [Int: Sleeper] = [:]
        var count = 0
        var cancelled: Set<Int> = []
    }
    private let state: Mutex<State>

    public init(_ now: Timestamp) { state = Mutex(State(now: now)) }

    public var now: Timestamp { state.withLock { $0.now } }

    /// How many wait for it.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves the clock on, and wakes those whose time has come.
    public func advance(by span: TimeSpan) { set(to: now + span) }

    /// Moves the clock, forwards or backwards, and wakes those whose time has come; after a move backwards everybody.
    public func set(to instant: Timestamp) {
        let woken = state.withLock { state -> [Sleeper] in
            let isBack = instant < state.now
            state.now = instant
            let due = state.sleepers.filter { isBack || $0.value.deadline <= instant }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    public func sleep(until deadline: Timestamp) async {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if deadline <= state.now || state.cancelled.remove(number) != nil { return true }
                    state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                if let sleeper = state.sleepers.removeValue(forKey: number) { return sleeper }
                state.cancelled.insert(number)
                return nil
            }
            sleeper?.continuation.resume()
        }
        state.withLock { _ = $0.cancelled.remove(number) }
    }
}
