import BotCore
import Synchronization
import Values

/// Sleeps until a moment or a call, whichever is first. A call while nobody sleeps is not lost: the next sleep ends at once.
final class Waker: Sendable {
    private struct State {
        var isCalled = false
        var sleeper: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())

    func wake() {
        let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let sleeper = state.sleeper else {
                state.isCalled = true
                return nil
            }
            state.sleeper = nil
            return sleeper
        }
        sleeper?.resume()
    }

    /// One sleeper at a time; for ever without a deadline. Returns early when the task is cancelled.
    func sleep(until deadline: Timestamp?, _ clock: any WallClock) async {
        let timer = deadline.map { deadline in
            Task {
                await clock.sleep(until: deadline)
                if !Task.isCancelled { wake() }
            }
        }
        defer { timer?.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCalled = state.withLock { state in
                    if state.isCalled || Task.isCancelled {
                        state.isCalled = false
                        return true
                    }
                    state.sleeper = continuation
                    return false
                }
                if isCalled { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }
}
