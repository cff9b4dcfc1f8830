public import Values

/// A place to poll.
///
/// A provider holds no timers, no files and no memory between calls but its account's session, and never retries, sleeps or logs and
/// goes on: it does one thing once and says how it failed.
public protocol Provider: Sendable {
    /// Asks the far end once. Half an answer is an error; an answer that is not proven whole changes nothing.
    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot

    /// Whether `fetch` looks at `FetchRequest.knownKeys`, which have to be read from the disk for it; true unless a provider says otherwise.
    var looksAtKnownKeys: Bool { get }

    /// What changes mean; pure. Never called for a first poll, which only learns.
    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence]
}

extension Provider {
    public var looksAtKnownKeys: Bool { true }
}

/// What `Provider.interpret` may know besides the difference.
public struct InterpretationContext: Sendable {
    public var now: Timestamp
    public var zone: Zone
    /// The same student's records from other sources of the same account, as last stored.
    public var otherRecords: [Record]

    public init(now: Timestamp, zone: Zone, otherRecords: [Record] = []) {
        self.now = now
        self.zone = zone
        self.otherRecords = otherRecords
    }
}

/// A place to send to.
public protocol Sink: Sendable {
    /// The payloads of a message, one for each recipient and part, ids fixed; pure. The same message and time give the same bytes. None for
    /// a message that shows nothing, which is handled with that.
    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload]

    /// Sends one payload once.
    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt

    /// A person asks for another try although the far end has refused the login: a sink that remembers the refusal forgets it.
    func forgetRefusal() async
}

extension Sink {
    /// Nothing: for sinks whose every delivery asks the far end.
    public func forgetRefusal() async {}
}

/// A login shared by all sources of one account: one session, one renewal at a time.
public protocol Account: Sendable {
    /// Ends the session at the far end, if one is open. Failures are of no interest: the session ends by itself.
    func close(at now: Timestamp) async

    /// A person asks for another try although the login was refused: the next one who needs it logs in again.
    func forgetRefusal() async
}

/// The reading of a clock, and waiting for one. Only the executable makes a live one.
public protocol WallClock: Sendable {
    var now: Timestamp { get }
    /// Returns when the clock shows `deadline` or later, or when the task is cancelled. It may return early, and has to soon after the
    /// clock was set back: whoever waits looks at the clock again.
    func sleep(until deadline: Timestamp) async
}
