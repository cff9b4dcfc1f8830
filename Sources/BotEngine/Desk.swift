import BotCore
import Values

/// Where every step is thought through and committed: polls, slots, deadlines, settlements.
///
/// One step at a time: what it reads of the memory, what the rules make of it and what is written belong together. The copies kept
/// here change only after a commit has succeeded.
actor Desk {
    let store: any StateStore
    let sources: [String: SourceSetup]
    let sinks: [String: any Sink]
    let log: Log
    nonisolated let turnstile = Turnstile()
    /// The rules that run, and what is wrong with those that do not run as they are written.
    var inForce: RulesInForce
    var jitter: Jitter

    /// What is remembered of each source.
    var states: [String: SourceState] = [:]
    /// Accounts whose login was refused, by `restKey`.
    var rests: [String: AccountRest] = [:]
    var ruleHealth: [String: Health] = [:]
    /// When a policy wants to be asked again.
    var deadline: Timestamp?
    /// Up to when slots have been looked for and fired; written with every commit.
    var checkedThrough: Timestamp?
    /// Copies of the snapshots that the rules read, and of no others.
    var views: [String: SourceView] = [:]
    var policyMemory: [String: Value]?
    /// When rests were last ended by another process, by `restKey`: what was asked before is no answer to that.
    var awakened: [String: Timestamp] = [:]
    /// Policies are asked at the next occasion, whatever their deadline.
    private var asksPoliciesSoon = false
    /// What each rest is about, by `restKey`.
    let credentials: [String: [Secret]]
    private var fingerprintKey: [UInt8] = []
    /// How many entries of a source's last answer could not be read.
    var unreadable: [String: Int] = [:]
    /// What a source's last answer remarked.
    var remarks: [String: String] = [:]
    /// Grows with every commit that changed what waits to be sent.
    var outboxRevision = 0

    /// Answers that wait to be taken in.
    var arrivals: [Arrival] = []
    var arrivalCount = 0
    /// What became of those that another has taken in with its own.
    var takenIn: [Int: Result<Void, StateError>] = [:]
    /// What steps that are decided and not yet committed know of the world.
    var undecidedWorlds: [String: WorldState] = [:]

    init(_ setup: EngineSetup, store: any StateStore, jitter: Jitter, log: Log) {
        self.store = store
        self.log = log
        self.jitter = jitter
        inForce = RulesInForce(setup.rules, inactive: setup.inactiveRules)
        sources = Dictionary(setup.sources.map { ($0.name, $0) }) { first, _ in first }
        sinks = Dictionary(setup.sinks.map { ($0.name, $0.sink) }) { first, _ in first }
        let ofAccounts = setup.accounts.map { ($0.name, $0.credentials) }
        let ofSources = setup.sources.filter(\.account.isEmpty).map { (Self.restKey(of: $0), $0.credentials) }
        credentials = Dictionary(ofAccounts + ofSources) { first, _ in first }
    }

    /// Reads what was remembered, ends the rests whose credentials have changed, and tells of a memory that was lost.
    func begin(at now: Timestamp) async throws(StateError) {
        await turnstile.enter()
        defer { turnstile.leave() }
        fingerprintKey = try await store.fingerprintKey()
        states = try await store.sources()
        rests = try await store.rests()
        ruleHealth = try await store.rules()
        // A moment that lies ahead was written by a clock that was.
        checkedThrough = min(try await store.checkedThrough() ?? now, now)
        var draft = Draft(at: now)
        let own = ownRests(among: rests)
        draft.commit.endedRests = Set(rests.keys).subtracting(own.keys)
        for name in own.keys { warn(ofRest: name) }
        tellOfUntold(own, in: &draft)
        if let loss = try await store.memoryLoss() {
            draft.commit.acknowledgesLoss = true
            draft.notices.append(memoryLost(loss, at: now))
        }
        noteInactiveRules(of: inForce, in: &draft)
        // Also asks the policies when they want to be asked next.
        draft.asksPolicies = true
        try await conclude(draft)
        rests = own
    }

    private func memoryLost(_ loss: String, at now: Timestamp) -> HealthNotice {
        log(.error, loss)
        return HealthNotice(
            kind: HealthSchema.sourceMemoryLost,
            name: "",
            error: loss,
            failures: 0,
            since: now,
            duration: .zero,
            revision: now.milliseconds
        )
    }

    /// Other rules from now on, or the same ones still if that cannot be written. What they remember under the same ids stays.
    func replace(rules: any Rules, inactive: [InactiveRule], at now: Timestamp) async throws(StateError) {
        await turnstile.enter()
        defer { turnstile.leave() }
        let successors = RulesInForce(rules, inactive: inactive)
        var draft = Draft(at: now)
        draft.successors = successors
        noteInactiveRules(of: successors, in: &draft)
        draft.asksPolicies = true
        try await conclude(draft)
    }

    /// Asks the policies whose deadline has come.
    func askPolicies(at now: Timestamp) async throws(StateError) {
        await turnstile.enter()
        defer { turnstile.leave() }
        guard asksPoliciesSoon || deadline.map({ $0 <= now }) ?? false else { return }
        var draft = Draft(at: now)
        draft.asksPolicies = true
        // What another step has planned before is planned by a clock that was.
        if asksPoliciesSoon { deadline = nil }
        try await conclude(draft)
        asksPoliciesSoon = false
    }

    /// Policies plan by the clock, too: they are asked when `askPolicies` is called next, whatever steps are under way. Moments that were
    /// noted lie ahead now, and would make every refusal look like an old one.
    func clockWasSetBack() {
        asksPoliciesSoon = true
        awakened = [:]
    }

    /// Writes what every step writes; on a full disk it throws.
    func probe(at now: Timestamp) async throws(StateError) {
        await turnstile.enter()
        defer { turnstile.leave() }
        try await conclude(Draft(at: now))
    }

    func state(of source: String) -> SourceState { states[source] ?? SourceState() }

    /// Whose last poll failed. What is not granted to an account is no failure.
    var failingSources: Set<String> {
        Set(states.filter { $1.health.failures > 0 && $1.health.told != HealthSchema.sourceUnavailable }.keys)
    }

    func fingerprint(of credentials: [Secret]) -> String { Fingerprint.of(credentials, key: fingerprintKey) }
}

/// The rules that decide, and why others do not.
struct RulesInForce: Sendable {
    var rules: any Rules
    /// Rules that do not run as they are written, by id.
    var inactive: [String: InactiveRule]

    init(_ rules: any Rules, inactive: [InactiveRule]) {
        self.rules = rules
        self.inactive = Dictionary(inactive.map { ($0.id, $0) }) { first, _ in first }
    }
}

/// A step before it is decided and committed.
struct Draft {
    var commit: Commit
    /// Rules are asked about these, and about the notices.
    var events: [Event] = []
    var notices: [HealthNotice] = []
    /// Asks the rules even if nothing happened.
    var asksPolicies = false
    /// A decision that is made already: that of a slot.
    var decision: Decision?
    /// Rules that decide from this step on.
    var successors: RulesInForce?
    /// Snapshots that this step brings.
    var views: [String: SourceView] = [:]
    /// Snapshots whose copies are out of date after it.
    var outdated: Set<String> = []

    init(at now: Timestamp) { commit = Commit(at: now) }
}
