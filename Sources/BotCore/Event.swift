public import Values

/// What a provider makes of one or several changes: something worth telling, before it has an id.
public struct Occurrence: Sendable, Hashable {
    /// `lesson.cancelled`.
    public var kind: String
    /// The record it is about, as it is now (as it was, if it is gone).
    public var record: Record
    /// Its last state before, if any.
    public var old: Record?
    public var changes: [FieldChange]
    /// The revision of `record` after the change; from `Change.revision`.
    public var revision: Int64

    public init(kind: String, record: Record, old: Record? = nil, changes: [FieldChange] = [], revision: Int64) {
        self.kind = kind
        self.record = record
        self.old = old
        self.changes = changes
        self.revision = revision
    }
}

extension Change {
    /// What it is told as; the old state only where there is a new one beside it. Nil for a change without any state.
    public func occurrence(_ kind: String) -> Occurrence? {
        guard let record = new ?? old else { return nil }
        return Occurrence(kind: kind, record: record, old: new == nil ? nil : old, changes: fields, revision: revision)
    }
}

/// Something that happened, once.
public struct Event: Sendable, Hashable {
    /// hash(source, record key, revision, kind): the same answer polled twice makes the same id.
    public var id: String
    /// hash(school, kind, the change without the student): equal for everybody whose account sees the same change. Equal to `id`
    /// where the record concerns one student alone.
    public var worldID: String
    public var kind: String
    /// When it was seen.
    public var at: Timestamp
    /// The name of the source in the bot file.
    public var source: String
    /// The name of the account in the bot file; empty where the source needs none.
    public var account: String
    public var student: Student
    public var record: Record
    public var old: Record?
    public var changes: [FieldChange]
    public var revision: Int64

    public init(
        id: String,
        worldID: String,
        kind: String,
        at: Timestamp,
        source: String,
        account: String,
        student: Student,
        record: Record,
        old: Record?,
        changes: [FieldChange],
        revision: Int64
    ) {
        self.id = id
        self.worldID = worldID
        self.kind = kind
        self.at = at
        self.source = source
        self.account = account
        self.student = student
        self.record = record
        self.old = old
        self.changes = changes
        self.revision = revision
    }

    /// What rules read: `event`, `source`, `account`, `student`, the record under the name of its type, `old` (`.null` where there is
    /// none) and `changes`.
    public var variables: ValueMap {
        [
            "event": ["kind": .string(kind), "id": .string(id), "at": .timestamp(at)],
            "source": .string(source),
            "account": .string(account),
            "student": ["id": .string(student.id), "name": .string(student.name)],
            record.type: .map(record.fields),
            "old": old.map { .map($0.fields) } ?? .null,
            "changes": .list(
                changes.map { ["field": .string($0.field), "old": $0.old, "new": $0.new] }
            ),
        ]
    }
}
