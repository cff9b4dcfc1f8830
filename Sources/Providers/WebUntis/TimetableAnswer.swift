import BotConfig
import BotCore
import Values

/// Asks for the lessons of a student.
struct TimetableQuestion {
    let account: WebUntisAccount
    let student: String
    let format: Int64
    let now: Timestamp

    /// The lessons of a window, asked for in one request for each school year.
    ///
    /// - Parameter limit: the last day that the school shows, where that is known; found out anew if the school refuses.
    func answer(
        for window: DateWindow,
        _ profile: AccountProfile,
        limit: inout CalendarDate?
    ) async throws(PluginError) -> TimetableAnswer {
        var answer = TimetableAnswer(student: student, reader: LessonReader(bells: profile.bells))
        for span in profile.spans(of: window) { try await ask(span, limit: &limit, into: &answer) }
        if !answer.hasDays, !window.dates.allSatisfy(profile.calendar.isFree), limit == nil {
            await account.distrustSession()
            throw .transient(
                "\(account.wire.place): the timetable came without a single day; it is asked for again with a fresh login."
            )
        }
        return answer
    }

    /// Asks for a span, and for less of it where the school does not show so far ahead (-7004): the longest part that it shows.
    private func ask(
        _ span: DateWindow,
        limit: inout CalendarDate?,
        into answer: inout TimetableAnswer
    ) async throws(PluginError) {
        let last = min(span.last, limit ?? span.last)
        guard span.first <= last else { return }
        if let days = try await days(DateWindow(span.first, through: last)) {
            return try answer.add(days, within: DateWindow(span.first, through: last), at: account.wire.place)
        }
        var shown = span.first.adding(days: -1)
        var refused = last
        var best: Value?
        while refused.dayNumber - shown.dayNumber > 1 {
            let middle = CalendarDate(dayNumber: (refused.dayNumber + shown.dayNumber) / 2)
            if let days = try await days(DateWindow(span.first, through: middle)) {
                (shown, best) = (middle, days)
            } else {
                refused = middle
            }
        }
        limit = shown
        if let best { try answer.add(best, within: DateWindow(span.first, through: shown), at: account.wire.place) }
    }

    /// The answer for some days; nil if they reach too far.
    private func days(_ span: DateWindow) async throws(PluginError) -> Value? {
        let query = [
            ("start", span.first.description), ("end", span.last.description), ("format", String(format)),
            ("resourceType", "STUDENT"), ("resources", student), ("periodTypes", ""), ("timetableType", "MY_TIMETABLE"),
            ("layout", "START_TIME"),
        ]
        let response = try await account.response(WebUntisRoutes.timetable, query, at: now)
        do {
            return try account.wire.document(of: response, asking: "the timetable", at: now)
        } catch {
            let complaint = (try? Value(json: response.body)).flatMap { ServerComplaint(in: $0) }
            if complaint?.isDateRefused == true { return nil }
            throw error
        }
    }
}

/// The days of one or several answers.
struct TimetableAnswer {
    let student: String
    let reader: LessonReader
    var lessons: [Lesson] = []
    /// The days that the answer speaks of.
    var days: Set<CalendarDate> = []
    /// Whether any day came, if only to say that it may not be seen.
    var hasDays = false
    var unreadableKeys: Set<String> = []
    var unreadable = 0
    /// How often each id came on each day.
    private var seen: [String: Int] = [:]

    /// More entries than any school has for one student on one day; what is above is a mistake or an attack.
    private static let mostEntries = 500

    init(student: String, reader: LessonReader) {
        self.student = student
        self.reader = reader
    }

    mutating func add(_ document: Value, within span: DateWindow, at place: String) throws(PluginError) {
        guard let listed = document["days"].list else {
            throw .permanent(
                "\(place): the timetable has no days.",
                evidence: Evidence.outline(document.jsonBytes)
            )
        }
        for day in listed {
            guard let date = day["date"].day, span.contains(date) else { continue }
            if let id = day["resource"]["id"].wholeNumber, String(id) != student {
                throw .permanent("\(place): the timetable that came is another student's.")
            }
            hasDays = true
            // NOT_ALLOWED and NO_DATA say nothing about the day, nor does a day without its list.
            guard let grid = day["gridEntries"].list else { continue }
            let entries = grid + (day["dayEntries"].list ?? [])
            guard day["status"].label == "REGULAR" || !entries.isEmpty else { continue }
            guard entries.count <= Self.mostEntries else {
                throw .permanent(
                    "\(place): the timetable has \(entries.count) entries on \(date), which cannot be right."
                )
            }
            days.insert(date)
            for entry in entries { add(entry, on: date) }
        }
    }

    private mutating func add(_ entry: Value, on date: CalendarDate) {
        switch reader.read(entry, on: date) {
        case .unreadable(let ids):
            unreadable += 1
            unreadableKeys.formUnion(ids.map { "\(student)/\(date)/\($0)" })
        case .lessons(let read):
            for var lesson in read {
                let count = seen["\(date)/\(lesson.id)", default: 0] + 1
                seen["\(date)/\(lesson.id)"] = count
                if count > 1 { lesson.id += "#\(count)" }
                lessons.append(lesson)
            }
        }
    }

    /// Whether nothing came although lessons were known for days that the answer speaks of.
    func isSuspiciouslyEmpty(knownKeys: Set<String>, in window: DateWindow) -> Bool {
        guard lessons.isEmpty, unreadable == 0 else { return false }
        return knownKeys.contains { key in
            let parts = key.split(separator: "/")
            guard parts.count >= 3, let date = CalendarDate(parts[1]) else { return false }
            return days.contains(date)
        }
    }
}
