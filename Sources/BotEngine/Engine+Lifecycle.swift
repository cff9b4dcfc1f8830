public import BotCore
public import Values

/// Start, end, and the one run of `once`.
extension Engine {
    /// Reads the memory and judges what an earlier process left behind.
    func begin() async throws(StateError) {
        let now = clock.now
        // What others write from here on is read again at the first turn.
        _ = try await store.changedElsewhere()
        try await desk.begin(at: now)
        try await courier.begin(at: now)
        checkedSlots = await desk.checkedThrough ?? now
        await planPolls(at: now)
        lastTurn = now
    }

    /// Polls every source, fires what is due, delivers, and waits for retries that fall due soon.
    /// - Parameter patience: how long deliveries that failed for now are waited for.
    public func runOnce(patience: TimeSpan = .seconds(30)) async throws(StateError) -> RunReport {
        defer { abandon() }
        try await begin()
        await planEverything(at: clock.now)
        var limit: Timestamp?
        while !isStopping, !Task.isCancelled {
            let (next, isSettled) = try await settlingTurn()
            if let heldUntil {
                guard limit.map({ heldUntil <= $0 }) ?? true else { break }
                limit = limit ?? clock.now + patience
                await waker.sleep(until: heldUntil)
                continue
            }
            guard isSettled else {
                if await !activity.isIdle {
                    await waker.sleep(until: next.flatMap { $0 > clock.now ? $0 : nil })
                }
                continue
            }
            limit = limit ?? clock.now + patience
            guard let due = nextDelivery, let limit, due <= limit else { break }
            await waker.sleep(until: due)
        }
        // Else it has come to its end by itself, which stops it too.
        let wasStopped = isStopping || Task.isCancelled
        try await end()
        if let holdReason { throw holdReason }
        let waiting = try await store.counts()[.queued] ?? 0
        let failing = await desk.failingSources
        return RunReport(
            polls: pollTally,
            deliveries: await courier.tally,
            waiting: waiting,
            failing: setup.sources.map(\.name).filter(failing.contains),
            wasStopped: wasStopped
        )
    }

    /// What is under way, and how much was ever begun.
    struct Activity: Equatable {
        var isIdle: Bool
        var started: Int
    }

    var activity: Activity {
        get async {
            let (courierIsIdle, started) = (await courier.isIdle, await courier.started)
            return Activity(isIdle: tasks.isEmpty && courierIsIdle, started: taskCount + started)
        }
    }

    /// A turn, and whether what it found holds: nothing was under way before it, and it began nothing.
    func settlingTurn() async throws(StateError) -> (next: Timestamp?, isSettled: Bool) {
        let before = await activity
        let next = try await turn()
        let after = await activity
        return (next, before.isIdle && before == after)
    }

    /// Lets commits and deliveries end, within `farewell`; what is left stays claimed, and the next start judges it.
    func end() async throws(StateError) {
        isStopping = true
        let deadline = clock.now + Self.farewell
        // A cancelled caller cancels no farewell.
        let farewell = Task { () async -> StateError? in
            do throws(StateError) {
                try await leave(by: deadline)
                return nil
            } catch {
                return error
            }
        }
        if let error = await farewell.value, holdReason == nil { throw error }
    }

    /// After an error nobody waits for what is under way: its owner is about to close the store.
    func abandon() {
        isStopping = true
        for task in tasks.values { task.cancel() }
    }

    private func leave(by deadline: Timestamp) async throws(StateError) {
        abandon()
        while !tasks.isEmpty, clock.now < deadline { await waker.sleep(until: deadline) }
        try await courier.drain(until: deadline)
        if let failure { throw failure }
        await withTaskGroup(of: Void.self) { group in
            for account in setup.accounts {
                group.addTask { [clock, alarms] in
                    let now = clock.now
                    _ = await Watchdog.run(until: deadline, alarms) { await account.account.close(at: now) }
                }
            }
        }
    }
}

/// What one run did.
public struct RunReport: Sendable, Hashable {
    public var polls: PollTally
    public var deliveries: DeliveryTally
    /// Payloads that are still in the outbox for later.
    public var waiting: Int
    /// Sources whose last poll failed, in the order of the setup; what is not granted to an account is no failure.
    public var failing: [String]
    /// Whether somebody ended it before all was done.
    public var wasStopped: Bool
}
