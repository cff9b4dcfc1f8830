import BotCore
import BotRules
import Testing
import Values

/// Faults of real notifiers that this one must not have: time, and rules that look ahead.
@Suite struct CaseTests {
    static func book(_ rule: String, zone: String = "Europe/Rome") -> RuleBook {
        var installation = TestSchool.installation()
        installation.zone = Zone(zone) ?? .utc
        let set = RuleFiles.load([TestSchool.file("version: 1\nrules:\n" + rule)], in: installation)
        #expect(set.complaints.isEmpty, "\(set.complaints.map(\.text).joined())")
        return set.book
    }

    static func instant(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    // MARK: Looking ahead

    static let horizon = """
          - id: tomorrow
            when: {event: lesson.cancelled, within: 1d}
            digest: {at: "18:00"}
            message: {title: "{{ lesson.subject }}"}
            send: [terminal]
        """

    @Test(arguments: [(false, ["terminal: MAT"]), (true, [])])
    func `RULE-01 what is cancelled weeks ahead is told the evening before, unless it has been taken back`(
        isReinstated: Bool,
        told: [String]
    ) {
        var runner = RuleRunner(Self.horizon, at: "2026-11-30T18:00")
        let record = TestSchool.lessonRecord("MAT", "2026-12-16T07:50", state: "cancelled")
        runner.decide(TestSchool.event("lesson.cancelled", record))
        runner.run(to: "2026-12-10T12:00")
        if isReinstated {
            let back = TestSchool.lessonRecord("MAT", "2026-12-16T07:50")
            runner.decide(TestSchool.event("lesson.restored", back, revision: 2))
        }
        runner.run(to: "2026-12-15T17:59")
        #expect(runner.told() == [])
        runner.run(to: "2026-12-15T18:00")
        #expect(runner.told() == told)
        runner.run(to: "2026-12-20T18:00")
        #expect(runner.told() == [])
    }

    @Test func `RULE-07 rules for two children with the same period id tell each family of its own`() {
        var runner = RuleRunner(
            """
              - id: a
                when: {event: lesson.cancelled, student: "11"}
                message: {title: "{{ lesson.subject }}"}
                send: [terminal]
              - id: b
                when: {event: lesson.cancelled, student: "12"}
                message: {title: "{{ lesson.subject }}"}
                send: [class-hook]
            """
        )
        let record = TestSchool.lessonRecord("MAT", "2026-12-01T07:50", state: "cancelled", key: "4711")
        runner.decide(TestSchool.event("lesson.cancelled", record, student: Student(id: "11", name: "Anna")))
        #expect(runner.told() == ["terminal: MAT"])
    }

    @Test func `RULE-09 a rule that hears of events and has nothing to say of any is found, and no other`() {
        let book = Self.book(
            """
              - id: renamed
                when: {event: lesson.cancelled}
                if: lesson.subject == "MAT"
                message: {title: "x"}
                send: [terminal]
              - id: matched
                when: {event: "lesson.*"}
                match: {lesson.subject: [MAT, MATH]}
                message: {title: "x"}
                send: [terminal]
              - id: elsewhere
                when: {event: grade.added}
                match: {grade.subject: MAT}
                message: {title: "x"}
                send: [terminal]
              - id: class
                when: {event: [lesson.cancelled, lesson.moved]}
                match: {lesson.classes: 4B}
                message: {title: "x"}
                send: [terminal]
            """
        )
        let record = TestSchool.lessonRecord("MATH", "2026-12-01T07:50")
        let events = (1...30).map { TestSchool.event("lesson.cancelled", record, revision: Int64($0)) }
        let moved = TestSchool.event("lesson.moved", record)
        let unmatched = book.unmatched(by: events + [moved], in: RuleContext(now: TestSchool.now))
        #expect(unmatched == ["renamed": 30, "class": 31])
    }

    // MARK: Schedules

    static func daily(_ time: String, zone: String = "Europe/Rome") -> String {
        """
          - id: daily
            when: {at: "\(time)", timezone: \(zone)}
            message: {title: "x"}
            send: [terminal]
        """
    }

    @Test func `SCHED-04 a time in the hour that repeats in autumn comes once, at the first of the two`() throws {
        let book = Self.book(Self.daily("02:30"))
        let noon = try Self.instant("2026-10-24T10:00:00Z")
        let slots = book.slots(after: noon, through: noon + .days(1), in: RuleContext(now: noon))
        #expect(slots.map(\.due.rfc3339) == ["2026-10-25T00:30:00Z"])
        let second = try Self.instant("2026-10-25T01:30:00Z")
        #expect(book.slots(after: second - .minutes(1), through: second, in: RuleContext(now: second)).isEmpty)
    }

    @Test(arguments: ["0 7 30 2 *", "0 7 31 4,6 *", "0 7 1 * 1", "*/5 * * * MON-FRI"])
    func `SCHED-05 SCHED-08 a line of cron is refused, and the cure says how to write days and times`(line: String) {
        let shown = TestSchool.complaints(about: "version: 1\nrules:\n" + Self.daily(line))
        #expect(shown.contains("a line of cron is no time of day"), "\(shown)")
        #expect(shown.contains("the days of the week under 'days:'"))
    }

    @Test(arguments: ["days: []", "days: [30]", "days: [feb]"])
    func `SCHED-05 days that never come are a mistake, so that no search for them can go on for ever`(days: String) {
        let text = Self.daily("07:00").replacing("timezone: Europe/Rome", with: days)
        #expect(TestSchool.load("version: 1\nrules:\n" + text).hasErrors)
    }

    @Test func `SCHED-06 the configured zone says what day it is`() throws {
        var runner = RuleRunner(
            """
              - id: menu
                when: {at: "00:30"}
                query: {menu: mensa.today}
                message: {title: "{{ now | date: '%A %d.%m.' }} {{ menu.dishes[0].name | default: '–' }}"}
                send: [terminal]
            """,
            at: "2026-11-30T00:00"
        )
        let dishes = [("Sonntag", "2026-11-29"), ("Montag", "2026-11-30")].map { name, date in
            Record(key: name, type: "dish", fields: ["name": .string(name), "date": .string(date), "price": 1.0])
        }
        runner.snapshots["mensa"] = SourceView(records: dishes, takenAt: runner.clock)
        runner.fire(through: "2026-11-30T00:30")
        #expect(runner.clock == (try Self.instant("2026-11-29T23:30:00Z")))
        #expect(runner.told() == ["terminal: Montag 30.11. Montag"])
    }

    @Test func `SCHED-06 a zone that the database lacks is an error, never UTC by stealth`() {
        let shown = TestSchool.complaints(about: "version: 1\nrules:\n" + Self.daily("07:00", zone: "Europe/Brixen"))
        #expect(shown.contains("there is no time zone 'Europe/Brixen'"))
    }

    @Test(arguments: [
        ("Asia/Beirut", "2027-03-28", [24.0, 23.0, 24.0]), ("Australia/Lord_Howe", "2026-10-04", [24, 23.5, 24]),
        ("Australia/Lord_Howe", "2027-04-04", [24, 24.5, 24]), ("Europe/Rome", "2026-10-25", [24, 25, 24]),
    ])
    func `SCHED-10 midnight comes once on each date, and a day is as long as its zone has it`(
        name: String,
        day: String,
        hours: [Double]
    ) throws {
        let zone = try #require(Zone(name))
        let date = try #require(CalendarDate(day))
        let book = Self.book(Self.daily("00:00", zone: name))
        let start = zone.instant(of: date.adding(days: -1), at: .midnight) - .seconds(1)
        let end = zone.instant(of: date.adding(days: 2), at: .midnight)
        let slots = book.slots(after: start, through: end, in: RuleContext(now: end))
        #expect(slots.map { String($0.key.prefix(10)) } == (-1...2).map { date.adding(days: $0).description })
        let lengths = zip(slots, slots.dropFirst()).map { Double(($1.due - $0.due).seconds) / 3600 }
        #expect(lengths == hours)
    }

    @Test(arguments: [
        ("2026-12-28", "2026-W53"), ("2027-01-03", "2026-W53"), ("2027-01-04", "2027-W01"), ("2024-12-30", "2025-W01"),
    ])
    func `SCHED-12 weeks are those of ISO 8601, with the year they belong to`(date: String, week: String) {
        var runner = RuleRunner(
            """
              - id: week
                when: {event: lesson.cancelled}
                message: {title: "{{ lesson.start | date: '%G-W%V' }}"}
                send: [terminal]
            """,
            at: date + "T06:00"
        )
        runner.decide(TestSchool.event("lesson.cancelled", TestSchool.lessonRecord("MAT", date + "T07:50")))
        #expect(runner.told() == ["terminal: \(week)"])
    }

    @Test(arguments: [
        ([("Abend: Suppe", "2026-12-06")], []), ([("Mittag: Lasagne", "2026-12-05")], []),
        ([("Abend: Suppe", "2026-12-06"), ("Mittag: Lasagne", "2026-12-06")], ["terminal: Mittag: Lasagne"]),
    ])
    func `SCHED-13 on Sundays, too, a post at lunch time takes the lunch alone, and says why there is none`(
        dishes: [(String, String)],
        told: [String]
    ) {
        var runner = RuleRunner(
            """
              - id: lunch
                when: {at: "11:00", days: [mon-sun]}
                query: {menu: mensa.today}
                if: menu.dishes.exists(d, d.name.startsWith("Mittag"))
                message: {title: "{% for d in menu.dishes %}{% if d.name contains 'Mittag' %}{{ d.name }} {% endif %}{% endfor %}"}
                send: [terminal]
            """,
            at: "2026-12-06T10:59"
        )
        let records = dishes.map { name, date in
            Record(key: name, type: "dish", fields: ["name": .string(name), "date": .string(date), "price": 1.0])
        }
        runner.snapshots["mensa"] = SourceView(records: records, takenAt: runner.clock)
        runner.fire(through: "2026-12-06T11:00")
        #expect(runner.told() == told)
        #expect(runner.reasons().contains("the condition 'if' is false") == told.isEmpty)
    }
}
