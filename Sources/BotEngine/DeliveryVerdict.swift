import BotCore
import Values

/// What came of one try.
struct DeliveryResult: Sendable {
    var claimed: ClaimedPayload
    var outcome: Result<Receipt, PluginError>
    var startedAt: Timestamp
    var at: Timestamp
    /// Found claimed at a start: says nothing of the sink, and is tried again at once if at all.
    var isInterrupted = false
    /// Given up without a try, since its recipient is gone: the admin knows.
    var isUntried = false
}

/// What a try means for its payload and its sink; pure.
struct DeliveryVerdict: Sendable {
    var settlement: Settlement
    var state: SinkState
    /// About the sink: failing, or recovered.
    var notice: HealthNotice?
    /// Set where the message is given up: why.
    var deadReason: String?

    /// After so long a message that is still refused for now is given up (RFC 5321 section 4.5.4.1: at least 4 to 5 days).
    static let longestTry = TimeSpan.days(5)

    /// - Parameters:
    ///   - isFromBeforeRest: whether it was tried before a rest that somebody has ended since: its refusal starts no other.
    ///   - fingerprint: that of the sink's credentials, kept while they are refused.
    ///   - share: the jitter, 0 ..< 1.
    init(
        _ result: DeliveryResult,
        sink: SinkSetup,
        state: SinkState,
        isFromBeforeRest: Bool,
        fingerprint: String,
        share: Double
    ) {
        self.state = state
        let now = result.at
        let payload = result.claimed.payload
        settlement = Settlement(payload.id, .dead, at: now)
        switch result.outcome {
        case .success(let receipt):
            settlement.outcome = .delivered(remoteID: receipt.remoteID)
            self.state.memo = receipt.sinkMemo ?? state.memo
            self.state.restFingerprint = nil
            self.state.recipients[payload.recipient] = nil
            notice = self.state.health.recover(HealthSchema.sinkRecovered, name: sink.name, at: now)
        case .failure(let error):
            settlement.answer = error.message
            if isFromBeforeRest, error.disposition == .unauthorized {
                settlement.outcome = .retry(at: now, mayHaveArrived: false)
            } else if result.isInterrupted {
                judgeUncertain(result.claimed, sink, after: .zero, now)
            } else if !result.isUntried {
                judge(error, result.claimed, sink, fingerprint, share, now)
            }
        }
    }

    private mutating func judge(
        _ error: PluginError,
        _ claimed: ClaimedPayload,
        _ sink: SinkSetup,
        _ fingerprint: String,
        _ share: Double,
        _ now: Timestamp
    ) {
        let tries = claimed.attempts + 1
        switch error.disposition {
        case .transient(let wish) where error.scope == .recipient:
            let wait = BackOff.recipient.wait(after: tries, wish: wish, share: share)
            state.recipients[claimed.payload.recipient] = RecipientState(notBefore: now + wait)
            retry(claimed, after: wait, now)
        case .transient(let wish):
            failSink(error, sink, wish, share, now)
            retry(claimed, after: BackOff.delivery.wait(after: tries, wish: wish, share: share), now)
        case .unavailable:
            failSink(error, sink, nil, share, now)
            retry(claimed, after: BackOff.longestWish, now)
        case .unauthorized:
            state.health.fail(error, at: now)
            // Nothing is sent to a resting sink: the first refusal after a rest is of other settings than those that were told of.
            if state.restFingerprint == nil { state.health.told = nil }
            state.restFingerprint = fingerprint
            notice = state.health.tell(HealthSchema.sinkFailing, name: sink.name, at: now)
            settlement.outcome = .retry(at: now, mayHaveArrived: false)
        case .permanent where error.scope == .recipient:
            // Told once, however many messages were on their way.
            if state.recipients[claimed.payload.recipient]?.goneFingerprint != fingerprint {
                let what = error.message.hasSuffix(".") ? error.message : error.message + "."
                deadReason =
                    "\(what) Nothing more is sent there until the settings change or 'pokyh-bot retry \(sink.name)' asks for it."
            }
            state.recipients[claimed.payload.recipient] = RecipientState(goneFingerprint: fingerprint)
        case .permanent:
            // The far end answered: the sink itself works, and this message never will.
            deadReason = error.message
        case .uncertain:
            failSink(error, sink, nil, share, now)
            judgeUncertain(claimed, sink, after: BackOff.delivery.wait(after: tries, wish: nil, share: share), now)
        }
    }

    private mutating func retry(
        _ claimed: ClaimedPayload,
        after wait: TimeSpan,
        _ now: Timestamp,
        mayHaveArrived: Bool = false
    ) {
        // What waited while nobody could try it begins anew. A moment that lies ahead was written by a clock that was.
        let since = max(claimed.queuedAt, state.availableSince.map { min($0, now) } ?? claimed.queuedAt)
        guard now - since < Self.longestTry else {
            deadReason = "Given up after \(Self.longestTry.seconds / 86_400) days: \(settlement.answer)"
            return
        }
        settlement.outcome = .retry(at: now + wait, mayHaveArrived: mayHaveArrived)
    }

    /// One marked repeat at most where the far end cannot recognise it: a second doubtful try is left to a person.
    private mutating func judgeUncertain(
        _ claimed: ClaimedPayload,
        _ sink: SinkSetup,
        after wait: TimeSpan,
        _ now: Timestamp
    ) {
        if sink.recognisesRepeats { return retry(claimed, after: wait, now, mayHaveArrived: true) }
        switch sink.uncertain {
        case .resend where !claimed.payload.isRepeat:
            settlement.outcome = .retry(at: now + wait, mayHaveArrived: true)
        case .resend, .hold:
            settlement.outcome = .held
            deadReason = "It may or may not have arrived: \(settlement.answer)"
        case .drop:
            settlement.outcome = .dropped
        }
    }

    private mutating func failSink(
        _ error: PluginError,
        _ sink: SinkSetup,
        _ wish: TimeSpan?,
        _ share: Double,
        _ now: Timestamp
    ) {
        state.health.fail(error, at: now)
        guard state.health.failures >= Health.threshold else { return }
        let failures = state.health.failures - Health.threshold + 1
        state.health.notBefore = now + BackOff.delivery.wait(after: failures, wish: wish, share: share)
        if state.health.told == nil {
            notice = state.health.tell(HealthSchema.sinkFailing, name: sink.name, at: now)
        }
    }
}

extension SinkState {
    /// How many payloads the sink may take now: none while it rests, one to find out whether it works again, else all its places.
    func places(of sink: SinkSetup, at now: Timestamp) -> Int {
        if restFingerprint != nil { return 0 }
        if health.wait(at: now) != nil { return 0 }
        return health.failures >= Health.threshold ? 1 : sink.parallel
    }
}
