import BotConfig
import BotCore
import Values

/// `webuntis.timetable`: a student's lessons from today on.
///
/// This call is also the proof of the login: where other endpoints answer a dead session with empty lists, it answers 401.
struct TimetableProvider: Provider {
    let account: WebUntisAccount
    let student: String?
    /// Days from today on, today included.
    let lookAhead: Int
    /// The `format` of the request; positions are read by what their elements say, so it hardly matters.
    let format: Int64
    /// How long an unchanged import time may stand for an unchanged timetable; zero asks every time.
    let importTrust: TimeSpan

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let profile = try await account.profile(at: request.now)
        let student = try profile.student(student, at: account.wire.place)
        var memo = TimetableMemo(request.memo, today: request.today)
        let importTime = try await importTime(at: request.now)
        let window = DateWindow(request.today, through: request.today.adding(days: lookAhead))
        if memo.stands(for: importTime, at: request.now, trust: importTrust) {
            memo.importTime = importTime
            return snapshot(nil, window, profile, student, memo, request)
        }
        var answer = TimetableAnswer(student: student.id, reader: LessonReader(bells: profile.bells))
        for span in profile.spans(of: window) {
            try await ask(span, memo: &memo, answer: &answer, at: request.now)
        }
        if !answer.hasDays, !window.dates.allSatisfy(profile.calendar.isFree), memo.limit == nil {
            await account.distrustSession()
            throw .transient(
                "\(account.wire.place): the timetable came without a single day; it is asked for again with a fresh login."
            )
        }
        memo.importTime = importTime
        if answer.isSuspiciouslyEmpty(knownKeys: request.knownKeys, in: window), memo.holdsEmptyAnswer() {
            await account.distrustSession()
            return snapshot(nil, window, profile, student, memo, request)
        }
        if !answer.lessons.isEmpty { memo.emptyAnswers = 0 }
        memo.asked = request.now
        return snapshot(answer, window, profile, student, memo, request)
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        LessonInterpreter(difference: difference).occurrences()
    }

    private func snapshot(
        _ answer: TimetableAnswer?,
        _ window: DateWindow,
        _ profile: AccountProfile,
        _ student: Student,
        _ memo: TimetableMemo,
        _ request: FetchRequest
    ) -> Snapshot {
        let school = account.wire.address.school
        let lessons = answer.map { LessonPairing.paired($0.lessons) }
        let unknown = window.dates.filter { date in
            guard let answer else { return false }
            return !answer.days.contains(date)
                || (profile.calendar.isFree(date) && !answer.lessons.contains { $0.slot.date == date })
        }
        return Snapshot(
            records: lessons?.map { $0.record(of: student.id, at: school, in: request.zone) },
            window: window,
            unknownDates: Set(unknown),
            unreadableKeys: answer?.unreadableKeys ?? [],
            unreadable: answer?.unreadable ?? 0,
            memo: memo.value,
            era: profile.era(on: request.today),
            student: student,
            calendar: profile.calendar
        )
    }

    /// When the school last imported a plan, in milliseconds since 1970; nil where the account may not ask.
    private func importTime(at now: Timestamp) async throws(PluginError) -> Int64? {
        do {
            return try await account.call("getLatestImportTime", at: now).wholeNumber
        } catch  where error.disposition == .unavailable || error.disposition == .permanent {
            return nil
        }
    }

    // MARK: Asking

    /// Asks for a span, and for less of it where the school does not show so far ahead (-7004). The limit is looked for once a day and
    /// remembered.
    private func ask(
        _ span: DateWindow,
        memo: inout TimetableMemo,
        answer: inout TimetableAnswer,
        at now: Timestamp
    ) async throws(PluginError) {
        let last = min(span.last, memo.limit ?? span.last)
        guard span.first <= last else { return }
        if let days = try await days(DateWindow(span.first, through: last), at: now) {
            return try answer.add(days, within: DateWindow(span.first, through: last), at: account.wire.place)
        }
        var shown = span.first.adding(days: -1)
        var refused = last
        var best: Value?
        while refused.dayNumber - shown.dayNumber > 1 {
            let middle = CalendarDate(dayNumber: (refused.dayNumber + shown.dayNumber) / 2)
            if let days = try await days(DateWindow(span.first, through: middle), at: now) {
                (shown, best) = (middle, days)
            } else {
                refused = middle
            }
        }
        memo.limit = shown
        if let best { try answer.add(best, within: DateWindow(span.first, through: shown), at: account.wire.place) }
    }

    /// The answer for some days; nil if they reach too far.
    private func days(_ span: DateWindow, at now: Timestamp) async throws(PluginError) -> Value? {
        let id = try await account.profile(at: now).student(student, at: account.wire.place).id
        let query = [
            ("start", span.first.description), ("end", span.last.description), ("format", String(format)),
            ("resourceType", "STUDENT"), ("resources", id), ("periodTypes", ""), ("timetableType", "MY_TIMETABLE"),
            ("layout", "START_TIME"),
        ]
        let response = try await account.response(WebUntisRoutes.timetable, query, at: now)
        let complaint = (try? Value(json: response.body)).flatMap { ServerComplaint(in: $0) }
        if complaint?.isDateRefused == true { return nil }
        return try account.wire.document(of: response, asking: "the timetable")
    }
}

/// What the timetable remembers from poll to poll.
struct TimetableMemo: Sendable {
    var importTime: Int64?
    /// When the timetable itself was last asked for, and on which day.
    var asked: Timestamp?
    /// The last day that the school shows; looked for anew every day.
    var limit: CalendarDate?
    /// How many empty answers in a row contradicted what is known.
    var emptyAnswers: Int64

    private let today: CalendarDate
    private let isOfToday: Bool

    init(_ memo: Value, today: CalendarDate) {
        self.today = today
        isOfToday = memo["day"].day == today
        importTime = memo["import"].integer
        asked = memo["asked"].integer.map { Timestamp(milliseconds: $0) }
        limit = isOfToday ? memo["limit"].day : nil
        emptyAnswers = memo["empty"].integer ?? 0
    }

    /// Whether the last full answer still stands: the same day, the same import time, and asked for not too long ago, as schools also
    /// change single lessons without an import.
    func stands(for current: Int64?, at now: Timestamp, trust: TimeSpan) -> Bool {
        guard let asked, let current, current == importTime, isOfToday, emptyAnswers == 0 else { return false }
        return asked <= now && now - asked < trust
    }

    /// Empty answers in a row that are held back, as a stale login can look like an empty timetable; the next one counts.
    private static let heldEmptyAnswers = 2

    mutating func holdsEmptyAnswer() -> Bool {
        guard emptyAnswers < Self.heldEmptyAnswers else { return false }
        emptyAnswers += 1
        return true
    }

    var value: Value {
        var map: ValueMap = ["day": .string(today.description)]
        if let importTime { map["import"] = .int(importTime) }
        if let asked { map["asked"] = .int(asked.milliseconds) }
        if let limit { map["limit"] = .string(limit.description) }
        if emptyAnswers > 0 { map["empty"] = .int(emptyAnswers) }
        return .map(map)
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

    mutating func add(_ document: Value, within span: DateWindow, at place: String) throws(PluginError) {
        guard let listed = document["days"].list else {
            throw .permanent(
                "\(place): the timetable has no days.",
                evidence: Evidence.outline(Array(document.json.utf8))
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
                let doubles = lessons.count {
                    $0.slot.date == date && ($0.id == lesson.id || $0.id.hasPrefix(lesson.id + "#"))
                }
                if doubles > 0 { lesson.id += "#\(doubles + 1)" }
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
