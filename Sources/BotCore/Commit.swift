public import Values

/// Everything that follows from one step of the engine: written whole, or not at all.
public struct Commit: Sendable {
    public var at: Timestamp
    public var sources: [SourceUpdate] = []
    public var worlds: [String: WorldState] = [:]
    public var events: [Event] = []
    public var notes: [RuleNote] = []
    /// Messages that are no longer true. Their payloads that are queued and cannot have arrived are dropped, before `payloads` are
    /// written.
    public var withdrawn: [String] = []
    public var payloads: [OutgoingPayload] = []
    /// The changed part of the policies' memory; `.null` forgets.
    public var memory: [String: Value] = [:]
    /// Slots that have fired.
    public var slots: [Slot] = []
    public var checkedThrough: Timestamp?
    /// Accounts that rest from now on.
    public var rests: [String: AccountRest] = [:]
    /// Accounts that rest no longer.
    public var endedRests: Set<String> = []
    public var sinks: [String: SinkState] = [:]
    /// What the writer knew of the sinks before. A rest in it that another process has ended since stays ended.
    public var knownSinks: [String: SinkState] = [:]
    /// Sinks that rest no longer, and whose recipients are all sent to again; written last.
    public var endedSinkRests: Set<String> = []
    public var rules: [String: Health] = [:]
    public var settlements: [Settlement] = []
    /// Whether what `Journal.memoryLoss` said is told with this commit.
    public var acknowledgesLoss = false

    public init(at now: Timestamp) { at = now }
}

/// What a poll changed in the memory of its source.
public struct SourceUpdate: Sendable, Hashable {
    public var source: String
    public var state: SourceState
    /// New and changed rows.
    public var put: [StoredRecord]
    /// Keys that are gone, with the revision from which a return goes on.
    public var gone: [String: Int64]
    /// Rows of earlier days are of no more use.
    public var forgetBefore: CalendarDate?

    public init(
        source: String,
        state: SourceState,
        put: [StoredRecord] = [],
        gone: [String: Int64] = [:],
        forgetBefore: CalendarDate? = nil
    ) {
        self.source = source
        self.state = state
        self.put = put
        self.gone = gone
        self.forgetBefore = forgetBefore
    }
}

/// A payload on its way into the outbox.
public struct OutgoingPayload: Sendable, Hashable {
    public var payload: Payload
    /// Whether it tells of the bot's own health. Its failure is logged and never told again, so that no two sinks tell of each other
    /// for ever.
    public var isHealth: Bool
    /// Nil to send it; else it is stored as dead at once: why it cannot be sent.
    public var deadReason: String?
    /// The message that this one takes back. Nothing is written where nothing of that message can have reached the same recipient
    /// through the same sink; what is no longer known of counts as having arrived.
    public var corrects: String?
    /// `Message.students`: with them it is forgotten.
    public var students: Set<Student>

    public init(
        _ payload: Payload,
        isHealth: Bool = false,
        deadReason: String? = nil,
        corrects: String? = nil,
        students: Set<Student> = []
    ) {
        self.payload = payload
        self.isHealth = isHealth
        self.deadReason = deadReason
        self.corrects = corrects
        self.students = students
    }
}

/// What the courier has hands for.
public struct ClaimRequest: Sendable, Hashable {
    public var now: Timestamp
    /// How many payloads each sink may take; a sink that is not named takes none.
    public var places: [String: Int]

    /// No payload waits longer than this between two tries; one that seems to is left over from a clock that was ahead, and is due.
    public static let longestWait = TimeSpan.hours(25)

    public init(now: Timestamp, places: [String: Int]) {
        self.now = now
        self.places = places
    }
}

/// A payload that is being sent.
public struct ClaimedPayload: Sendable, Hashable {
    /// With `isRepeat` set if an earlier try may have arrived.
    public var payload: Payload
    /// How often it was tried before.
    public var attempts: Int
    public var isHealth: Bool
    /// When it was queued, by hand for the last time if it was: from then on it may be tried for some days.
    public var queuedAt: Timestamp

    /// - Parameter requeuedAt: when it was queued by hand; nil if it never was, so that it has been queued since it was made.
    public init(_ payload: Payload, attempts: Int, isHealth: Bool, requeuedAt: Timestamp? = nil) {
        self.payload = payload
        self.attempts = attempts
        self.isHealth = isHealth
        queuedAt = requeuedAt ?? payload.createdAt
    }
}

/// What a claim took, and what it dropped.
public struct Claim: Sendable, Hashable {
    /// In the order in which they were queued.
    public var payloads: [ClaimedPayload]
    /// Expired before they could be sent; settled as dropped already.
    public var stale: [Payload]

    public init(payloads: [ClaimedPayload] = [], stale: [Payload] = []) {
        self.payloads = payloads
        self.stale = stale
    }
}

/// Where a payload is on its way.
public enum DeliveryState: String, Sendable, Hashable, CaseIterable {
    /// Waits for its first or next try.
    case queued
    case sending
    /// May have arrived, and its sink's `uncertain: hold` leaves it to a person.
    case held
    case delivered
    /// Cannot be delivered.
    case dead
    /// Stale, or its sink's `uncertain: drop` gave it up.
    case dropped
}

/// What became of one try.
public struct Settlement: Sendable, Hashable {
    /// How the try ended.
    public enum Outcome: Sendable, Hashable {
        case delivered(remoteID: String?)
        /// Try again then. `mayHaveArrived` makes the next try a possible repeat.
        case retry(at: Timestamp, mayHaveArrived: Bool)
        case held
        /// With it die the later parts of the same message to the same recipient, which are of no use alone.
        case dead
        case dropped
        /// Was not begun: as if it had never been claimed.
        case released
    }

    public var id: String
    public var outcome: Outcome
    public var at: Timestamp
    /// What the far end said, for history; free of secrets.
    public var answer: String

    public init(_ id: String, _ outcome: Outcome, at now: Timestamp, answer: String = "") {
        self.id = id
        self.outcome = outcome
        at = now
        self.answer = answer
    }
}

/// One try, as history shows it.
public struct Attempt: Sendable, Hashable {
    public var at: Timestamp
    /// `delivered`, `retry`, `held`, `dead`, `dropped`.
    public var outcome: String
    public var answer: String

    public init(at now: Timestamp, outcome: String, answer: String) {
        at = now
        self.outcome = outcome
        self.answer = answer
    }
}

/// A payload and its way so far.
public struct Delivery: Sendable, Hashable {
    public var payload: Payload
    public var state: DeliveryState
    /// When it is tried next, while it is queued; else when it was settled.
    public var at: Timestamp
    public var attempts: [Attempt]
    public var remoteID: String?

    public init(payload: Payload, state: DeliveryState, at: Timestamp, attempts: [Attempt], remoteID: String? = nil) {
        self.payload = payload
        self.state = state
        self.at = at
        self.attempts = attempts
        self.remoteID = remoteID
    }
}

extension Payload {
    /// Payloads of one lane are sent one after the other in the order in which they were queued: what tells one recipient of one
    /// record, and the parts of one message.
    public var lane: String { "\(sink)\u{1F}\(recipient)\u{1F}\(orderKey.isEmpty ? "=" + message : orderKey)" }
}
