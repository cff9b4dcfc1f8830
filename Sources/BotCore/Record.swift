public import Values

/// One thing that a source knows: a lesson, a grade, a dish.
public struct Record: Sendable, Hashable {
    /// What makes it the same thing in the next answer; unique within a source. Student or resource, date and period id for a
    /// lesson (`4711/2026-11-30/900123`), the far end's id for most others.
    public var key: String
    /// The name of its record shape: `lesson`.
    public var type: String
    /// The day it belongs to. Records without one are compared as a whole list, whatever the window.
    public var date: CalendarDate?
    /// What the declaration of its type says; values of every field that is not optional.
    public var fields: ValueMap
    /// Date, time, subject and class in one text: records left over on both sides of a comparison are the same thing under a
    /// new key if these are equal. Nil where a new key always means a new thing.
    public var likeness: String?
    /// The same thing seen through anybody's account of the same school; nil where it concerns one student alone.
    public var worldKey: String?

    public init(
        key: String,
        type: String,
        date: CalendarDate? = nil,
        fields: ValueMap,
        likeness: String? = nil,
        worldKey: String? = nil
    ) {
        self.key = key
        self.type = type
        self.date = date
        self.fields = fields
        self.likeness = likeness
        self.worldKey = worldKey
    }
}

/// A record as the memory keeps it.
public struct StoredRecord: Sendable, Hashable {
    public var record: Record
    /// How often this record has been seen to change, from 1; it only grows, also over a removal and a return.
    public var revision: Int64

    public init(_ record: Record, revision: Int64) {
        self.record = record
        self.revision = revision
    }
}

/// The stored rows that one poll is compared with.
public struct StoredRecords: Sendable, Hashable {
    public var present: [StoredRecord]
    /// Revisions of records that are gone, by key: what returns goes on counting.
    public var gone: [String: Int64]

    public init(present: [StoredRecord] = [], gone: [String: Int64] = [:]) {
        self.present = present
        self.gone = gone
    }
}

/// Asks for what an answer of a source is compared with.
public struct RecordQuestion: Sendable {
    public var source: String
    /// The first day of records that are wanted; records without a day always are. Nil for all.
    public var first: CalendarDate?
    /// What stands under the keys of these is wanted, too, whatever its day. A store need not build anew what it holds just so.
    public var answer: [Record]

    public init(_ source: String, from first: CalendarDate? = nil, answer: [Record] = []) {
        self.source = source
        self.first = first
        self.answer = answer
    }
}

/// Whom a record is about. Both texts are empty where it is about nobody in particular, such as a menu.
public struct Student: Sendable, Hashable {
    /// The school's id of the person.
    public var id: String
    /// The name that people use. Personal: goes into messages and the state folder, never into logs or errors.
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    public static let nobody = Student(id: "", name: "")
}
