public import Values

/// A field that has another value than before; `.null` stands for an optional field that is missing.
public struct FieldChange: Sendable, Hashable {
    public var field: String
    public var old: Value
    public var new: Value

    public init(field: String, old: Value, new: Value) {
        self.field = field
        self.old = old
        self.new = new
    }
}

/// What became of one record between two snapshots.
public struct Change: Sendable, Hashable {
    /// What became of it.
    public enum Kind: Sendable, Hashable {
        /// Not there before, on a day that had been seen before.
        case added
        /// Gone, from a day that both snapshots cover.
        case removed
        /// There before and after, with other fields; perhaps under another key.
        case changed
        /// On a day that was not known before. Not news by itself: only what deviates from plan in it is told.
        case entered
        /// The same in all that is compared, under another key. Never told.
        case renumbered
    }

    public var kind: Kind
    /// As it was; nil for `added` and `entered`.
    public var old: Record?
    /// As it is; nil for `removed`.
    public var new: Record?
    /// The compared fields that differ, in the order of the declaration; empty unless `changed`.
    public var fields: [FieldChange]
    /// The record's revision after this change.
    public var revision: Int64

    public init(_ kind: Kind, old: Record? = nil, new: Record? = nil, fields: [FieldChange] = [], revision: Int64) {
        self.kind = kind
        self.old = old
        self.new = new
        self.fields = fields
        self.revision = revision
    }
}

/// All that lies between what is stored of a source and what it answered now.
public struct Difference: Sendable, Hashable {
    /// The changes, in the order of the new answer, removals last.
    public var changes: [Change]
    /// The records as they were stored, without those before the window.
    public var before: [Record]
    /// The records as they are now.
    public var after: [Record]
    /// The memo of the last good poll and that of this one.
    public var oldMemo: Value
    public var newMemo: Value

    public init(changes: [Change], before: [Record], after: [Record], oldMemo: Value = .null, newMemo: Value = .null) {
        self.changes = changes
        self.before = before
        self.after = after
        self.oldMemo = oldMemo
        self.newMemo = newMemo
    }
}
