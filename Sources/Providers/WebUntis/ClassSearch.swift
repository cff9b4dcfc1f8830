import BotConfig
import BotCore
import Values

/// One search for a student's class: in the login, in the students' list, and then in the timetable, from this week through samples of the
/// school year, as schools that teach in blocks have weeks without any lesson (`protocols/pokyh.md` section 3.2).
struct ClassSearch {
    let account: WebUntisAccount
    let profile: AccountProfile
    let student: Student
    let now: Timestamp
    let today: CalendarDate

    private struct SchoolClass {
        var id: Int64
        var name: String
        var longName: String
    }

    func membership() async throws(PluginError) -> ClassMembership {
        let classes = try await classes()
        if let id = try await recordedID() {
            return .found(id: id, name: classes.first { $0.id == id }?.name ?? "")
        }
        guard let name = try await nameInTimetable() else { return .noClass }
        return .found(id: Self.match(name, among: classes)?.id, name: name)
    }

    /// A whole name in any case, else a whole long name; never a part of one, as 2.TST-A is part of 12.TST-A.
    private static func match(_ name: String, among classes: [SchoolClass]) -> SchoolClass? {
        let wanted = name.lowercased()
        return classes.first { $0.name.lowercased() == wanted } ?? classes.first { $0.longName.lowercased() == wanted }
    }

    /// The id that the login or the students' list has.
    private func recordedID() async throws(PluginError) -> Int64? {
        if profile.classID > 0, profile.students.count == 1 { return profile.classID }
        let own = try await list("getStudents", [:]).first { $0["id"].label == student.id }
        let id = own?["klasseId"].wholeNumber ?? own?["klasse"]["id"].wholeNumber ?? 0
        return id > 0 ? id : nil
    }

    /// Between two school years the list is only given for a year that is named.
    private func classes() async throws(PluginError) -> [SchoolClass] {
        let year: Value = profile.year(on: today).map { ["schoolyearId": .int($0.id)] } ?? [:]
        return try await list("getKlassen", year).compactMap { entry in
            entry["id"].wholeNumber.map {
                SchoolClass(id: $0, name: entry["name"].label, longName: entry["longName"].label)
            }
        }
    }

    /// A list that need not be granted.
    private func list(_ method: String, _ parameters: Value) async throws(PluginError) -> [Value] {
        do {
            return try await account.call(method, parameters, at: now).list ?? []
        } catch  where error.disposition == .unavailable || error.disposition == .permanent {
            return []
        }
    }

    /// Days after a sample's first that are looked at along with it.
    private static let sampleLength = 5

    private func nameInTimetable() async throws(PluginError) -> String? {
        let year = profile.yearDays(on: today)
        let samples = ([today] + Self.middlesOfMonths(in: year)).filter(year.contains)
        for first in samples {
            var limit: CalendarDate?
            let question = TimetableQuestion(account: account, student: student.id, format: 1, now: now)
            let window = DateWindow(first, through: min(first.adding(days: Self.sampleLength), year.last))
            do {
                let answer = try await question.answer(for: window, profile, limit: &limit)
                if let name = answer.lessons.lazy.flatMap(\.classes).first { return name }
            } catch  where error.disposition == .unavailable {
                return nil
            }
        }
        return nil
    }

    /// The 15th of each month of a school year: ten samples at most in any year of a school.
    private static func middlesOfMonths(in year: DateWindow) -> [CalendarDate] {
        year.dates.filter { $0.day == 15 }
    }
}
