import BotCore
import Markup
import Values

/// A message of a rule test on its way.
struct RehearsedDelivery: Sendable {
    let message: Message
    var claimed: ClaimedPayload
    var state = RehearsedState.waiting
    var due: Timestamp
    /// Whether a try may have reached the recipient.
    var mayHaveArrived = false
    /// Whether its state is new since the test last looked: then somebody has to expect it.
    var isNews = true
    /// Whether it was tried since then.
    var isTouched = true
}

/// Delivers the messages of a rule test: at once, but for sinks whose answers the test sets.
struct RehearsedCourier {
    let vocabulary: Vocabulary
    let judge: DeliveryJudge
    /// By sink: the answers to its tries in order; the last one goes on.
    private var scripts: [String: [SinkAnswer]] = [:]
    private(set) var deliveries: [RehearsedDelivery] = []
    private var states: [String: SinkState] = [:]
    /// Ids of events that tell of the bot's own health.
    private var healthIDs: Set<String> = []

    init(vocabulary: Vocabulary, judge: @escaping DeliveryJudge) {
        self.vocabulary = vocabulary
        self.judge = judge
    }

    /// What happened since the last look.
    var recent: [RehearsedDelivery] { deliveries.filter { $0.isNews || $0.isTouched } }

    mutating func look() {
        for place in deliveries.indices {
            deliveries[place].isNews = false
            deliveries[place].isTouched = false
        }
    }

    /// New answers of sinks, from now on. A sink that rested is tried again, as after new settings.
    mutating func set(_ answers: [String: [SinkAnswer]]) {
        scripts.merge(answers) { _, new in new }
        for sink in answers.keys { states[sink]?.restFingerprint = nil }
    }

    mutating func queue(_ messages: [Message], at now: Timestamp) {
        for message in messages {
            let payload = Payload(
                id: message.id,
                message: message.id,
                rule: message.rule,
                sink: message.sink,
                recipient: message.recipients.joined(separator: ", "),
                orderKey: message.orderKey,
                createdAt: now,
                expires: message.expires,
                text: message.title.plain,
                content: .null
            )
            let isHealth = !message.events.isEmpty && message.events.allSatisfy(healthIDs.contains)
            let claimed = ClaimedPayload(payload, attempts: 0, isHealth: isHealth)
            var delivery = RehearsedDelivery(message: message, claimed: claimed, due: now)
            // Nobody has to hear that what they never heard of is not so.
            if let earlier = message.corrects, !mayHaveArrived(earlier) { delivery.state = .dropped }
            if delivery.state == .waiting { deliveries.append(delivery) }
        }
    }

    private func mayHaveArrived(_ message: String) -> Bool {
        deliveries.contains { $0.message.id == message && ($0.state == .delivered || $0.mayHaveArrived) }
    }

    mutating func withdraw(_ messages: [String]) {
        for place in deliveries.indices where messages.contains(deliveries[place].message.id) {
            guard deliveries[place].state == .waiting, !deliveries[place].mayHaveArrived else { continue }
            end(place, .dropped)
        }
    }

    private mutating func end(_ place: Int, _ state: RehearsedState) {
        deliveries[place].isNews = deliveries[place].isNews || deliveries[place].state != state
        deliveries[place].state = state
        deliveries[place].isTouched = true
    }

    // MARK: Tries

    /// When something is to be tried next; nil if nothing waits.
    var nextDue: Timestamp? { deliveries.indices.compactMap { due(of: $0) }.min() }

    /// Nil for what does not wait, or waits for another message or for a person.
    private func due(of place: Int) -> Timestamp? {
        let delivery = deliveries[place]
        let state = states[delivery.message.sink]
        guard delivery.state == .waiting, state?.restFingerprint == nil, !isBehindAnother(place) else { return nil }
        return max(delivery.due, state?.health.notBefore ?? delivery.due)
    }

    /// Messages about one record reach one recipient in order.
    private func isBehindAnother(_ place: Int) -> Bool {
        let message = deliveries[place].message
        guard !message.orderKey.isEmpty else { return false }
        return deliveries[..<place].contains { earlier in
            earlier.state == .waiting && earlier.message.sink == message.sink
                && earlier.message.recipients == message.recipients && earlier.message.orderKey == message.orderKey
        }
    }

    /// Tries what is due, and gives what is to be told of it.
    mutating func deliver(at now: Timestamp) -> [Event] {
        var events: [Event] = []
        for place in deliveries.indices {
            guard let due = due(of: place), due <= now else { continue }
            if let expires = deliveries[place].message.expires, expires <= now {
                end(place, .dropped)
            } else {
                events += attempt(place, at: now)
            }
        }
        healthIDs.formUnion(events.map(\.id))
        return events
    }

    private mutating func attempt(_ place: Int, at now: Timestamp) -> [Event] {
        let name = deliveries[place].message.sink
        guard let script = scripts[name], let sink = vocabulary.installation.sink(name) else {
            end(place, .delivered)
            return []
        }
        let answer = script.first ?? .delivers
        if script.count > 1 { scripts[name] = Array(script.dropFirst()) }
        let before = states[name] ?? SinkState()
        let judgement = judge(sink, deliveries[place].claimed, answer.outcome, before, now)
        states[name] = judgement.state
        deliveries[place].claimed.attempts += 1
        deliveries[place].isTouched = true
        switch judgement.settlement.outcome {
        case .delivered: end(place, .delivered)
        case .retry(let due, let mayHaveArrived):
            deliveries[place].due = due
            deliveries[place].mayHaveArrived = deliveries[place].mayHaveArrived || mayHaveArrived
            deliveries[place].claimed.payload.isRepeat = deliveries[place].mayHaveArrived
        case .held: end(place, .held)
        case .dead: end(place, .deadLetter)
        case .dropped: end(place, .dropped)
        case .released: break
        }
        return judgement.events
    }
}
