import BotConfig
import BotCore
import Values

/// Who a login is and what its school year looks like.
struct AccountProfile: Sendable {
    /// Oneself, or one's children.
    var students: [Student]
    var tenant: String
    /// School years in order of time; empty where the server does not tell.
    var years: [SchoolYear]
    var holidays: [SchoolCalendar.Holiday]
    /// The school's bells, in order of time; empty where the server does not tell.
    var bells: [Bell]
    /// Class of oneself if the login told it; 0 if not.
    var classID: Int64
    var loadedAt: Timestamp

    struct Bell: Sendable, Hashable {
        var ordinal: Int
        var start: WallTime
        var end: WallTime
    }

    struct SchoolYear: Sendable, Hashable {
        var id: Int64
        var days: DateWindow
    }

    var calendar: SchoolCalendar { SchoolCalendar(years: years.map(\.days), holidays: holidays) }

    /// The year that a day lies in, else the next one to come, else the last one.
    func year(on date: CalendarDate) -> SchoolYear? {
        years.first { date <= $0.days.last } ?? years.last
    }

    /// The parts of a window that lie in one school year each; a request must not cross its border (-8507). The whole window where no
    /// year is known.
    func spans(of window: DateWindow) -> [DateWindow] {
        if years.isEmpty { return [window] }
        return years.compactMap { year in
            let span = DateWindow(max(window.first, year.days.first), through: min(window.last, year.days.last))
            return span.first <= span.last ? span : nil
        }
    }

    /// The era of a day: keys of lessons, grades and classes keep their meaning within one school year.
    func era(on date: CalendarDate) -> String { year(on: date).map { String($0.id) } ?? "" }
}

extension AccountProfile {
    static func load(
        from account: WebUntisAccount,
        session: Session,
        at now: Timestamp
    ) async throws(PluginError) -> AccountProfile {
        let app = try await account.document(WebUntisRoutes.appData, asking: "the user's own data", at: now)
        let user = app["user"]
        let roles = (user["roles"].list ?? [user["role"]]).map { $0.label.uppercased() }
        let role = try Role(
            roles: roles,
            personType: session.personType,
            personID: session.personID,
            at: account.wire.place
        )
        let students =
            switch role {
            case .student: [try own(user["person"], session, at: account.wire.place)]
            case .guardian: try await children(user["students"], of: account, at: now)
            }
        return AccountProfile(
            students: students,
            tenant: app["tenant"]["id"].label,
            years: try await years(app["currentSchoolYear"], of: account, at: now),
            holidays: holidays(app["holidays"]),
            bells: bells(app["currentSchoolYear"]["timeGrid"]["units"]),
            classID: session.classID,
            loadedAt: now
        )
    }

    private enum Role {
        case student, guardian

        /// By the roles that the server names, else by the person's type. Everybody else is refused: a teacher's account could read the
        /// data of whole classes, which this program has no business with.
        init(roles: [String], personType: Int64, personID: Int64, at place: String) throws(PluginError) {
            if roles.contains("STUDENT") || (roles.allSatisfy(\.isEmpty) && personType == 5) {
                self = .student
            } else if roles.contains(where: { $0.contains("GUARDIAN") || $0.contains("PARENT") })
                || (roles.allSatisfy(\.isEmpty) && [12, 15].contains(personType))
            {
                self = .guardian
            } else if personType == 16 || personID < 0 {
                throw .unauthorized(
                    "\(place) is a technical user without a person; use the login of a student or a guardian."
                )
            } else {
                throw .unauthorized(
                    "\(place) is the account of a teacher or of the school's staff; this program only takes students and guardians."
                )
            }
        }
    }

    private static func own(_ person: Value, _ session: Session, at place: String) throws(PluginError) -> Student {
        guard let id = person["id"].wholeNumber ?? (session.personID > 0 ? session.personID : nil), id > 0 else {
            throw .permanent("\(place): WebUntis did not tell which student this is.")
        }
        return Student(id: String(id), name: person["displayName"].label)
    }

    /// The children of a guardian: from the app's data, else from `getStudents`, which shows guardians theirs alone.
    private static func children(
        _ listed: Value,
        of account: WebUntisAccount,
        at now: Timestamp
    ) async throws(PluginError) -> [Student] {
        let children = (listed.list ?? []).compactMap(student)
        if !children.isEmpty { return children }
        do {
            return (try await account.call("getStudents", at: now).list ?? []).compactMap(student)
        } catch  where error.disposition == .unavailable || error.disposition == .permanent {
            return []
        }
    }

    private static func student(_ entry: Value) -> Student? {
        guard let id = entry["id"].wholeNumber, id > 0 else { return nil }
        let full = [entry["longName"].label, entry["foreName"].label].distinct.joined(separator: " ")
        let name = [entry["displayName"].label, full, entry["name"].label].first { !$0.isEmpty }
        return Student(id: String(id), name: name ?? "")
    }

    /// All school years; the current one alone where the list is not granted.
    private static func years(
        _ current: Value,
        of account: WebUntisAccount,
        at now: Timestamp
    ) async throws(PluginError) -> [SchoolYear] {
        var listed: [Value] = []
        do {
            listed = try await account.call("getSchoolyears", at: now).list ?? []
        } catch  where error.disposition == .unavailable || error.disposition == .permanent {
            listed = []
        }
        var years = listed.compactMap { year($0, $0["startDate"], $0["endDate"]) }
        let range = current["dateRange"]
        if let year = year(current, range["start"], range["end"]), !years.contains(where: { $0.id == year.id }) {
            years.append(year)
        }
        return years.sorted { $0.days.first < $1.days.first }
    }

    private static func year(_ entry: Value, _ start: Value, _ end: Value) -> SchoolYear? {
        guard let id = entry["id"].wholeNumber, let first = start.day, let last = end.day, first <= last else {
            return nil
        }
        return SchoolYear(id: id, days: DateWindow(first, through: last))
    }

    private static func bells(_ units: Value) -> [Bell] {
        let bells = (units.list ?? []).compactMap { unit -> Bell? in
            guard let start = unit["startTime"].clockTime, let end = unit["endTime"].clockTime, start < end else {
                return nil
            }
            return unit["unitOfDay"].wholeNumber.map { Bell(ordinal: Int(clamping: $0), start: start, end: end) }
        }
        return bells.sorted { $0.start < $1.start }
    }

    private static func holidays(_ list: Value) -> [SchoolCalendar.Holiday] {
        (list.list ?? []).compactMap { entry in
            guard let first = entry["start"].day, let last = entry["end"].day, first <= last else { return nil }
            return SchoolCalendar.Holiday(name: entry["name"].label, days: DateWindow(first, through: last))
        }
    }
}

extension AccountProfile {
    /// The student that a source is about.
    ///
    /// - Parameter wanted: `student:` of the source, a name or an id; nil if it names none.
    /// - Throws: `.permanent` where nobody or several fit; the message lists ids, never names.
    func student(_ wanted: String?, at place: String) throws(PluginError) -> Student {
        let ids = students.map(\.id).sorted().joined(separator: ", ")
        guard !students.isEmpty else {
            throw .permanent("\(place): no child is linked to this guardian in WebUntis; ask the school's office.")
        }
        guard let wanted = wanted?.trimmed, !wanted.isEmpty else {
            if students.count == 1 { return students[0] }
            throw .permanent(
                "\(place) has several children; add 'student:' with a first name or one of the ids \(ids) to the source."
            )
        }
        let fitting = students.filter { $0.id == wanted }
        if let student = fitting.first { return student }
        let named = students.filter { Self.isName(wanted, of: $0) }
        guard named.count == 1 else {
            let reason =
                named.isEmpty
                ? "no student of this account has the name or id that 'student:' gives"
                : "'student:' fits several students"
            throw .permanent("\(place): \(reason); the ids are \(ids).")
        }
        // People get the name that the bot file uses for them: families and rules name them so.
        return Student(id: named[0].id, name: wanted)
    }

    /// Whom an inbox or the school's news are told to be about: the student that a source names, the only one, or nobody in particular, as
    /// they belong to the account.
    func studentOrNobody(_ wanted: String?, at place: String) throws(PluginError) -> Student {
        if wanted == nil, students.count != 1 { return .nobody }
        return try student(wanted, at: place)
    }

    /// Whether every word of a wanted name is a word of the student's, whatever case and accents.
    static func isName(_ wanted: String, of student: Student) -> Bool {
        let words = Set(folded(student.name))
        let wanted = folded(wanted)
        return !wanted.isEmpty && wanted.allSatisfy(words.contains)
    }

    private static func folded(_ name: String) -> [String] {
        name.plainLetters.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
