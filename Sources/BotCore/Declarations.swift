public import Values

/// What a source of one provider speaks of: record shapes, event kinds, queries.
///
/// One declaration feeds the checker of rule files, the JSON Schema for editors and the reference pages.
public struct SourceSchema: Sendable {
    public var records: [RecordShape]
    public var events: [EventDeclaration]
    public var queries: [QueryDeclaration]
    /// `record.field` of fields that are shown but whose change alone is no change: ratings, a server's own marks.
    public var uncomparedFields: Set<String>
    /// `record.field` and the values that say it does not take place or is over: `lesson.state` is `cancelled`. `time_of` passes such
    /// records over.
    public var offWhen: [String: Set<Value>]

    public init(
        records: [RecordShape],
        events: [EventDeclaration],
        queries: [QueryDeclaration] = [],
        uncomparedFields: Set<String> = [],
        offWhen: [String: Set<Value>] = [:]
    ) {
        self.records = records
        self.events = events
        self.queries = queries
        self.uncomparedFields = uncomparedFields
        self.offWhen = offWhen
    }
}

/// One kind of event.
public struct EventDeclaration: Sendable, Hashable {
    /// When a message about it is stale, unless its rule says otherwise.
    public enum Expiry: Sendable, Hashable {
        case never
        case after(TimeSpan)
        /// At the instant in this field of its record: a lesson's `end`.
        case field(String)
    }

    /// `lesson.cancelled`.
    public var kind: String
    /// The name of its record's shape.
    public var record: String
    public var documentation: String
    public var expiry: Expiry
    /// The kind that takes it back: a correction is due when a delivered `lesson.cancelled` is followed by `lesson.restored`.
    public var opposite: String?

    public init(
        _ kind: String,
        of record: String,
        _ documentation: String,
        expiry: Expiry = .after(.days(3)),
        opposite: String? = nil
    ) {
        self.kind = kind
        self.record = record
        self.documentation = documentation
        self.expiry = expiry
        self.opposite = opposite
    }
}

/// What a query may know besides the records.
public struct QueryContext: Sendable {
    public var now: Timestamp
    public var zone: Zone
    public var locale: String
    /// The record types of the sources that have answered: without a record of a type that is known there is none, of one that is not
    /// nothing can be said.
    public var knownTypes: Set<String>

    public init(now: Timestamp, zone: Zone, locale: String, knownTypes: Set<String> = []) {
        self.now = now
        self.zone = zone
        self.locale = locale
        self.knownTypes = knownTypes
    }

    public var today: CalendarDate { zone.date(at: now) }
}

/// A question that scheduled rules may ask of a source's last good snapshot.
public struct QueryDeclaration: Sendable {
    /// `mensa.today`.
    public var name: String
    /// The shape of the answer. Every answer gets the field `age` on top: how long ago the source answered, of several the one that
    /// answered first.
    public var result: RecordShape
    public var documentation: String
    /// Whether all sources of one account and student that declare it answer it together, each with its records; those that have never
    /// answered are left out.
    public var isJoint: Bool
    /// Pure.
    public var answer: @Sendable ([Record], QueryContext) -> ValueMap

    public init(
        _ name: String,
        result: RecordShape,
        _ documentation: String,
        isJoint: Bool = false,
        answer: @escaping @Sendable ([Record], QueryContext) -> ValueMap
    ) {
        self.name = name
        self.result = result
        self.documentation = documentation
        self.isJoint = isJoint
        self.answer = answer
    }
}
