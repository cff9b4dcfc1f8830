import Values

/// A teacher, subject or room of a lesson: who was planned and who it is now. Nil for nobody.
struct Filling: Sendable, Hashable {
    var planned: Int?
    var current: Int?

    init(_ planned: Int?) {
        self.planned = planned
        current = planned
    }

    var isChanged: Bool { planned != current }
}

/// One block of teaching: one or several bells of a course on a day, or an event.
struct Lesson: Sendable {
    enum Kind: String, Sendable {
        case normal = "NORMAL_TEACHING_PERIOD"
        case additional = "ADDITIONAL_PERIOD"
        case event = "EVENT"
        case exam = "EXAM"
    }

    /// One id for every bell it covers; WebUntis merges double lessons and keeps all ids.
    var ids: [Int]
    var klasse: Int
    /// The number of its course; 0 for an event.
    var course: Int
    var slot: Slot
    var kind: Kind
    var subject: Filling
    var teacher: Filling
    var room: Filling
    var isCancelled = false
    var substitutionText = ""
    var info: String?
    /// Where it stood before it was moved.
    var movedFrom: Slot?
    /// It is sent without its times: a row that no client can read.
    var isSpoilt = false
    /// The id of the exam that is written in it.
    var exam: Int?

    /// Whether its plan was deviated from in a way that lets it take place.
    var isChanged: Bool {
        teacher.isChanged || room.isChanged || subject.isChanged || movedFrom != nil || kind == .additional
    }

    /// The bells, each with its id: how JSON-RPC and the mobile interface list it.
    func periods(_ bells: [Bell]) -> [(id: Int, start: WallTime, end: WallTime)] {
        let covered = bells.filter { $0.start >= slot.start && $0.end <= slot.end }
        guard ids.count > 1, covered.count == ids.count else { return [(ids[0], slot.start, slot.end)] }
        return zip(ids, covered).map { ($0, $1.start, $1.end) }
    }
}

/// Which lessons stand together: those of one class on one day.
struct ClassDay: Sendable, Hashable {
    let klasse: Int
    let date: CalendarDate
}
