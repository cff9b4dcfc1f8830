import BotCore
import Values

/// Takes due payloads out of the outbox, hands them to their sinks, and settles what came of it.
///
/// Claimed on disk before the first byte; sinks side by side; what came of tries is settled together, as many as have ended since the
/// last time.
actor Courier {
    private let store: any StateStore
    private let desk: Desk
    private let clock: any WallClock
    private let alarms: Alarms
    private let waker: Waker
    private let log: Log
    private let sinks: [String: SinkSetup]
    private var jitter: Jitter
    private var states: [String: SinkState] = [:]
    private var fingerprints: [String: String] = [:]
    /// When rests of sinks were last ended by another process: what was tried before is no answer to that.
    private var awakened: [String: Timestamp] = [:]
    private var running: [String: Int] = [:]
    private var tasks: [String: Task<Void, Never>] = [:]
    private var results: [DeliveryResult] = []
    private(set) var tally = DeliveryTally()
    /// How many deliveries were ever begun.
    private(set) var started = 0
    /// When the outbox was last looked through, what it was like, and when it is next worth a look.
    private var lastLook: (at: Timestamp, revision: Int, next: Timestamp?)?

    init(
        _ setup: EngineSetup,
        store: any StateStore,
        desk: Desk,
        clock: any WallClock,
        alarms: Alarms,
        waker: Waker,
        jitter: Jitter,
        log: Log
    ) {
        self.store = store
        self.desk = desk
        self.clock = clock
        self.alarms = alarms
        self.waker = waker
        self.jitter = jitter
        self.log = log
        sinks = Dictionary(setup.sinks.map { ($0.name, $0) }) { first, _ in first }
    }

    var isIdle: Bool { tasks.isEmpty && results.isEmpty }

    /// Reads what is remembered of the sinks and judges what an earlier process left half sent.
    func begin(at now: Timestamp) async throws(StateError) {
        for (name, sink) in sinks { fingerprints[name] = await desk.fingerprint(of: sink.credentials) }
        var changed = try await readStates(at: now)
        if let alive = await desk.checkedThrough, now - alive > Self.longAbsence {
            for name in sinks.keys { states[name, default: SinkState()].availableSince = now }
            changed.formUnion(sinks.keys)
        }
        try await desk.note(sinks: states.filter { changed.contains($0.key) }, at: now)
        for name in sinks.keys.sorted() where states[name]?.restFingerprint != nil {
            log(.warning, "Sink \(name) rests since it was refused. Correct its settings and start again.")
        }
        // What was on its way to a sink that is no longer in the bot file waits for its return.
        let left = try await store.interrupted().filter { sinks[$0.payload.sink] != nil }
        // In place of what an attempt before this one found, which a full disk may have ended.
        results = left.map { claimed in
            let error = PluginError.uncertain("The bot ended while this was being sent.")
            return DeliveryResult(
                claimed: claimed,
                outcome: .failure(error),
                startedAt: now,
                at: now,
                isInterrupted: true
            )
        }
        try await settle(at: now)
    }

    /// After so long without the bot nothing that waits may be given up at the first failure. A bot that is run once a day is not away.
    private static let longAbsence = TimeSpan.days(2)

    /// Reads what is remembered of the sinks: at first, and when another process may have written it. What was refused under other settings
    /// is tried again.
    /// - Returns: the sinks of which such refusals are still written.
    @discardableResult
    func readStates(at now: Timestamp) async throws(StateError) -> Set<String> {
        let before = states
        let stored = try await store.sinks()
        states = stored
        let ended = before.filter { $0.value.restFingerprint != nil && states[$0.key]?.restFingerprint == nil }.keys
        for name in ended { awakened[name] = now }
        for (name, fingerprint) in fingerprints {
            if let rest = states[name]?.restFingerprint, rest != fingerprint { states[name]?.endRests(at: now) }
            let recipients = states[name]?.recipients ?? [:]
            states[name]?.recipients = recipients.filter { [nil, fingerprint].contains($0.value.goneFingerprint) }
        }
        for name in ended { await sinks[name]?.sink.forgetRefusal() }
        return Set(fingerprints.keys.filter { states[$0] != stored[$0] })
    }

    /// Moments that were noted lie ahead now, and would make every refusal look like an old one.
    func clockWasSetBack() { awakened = [:] }

    /// Settles what has ended, then claims and starts what is due.
    ///
    /// - Parameter afterOthers: whether another process may have changed the outbox.
    /// - Returns: when the next payload falls due; nil if none waits, or all that wait are held up by tries that still run.
    func pump(at now: Timestamp, afterOthers: Bool) async throws(StateError) -> Timestamp? {
        try await settle(at: now)
        let revision = await desk.outboxRevision
        if let last = lastLook, !afterOthers, last.revision == revision, last.at <= now,
            last.next.map({ $0 > now }) ?? true
        {
            // Most turns of the engine have nothing to send.
            return last.next
        }
        let next = try await look(at: now)
        lastLook = (now, revision, next)
        return next
    }

    private func look(at now: Timestamp) async throws(StateError) -> Timestamp? {
        var places: [String: Int] = [:]
        for (name, sink) in sinks {
            let state = states[name] ?? SinkState()
            let free = state.places(of: sink, at: now) - placesTaken(at: name)
            if free > 0 { places[name] = free }
        }
        if !places.isEmpty {
            let claim = try await store.claim(ClaimRequest(now: now, places: places))
            tally.dropped += claim.stale.count
            for payload in claim.stale {
                log(
                    .warning,
                    "Sink \(payload.sink): a message of the rule \(payload.rule) was stale before it could be sent."
                )
            }
            for claimed in claim.payloads {
                if isForGoneRecipient(claimed) { giveUp(claimed, at: now) } else { start(claimed, at: now) }
            }
        }
        return try await nextDue(at: now)
    }

    /// What is queued by hand is tried all the same.
    private func isForGoneRecipient(_ claimed: ClaimedPayload) -> Bool {
        let payload = claimed.payload
        let isByHand = claimed.queuedAt > payload.createdAt
        return !isByHand && states[payload.sink]?.recipients[payload.recipient]?.goneFingerprint != nil
    }

    private func giveUp(_ claimed: ClaimedPayload, at now: Timestamp) {
        let payload = claimed.payload
        log(.info, "Sink \(payload.sink): a message of the rule \(payload.rule) is not sent, its recipient is gone.")
        let gone = PluginError(.permanent, "The recipient is gone; it was not tried.", about: .recipient)
        results.append(
            DeliveryResult(claimed: claimed, outcome: .failure(gone), startedAt: now, at: now, isUntried: true)
        )
        waker.wake()
    }

    /// What has ended keeps its place until that is written: whoever dies before it has no more under way than there are places.
    private func placesTaken(at sink: String) -> Int {
        (running[sink] ?? 0) + results.count { $0.claimed.payload.sink == sink }
    }

    private func nextDue(at now: Timestamp) async throws(StateError) -> Timestamp? {
        var soonest: Timestamp?
        var free: [String] = []
        for (name, sink) in sinks {
            let state = states[name] ?? SinkState()
            let taken = placesTaken(at: name)
            if state.places(of: sink, at: now) > taken {
                free.append(name)
            } else if state.restFingerprint == nil, taken == 0, let rest = state.health.notBefore {
                if try await store.nextDue(of: [name]) != nil { soonest = [soonest, rest].compactMap(\.self).min() }
            }
        }
        guard !free.isEmpty, let due = try await store.nextDue(of: free.sorted()) else { return soonest }
        return [soonest, due].compactMap(\.self).min()
    }

    private func start(_ claimed: ClaimedPayload, at now: Timestamp) {
        guard let setup = sinks[claimed.payload.sink] else { return }
        running[setup.name, default: 0] += 1
        started += 1
        var payload = claimed.payload
        if setup.recognisesRepeats { payload.isRepeat = false }
        let deadline = now + setup.timeout
        tasks[payload.id] = Task { [alarms, clock, payload] in
            let outcome = await Watchdog.run(until: deadline, grace: Self.lastWords, alarms) {
                () async -> Result<Receipt, PluginError> in
                do throws(PluginError) {
                    return .success(try await setup.sink.deliver(payload, at: now))
                } catch {
                    return .failure(error)
                }
            }
            let end = clock.now
            let judged = Self.judge(outcome, isLate: end >= deadline, after: setup.timeout)
            finish(DeliveryResult(claimed: claimed, outcome: judged, startedAt: now, at: end))
        }
    }

    /// How long a delivery that has been broken off may take to say what came of it: a mail that still waited for its turn was not sent, one
    /// that was on its way may have arrived.
    private static let lastWords = TimeSpan.seconds(10)

    /// What came of a delivery; of one that took too long, in the words for that.
    private static func judge(
        _ outcome: Result<Receipt, PluginError>?,
        isLate: Bool,
        after span: TimeSpan
    ) -> Result<Receipt, PluginError> {
        let lateness = "The sink did not answer within \(span.seconds) s."
        guard let outcome else { return .failure(.uncertain(lateness)) }
        guard isLate, case .failure(let error) = outcome else { return outcome }
        switch error.disposition {
        case .transient, .uncertain: return .failure(PluginError(error.disposition, lateness, about: error.scope))
        case .permanent, .unauthorized, .unavailable: return outcome
        }
    }

    private func finish(_ result: DeliveryResult) {
        let payload = result.claimed.payload
        tasks[payload.id] = nil
        running[payload.sink, default: 1] -= 1
        results.append(result)
        waker.wake()
    }

    /// What cannot be written now stays for the next time: its payloads remain claimed on disk meanwhile.
    private func settle(at now: Timestamp) async throws(StateError) {
        guard !results.isEmpty else { return }
        let ended = results
        var states = self.states
        var verdicts: [DeliveryVerdict] = []
        for result in ended {
            let name = result.claimed.payload.sink
            guard let sink = sinks[name] else { continue }
            let isOld = awakened[name].map { result.startedAt < $0 } ?? false
            let verdict = DeliveryVerdict(
                result,
                sink: sink,
                state: states[name] ?? SinkState(),
                isFromBeforeRest: isOld,
                fingerprint: fingerprints[name] ?? "",
                share: jitter.share()
            )
            states[name] = verdict.state
            verdicts.append(verdict)
        }
        try await desk.settle(verdicts, ended, knowing: self.states, at: now)
        self.states = states
        results.removeFirst(ended.count)
        tally.add(verdicts)
    }

    /// Lets running tries end, until a deadline; then gives them up. What is left stays claimed, and the next start judges it.
    func drain(until deadline: Timestamp) async throws(StateError) {
        while !tasks.isEmpty, clock.now < deadline { await waker.sleep(until: deadline) }
        for task in tasks.values { task.cancel() }
        try await settle(at: clock.now)
    }
}

/// What a courier has done since it began.
public struct DeliveryTally: Sendable, Hashable {
    public var delivered = 0
    /// Will be tried again.
    public var postponed = 0
    /// Given up, or left to a person.
    public var dead = 0
    /// Stale, or given up by `uncertain: drop`.
    public var dropped = 0

    mutating func add(_ verdicts: [DeliveryVerdict]) {
        for verdict in verdicts {
            switch verdict.settlement.outcome {
            case .delivered: delivered += 1
            case .retry, .released: postponed += 1
            case .held, .dead: dead += 1
            case .dropped: dropped += 1
            }
        }
    }
}
