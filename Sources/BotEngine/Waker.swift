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
    private let alarms: Alarms

    init(_ alarms: Alarms) { self.alarms = alarms }

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

    /// One sleeper at a time; for ever without a deadline. Returns early when the task is cancelled or the clock is set back.
    func sleep(until deadline: Timestamp?) async {
        if takeCall() { return }
        let alarm = deadline.map { alarms.set(at: $0, ringsWhenSetBack: true) { [self] in wake() } }
        defer { if let alarm { alarms.takeBack(alarm) } }
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

    private func takeCall() -> Bool {
        state.withLock { state in
            defer { state.isCalled = false }
            return state.isCalled
        }
    }
}
