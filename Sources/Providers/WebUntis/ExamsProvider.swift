import BotConfig
import BotCore
import Values

/// `webuntis.exams`: the exams of a student from today on, from the school's list and from the timetable, each once.
///
/// The list has no ids (they are 0) and mixes the children of a guardian; the timetable has exams that are on no list. Either may be
/// refused to an account; only without both there is nothing to tell.
struct ExamsProvider: Provider {
    let account: WebUntisAccount
    let student: String?
    /// Days of timetable that are read along.
    let lookAhead: Int
    /// Whether exams that name no student are told to a guardian of several children.
    let acceptsUnassigned: Bool

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let profile = try await account.profile(at: request.now)
        let student = try profile.student(student, at: account.wire.place)
        let list = try await optional { () throws(PluginError) in try await listed(student, profile, request) }
        let plan = try await optional { () throws(PluginError) in try await planned(student, profile, request) }
        if case (.failure(let error), .failure) = (list, plan) { throw error }
        let (listing, timetable) = (try? list.get(), try? plan.get())
        var exams = listing?.exams ?? []
        for index in exams.indices { exams[index].joinLesson(from: timetable?.lessons ?? []) }
        for lesson in timetable?.lessons ?? [] where lesson.kind == "exam" {
            let exam = Exam(lesson)
            // An exam of a list that is refused today is kept as the list told it.
            let isKept = listing == nil && request.knownKeys.contains(exam.key(of: student.id, from: .list))
            if !isKept, !exams.contains(where: { $0.isHeld(in: lesson) }) { exams.append(exam) }
        }
        let places = [(Exam.Origin.list, listing != nil), (.timetable, timetable != nil)].map {
            (part: "\(student.id)/\($0.0.rawValue)", isOpen: $0.1)
        }
        return await account.listSnapshot(
            Snapshot(
                records: exams.map { $0.record(of: student.id, at: account.wire.address.school, in: request.zone) }
                    .uniqueByKey,
                unreadableKeys: kept(request, isListed: listing != nil, days: timetable?.days),
                unreadable: listing?.unreadable ?? 0,
                era: profile.era(on: request.today),
                student: student,
                calendar: profile.calendar
            ),
            request,
            answered: Set(places.filter(\.isOpen).map(\.part)),
            refused: Set(places.filter { !$0.isOpen }.map(\.part)),
            lacksPart: listing.map { $0.exams.isEmpty && $0.unreadable == 0 } ?? false
                && request.knownKeys.contains { Self.isComing($0, of: student.id, on: request.today) }
        )
    }

    /// Whether a key is that of a listed exam still to come: a list that is suddenly without any may be a dead session's.
    private static func isComing(_ key: String, of student: String, on today: CalendarDate) -> Bool {
        let parts = key.split(separator: "/")
        guard parts.count == 4, parts[0] == student, parts[1] == Exam.Origin.list.rawValue[...] else { return false }
        return CalendarDate(parts[2]).map { $0 >= today } ?? false
    }

    /// Known exams that this answer could not have shown: those of the list where that is refused today, those of the timetable where
    /// their day is not shown.
    private func kept(_ request: FetchRequest, isListed: Bool, days: Set<CalendarDate>?) -> Set<String> {
        request.knownKeys.filter { key in
            let parts = key.split(separator: "/")
            guard parts.count == 4, let date = CalendarDate(parts[2]) else { return false }
            return parts[1] == Exam.Origin.list.rawValue[...] ? !isListed : days?.contains(date) != true
        }
    }

    /// What one of the two places knows, or why it is refused. Anything but a refusal ends the poll.
    private func optional<Answer>(
        _ ask: () async throws(PluginError) -> Answer
    ) async throws(PluginError) -> Result<Answer, PluginError> {
        do {
            return .success(try await ask())
        } catch  where error.disposition == .unavailable {
            return .failure(error)
        }
    }

    private func listed(
        _ student: Student,
        _ profile: AccountProfile,
        _ request: FetchRequest
    ) async throws(PluginError) -> (exams: [Exam], unreadable: Int) {
        let last = profile.yearDays(on: request.today).last
        guard request.today <= last else { return ([], 0) }
        let query = [
            ("studentId", student.id), ("klasseId", "-1"), ("startDate", request.today.compact),
            ("endDate", last.compact),
        ]
        let document = try await account.document(WebUntisRoutes.exams, query, asking: "exams", at: request.now)
        let list = try account.wire.list(document["data"]["exams"], of: "exams", in: document)
        let own = list.filter { entry in
            let ids = (entry["assignedStudents"].list ?? []).map { $0["id"].label }
            return profile.concerns(student, named: ids, acceptingUnassigned: acceptsUnassigned)
        }
        let exams = own.compactMap { Exam($0) }
        return (exams, own.count - exams.count)
    }

    private func planned(
        _ student: Student,
        _ profile: AccountProfile,
        _ request: FetchRequest
    ) async throws(PluginError) -> TimetableAnswer {
        var limit: CalendarDate?
        let question = TimetableQuestion(account: account, student: student.id, format: 1, now: request.now)
        let window = DateWindow(request.today, through: request.today.adding(days: lookAhead))
        return try await question.answer(for: window, profile, limit: &limit)
    }

    /// An exam that goes and one of the same subject and name that comes is one exam on another day. What a place shows when it first
    /// answers was there before, and is not told.
    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        let today = context.zone.date(at: context.now).description
        let unseen = ListMemo.unseenParts(in: difference.oldMemo).intersection(
            ListMemo.seenParts(in: difference.newMemo)
        )
        let changes = difference.changes.filter {
            !Self.isLearnt($0, fromFirstAnswerOf: unseen) && !Self.isKnownElsewhere($0, difference)
        }
        var occurrences: [Occurrence] = []
        var gone = changes.filter { $0.kind == .removed && ($0.old?.text("date") ?? "") >= today }
        for change in changes {
            guard let record = change.new, change.kind != .renumbered else { continue }
            var (old, fields) = (change.old, change.fields)
            if old == nil, let twin = gone.firstIndex(where: { Self.isSame($0.old, record) }) {
                old = gone.remove(at: twin).old
                fields = Self.moves(from: old, to: record)
            }
            let kind = old == nil ? "exam.added" : "exam.changed"
            occurrences.append(
                Occurrence(kind: kind, record: record, old: old, changes: fields, revision: change.revision)
            )
        }
        return occurrences
            + gone.compactMap { $0.occurrence("exam.removed") }
    }

    /// A list that comes newly takes exams over that only the timetable had: those have not gone.
    private static func isLearnt(_ change: Change, fromFirstAnswerOf places: Set<String>) -> Bool {
        if let new = change.new { return places.contains(new.listPart) }
        return change.old?.origin == .timetable
            && places.contains { $0.hasSuffix("/\(Exam.Origin.list.rawValue)") }
    }

    /// Whether an exam only comes to or goes from one place while the other knows it before and after.
    private static func isKnownElsewhere(_ change: Change, _ difference: Difference) -> Bool {
        guard (change.old == nil) != (change.new == nil), let record = change.new ?? change.old else { return false }
        let others = change.new == nil ? difference.after : difference.before
        return others.contains { $0.likeness == record.likeness && $0.origin != record.origin }
    }

    private static func isSame(_ old: Record?, _ new: Record) -> Bool {
        old?.fields["subject"] == new.fields["subject"] && old?.fields["name"] == new.fields["name"]
    }

    private static func moves(from old: Record?, to new: Record) -> [FieldChange] {
        guard let old else { return [] }
        return ["date", "start", "end"].compactMap { field in
            let (before, after) = (old.fields[field] ?? .null, new.fields[field] ?? .null)
            return before == after ? nil : FieldChange(field: field, old: before, new: after)
        }
    }
}

extension Record {
    /// Where an exam was read, by its key.
    fileprivate var origin: Exam.Origin? {
        key.split(separator: "/").dropFirst().first.flatMap { Exam.Origin(rawValue: String($0)) }
    }
}
