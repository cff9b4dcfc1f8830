import BotCore
import Values

/// Ends the waiting for work that does not end by itself.
enum Watchdog {
    /// What the work gives, or nil at the deadline or when the caller is cancelled. The work is cancelled then, and left behind if it
    /// does not care: whoever has to know when it really ends notes it in the work itself.
    static func run<Answer: Sendable>(
        until deadline: Timestamp,
        _ clock: any WallClock,
        _ work: @escaping @Sendable () async -> Answer
    ) async -> Answer? {
        let (answers, door) = AsyncStream.makeStream(of: Answer?.self, bufferingPolicy: .bufferingOldest(1))
        let worker = Task { door.yield(await work()) }
        let timer = Task {
            await sleep(until: deadline, clock)
            if !Task.isCancelled { door.yield(nil) }
        }
        defer {
            worker.cancel()
            timer.cancel()
        }
        return await withTaskCancellationHandler {
            for await answer in answers { return answer }
            return nil
        } onCancel: {
            worker.cancel()
        }
    }

    /// Sleeps until a deadline, or as long as it was away at first if the clock is set back meanwhile.
    private static func sleep(until deadline: Timestamp, _ clock: any WallClock) async {
        var start = clock.now
        var end = deadline
        while !Task.isCancelled {
            let now = clock.now
            if now < start { (start, end) = (now, now + (end - start)) }
            if now >= end { return }
            await clock.sleep(until: end)
        }
    }
}
