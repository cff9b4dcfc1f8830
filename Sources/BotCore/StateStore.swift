public import Values

/// Why the state could not be read or written.
public enum StateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No room on the disk. Nothing was written; the same call may work later. Deliveries and commits are held meanwhile.
    case diskFull(String)
    /// The folder or the file cannot be written by this process.
    case readOnly(String)
    /// Another engine works on the folder; its process id, if it could be read.
    case locked(pid: Int32?)
    /// What is on the disk is no database of ours any more.
    case corrupt(String)
    /// Written by a later version of the product.
    case newer(found: Int, known: Int)
    /// Anything else; ends the process.
    case failed(String)

    public var description: String {
        switch self {
        case .diskFull(let detail): "The disk with the state is full (\(detail)). Make room; the bot goes on by itself."
        case .readOnly(let detail):
            "The state cannot be written (\(detail)). Give the bot's user write access to the folder and what is in it."
        case .locked(let pid?): "Process \(pid) already works on this state folder. Stop it, or name another folder."
        case .locked(nil): "Another process already works on this state folder. Stop it, or name another folder."
        case .corrupt(let detail): "The state is damaged (\(detail)). It is set aside at the next start."
        case .newer(let found, let known):
            "The state was written by a later version (format \(found), this one knows \(known)). Install that version again."
        case .failed(let detail): "The state could not be used: \(detail)"
        }
    }
}

/// What a source, sink or rule has gone through since it last worked.
public struct Health: Sendable, Hashable {
    /// Failures in a row; 0 when all is well.
    public var failures: Int
    /// The first of them.
    public var since: Timestamp?
    /// What the last one said, free of secrets and names; empty when all is well.
    public var error: String
    /// An unexpected answer, masked, for a bug report.
    public var evidence: String?
    /// The kind of event that told of this row of failures (`source.failing`); nil if none did.
    public var told: String?
    /// Not to be tried before this: a back-off, a server's wish, a day's sleep.
    public var notBefore: Timestamp?
    /// How many events told of its health, ever; part of their ids.
    public var revision: Int64

    public init(
        failures: Int = 0,
        since: Timestamp? = nil,
        error: String = "",
        evidence: String? = nil,
        told: String? = nil,
        notBefore: Timestamp? = nil,
        revision: Int64 = 0
    ) {
        self.failures = failures
        self.since = since
        self.error = error
        self.evidence = evidence
        self.told = told
        self.notBefore = notBefore
        self.revision = revision
    }
}

/// What the memory keeps of a source besides its records.
public struct SourceState: Sendable, Hashable {
    /// Whether a good poll has been learnt, even one that saw nothing.
    public var isLearnt = false
    public var era = ""
    /// Handed to the next fetch.
    public var memo: Value = .null
    /// Days whose records are known: only these are compared.
    public var learntDates: Set<CalendarDate> = []
    /// That of the last good answer; nil where it was a whole list.
    public var window: DateWindow?
    public var student = Student.nobody
    /// The account's name in the bot file.
    public var account = ""
    public var calendar: SchoolCalendar?
    /// When the far end last answered well; nil if never.
    public var takenAt: Timestamp?
    /// When it was last asked, whatever came of it.
    public var attemptedAt: Timestamp?
    /// Since when a source that had records answers an empty list, until it is believed (`Differ`: after a day).
    public var emptySince: Timestamp?
    public var health = Health()

    public init() {}
}

/// What is known of a thing that several accounts see, whoever saw it first.
public struct WorldState: Sendable, Hashable {
    /// Grows with every change of the thing, whoever sees it.
    public var revision: Int64
    public var isPresent: Bool
    /// Digest of the last told value, by field.
    public var facts: [String: String]
    /// The revision at which a kind of event was last told.
    public var kinds: [String: Int64]

    public init(
        revision: Int64 = 0,
        isPresent: Bool = true,
        facts: [String: String] = [:],
        kinds: [String: Int64] = [:]
    ) {
        self.revision = revision
        self.isPresent = isPresent
        self.facts = facts
        self.kinds = kinds
    }
}

/// A refused login: nobody tries again until the credentials have another fingerprint.
public struct AccountRest: Sendable, Hashable {
    /// HMAC-SHA256 of the credentials under `Journal.fingerprintKey`, in hexadecimal.
    public var fingerprint: String
    public var since: Timestamp
    public var error: String

    public init(fingerprint: String, since: Timestamp, error: String) {
        self.fingerprint = fingerprint
        self.since = since
        self.error = error
    }
}

/// What is remembered of a sink.
public struct SinkState: Sendable, Hashable {
    /// The last `Receipt.sinkMemo`.
    public var memo: Value
    public var health: Health
    /// Set while the sink rests: the fingerprint of the settings that the far end refused.
    public var restFingerprint: String?
    /// Those of its recipients that cannot be sent to like the others, by `Payload.recipient`. Personal: never in logs.
    public var recipients: [String: RecipientState]
    /// Since when it could be tried at all, where that is known: a rest has ended, or the bot had been off for long. What waited for that
    /// has lost none of its time.
    public var availableSince: Timestamp?

    public init(
        memo: Value = .null,
        health: Health = Health(),
        restFingerprint: String? = nil,
        recipients: [String: RecipientState] = [:],
        availableSince: Timestamp? = nil
    ) {
        self.memo = memo
        self.health = health
        self.restFingerprint = restFingerprint
        self.recipients = recipients
        self.availableSince = availableSince
    }

    /// How many of its recipients are sent nothing any more.
    public var goneRecipients: Int { recipients.values.count { $0.goneFingerprint != nil } }

    /// Lets everything be tried again that was refused or waits after failures.
    public mutating func endRests(at now: Timestamp) {
        if restFingerprint != nil { availableSince = now }
        restFingerprint = nil
        recipients = [:]
        endWaits()
    }

    /// Lets be tried at once what waits after failures; what was refused still rests.
    public mutating func endWaits() {
        health.notBefore = nil
        for (address, recipient) in recipients {
            recipients[address] = recipient.goneFingerprint.map { RecipientState(goneFingerprint: $0) }
        }
    }

    /// This state without the rests and waits that have been ended by another.
    ///
    /// - Parameters:
    ///   - stored: what is in the store.
    ///   - known: what this state was made from.
    public func without(restsEndedIn stored: SinkState, since known: SinkState) -> SinkState {
        var state = self
        if restFingerprint == known.restFingerprint, stored.restFingerprint == nil { state.restFingerprint = nil }
        state.availableSince = [availableSince, stored.availableSince].compactMap(\.self).max()
        if health.notBefore == known.health.notBefore, stored.health.notBefore == nil { state.health.notBefore = nil }
        state.recipients = recipients.filter { address, recipient in
            known.recipients[address] != recipient || stored.recipients[address] != nil
        }
        return state
    }
}

/// What is remembered of one recipient of a sink.
public struct RecipientState: Sendable, Hashable {
    /// Nothing is sent to it before this: it asked for patience, and its sink works otherwise. More than `ClaimRequest.longestWait` ahead
    /// it is left over from a clock that was ahead, and counts for nothing.
    public var notBefore: Timestamp?
    /// Set once the recipient is gone (blocked the bot, has no mailbox any more): the fingerprint of the settings under which the far end
    /// said so. What is for it is given up untried.
    public var goneFingerprint: String?

    public init(notBefore: Timestamp? = nil, goneFingerprint: String? = nil) {
        self.notBefore = notBefore
        self.goneFingerprint = goneFingerprint
    }
}

/// The source's part of the memory; written by polls, read by everybody.
public protocol Memory: Sendable {
    /// The state of every source that was ever polled, by name.
    func sources() async throws(StateError) -> [String: SourceState]

    /// The keys of all present records of a source.
    func keys(of source: String) async throws(StateError) -> Set<String>

    /// What is stored of several sources, in the order of the questions: one call for many, since a store may have a thread of its own.
    func records(for questions: [RecordQuestion]) async throws(StateError) -> [StoredRecords]

    /// The last good snapshot; nil for a source that has none.
    func view(of source: String) async throws(StateError) -> SourceView?

    /// The known ones among these things of the world.
    func worlds(_ keys: [String]) async throws(StateError) -> [String: WorldState]

    /// What the policies remembered, by rule id.
    func policyMemory() async throws(StateError) -> [String: Value]
}

/// What is to be sent, and what became of it.
public protocol Outbox: Sendable {
    /// Takes due payloads for sending, in one transaction that is on disk when this returns, and drops what is stale.
    ///
    /// Never takes a payload while an earlier one of its lane (`Payload.lane`) is queued or being sent, nor one for a recipient who is to
    /// be left alone (`RecipientState.notBefore`).
    func claim(_ request: ClaimRequest) async throws(StateError) -> Claim

    /// What was claimed and never settled: after a start, what an earlier process may have sent.
    func interrupted() async throws(StateError) -> [ClaimedPayload]

    /// When the next payload of any of these sinks falls due or stale; nil if none waits.
    func nextDue(of sinks: [String]) async throws(StateError) -> Timestamp?

    /// Deliveries in these states, latest first.
    func deliveries(in states: Set<DeliveryState>, limit: Int) async throws(StateError) -> [Delivery]

    /// How many payloads there are in each state.
    func counts() async throws(StateError) -> [DeliveryState: Int]

    /// Queues dead and held payloads anew, all of them for nil.
    /// - Returns: how many.
    func requeue(_ ids: [String]?, at now: Timestamp) async throws(StateError) -> Int
}

/// The names that the files use. What is remembered under others is of no more use in time.
public struct NamesInUse: Sendable, Hashable {
    public var sources: Set<String>
    public var sinks: Set<String>
    /// Ids of rules.
    public var rules: Set<String>

    public init(sources: Set<String>, sinks: Set<String>, rules: Set<String>) {
        self.sources = sources
        self.sinks = sinks
        self.rules = rules
    }
}

/// What happened, and what must not happen twice.
public protocol Journal: Sendable {
    /// Those of these slots that have fired.
    func fired(_ slots: [Slot]) async throws(StateError) -> Set<Slot>
    /// Up to when slots have been looked for; nil before the first time.
    func checkedThrough() async throws(StateError) -> Timestamp?
    func rests() async throws(StateError) -> [String: AccountRest]
    func sinks() async throws(StateError) -> [String: SinkState]
    func rules() async throws(StateError) -> [String: Health]
    /// Events, latest first.
    func events(since start: Timestamp, limit: Int) async throws(StateError) -> [Event]
    /// What rules made of an event or slot.
    func notes(about id: String) async throws(StateError) -> [RuleNote]
    /// 32 random bytes that this state folder alone knows, for fingerprints of credentials.
    func fingerprintKey() async throws(StateError) -> [UInt8]
    /// What is to be told to the admin of a memory that was lost; nil when there is nothing left to tell.
    func memoryLoss() async throws(StateError) -> String?
    /// Forgets events, notes, settled deliveries and fired slots from before an instant, and records that have been gone for a year by
    /// then.
    ///
    /// Of what no file names any more go: sources last asked before the instant, with their records; deliveries from before it, sent or
    /// not; sinks without deliveries; the health of rules. What policies remember is theirs to forget (`Decision.memory`).
    func prune(before cut: Timestamp, keeping names: NamesInUse) async throws(StateError)
}

/// The memory of the house. Every call is one transaction; what a call wrote is on disk when it returns, or nothing of it is.
public protocol StateStore: Memory, Outbox, Journal {
    /// Writes everything that follows from steps that were taken one after the other, in their order: all of it, or nothing. Events and
    /// payloads whose ids are known already are left as they are.
    func commit(_ commits: [Commit]) async throws(StateError)
    /// Whether another process has written since the last call: whoever keeps copies throws them away.
    func changedElsewhere() async throws(StateError) -> Bool
    /// Ends the work on the folder. Nothing may be called afterwards.
    func close() async
}

extension StateStore {
    /// Writes everything that follows from one step.
    public func commit(_ commit: Commit) async throws(StateError) { try await self.commit([commit]) }
}
