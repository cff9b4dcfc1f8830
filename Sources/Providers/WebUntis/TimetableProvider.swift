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
            return snapshot(nil, window, profile, student, memo, request)
        }
        let question = TimetableQuestion(account: account, student: student.id, format: format, now: request.now)
        let answer = try await question.answer(for: window, profile, limit: &memo.limit)
        if answer.isSuspiciouslyEmpty(knownKeys: request.knownKeys, in: window), memo.holdsEmptyAnswer() {
            await account.distrustSession()
            return snapshot(nil, window, profile, student, memo, request)
        }
        if !answer.lessons.isEmpty { memo.emptyAnswers = 0 }
        // An import or a locked plan shows nothing for a while. What comes after it is compared with what was known before, import time
        // included, and is looked for at the next poll.
        if !answer.days.isEmpty { (memo.importTime, memo.asked) = (importTime, request.now) }
        return snapshot(answer, window, profile, student, memo, request)
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        LessonInterpreter(difference: difference, others: context.otherRecords).occurrences()
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
            remark: remark(memo.limit, request.today),
            memo: memo.value,
            era: profile.era(on: request.today),
            student: student,
            calendar: profile.calendar
        )
    }

    private func remark(_ limit: CalendarDate?, _ today: CalendarDate) -> String {
        guard let limit else { return "" }
        let shown = max(0, limit.dayNumber - today.dayNumber)
        return
            "the school shows \(shown) days ahead, not the \(lookAhead) that 'look_ahead' asks for; of later days nothing is known."
    }

    /// When the school last imported a plan, in milliseconds since 1970; nil where the account may not ask.
    private func importTime(at now: Timestamp) async throws(PluginError) -> Int64? {
        do {
            return try await account.call("getLatestImportTime", at: now).wholeNumber
        } catch  where error.disposition == .unavailable || error.disposition == .permanent {
            return nil
        }
    }
}

/// What the timetable remembers from poll to poll.
struct TimetableMemo: Sendable {
    var importTime: Int64?
    /// When the timetable itself was last asked for, and on which day.
    var asked: Timestamp?
    /// The last day that the school shows; looked for anew every day, and at every poll while it does not even show today.
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
        limit = isOfToday ? memo["limit"].day.flatMap { $0 >= today ? $0 : nil } : nil
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
