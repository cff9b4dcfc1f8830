import BotCore
import BotEngine
import BotTestKit
import Testing
import Values

/// What a bot that runs for a day, a summer or a restart makes of a school's answers.
@Suite struct SchoolYearStoryTests {
    private let mat = Town.Lesson(1, "07:50-08:40", "MAT")
    private let deu = Town.Lesson(2, "08:40-09:30", "DEU")

    private func bot(
        _ sources: [String],
        _ rules: String,
        people: [String: Town.Person] = ["anna": Town.Person(id: 11)],
        accounts: [String] = ["anna"],
        admin: String? = nil
    ) throws -> TownBot {
        try TownBot(
            Town(people),
            accounts: accounts,
            sources: sources,
            sinks: ["chat"] + [admin].compactMap(\.self),
            admin: admin,
            rules: "version: 1\nrules:\n" + rules
        )
    }

    private static let everyLesson =
        "  - {id: all, when: {event: \"lesson.*\"}, message: {title: \"{{ event.kind }}\"}, send: [chat]}\n"
    private static let timetable =
        "timetable: {provider: webuntis.timetable, account: anna, every: 60m, trust_import: 0s}"

    @Test(arguments: [nil, (-8998, "Benutzer ist vorübergehend gesperrt")] as [(Int64, String)?])
    func `PROV-04 a refused login is tried once in a day of polls, told once by its alias, and stops nobody else`(
        refusal: (code: Int64, text: String)?
    ) async throws {
        let sources = ["timetable", "grades", "exams"].map {
            "\($0): {provider: webuntis.\($0), account: family-a, every: 10m}"
        }
        let bot = try bot(
            sources + ["other: {provider: webuntis.timetable, account: ben, every: 10m, trust_import: 0s}"],
            Self.everyLesson,
            people: ["ben": Town.Person(id: 12)],
            accounts: ["family-a", "ben"],
            admin: "admin"
        )
        if let refusal { bot.town.refuse("family-a", refusal.code, refusal.text) }
        try await bot.run(for: .hours(24))
        #expect(bot.town.count("family-a authenticate") == 1)
        let notices = bot.read("admin")
        #expect(notices.count == 1 && notices.first?.contains("account 'family-a'") == true, "\(notices)")
        #expect(bot.town.count("ben timetable/entries") >= 144)
        #expect(bot.told("chat").isEmpty)
    }

    @Test func `PROV-03 a page instead of marks is a failed poll, and the marks after it are not new`() async throws {
        let bot = try bot(
            ["grades: {provider: webuntis.grades, account: anna}", Self.timetable],
            Self.everyLesson
                + "  - {id: marks, when: {event: \"grade.*\"}, message: {title: \"{{ grade.mark }}\"}, send: [chat]}\n"
        )
        bot.town.grade([(1, "6"), (2, "7"), (3, "8")], of: 11)
        bot.town.show([mat])
        try await bot.poll()
        bot.town.fail("anna", with: Town.maintenance)
        _ = bot.logged()
        let failed = try await bot.poll(only: ["grades"])
        #expect(failed.polls.failed == 1)
        #expect(bot.logged().contains { $0.hasPrefix("warning: Source grades:") && $0.contains("web page") })
        bot.town.fail("anna", with: nil)
        bot.town.show([mat.cancelled])
        #expect(try await bot.poll().polls.failed == 0)
        #expect(bot.told("chat") == ["lesson.cancelled"])
    }

    @Test func `PROV-06 a summer without a school year is quiet, and the first day of the next one is told`()
        async throws
    {
        let bot = try bot([Self.timetable], Self.everyLesson, admin: "admin")
        bot.town.years([["id": 14, "name": "2026/2027", "startDate": 20_260_907, "endDate": 20_270_612]])
        bot.clock.set(to: try #require(Timestamp(rfc3339: "2027-06-01T06:00:00+02:00")))
        bot.town.show([mat.with { $0.date = "2027-06-02" }])
        try await bot.run(for: .days(80))
        bot.town.years([
            ["id": 14, "name": "2026/2027", "startDate": 20_260_907, "endDate": 20_270_612],
            ["id": 15, "name": "2027/2028", "startDate": 20_270_906, "endDate": 20_280_610],
        ])
        let first = mat.with { $0.date = "2027-09-06" }
        bot.town.show([first])
        try await bot.run(for: .days(16))
        let complaints = bot.logged().filter { !$0.hasPrefix("info:") && !$0.hasPrefix("debug:") }
        #expect(complaints.isEmpty, "\(complaints.prefix(3))")
        #expect(bot.told("chat").isEmpty && bot.told("admin").isEmpty)
        bot.town.show([first.cancelled])
        try await bot.run(for: .hours(2))
        #expect(bot.told("chat") == ["lesson.cancelled"])
    }

    @Test func `nobody is reminded of a lesson that is off, and one called off after the reminder is corrected`()
        async throws
    {
        let bot = try bot(
            [Self.timetable],
            "  - {id: soon, when: {time_of: {field: lesson.start, before: 10h}}, message: {title: \"{{ lesson.subject }}\"}, send: [chat]}\n"
        )
        let (first, second) = (mat.with { $0.date = "2026-12-01" }, deu.with { $0.date = "2026-12-01" })
        bot.town.show([first, second.cancelled])
        bot.clock.set(to: try #require(Timestamp(rfc3339: "2026-11-30T20:00:00+01:00")))
        try await bot.run(for: .hours(4))
        #expect(bot.told("chat") == ["MAT"])
        bot.town.show([first.cancelled, second.cancelled])
        try await bot.run(for: .hours(2))
        let corrections = bot.told("chat")
        #expect(corrections.count == 1 && corrections[0].contains("MAT"), "\(corrections)")
    }

    @Test func `PROV-09 a menu of last week is not posted as today's`() async throws {
        let bot = try bot(["mensa: {provider: pokyh.mensa, every: 6h}"], Self.menuRule)
        bot.town.dishes([["id": "1", "date": "2026-11-23", "weekday": "Montag", "name": "Gulasch"]])
        try await bot.run(for: .hours(2))
        #expect(bot.told("chat").isEmpty)
        let notes = await bot.store.notes(about: "2026-11-30T06:30")
        #expect(notes.map(\.outcome) == [.conditionFalse])
        let fresh = try self.bot(["mensa: {provider: pokyh.mensa, every: 6h}"], Self.menuRule)
        fresh.town.dishes([
            ["id": "1", "date": "2026-11-30", "name": "Knödel", "category": "Primo"],
            ["id": "2", "date": "2026-11-30", "name": "Pasta", "category": "Primo"],
            ["id": "3", "date": "2026-12-01", "name": "Suppe", "category": "Primo"],
        ])
        try await fresh.run(for: .hours(2))
        #expect(fresh.told("chat") == ["Knödel, Pasta"])
    }

    private static let menuRule = """
          - id: mensa-daily
            when: {at: "06:30"}
            query: {menu: mensa.today}
            if: "!menu.is_empty"
            message: {title: "{{ menu.text }}"}
            send: [chat]

        """

    @Test func `PROV-20 a school that shows seven days of twenty-one warns once and tells what it shows`() async throws
    {
        let bot = try bot(
            ["timetable: {provider: webuntis.timetable, account: anna, every: 60m, trust_import: 0s, look_ahead: 21d}"],
            Self.everyLesson
        )
        bot.town.limit(to: try #require(CalendarDate("2026-12-07")))
        let last = mat.with { $0.date = "2026-12-07" }
        bot.town.show([last])
        try await bot.run(for: .hours(17))
        bot.town.show([last.cancelled])
        let (warnings, asked) = (bot.logged(), bot.town.count("anna timetable/entries"))
        #expect(warnings.count { $0.contains("7 days ahead, not the 21") } == 1)
        #expect(asked < 17 + 8)
        try await bot.poll(after: .minutes(30))
        #expect(bot.told("chat") == ["lesson.cancelled"])
    }

    @Test func `PROV-26 twelve rules on one source cost one request each time it is due`() async throws {
        let rules = (1...12).map {
            "  - {id: r\($0), when: {event: \"lesson.*\"}, message: {title: \"x\"}, send: [chat]}"
        }
        let bot = try bot(
            ["timetable: {provider: webuntis.timetable, account: anna, every: 10m, trust_import: 0s}"],
            rules.joined(separator: "\n") + "\n"
        )
        bot.town.show([mat])
        try await bot.run(for: .hours(2))
        #expect((12...13).contains(bot.town.count("anna timetable/entries")))
    }

    @Test func `DIFF-02 a lesson without a teacher is told once and holds nothing back`() async throws {
        let bot = try bot(
            [Self.timetable],
            """
              - id: teachers
                when: {event: lesson.teacher_changed}
                message: {title: "{{ lesson.subject }}: {{ lesson.teachers[0] | default: 'niemand' }}"}
                send: [chat]

            """
        )
        bot.town.show([mat, deu])
        try await bot.poll()
        bot.town.show([mat.with { $0.teachers = ["NEU"] }, deu.with { $0.teachers = [] }])
        try await bot.poll()
        #expect(bot.told("chat").sorted() == ["DEU: niemand", "MAT: NEU"])
        for _ in 1...2 {
            try await bot.poll()
            #expect(bot.told("chat").isEmpty)
        }
    }

    @Test func `DIFF-04 cancelled, withdrawn and cancelled again are three messages of one rule`() async throws {
        let bot = try bot(
            [Self.timetable],
            """
              - id: cancelled
                when: {event: lesson.cancelled}
                message: {title: "{{ lesson.subject }} entfällt"}
                correction: {title: "{{ lesson.subject }} findet statt"}
                send: [chat]

            """
        )
        bot.town.show([mat])
        try await bot.poll()
        for (lesson, text) in [
            (mat.cancelled, "MAT entfällt"), (mat, "MAT findet statt"), (mat.cancelled, "MAT entfällt"),
        ] {
            bot.town.show([lesson])
            try await bot.poll()
            #expect(bot.told("chat") == [text])
        }
    }
}
