import BotCore
import Values

/// What is told in one message: a single event, or the events of a group.
struct TellingUnit: Sendable {
    var items: [MatchedEvent]
    /// The group's key; nil for a single event.
    var key: Value?

    var value: Value { ["items": .list(items.map(\.value)), "key": key ?? .null, "grouped": .bool(key != nil)] }

    init(items: [MatchedEvent], key: Value? = nil) {
        self.items = items
        self.key = key
    }

    init(_ value: Value) {
        items = (value["items"].list ?? []).compactMap { MatchedEvent($0) }
        key = value["grouped"].bool == true ? value["key"] : nil
    }
}

/// Everything that the policies of one rule remember between two calls.
struct PolicyMemory: Sendable {
    /// Events whose time is not near enough yet.
    struct Waiting: Sendable {
        var item: MatchedEvent
        var due: Timestamp
    }

    /// Events of one key that are being collected.
    struct Group: Sendable {
        var key: Value
        var first: Timestamp
        var due: Timestamp
        var items: [MatchedEvent]
    }

    /// What waits for a digest or for the end of quiet hours.
    struct Held: Sendable {
        var unit: TellingUnit
        var due: Timestamp
        var gathering = Gathering.digest
        /// Whether its scheduled rule is asked once more then, since only what is so then is of interest.
        var isAskedAgain = false
    }

    /// What one recipient has too much of.
    struct Limited: Sendable {
        var recipient: Recipient
        var unit: TellingUnit
        var due: Timestamp
    }

    /// A message that counts towards the limit.
    struct Sent: Sendable {
        var recipient: String
        var message: String
        var at: Timestamp
        /// Whether it was only a trial's: never sent.
        var isTrial = false
    }

    /// A correction that waits for the end of quiet hours.
    struct Correction: Sendable {
        var event: Event
        var told: ToldEvent
        var due: Timestamp
    }

    var waiting: [Waiting] = []
    var groups: [Group] = []
    var held: [Held] = []
    var limited: [Limited] = []
    var sent: [Sent] = []
    var told: [ToldEvent] = []
    var corrections: [Correction] = []

    var isEmpty: Bool {
        waiting.isEmpty && groups.isEmpty && held.isEmpty && limited.isEmpty && sent.isEmpty && told.isEmpty
            && corrections.isEmpty
    }

    /// When something of it wants to be looked at.
    var due: Timestamp? {
        let dues = [
            waiting.lazy.map(\.due).min(), groups.lazy.map(\.due).min(), held.lazy.map(\.due).min(),
            limited.lazy.map(\.due).min(), corrections.lazy.map(\.due).min(),
        ]
        return dues.compactMap(\.self).min()
    }

    /// How many pieces of news have not been told yet.
    var pendingCount: Int {
        waiting.count + groups.reduce(0) { $0 + $1.items.count } + held.reduce(0) { $0 + $1.unit.items.count }
            + limited.reduce(0) { $0 + $1.unit.items.count }
    }

    /// The earliest moment in a memory as it is stored, without reading all of it.
    static func due(in stored: Value) -> Timestamp? { stored["due"].timestamp }

    /// Adds what another rule remembered, whose place this one takes; what both wait to tell of is told once.
    mutating func take(over former: PolicyMemory) {
        let waitingUnits = held.map(\.unit) + limited.map(\.unit)
        let items = waiting.map(\.item) + groups.flatMap(\.items) + waitingUnits.flatMap(\.items)
        let known = Set(items.map(\.event.id))
        var other = former
        _ = other.withdraw { known.contains($0.event.id) }
        waiting += other.waiting
        groups += other.groups
        held += other.held
        limited += other.limited
        sent += other.sent
        told += other.told
        corrections += other.corrections
    }

    // MARK: Forgetting

    /// Takes out everything that is not told yet and that a test picks.
    mutating func withdraw(where isOver: (MatchedEvent) -> Bool) -> [Event] {
        var gone: [Event] = []
        func keeps(_ item: MatchedEvent) -> Bool {
            let isGone = isOver(item)
            if isGone { gone.append(item.event) }
            return !isGone
        }
        waiting = waiting.filter { keeps($0.item) }
        for place in groups.indices { groups[place].items = groups[place].items.filter(keeps) }
        for place in held.indices { held[place].unit.items = held[place].unit.items.filter(keeps) }
        for place in limited.indices { limited[place].unit.items = limited[place].unit.items.filter(keeps) }
        groups.removeAll { $0.items.isEmpty }
        held.removeAll { $0.unit.items.isEmpty }
        limited.removeAll { $0.unit.items.isEmpty }
        return gone
    }

    /// Forgets what is of no more use.
    mutating func prune(at now: Timestamp, limit: LimitPolicy?) {
        told.removeAll { $0.until <= now }
        guard let limit else {
            sent = []
            return
        }
        // A clock that was set back must not make a limit last for ever.
        sent.removeAll { $0.at <= now - limit.per || $0.at > now }
    }

    /// A rule in earnest owes nothing for what it would have told in a trial.
    mutating func forgetTrials() {
        sent.removeAll(where: \.isTrial)
        told.removeAll(where: \.isTrial)
        corrections.removeAll(where: \.told.isTrial)
    }

    /// Nothing waits longer than if it began to wait now: a clock that was ahead has planned for a time that is far away.
    mutating func bringForward(to now: Timestamp, _ policies: Policies) {
        let endOfQuiet = now + .days(1)
        let digest = policies.digest?.next(after: now)
        for place in held.indices {
            let latest = held[place].gathering == .digest ? digest : endOfQuiet
            held[place].due = min(held[place].due, latest ?? held[place].due)
        }
        for place in corrections.indices { corrections[place].due = min(corrections[place].due, endOfQuiet) }
        if let longest = policies.group?.longest {
            for place in groups.indices { groups[place].due = min(groups[place].due, now + longest) }
        }
        if let span = policies.limit?.per {
            for place in limited.indices { limited[place].due = min(limited[place].due, now + span) }
        }
    }

    func hasTold(_ event: Event, to recipient: Recipient) -> Bool {
        told.contains { $0.world == event.worldID && $0.receivers.contains { $0.recipient == recipient } }
    }
}

/// What was told of one event, to whom: until it is over, it may have to be corrected.
struct ToldEvent: Sendable {
    struct Receiver: Sendable {
        var recipient: Recipient
        /// The title of the message.
        var title: String
        var orderKey: String
        /// The id of the message, if it told of this event alone: it can be taken back.
        var message: String?
    }

    var id: String
    var world: String
    var kind: String
    var source: String
    var key: String
    var likeness: String?
    var worldKey: String?
    var revision: Int64
    var until: Timestamp
    /// Whether it was only a trial's: nobody has read it.
    var isTrial = false
    var receivers: [Receiver]
}
