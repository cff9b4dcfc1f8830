import BotCore
import Values

/// Whether school is kept on a day, as far as calendars and timetables tell.
struct SchoolDays: Sendable {
    /// What is known at the moment of asking. Conditions reach it through `school_day(…)`: functions of the language see their arguments
    /// alone, and what a school does is known only when a rule is asked.
    @TaskLocal static var current = SchoolDays(views: [])

    private let calendars: [SchoolCalendar]
    /// The days on which some timetable has lessons.
    private let lessonDates: Set<CalendarDate>

    init(views: [SourceView]) {
        calendars = views.compactMap(\.calendar)
        lessonDates = Set(views.flatMap { $0.records.filter { $0.type == "lesson" }.compactMap(\.date) })
    }

    /// As these sources know them; nil where there are none to be asked.
    init?(_ sources: [String], in snapshots: [String: SourceView]) {
        if sources.isEmpty { return nil }
        self.init(views: sources.compactMap { snapshots[$0] })
    }

    /// Why a day counts as it does.
    enum Ground: Sendable, Hashable {
        case holidays
        case lessons
        /// The week has lessons, this day has none.
        case noLessons
        /// No lesson of that week is known: by the calendar and the day of the week.
        case calendar
        /// Nothing is known: by the day of the week alone.
        case weekday
    }

    func isSchoolDay(_ date: CalendarDate) -> Bool { judge(date).isSchoolDay }

    /// Holidays decide first; then a day with lessons is a school day, and one without lessons in a week that has some is none. Where
    /// nothing is known of the week, Monday to Friday are.
    func judge(_ date: CalendarDate) -> (isSchoolDay: Bool, ground: Ground) {
        if calendars.contains(where: { $0.isFree(date) }) { return (false, .holidays) }
        if lessonDates.contains(date) { return (true, .lessons) }
        let week = DateWindow(date.monday, through: date.monday.adding(days: 6))
        if lessonDates.contains(where: week.contains) { return (false, .noLessons) }
        return (date.weekday <= 5, calendars.isEmpty ? .weekday : .calendar)
    }
}
