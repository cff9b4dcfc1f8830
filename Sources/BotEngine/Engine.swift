public import BotCore
public import Values

/// The loop of the house: polls what is due, fires what has come, delivers what waits.
///
///     clock → Engine → Provider → Differ → Interpreter → Rules → Outbox → Courier → Sink
///             (due)    (Snapshot)  (Change)  (Event)     (Message) (commit) (try)   (Receipt)
///
/// `run()` lives until `stop()`; `runOnce()` does all that is due once, for cron. Either may be called once in an engine's life.
public actor Engine {
    let setup: EngineSetup
    let store: any StateStore
    let clock: any WallClock
    let log: Log
    let desk: Desk
    let courier: Courier
    let alarms: Alarms
    nonisolated let waker: Waker
    let sources: [String: SourceSetup]

    var plan = PollPlan()
    /// Sources that are being polled.
    var polling: Set<String> = []
    /// Sources whose request has not ended yet, although it may have been given up.
    var fetching: Set<String> = []
    var tasks: [Int: Task<Void, Never>] = [:]
    var taskCount = 0
    /// Sources that are polled and are to be polled once more: their account rested when they were asked, and does so no longer.
    var askedTooEarly: Set<String> = []
    /// Who waits for a source to be polled.
    var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
    /// Slots that are on their way.
    var firing: Set<Slot> = []
    var checkedSlots = Timestamp(seconds: 0)
    var nextSlot: Timestamp?
    var isSlotPlanFresh = false
    var failure: StateError?
    /// No room on the disk: nothing is polled or sent before this.
    var heldUntil: Timestamp?
    var holdReason: StateError?
    var nextDelivery: Timestamp?
    var lastTurn: Timestamp?
    /// Other processes have written, and not all has been read again yet.
    var othersHaveWritten = false
    var nextPruning: Timestamp?
    var isStopping = false
    var pollTally = PollTally()

    /// How long deliveries and commits may take after `stop()`; with the closing of everything that makes ten seconds at most.
    public static let farewell = TimeSpan.seconds(9)
    /// The pause after which a full disk is tried again.
    static let hold = TimeSpan.seconds(30)
    /// How often the engine looks whether small commands have written beside it.
    static let longestSleep = TimeSpan.seconds(10)

    /// - Parameters:
    ///   - jitter: spreads waits after failures; a seeded generator in tests.
    public init(
        _ setup: EngineSetup,
        store: any StateStore,
        clock: any WallClock,
        jitter: any RandomNumberGenerator & Sendable,
        log: Log
    ) {
        self.setup = setup
        self.store = store
        self.clock = clock
        self.log = log
        alarms = Alarms(clock)
        waker = Waker(alarms)
        let desk = Desk(setup, store: store, jitter: Jitter(jitter), log: log)
        self.desk = desk
        courier = Courier(
            setup,
            store: store,
            desk: desk,
            clock: clock,
            alarms: alarms,
            waker: waker,
            jitter: Jitter(jitter),
            log: log
        )
        sources = Dictionary(setup.sources.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Works until `stop()` is called or the task is cancelled; what is on its way then has the `farewell` to arrive.
    /// - Throws: what makes it impossible to go on. A full disk does not: it is waited for.
    public func run() async throws(StateError) {
        defer { abandon() }
        while !isStopping, !Task.isCancelled {
            do {
                try await begin()
                break
            } catch {
                try hold(after: error, at: clock.now)
                await waker.sleep(until: heldUntil)
            }
        }
        plan.spread(from: clock.now, gap: setup.startGap)
        while !isStopping, !Task.isCancelled {
            let next = try await turn()
            if isStopping { break }
            let look = clock.now + Self.longestSleep
            await waker.sleep(until: min(next ?? look, look))
        }
        try await end()
    }

    /// Takes up no more work; `run` or `runOnce` returns when what is on its way has ended, within ten seconds.
    public func stop() {
        isStopping = true
        waker.wake()
    }

    /// Goes on with other rules. Sources and sinks stay: other ones need another engine.
    ///
    /// - Parameter inactive: rules that do not run as they are written; each is told of once.
    public func reload(rules: any Rules, inactive: [InactiveRule] = []) async throws(StateError) {
        try await desk.replace(rules: rules, inactive: inactive, at: clock.now)
        isSlotPlanFresh = false
        waker.wake()
    }

    /// Does everything that is due now.
    /// - Returns: when something is due next; nil if nothing is known to come.
    func turn() async throws(StateError) -> Timestamp? {
        let now = clock.now
        if let failure { throw failure }
        if noticeJump(to: now) {
            await desk.clockWasSetBack()
            await courier.clockWasSetBack()
        }
        if let held = heldUntil, held > now { return held }
        do {
            if heldUntil != nil {
                try await desk.probe(at: now)
                await endHold(at: now)
            }
            try await takeUpWork(at: now)
        } catch {
            try hold(after: error, at: now)
        }
        if let failure { throw failure }
        if let heldUntil { return heldUntil }
        // Places for polls may all be taken: the end of a poll wakes the loop.
        let poll = polling.count < setup.parallelPolls ? plan.next(besides: polling) : nil
        let deadline = await desk.deadline
        return [nextDelivery, poll, nextSlot, deadline].compactMap(\.self).min()
    }

    private func takeUpWork(at now: Timestamp) async throws(StateError) {
        if try await store.changedElsewhere() { othersHaveWritten = true }
        let afterOthers = othersHaveWritten
        if afterOthers {
            let awakened = try await desk.forgetCopies(at: now)
            for account in setup.accounts where awakened.contains(account.name) {
                await account.account.forgetRefusal()
            }
            try await courier.readStates(at: now)
            await planAwakened(awakened, at: now)
            isSlotPlanFresh = false
        }
        try await startSlots(at: now)
        startPolls(at: now)
        try await desk.askPolicies(at: now)
        try await prune(at: now)
        nextDelivery = try await courier.pump(at: now, afterOthers: afterOthers)
        // Said once by the store: a turn that a full disk has ended before this did not look at everything.
        if afterOthers { othersHaveWritten = false }
    }

    /// After a clock was set back, moments that lay near are far away: what is planned is planned anew.
    /// - Returns: whether it was.
    private func noticeJump(to now: Timestamp) -> Bool {
        defer { lastTurn = now }
        guard let last = lastTurn, now < last else { return false }
        log(.warning, "The clock was set back by \((last - now).seconds) s.")
        if checkedSlots > now { checkedSlots = now }
        isSlotPlanFresh = false
        nextPruning = nil
        if heldUntil != nil { heldUntil = now }
        for (name, source) in sources {
            guard let due = plan[name], due > now else { continue }
            plan.set(name, due: min(due, source.interval.next(after: now, in: source.zone)))
        }
        return true
    }

    private func prune(at now: Timestamp) async throws(StateError) {
        if let next = nextPruning, next > now { return }
        let names = NamesInUse(
            sources: Set(sources.keys),
            sinks: Set(setup.sinks.map(\.name)),
            rules: await desk.ruleIDs.union(desk.ruleIDs.map(UnmatchedRules.key))
        )
        try await store.prune(before: now - setup.retention, keeping: names)
        try await desk.noteUnmatchedRules(at: now)
        nextPruning = now + .days(1)
    }

    /// A full disk is waited for; anything else ends the process, since nothing may be guessed.
    func hold(after error: StateError, at now: Timestamp) throws(StateError) {
        guard case .diskFull = error else { throw error }
        if heldUntil == nil { log(.error, "\(error)") }
        holdReason = error
        heldUntil = now + Self.hold
    }

    private func endHold(at now: Timestamp) async {
        heldUntil = nil
        holdReason = nil
        // A rest that could not be written is none, but sources may have been left out because of it.
        await planAwakened([], at: now)
        log(.info, "There is room on the disk again.")
    }
}
