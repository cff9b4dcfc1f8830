import BotCore
import Values

/// Something that a rule has to tell of: an event, or a moment at which a scheduled rule was asked.
struct MatchedEvent: Sendable {
    /// For a scheduled rule: an event without a kind, known by its slot's key.
    var event: Event
    /// The values of the rule's `vars`.
    let vars: ValueMap
    /// The value of the rule's `group.by`; an empty text where it has none.
    let groupKey: Value
    /// Nil for an event.
    let firing: Firing?

    init(event: Event, vars: ValueMap, groupKey: Value = .string(""), firing: Firing? = nil) {
        self.event = event
        self.vars = vars
        self.groupKey = groupKey
        self.firing = firing
    }
}

/// What a scheduled rule knew when it was asked.
struct Firing: Sendable {
    /// The answers to its queries, by the languages of its recipients.
    var answers: [String: ValueMap]
    /// Whom it is about.
    var students: [Student]

    /// The answers for a language; where nobody reads it, those for another.
    func answers(in locale: String) -> ValueMap {
        answers[locale] ?? answers.min { $0.key < $1.key }?.value ?? ValueMap()
    }
}

extension Event {
    /// The moment of a scheduled rule, as policies see it: known by its slot, and about a record where it has one.
    ///
    /// - Parameter world: what names the moment whichever account sees its record; nil where it is this slot's alone.
    static func moment(
        _ key: String,
        at now: Timestamp,
        record: Record?,
        source: String = "",
        account: String = "",
        student: Student = .nobody,
        world: String? = nil
    ) -> Event {
        Event(
            id: key,
            worldID: "slot/\(world ?? key)",
            kind: "",
            at: now,
            source: source,
            account: account,
            student: student,
            record: record ?? Record(key: key, type: "", fields: ValueMap()),
            old: nil,
            changes: [],
            revision: 0
        )
    }

    /// Whether it is the moment of a scheduled rule.
    var isMoment: Bool { kind.isEmpty }
}
