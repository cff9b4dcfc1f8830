import BotCore
import Values

/// A source of one kind of entry of one student, asked for as a whole list: what absences, homework, class events and news have in
/// common.
struct ListSource: Provider {
    /// What is asked and how the answer is read.
    struct Reading: Sendable {
        var records: [Record]
        var unreadable = 0
        var unreadableKeys: Set<String> = []
        /// Where it comes from, if not from the usual place: what another place shows at first is learnt, not told.
        var place = ""

        /// The entries of a list, each key once; nil from `record` counts as unreadable.
        init(_ entries: [Value], _ record: (Value) -> Record?) {
            let read = entries.map(record)
            records = read.compactMap(\.self).uniqueByKey
            unreadable = read.count { $0 == nil }
        }
    }

    typealias Ask = @Sendable (ListQuestion) async throws(PluginError) -> Reading
    typealias Tell = @Sendable (Change, InterpretationContext) -> String?

    let account: WebUntisAccount
    let student: String?
    /// Whether the list is one student's; else it is the account's.
    var isPersonal = true
    /// Reads the list.
    let ask: Ask
    /// The kind that a change is told as; nil if it is not.
    let tell: Tell

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let profile = try await account.profile(at: request.now)
        let student =
            isPersonal
            ? try profile.student(student, at: account.wire.place)
            : try profile.studentOrNobody(student, at: account.wire.place)
        let reading = try await ask(
            ListQuestion(account: account, student: student, profile: profile, request: request)
        )
        let snapshot = Snapshot(
            records: reading.records,
            unreadableKeys: reading.unreadableKeys,
            unreadable: reading.unreadable,
            era: [profile.era(on: request.today), reading.place].filter { !$0.isEmpty }.joined(separator: "/"),
            student: student,
            calendar: profile.calendar
        )
        return await account.listSnapshot(snapshot, request)
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        difference.changes.compactMap { change in
            change.kind == .renumbered ? nil : tell(change, context).flatMap { change.occurrence($0) }
        }
    }
}

/// Who is asked for a list, about whom and when.
struct ListQuestion: Sendable {
    let account: WebUntisAccount
    let student: Student
    let profile: AccountProfile
    let request: FetchRequest

    var year: DateWindow { profile.yearDays(on: request.today) }

    /// One document of the list.
    func document(
        _ route: String,
        _ query: [(String, String)] = [],
        asking subject: String
    ) async throws(PluginError) -> Value {
        try await account.document(route, query, asking: subject, at: request.now)
    }

    /// A list of it that must be there.
    func list(_ value: Value, of subject: String, in document: Value) throws(PluginError) -> [Value] {
        try account.wire.list(value, of: subject, in: document)
    }
}

extension AccountProfile {
    /// The school year that a day lies in or that comes next; a year around the day where none is known.
    func yearDays(on date: CalendarDate) -> DateWindow {
        year(on: date)?.days ?? DateWindow(date.adding(days: -182), through: date.adding(days: 182))
    }

    /// Whether an entry that names some students is about this one. One that names nobody is only about somebody who is alone in the
    /// account, or where that was asked for.
    func concerns(_ student: Student, named ids: [String], acceptingUnassigned: Bool = false) -> Bool {
        ids.isEmpty ? students.count == 1 || acceptingUnassigned : ids.contains(student.id)
    }
}

extension [Record] {
    /// The first of each key.
    var uniqueByKey: [Record] {
        var seen: Set<String> = []
        return filter { seen.insert($0.key).inserted }
    }
}

extension Zone {
    /// The instant of a day and time as a value.
    func value(of date: CalendarDate, at time: WallTime) -> Value { .timestamp(instant(of: date, at: time)) }
}
