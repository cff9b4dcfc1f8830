import BotCore
import Values

/// When sources are asked, and that one that hangs holds up no other.
extension Engine {
    func startPolls(at now: Timestamp) {
        for name in polling where plan[name].map({ $0 <= now }) ?? false {
            guard let source = sources[name] else { continue }
            // A tick that meets a running poll is skipped, not queued.
            plan.set(name, due: source.interval.next(after: now, in: source.zone))
        }
        for name in plan.ready(at: now, besides: polling, limit: setup.parallelPolls - polling.count) {
            guard let source = sources[name] else { continue }
            polling.insert(name)
            start { await $0.poll(source) }
        }
    }

    /// Runs work beside the loop, which it wakes at its end.
    func start(_ work: @escaping @Sendable (Engine) async -> Void) {
        taskCount += 1
        let number = taskCount
        tasks[number] = Task {
            await work(self)
            tasks[number] = nil
            waker.wake()
        }
    }

    /// Asks one source and takes in what it says. The caller has put it into `polling`.
    func poll(_ source: SourceSetup) async {
        let askedAt = clock.now
        plan.set(source.name, due: source.interval.next(after: askedAt, in: source.zone))
        do throws(StateError) {
            if let answer = try await answer(of: source, at: askedAt) {
                let isGood = try await desk.absorb(answer, of: source, askedAt: askedAt, at: clock.now)
                if isGood { pollTally.good += 1 } else { pollTally.failed += 1 }
                // Times inside records may be others now.
                isSlotPlanFresh = false
            }
        } catch {
            fail(error)
        }
        await replan(source, askedAt: askedAt)
        polling.remove(source.name)
        for continuation in waiting.removeValue(forKey: source.name) ?? [] { continuation.resume() }
    }

    /// - Returns: nil if there is nothing to take in: the account rests, or the engine is stopping.
    private func answer(
        of source: SourceSetup,
        at now: Timestamp
    ) async throws(StateError) -> Result<Snapshot, PluginError>? {
        guard let request = try await desk.request(for: source, at: now) else { return nil }
        // Never two requests at once: one that was given up may still hang.
        guard !fetching.contains(source.name) else {
            return .failure(.transient("The last request has not ended yet, long after its time-out."))
        }
        fetching.insert(source.name)
        let answer = await Watchdog.run(until: now + source.timeout, alarms) { [weak self] in
            let answer: Result<Snapshot, PluginError>
            do throws(PluginError) {
                answer = .success(try await source.provider.fetch(request))
            } catch {
                answer = .failure(error)
            }
            await self?.fetchEnded(source.name)
            return answer
        }
        switch answer {
        case .success?: return answer
        case .failure?: return isStopping ? nil : answer
        case nil where isStopping: return nil
        case nil: return .failure(.transient("No whole answer within \(source.timeout.seconds) s."))
        }
    }

    private func fetchEnded(_ source: String) { fetching.remove(source) }

    /// The usual interval, or when the back-off after a failure has passed; never while the account rests.
    private func replan(_ source: SourceSetup, askedAt: Timestamp) async {
        guard let health = await desk.outlook(of: source) else {
            askedTooEarly.remove(source.name)
            return plan.set(source.name, due: nil)
        }
        let isAskedAgain = askedTooEarly.remove(source.name) != nil
        // What could not be written for want of room has not been seen: it is asked for again.
        if let heldUntil { return plan.set(source.name, due: heldUntil) }
        let usual = source.interval.next(after: askedAt, in: source.zone)
        plan.set(source.name, due: health.wait(at: clock.now) ?? (isAskedAgain ? clock.now : usual))
    }

    /// When each source is asked first after a start: as if the bot had never been away.
    func planPolls(at now: Timestamp) async {
        for source in setup.sources {
            if await desk.isResting(source) { continue }
            let state = await desk.state(of: source.name)
            var due = now
            if let asked = state.attemptedAt, asked <= now { due = source.interval.next(after: asked, in: source.zone) }
            plan.set(source.name, due: state.health.wait(at: now) ?? due)
        }
    }

    /// Asks the sources whose rest another process has ended.
    /// - Parameter awakened: what rested and does so no longer, by `Desk.restKey`.
    func planAwakened(_ awakened: Set<String>, at now: Timestamp) async {
        for source in setup.sources {
            let isAwakened = awakened.contains(Desk.restKey(of: source))
            if polling.contains(source.name) {
                if isAwakened { askedTooEarly.insert(source.name) }
            } else if isAwakened || plan[source.name] == nil, await !desk.isResting(source) {
                plan.set(source.name, due: now)
            }
        }
    }

    /// Asks every source that need not wait, whenever it was asked last.
    func planEverything(at now: Timestamp) async {
        for source in setup.sources where plan[source.name] != nil {
            if await desk.state(of: source.name).health.wait(at: now) == nil { plan.set(source.name, due: now) }
        }
    }

    /// Polls a source unless it has answered within its interval; waits for a poll that is under way.
    func refresh(_ source: SourceSetup) async {
        let state = await desk.state(of: source.name)
        // It may have begun while that was asked.
        if polling.contains(source.name) {
            return await withCheckedContinuation { waiting[source.name, default: []].append($0) }
        }
        let now = clock.now
        if state.health.wait(at: now) != nil { return }
        if let taken = state.takenAt, taken <= now, source.interval.next(after: taken, in: source.zone) > now { return }
        polling.insert(source.name)
        await poll(source)
    }

    func fail(_ error: StateError) {
        do {
            try hold(after: error, at: clock.now)
        } catch {
            failure = failure ?? error
        }
    }
}

extension Health {
    /// Until when not to try; nil if now is as good as any time. What lies further ahead than any wait is left over from a clock that
    /// was ahead.
    func wait(at now: Timestamp) -> Timestamp? {
        guard let notBefore, notBefore > now, notBefore - now <= ClaimRequest.longestWait else { return nil }
        return notBefore
    }
}

/// What came of the polls of one engine.
public struct PollTally: Sendable, Hashable {
    public var good = 0
    public var failed = 0
}
