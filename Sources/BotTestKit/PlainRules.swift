public import BotCore
public import Values

/// Rules without rule files: each tells every event it wants, as a message of one line.
public struct PlainRules: Rules {
    public struct Rule: Sendable {
        public var id: String
        public var sink: String
        public var wants: @Sendable (Event) -> Bool

        public init(_ id: String, to sink: String, wants: @escaping @Sendable (Event) -> Bool = { _ in true }) {
            self.id = id
            self.sink = sink
            self.wants = wants
        }
    }

    public var rules: [Rule]
    /// Moments at which a scheduled rule fires.
    public var schedule: [Slot]
    /// Where scheduled rules tell.
    public var scheduleSink: String
    public var expires: TimeSpan?
    public var readSources: Set<String>

    public init(
        _ rules: [Rule],
        schedule: [Slot] = [],
        scheduleSink: String = "",
        expires: TimeSpan? = nil,
        readSources: Set<String> = []
    ) {
        self.rules = rules
        self.schedule = schedule
        self.scheduleSink = scheduleSink
        self.expires = expires
        self.readSources = readSources
    }

    public var ids: Set<String> { Set(rules.map(\.id) + schedule.map(\.rule)) }

    public func decide(on events: [Event], in context: RuleContext) -> Decision {
        var decision = Decision()
        for rule in rules {
            for event in events where rule.wants(event) {
                decision.messages.append(message(rule, event, context.now))
                decision.notes.append(RuleNote(rule: rule.id, about: event.id, outcome: .told, reason: ""))
            }
        }
        return decision
    }

    private func message(_ rule: Rule, _ event: Event, _ now: Timestamp) -> Message {
        Message(
            id: "\(rule.id)|\(event.worldID)|\(rule.sink)",
            rule: rule.id,
            sink: rule.sink,
            title: TemplatedText(template: "\(event.kind) \(event.record.key)"),
            body: TemplatedText(template: event.record.fields["text"]?.plainText ?? ""),
            events: [event.id],
            orderKey: "\(event.source)/\(event.record.key)",
            expires: expires.map { now + $0 }
        )
    }

    public func slots(after start: Timestamp, through end: Timestamp, in context: RuleContext) -> [Slot] {
        schedule.filter { $0.due > start && $0.due <= end }.sorted { $0.due < $1.due }
    }

    public func nextSlot(after instant: Timestamp, in context: RuleContext) -> Timestamp? {
        schedule.map(\.due).filter { $0 > instant }.min()
    }

    public func fire(_ slot: Slot, in context: RuleContext) -> Decision {
        let count = context.snapshots.values.reduce(0) { $0 + $1.records.count }
        let message = Message(
            id: "\(slot.rule)|\(slot.key)|\(scheduleSink)",
            rule: slot.rule,
            sink: scheduleSink,
            title: TemplatedText(template: "\(slot.rule) \(slot.key)"),
            body: TemplatedText(template: "\(count) records")
        )
        return Decision(
            messages: [message],
            notes: [RuleNote(rule: slot.rule, about: slot.key, outcome: .told, reason: "")]
        )
    }
}
