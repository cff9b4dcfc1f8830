import BotCore
import BotRules
import Testing
import Values

/// Policies of rules that fire at their own times.
@Suite struct ScheduledPolicyTests {
    static func soon(_ more: String) -> String {
        """
          - id: soon
            when: {time_of: {field: lesson.start, before: 10m}}
        \(more)    send: [terminal]

        """
    }

    static func view(_ lessons: Record...) -> SourceView {
        SourceView(
            records: lessons,
            takenAt: TestSchool.now,
            student: Student(id: "11", name: "Anna"),
            account: "rossi"
        )
    }

    static func lesson(_ subject: String, _ start: String = "2026-12-01T07:50", state: String = "planned") -> Record {
        TestSchool.lessonRecord(subject, start, state: state, key: subject)
    }

    @Test func `lessons that begin at one time are told in one message`() {
        var runner = RuleRunner(
            Self.soon(
                """
                    group: {by: lesson.start, wait: 1m}
                    message: {title: "{{ group.key | date: '%H:%M' }}: {% for e in group.events %}{{ e.lesson.subject }} {{ e.student.name }} {% endfor %}"}

                """
            ),
            at: "2026-12-01T07:00"
        )
        runner.snapshots["timetable-3a"] = Self.view(Self.lesson("MAT"), Self.lesson("ITA"))
        runner.fire(through: "2026-12-01T07:40")
        #expect(runner.told() == [])
        runner.run(to: "2026-12-01T07:41")
        #expect(runner.told() == ["terminal: 07:50: ITA Anna MAT Anna"])
    }

    @Test func `a rule that fires too often is limited, and the rest comes in one message`() {
        var runner = RuleRunner(
            """
              - id: often
                when: {every: 5m}
                limit: {max: 2, per: 1h}
                message: {title: "{{ now | date: '%H:%M' }}"}
                send: [terminal]
            """
        )
        for minute in [5, 10, 15, 20] { runner.fire(through: "2026-11-30T12:\(minute < 10 ? "0" : "")\(minute)") }
        #expect(runner.told() == ["terminal: 12:05", "terminal: 12:10"])
        runner.run(to: "2026-11-30T13:05")
        #expect(
            runner.messages.map(\.body.plain) == [
                "Zurückgehalten, weil es in kurzer Zeit zu viele waren:\n\n- 12:15\n- 12:20"
            ]
        )
        #expect(runner.told() == ["terminal: 2 Meldungen"])
    }

    @Test func `thirty messages an hour are the limit of a rule that says nothing of it`() {
        var runner = RuleRunner(
            """
              - id: often
                when: {every: 1m}
                message: {title: "{{ now | date: '%H:%M' }}"}
                send: [terminal]
            """
        )
        for minute in 1..<50 { runner.fire(through: "2026-11-30T12:\(minute < 10 ? "0" : "")\(minute)") }
        #expect(runner.told().count == 30)
    }

    @Test func `a scheduled message says whose data its answers hold`() {
        var runner = RuleRunner(
            """
              - id: menu
                when: {at: "10:00"}
                query: {menu: mensa.today}
                message: {title: "{{ menu.dishes.size }}"}
                send: [terminal]
            """,
            at: "2026-11-30T09:00"
        )
        let anna = Student(id: "11", name: "Anna")
        runner.snapshots["mensa"] = SourceView(records: [], takenAt: runner.clock, student: anna)
        runner.fire(through: "2026-11-30T10:00")
        #expect(runner.messages.map(\.students) == [[anna]])
    }

    @Test func `a digest collects the firings of a day with the answers of their time`() {
        var runner = RuleRunner(
            """
              - id: counts
                when: {at: ["10:00", "12:00", "14:00"]}
                query: {menu: mensa.today}
                digest: {at: "18:00"}
                message:
                  title: "x"
                  many: {title: "{% for e in group.events %}{{ e.menu.dishes.size }} {% endfor %}"}
                send: [terminal]
            """,
            at: "2026-11-30T09:00"
        )
        for (count, time) in [(1, "10:00"), (2, "12:00"), (0, "14:00")] {
            let dishes = (0..<count).map { number in
                Record(
                    key: "\(number)",
                    type: "dish",
                    fields: ["name": "Lasagne", "date": "2026-11-30", "price": 4.5]
                )
            }
            runner.snapshots["mensa"] = SourceView(records: dishes, takenAt: runner.clock)
            runner.fire(through: "2026-11-30T\(time)")
        }
        runner.run(to: "2026-11-30T17:59")
        #expect(runner.told() == [])
        runner.run(to: "2026-11-30T18:00")
        #expect(runner.told() == ["terminal: 1 2 0"])
    }

    @Test func `quiet hours hold a schedule, which is asked once at their end with what is so then`() {
        var runner = RuleRunner(
            """
              - id: menu
                when: {every: 2h}
                query: {menu: mensa.today}
                if: "!menu.is_empty"
                quiet: {from: "21:30", to: "06:30"}
                message: {title: "{{ menu.dishes[0].name | default: '–' }} {{ now | date: '%H:%M' }}"}
                send: [terminal]
            """,
            at: "2026-11-30T21:00"
        )
        func dish(_ name: String, _ date: String) -> SourceView {
            let record = Record(
                key: name,
                type: "dish",
                fields: ["name": .string(name), "date": .string(date), "price": 1.0]
            )
            return SourceView(records: [record], takenAt: TestSchool.now)
        }
        runner.snapshots["mensa"] = dish("Lasagne", "2026-11-30")
        runner.fire(through: "2026-11-30T23:59")
        runner.snapshots["mensa"] = dish("Suppe", "2026-12-01")
        runner.fire(through: "2026-12-01T06:00")
        #expect(runner.told() == [])
        runner.run(to: "2026-12-01T06:30")
        #expect(runner.told() == ["terminal: Suppe 06:30"])
        #expect(runner.reasons().contains("a later time of the same rule has come as well"))
    }

    @Test func `a lesson that has passed when quiet hours end is not told`() {
        var runner = RuleRunner(
            Self.soon(
                """
                    quiet: {from: "21:30", to: "08:45"}
                    message: {title: "{{ lesson.subject }}"}

                """
            ),
            at: "2026-12-01T07:00"
        )
        runner.snapshots["timetable-3a"] = Self.view(Self.lesson("MAT"), Self.lesson("ITA", "2026-12-01T08:40"))
        runner.fire(through: "2026-12-01T08:35")
        runner.run(to: "2026-12-01T08:45")
        #expect(runner.told() == ["terminal: ITA"])
        #expect(runner.reasons().contains("not told: stale since 2026-12-01 08:40"))
    }

    @Test(arguments: [
        ("lesson.cancelled", "2026-12-01T07:50", "cancelled"), ("lesson.moved", "2026-12-01T10:00", "moved"),
    ])
    func `who was told that a lesson begins hears that it does not`(kind: String, start: String, state: String) {
        var runner = RuleRunner(
            Self.soon("    message: {title: \"{{ lesson.subject }} beginnt\"}\n"),
            at: "2026-12-01T07:00"
        )
        runner.snapshots["timetable-3a"] = Self.view(Self.lesson("MAT"))
        runner.fire(through: "2026-12-01T07:40")
        #expect(runner.told() == ["terminal: MAT beginnt"])
        let later = Self.lesson("MAT", start, state: state)
        runner.snapshots["timetable-3a"] = Self.view(later)
        runner.decide(TestSchool.event("lesson.room_changed", Self.lesson("MAT")))
        #expect(runner.told() == [])
        runner.decide(TestSchool.event(kind, later))
        #expect(runner.messages.map(\.body.plain).allSatisfy { $0.hasSuffix(": Diese Meldung gilt nicht mehr.") })
        #expect(runner.told() == ["terminal: Korrektur: MAT beginnt"])
        runner.decide(TestSchool.event(kind, later, revision: 2))
        #expect(runner.told() == [])
    }

    @Test(arguments: ["    follow: false\n", ""])
    func `nothing is corrected when the time has come, or where the rule says so`(follow: String) {
        var runner = RuleRunner(
            Self.soon("\(follow)    message: {title: \"{{ lesson.subject }}\"}\n"),
            at: "2026-12-01T07:00"
        )
        runner.snapshots["timetable-3a"] = Self.view(Self.lesson("MAT"))
        runner.fire(through: "2026-12-01T07:40")
        if follow.isEmpty { runner.clock = TestSchool.instant("2026-12-01T07:50") }
        _ = runner.told()
        runner.decide(TestSchool.event("lesson.cancelled", Self.lesson("MAT", state: "cancelled")))
        #expect(runner.told() == [])
    }

    @Test func `a rule's own correction has its own words`() {
        var runner = RuleRunner(
            Self.soon(
                """
                    vars: {upper: lesson.subject.lowerAscii()}
                    correction: {title: "doch nicht {{ vars.upper }}"}
                    message: {title: "{{ lesson.subject }}"}

                """
            ),
            at: "2026-12-01T07:00"
        )
        runner.snapshots["timetable-3a"] = Self.view(Self.lesson("MAT"))
        runner.fire(through: "2026-12-01T07:40")
        _ = runner.told()
        runner.decide(TestSchool.event("lesson.cancelled", Self.lesson("MAT", state: "cancelled")))
        #expect(runner.told() == ["terminal: doch nicht mat"])
    }

    @Test func `a moment that waits is dropped when its lesson is cancelled`() {
        var runner = RuleRunner(
            Self.soon(
                """
                    group: {by: lesson.date, wait: 5m}
                    message: {title: "{% for e in group.events %}{{ e.lesson.subject }}{% endfor %}"}

                """
            ),
            at: "2026-12-01T07:00"
        )
        runner.snapshots["timetable-3a"] = Self.view(Self.lesson("MAT"))
        runner.fire(through: "2026-12-01T07:40")
        runner.decide(TestSchool.event("lesson.cancelled", Self.lesson("MAT", state: "cancelled")))
        runner.run(to: "2026-12-01T08:00")
        #expect(runner.told() == [])
    }
}
