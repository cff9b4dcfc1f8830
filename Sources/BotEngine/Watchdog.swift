import BotCore
import Synchronization
import Values

/// Ends the waiting for work that does not end by itself.
enum Watchdog {
    /// What the work gives, or nil at the deadline or when the caller is cancelled. The work is cancelled then, and left behind if it
    /// does not care: whoever has to know when it really ends notes it in the work itself.
    ///
    /// - Parameter grace: how long after the deadline work that has been cancelled may still say what came of it.
    static func run<Answer: Sendable>(
        until deadline: Timestamp,
        grace: TimeSpan = .zero,
        _ alarms: Alarms,
        _ work: @escaping @Sendable () async -> Answer
    ) async -> Answer? {
        let race = Race<Answer?>()
        let worker = Task { race.end(await work()) }
        let end = alarms.set(at: deadline + grace) { race.end(nil) }
        let breakOff = grace > .zero ? alarms.set(at: deadline) { worker.cancel() } : nil
        defer {
            alarms.takeBack(end)
            if let breakOff { alarms.takeBack(breakOff) }
            worker.cancel()
        }
        return await withTaskCancellationHandler {
            await race.outcome()
        } onCancel: {
            race.end(nil)
            worker.cancel()
        }
    }
}

/// What the first of several comes to; the others come too late.
private final class Race<Outcome: Sendable>: Sendable {
    private enum State {
        case running(CheckedContinuation<Outcome, Never>?)
        case over(Outcome)
    }
    private let state = Mutex(State.running(nil))

    func end(_ outcome: Outcome) {
        let waiting = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard case .running(let waiting) = state else { return nil }
            state = .over(outcome)
            return waiting
        }
        waiting?.resume(returning: outcome)
    }

    /// To be asked once.
    func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> Outcome? in
                if case .over(let outcome) = state { return outcome }
                state = .running(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
