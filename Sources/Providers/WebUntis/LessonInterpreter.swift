import BotCore
import Digests
import Values

/// Tells what the changes of a timetable mean.
///
/// A record that changed in several ways makes one occurrence, of the weightiest kind: cancelled or restored, replaced, moved, subject,
/// teacher, room, text; its `changes` list them all.
///
/// Where a source of exams knows the same student, exams are its news: a lesson that becomes an exam is not told here, but a lesson that
/// is cancelled, replaced, moved or gone carries the name of the exam it takes with it.
struct LessonInterpreter {
    let difference: Difference
    /// The same student's records of other sources.
    let others: [Record]

    func occurrences() -> [Occurrence] {
        let renewed = RenewedWeeks(difference)
        let changes = difference.changes.filter { !renewed.hides($0) }
        let findings = changes.enumerated().compactMap { LessonFinding($0.element, position: $0.offset) }
        let joined = LessonFindings(before: difference.before, after: difference.after).joined(findings)
        let exams = others.filter { $0.type == ExamSchema.record.name }
        return renewed.occurrences
            + joined.filter { exams.isEmpty || !$0.isExamNews }.map { $0.occurrence(with: exams) }
    }
}

/// What one change means, before it is joined with others.
struct LessonFinding {
    enum Kind: String {
        case cancelled, restored, replaced, moved, added, removed
        case subjectChanged = "subject_changed"
        case teacherChanged = "teacher_changed"
        case roomChanged = "room_changed"
        case textChanged = "text_changed"
    }

    var kind: Kind
    var record: Record
    var old: Record?
    var changes: [FieldChange]
    var revision: Int64
    /// Whether the lesson is new on a day that was known.
    var isNew: Bool
    /// Its place among the changes.
    var position: Int

    init?(_ change: Change, position: Int) {
        guard let record = change.new ?? change.old, record.type == LessonSchema.record.name else { return nil }
        guard let kind = Self.kind(of: change) else { return nil }
        self.kind = kind
        self.record = record
        old = change.new == nil ? nil : change.old
        changes = change.fields
        revision = change.revision
        isNew = change.kind == .added
        self.position = position
    }

    /// Whether nothing changed but that the lesson is an exam, or which.
    var isExamNews: Bool {
        kind == .textChanged && changes.allSatisfy { ["exam", "exam_text", "kind"].contains($0.field) }
    }

    /// What is told; a lesson that does not take place as planned names the exam that was to be in it.
    func occurrence(with exams: [Record]) -> Occurrence {
        var record = record
        if [.cancelled, .replaced, .moved, .removed].contains(kind), record.text("exam").isEmpty,
            let planned = old ?? Optional(record), let exam = exams.first(where: { $0.overlaps(planned) })
        {
            record.fields["exam"] = exam.fields["name"]
        }
        return Occurrence(
            kind: "lesson.\(kind.rawValue)",
            record: record,
            old: old,
            changes: changes,
            revision: revision
        )
    }

    private static func kind(of change: Change) -> Kind? {
        switch change.kind {
        case .renumbered: nil
        case .removed: change.old.flatMap { $0.isCancelled ? nil : .removed }
        case .added: change.new.flatMap { deviation(of: $0) ?? ($0.isCancelled ? nil : .added) }
        case .entered: change.new.flatMap(deviation)
        case .changed: change.old.flatMap { old in change.new.flatMap { kind(from: old, to: $0, change.fields) } }
        }
    }

    /// What deviates from plan in a lesson that was never seen as planned: the school marks it in the row itself.
    private static func deviation(of record: Record) -> Kind? {
        if record.isCancelled {
            // The row at the other end tells the move, unless it lies outside the days that are seen.
            if record.isMovedAway { return record.text("new_id").isEmpty ? .moved : nil }
            return record.text("new_subject").isEmpty && record.text("new_id").isEmpty ? .cancelled : .replaced
        }
        let marks = record.texts("deviations")
        if marks.contains("time") { return .moved }
        if marks.contains("additional") { return .added }
        if marks.contains("subject") { return .subjectChanged }
        if marks.contains("teacher") { return .teacherChanged }
        return marks.contains("room") ? .roomChanged : nil
    }

    private static func kind(from old: Record, to new: Record, _ fields: [FieldChange]) -> Kind? {
        let changed = Set(fields.map(\.field))
        switch (old.isCancelled, new.isCancelled) {
        case (false, true): return deviation(of: new)
        case (true, false): return new.text("state") == "moved" ? .moved : .restored
        case (true, true):
            if new.isMovedAway { return nil }
            if changed.contains(where: { $0.hasPrefix("new_") }) { return deviation(of: new) }
            return changed.contains("text") ? .textChanged : nil
        case (false, false): break
        }
        if changed.contains("start") || changed.contains("end"), !isResplit(old, new) { return .moved }
        if new.text("state") == "moved", old.text("state") != "moved" { return .moved }
        if changed.contains("subject") { return .subjectChanged }
        if changed.contains("teachers") { return .teacherChanged }
        if changed.contains("rooms") { return .roomChanged }
        return changed.isDisjoint(with: ["text", "exam", "exam_text", "kind"]) ? nil : .textChanged
    }

    /// Whether a span changed only because the timetable merges or divides a block in another way.
    private static func isResplit(_ old: Record, _ new: Record) -> Bool {
        // A block of the same lessons is divided or whole by whether the school tells its bells.
        let areBlocks = [old, new].allSatisfy { $0.fields["merged"]?.integer ?? 1 > 1 }
        guard areBlocks || old.fields["merged"] != new.fields["merged"] else { return false }
        guard let oldStart = old.start, let oldEnd = old.end, let newStart = new.start, let newEnd = new.end else {
            return false
        }
        return (oldStart <= newStart && newEnd <= oldEnd) || (newStart <= oldStart && oldEnd <= newEnd)
    }
}

/// A week in which most of the plan vanished at once because the school imported a new one.
struct RenewedWeeks {
    /// The share of a week's lessons that must be gone, and how many at least (`protocols/webuntis.md` section 4 proposes 40 %).
    private static let share = 0.4
    private static let fewest = 5

    private var weeks: [CalendarDate: (removed: [Record], added: Int)] = [:]
    private let student: String

    init(_ difference: Difference) {
        let before = Dictionary(grouping: difference.before) { $0.date?.monday }
        let gone = Dictionary(grouping: difference.changes.filter { $0.kind == .removed }.compactMap(\.old)) {
            $0.date?.monday
        }
        student = difference.before.first.map { String($0.key.prefix { $0 != "/" }) } ?? ""
        let old = difference.oldMemo["import"].integer
        let new = difference.newMemo["import"].integer
        guard old == nil || new == nil || old != new else { return }
        for case (let monday?, let records) in gone {
            let all = before[monday]?.count ?? 0
            guard records.count >= Self.fewest, Double(records.count) > Self.share * Double(all) else { continue }
            let added = difference.changes.count { $0.kind == .added && $0.new?.date?.monday == monday }
            weeks[monday] = (records, added)
        }
    }

    /// Single additions and removals of such a week are not told.
    func hides(_ change: Change) -> Bool {
        guard change.kind == .added || change.kind == .removed, let record = change.new ?? change.old else {
            return false
        }
        return record.date.map { weeks[$0.monday] != nil } ?? false
    }

    var occurrences: [Occurrence] {
        weeks.sorted { $0.key < $1.key }.map { monday, week in
            // The removed keys name the import: the same answer makes the same record, the next import another.
            let name = ContentID.make(week.removed.map(\.key).sorted())
            let fields: ValueMap = [
                "week": .string(monday.description), "removed": .int(Int64(week.removed.count)),
                "added": .int(Int64(week.added)),
            ]
            let record = Record(
                key: "\(student)/\(monday)/import-\(name)",
                type: LessonSchema.weekRecord.name,
                date: monday,
                fields: fields
            )
            return Occurrence(kind: "timetable.reimported", record: record, revision: 1)
        }
    }
}

extension Record {
    var isCancelled: Bool { text("state") == "cancelled" }
    var isMovedAway: Bool { fields["is_moved_away"]?.bool ?? false }
    var start: Timestamp? { fields["start"]?.timestamp }
    var end: Timestamp? { fields["end"]?.timestamp }

    func overlaps(_ other: Record) -> Bool {
        guard let start, let end, let otherStart = other.start, let otherEnd = other.end else { return false }
        return start < otherEnd && otherStart < end
    }

    func text(_ field: String) -> String { fields[field]?.string ?? "" }
    func texts(_ field: String) -> [String] { fields[field]?.list?.compactMap(\.string) ?? [] }
}
