import BotCore
import Foundation
import Testing
import Values

@testable import BotRules

/// What others recorded for these tests, where it is on this machine.
enum SharedData {
    static let folder =
        ProcessInfo.processInfo.environment["POKYH_SHARED"]
        ?? URL(filePath: #filePath).appending(path: "../../../../shared").standardizedFileURL.path()

    static func json(_ path: String) -> Value? {
        guard let data = FileManager.default.contents(atPath: folder + "/" + path) else { return nil }
        return try? Value(json: Array(data))
    }
}

@Suite struct ScheduleTests {
    static let vectors = SharedData.json("conformance/schedule/europe_rome.json")?["vectors"].list ?? []

    @Test(.enabled(if: !vectors.isEmpty, "the schedule vectors of ../shared are not on this machine"))
    func `SCHED-04 times of day fire as the vectors say over both changes of the clock`() throws {
        for vector in Self.vectors {
            let zone = try #require(vector["timezone"].string.flatMap { Zone($0) })
            let time = try #require(vector["at"].string.flatMap { WallTime($0) })
            let fires = vector["fires"].list ?? []
            let instants = fires.compactMap { fire in fire["utc"].string.flatMap { Timestamp(rfc3339: $0) } }
            let schedule = WallClockSchedule(times: [time], weekdays: Set(1...7), zone: zone, grace: .minutes(30))
            let first = try #require(instants.first)
            let last = try #require(instants.last)
            let moments = schedule.moments(after: first - .seconds(1), through: last)
            #expect(moments.map(\.due) == instants, "\(vector["name"].string ?? "")")
            #expect(moments.map { String($0.key.prefix(10)) } == fires.compactMap { $0["local_date"].string })
            var next: [Timestamp] = []
            var clock = first - .seconds(1)
            while let due = schedule.next(after: clock), due <= last {
                next.append(due)
                clock = due
            }
            #expect(next == instants)
        }
    }

    @Test(arguments: ["Europe/Rome", "Asia/Beirut", "Australia/Lord_Howe", "America/St_Johns"])
    func `SCHED-10 each local date fires once, however the clock is looked at`(name: String) throws {
        let zone = try #require(Zone(name))
        var seed = SeededGenerator(seed: 4711)
        let start = Timestamp(seconds: 1_760_000_000)
        let end = start + .days(400)
        let times = [WallTime.midnight, WallTime("02:30") ?? .midnight, WallTime("23:59") ?? .midnight]
        let schedule = WallClockSchedule(times: times, weekdays: Set(1...7), zone: zone, grace: .minutes(30))
        let whole = schedule.moments(after: start, through: end)
        #expect(Set(whole.map(\.key)).count == whole.count)
        var pieces: [WallClockSchedule.Moment] = []
        var clock = start
        while clock < end {
            let next = min(end, clock + .seconds(Int64(seed.next() % 200_000) + 1))
            pieces += schedule.moments(after: clock, through: next)
            clock = next
        }
        #expect(pieces == whole)
        #expect((1195...1203).contains(whole.count))
    }

    // MARK: Rules

    static let menuRule = """
        version: 1
        rules:
          - id: menu
            when: {at: ["10:30"], days: [mon-fri], only_on: school-days}
            query: {menu: mensa.today}
            if: "!menu.is_empty"
            message:
              title: "Mensa {{ now | date: '%d.%m.' }}"
              body: "{% for d in menu.dishes %}{{ d.name }}\\n{% endfor %}"
            send: [class-hook]
        """

    static func context(
        _ now: Timestamp,
        dishes: [(String, String)] = [],
        lessons: [Record] = [],
        calendar: SchoolCalendar? = nil
    ) -> RuleContext {
        let records = dishes.map { name, date in
            Record(
                key: name,
                type: "dish",
                date: CalendarDate(date),
                fields: ["name": .string(name), "date": .string(date), "price": 4.5]
            )
        }
        return RuleContext(
            now: now,
            snapshots: [
                "mensa": SourceView(records: records, takenAt: now - .hours(1)),
                "timetable-3a": SourceView(
                    records: lessons,
                    takenAt: now,
                    student: Student(id: "11", name: "Anna"),
                    calendar: calendar
                ),
            ]
        )
    }

    @Test func `the morning menu is posted on a school day with the dishes of that day`() throws {
        let book = TestSchool.load(Self.menuRule).book
        let due = TestSchool.instant("2026-11-30T10:30")
        let context = Self.context(due, dishes: [("Lasagne", "2026-11-30"), ("Suppe", "2026-12-01")])
        let slots = book.slots(after: due - .minutes(5), through: due, in: context)
        #expect(slots.map(\.key) == ["2026-11-30T10:30"])
        #expect(slots.map(\.needs) == [["mensa", "timetable-3a"]])
        #expect(book.readSources == ["mensa", "timetable-3a"])
        let slot = try #require(slots.first)
        let decision = book.fire(slot, in: context)
        #expect(decision.messages.map(\.title.plain) == ["Mensa 30.11."])
        #expect(decision.messages.first?.body.plain == "Lasagne\n")
        #expect(book.fire(slot, in: context).messages.map(\.id) == decision.messages.map(\.id))
    }

    @Test func `an empty menu, holidays and a day without lessons post nothing, and say why`() throws {
        let book = TestSchool.load(Self.menuRule).book
        let due = TestSchool.instant("2026-12-02T10:30")
        let slot = try #require(book.slots(after: due - .minutes(1), through: due, in: Self.context(due)).first)
        let dishes = [("Lasagne", "2026-12-02")]
        let day = DateWindow(
            CalendarDate(slot.key.prefix(10)) ?? .init(dayNumber: 0),
            through: .init(dayNumber: 20_800)
        )
        let holidays = SchoolCalendar(years: [], holidays: [.init(name: "Ferien", days: day)])
        let other = [TestSchool.lessonRecord("MAT", "2026-12-01T07:50")]
        #expect(book.fire(slot, in: Self.context(due)).notes.map(\.outcome) == [.conditionFalse])
        let free = book.fire(slot, in: Self.context(due, dishes: dishes, calendar: holidays))
        #expect(free.notes.map(\.reason) == ["2026-12-02 is no school day: the school's calendar has holidays"])
        let away = book.fire(slot, in: Self.context(due, dishes: dishes, lessons: other))
        #expect(away.notes.map(\.outcome) == [.skipped])
        let here = [TestSchool.lessonRecord("MAT", "2026-12-02T07:50")]
        #expect(book.fire(slot, in: Self.context(due, dishes: dishes, lessons: here)).messages.count == 1)
        let unknown = book.fire(slot, in: RuleContext(now: due))
        #expect(unknown.notes.map(\.reason) == ["a source that it asks has never answered"])
    }

    @Test func `only_on needs to know which of several schools`() {
        let other = School(name: "other", server: "o.example", school: "o", zone: TestSchool.rome)
        let installation = TestSchool.installation(schools: [TestSchool.school, other])
        let set = RuleFiles.load([TestSchool.file(Self.menuRule)], in: installation)
        #expect(set.complaints.map(\.text).joined().contains("say which one's days count: school: lbs or other"))
    }

    static let reminderRule = """
        version: 1
        rules:
          - id: soon
            when: {time_of: {field: lesson.start, before: 10m}}
            match: {lesson.classes: 3A}
            message: {title: "{{ lesson.subject }} {{ lesson.start | date: '%H:%M' }} {{ student.name }}"}
            send: [family]
        """

    @Test func `a rule on the time of a record moves with it and passes over what is off`() throws {
        let book = TestSchool.load(Self.reminderRule).book
        let now = TestSchool.instant("2026-12-01T07:40")
        let lesson = TestSchool.lessonRecord("MAT", "2026-12-01T07:50", key: "1")
        let context = Self.context(now, lessons: [lesson])
        let slot = try #require(book.slots(after: now - .minutes(1), through: now, in: context).first)
        #expect(slot.due == now)
        #expect(slot.grace == .minutes(10))
        #expect(slot.needs == ["timetable-3a"])
        #expect(book.fire(slot, in: context).messages.map(\.title.plain) == ["MAT 07:50 Anna"])
        let moved = TestSchool.lessonRecord("MAT", "2026-12-01T09:00", key: "1")
        let movedContext = Self.context(now, lessons: [moved])
        #expect(book.fire(slot, in: movedContext).notes.map(\.outcome) == [.skipped])
        #expect(book.nextSlot(after: now, in: movedContext) == TestSchool.instant("2026-12-01T08:50"))
        let off = TestSchool.lessonRecord("MAT", "2026-12-01T07:50", state: "cancelled", key: "1")
        #expect(book.slots(after: now - .minutes(1), through: now, in: Self.context(now, lessons: [off])).isEmpty)
        let foreign = TestSchool.lessonRecord("MAT", "2026-12-01T07:50", classes: ["4B"], key: "1")
        let foreignContext = Self.context(now, lessons: [foreign])
        #expect(book.fire(slot, in: foreignContext).notes.map(\.outcome) == [.notMatched])
    }

    @Test func `a record that becomes known late is told until its time has come`() {
        let book = TestSchool.load(Self.reminderRule).book
        let lesson = TestSchool.lessonRecord("MAT", "2026-12-01T07:50", key: "1")
        let late = TestSchool.instant("2026-12-01T07:45")
        #expect(
            book.slots(after: late - .seconds(1), through: late, in: Self.context(late, lessons: [lesson])).count == 1
        )
        let gone = TestSchool.instant("2026-12-01T07:51")
        #expect(book.slots(after: gone - .seconds(1), through: gone, in: Self.context(gone, lessons: [lesson])).isEmpty)
    }

    @Test func `SCHED-04 a rule that fires after elapsed time keeps its distance over the change of the clock`() throws
    {
        let book = TestSchool.load(
            """
            version: 1
            rules:
              - id: often
                when: {every: 30m}
                message: {title: Hallo}
                send: [terminal]
            """
        ).book
        var clock = try #require(Timestamp(rfc3339: "2026-10-24T23:10:00Z"))
        var dues: [Timestamp] = []
        for _ in 0..<8 {
            let next = try #require(book.nextSlot(after: clock, in: RuleContext(now: clock)))
            let slots = book.slots(after: clock, through: next, in: RuleContext(now: next))
            #expect(slots.map(\.key) == [next.rfc3339])
            dues.append(next)
            clock = next
        }
        #expect(zip(dues, dues.dropFirst()).allSatisfy { $1 - $0 == .minutes(30) })
        let later = clock + .hours(8)
        #expect(book.slots(after: clock, through: later, in: RuleContext(now: later)).count == 1)
    }
}
