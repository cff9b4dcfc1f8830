import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

/// Absences, homework, class register and news.
@Suite struct ListTests {
    @Test func `an excused and a new absence are told`() async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.absences)
        try await school.answer("absences/students", "untis_absences")
        #expect(try await source.poll().isEmpty)
        #expect(try source.query("absences.summary")["unexcused"] == 1)
        try await school.answer("absences/students", "untis_absences_after")
        let told = try await source.poll()
        #expect(
            told.map { "\($0.kind) \($0.record.key)" } == ["absence.excused 4711/31002", "absence.added 4711/31003"]
        )
        #expect(
            told[0].text("reason") == "Verspätung" && told[0].text("text") == "Bus"
                && told[1].text("time") == "13:15–16:45"
        )
        #expect(try await source.poll().isEmpty)
        let query = try #require(await school.requests("absences/students").first).query
        #expect(query["startDate"] == "20260907" && query["endDate"] == "20270616" && query["studentId"] == "4711")
    }

    @Test(arguments: [("untis_absences", "07:50–08:40"), ("untis_absences_minutes", "14:05–14:55")])
    func `both ways of writing times are told apart by the whole answer`(fixture: String, time: String) async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.absences)
        try await school.answer("absences/students", fixture)
        _ = try await source.poll()
        let records = try #require(source.lastSnapshot?.records)
        #expect(records.map { $0.fields["time"] } == ["07:50–16:45", .string(time)])
        #expect(records.first?.fields["end_date"] == "2026-10-13")
    }

    @Test func `absences of many pages are all read, and a page that fails is a failed poll`() async throws {
        let school = try ScriptedSchool()
        let all = (1...230).map {
            Value.map(["id": .int($0), "startDate": 20_261_005, "startTime": 750, "endTime": 840])
        }
        await school.answer("absences/students") { request in
            let page = Int(request.query["page"] ?? "") ?? 1
            return .json([
                "data": ["absences": .list(Array(all.dropFirst((page - 1) * 100).prefix(100))), "count": 230]
            ])
        }
        var source = try Household(school).source(WebUntisPlugins.absences)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.count == 230)
        await school.answer("absences/students") { request in
            request.query["page"] == "1"
                ? .json(["data": ["absences": .list(Array(all.prefix(100)))]]) : .page(status: 502)
        }
        await #expect(throws: PluginError.self) { try await source.poll() }
        await school.answer("absences/students") { _ in .json(["data": ["absences": .list(Array(all.prefix(100)))]]) }
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.count == 100)
    }

    @Test(
        arguments: [
            (0, "00:00"), (5, "00:05"), (50, "00:50"), (750, "07:50"), (800, "08:00"), (1605, "16:05"), (2400, nil),
            (1260, nil),
        ] as [(Int64, String?)]
    )
    func `PROV-28 a time is hour times 100 plus minute, and nothing else is one`(number: Int64, time: String?)
        async throws
    {
        let school = try ScriptedSchool()
        await school.answer(
            "exams",
            [
                "data": [
                    "exams": [
                        [
                            "examDate": 20_261_201, "startTime": .int(number), "endTime": 2359, "subject": "MAT",
                            "assignedStudents": [],
                        ]
                    ]
                ]
            ]
        )
        var source = try Household(school).source(WebUntisPlugins.exams)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.first?.fields["time"]?.string == time.map { "\($0)–23:59" })
        #expect(source.lastSnapshot?.unreadable == (time == nil ? 1 : 0))
    }

    @Test func `homework is told when new or edited, not when ticked off or past`() async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.homework)
        let recorded = try Fixtures.json("untis_homeworks")
        await school.answer(
            "homeworks/lessons",
            ["data": ["homeworks": [["id": 1, "date": 20_261_120, "dueDate": 20_261_201, "text": "alt"]]]]
        )
        #expect(try await source.poll().isEmpty)
        await school.answer("homeworks/lessons", recorded)
        let told = try await source.poll()
        #expect(told.map(\.kind) == ["homework.added", "homework.removed"])
        let fields = try #require(told.first).record.fields
        #expect(fields["text"] == "S. 45 Nr. 3 a–c" && fields["subject"] == "Mathematik" && fields["teacher"] == "ROS")
        #expect(try source.query("homework.due")["homework"]?.list?.count == 1)
        await school.answer("homeworks/lessons", ["data": ["homeworks": []]])
        for _ in 0..<4 { #expect(try await source.poll(at: Fixtures.monday + .days(4)).isEmpty) }
    }

    @Test func `a guardian's homework is each child's own`() async throws {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_guardian", appData: "untis_app_data_guardian")
        let homework = (1...3).map { Value.map(["id": .int($0), "dueDate": 20_261_201, "text": .string("Nr. \($0)")]) }
        let records: [Value] = [
            ["homeworkId": 1, "elementIds": [4711]], ["homeworkId": 2, "elementIds": [4712, 4711]],
        ]
        await school.answer("homeworks/lessons", ["data": ["homeworks": .list(homework), "records": .list(records)]])
        let home = try Household(school)
        for (child, texts) in [("Testina", ["Nr. 1", "Nr. 2"]), ("Luca", ["Nr. 2"])] {
            var source = try home.source(WebUntisPlugins.homework, ["student": .string(child)])
            _ = try await source.poll()
            #expect(source.lastSnapshot?.records?.map { $0.fields["text"]?.string } == texts)
        }
    }

    @Test func `a new entry of the class register is told`() async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.classEvents)
        await school.answer("classregevents", ["data": ["rows": []]])
        _ = try await source.poll()
        try await school.answer("classregevents", "untis_classregevents")
        let told = try await source.poll()
        #expect(told.map(\.kind) == ["class_event.added"])
        #expect(told.first?.text("reason") == "Hausaufgabe vergessen" && told.first?.text("date") == "2026-11-18")
    }

    @Test func `a message of the day is told once, also to a guardian of several children`() async throws {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_guardian", appData: "untis_app_data_guardian")
        var source = try Household(school).source(WebUntisPlugins.news)
        await school.answer("newsWidgetData", ["data": ["messagesOfDay": [], "systemMessage": nil]])
        _ = try await source.poll()
        try await school.answer("newsWidgetData", "untis_newswidget")
        let told = try await source.poll()
        #expect(told.map(\.kind) == ["news.published"] && told.first?.text("text") == "Im Trakt B keine Heizung.")
        #expect(try await source.poll().isEmpty && source.lastSnapshot?.student == .nobody)
        #expect(try source.query("news.today")["is_empty"] == false)
        // The next morning it has gone, which is not believed at once; but it is not today's any more.
        await school.answer("newsWidgetData", ["data": ["messagesOfDay": [], "systemMessage": nil]])
        for hours in [24, 25, 26, 27] as [Int64] {
            #expect(try await source.poll(at: Fixtures.monday + .hours(hours)).isEmpty)
        }
        #expect(try source.query("news.today", at: Fixtures.monday + .hours(27))["is_empty"] == true)
        try await school.answer("newsWidgetData", "untis_newswidget")
        #expect(try await source.poll(at: Fixtures.monday + .hours(28)).isEmpty)
        #expect(try source.query("news.today", at: Fixtures.monday + .hours(28))["is_empty"] == false)
    }

    @Test(arguments: [403, 404])
    func `a school with the newer start page alone has its messages of the day there`(status: Int) async throws {
        let school = try ScriptedSchool()
        await school.answer("newsWidgetData", [:], status: status)
        let old: Value = ["id": 146, "title": "Heizung", "subtitle": "Im Trakt B keine Heizung.", "status": "READ"]
        let new: Value = ["id": 147, "title": "", "subtitle": "<b>Bus 3</b> f&auml;llt aus", "status": "UNREAD"]
        await school.answer("dashboard/cards", ["dashboardCards": [old]])
        var source = try Household(school).source(WebUntisPlugins.news)
        #expect(try await source.poll().isEmpty)
        await school.answer("dashboard/cards", ["dashboardCards": [old, new]])
        let told = try await source.poll()
        #expect(told.map(\.kind) == ["news.published"] && told.first?.record.key == "147")
        #expect(told.first?.text("text") == "Bus 3 fällt aus")
        // The older page is there again, and has the same messages with longer texts.
        try await school.answer("newsWidgetData", "untis_newswidget")
        #expect(try await source.poll().isEmpty)
        await school.answer("newsWidgetData", [:], status: status)
        await school.answer("dashboard/cards", ["cards": []])
        await #expect(throws: PluginError.self) { try await source.poll() }
    }

    @Test(
        arguments: [
            WebUntisPlugins.absences, WebUntisPlugins.homework, WebUntisPlugins.classEvents, WebUntisPlugins.news,
            WebUntisPlugins.exams,
        ].map(\.name)
    )
    func `what the school has no licence for sleeps, and what it answers otherwise is an error`(name: String)
        async throws
    {
        let plugin = try #require(WebUntisPlugins.sources.first { $0.name == name })
        for (answer, disposition) in [
            (HTTPResponse.json([:], status: 403), PluginError.Disposition.unavailable),
            (.json([:], status: 404), .unavailable),
            (.json(["errors": [["code": "INTERNAL_ERROR", "title": "Unerlaubter Zugriff"]]]), .unavailable),
            (.json(["data": 1]), .permanent),
            (.page(status: 502), .transient(retryAfter: nil)),
        ] {
            let school = try ScriptedSchool()
            for place in [
                "absences/students", "homeworks/lessons", "classregevents", "newsWidgetData", "dashboard/cards",
                "api/exams", "timetable/entries",
            ] {
                await school.answer(place) { _ in answer }
            }
            var source = try Household(school).source(plugin)
            do {
                _ = try await source.poll()
                Issue.record("\(name) took \(answer.status)")
            } catch let error as PluginError {
                #expect(error.disposition == disposition, "\(name)")
            }
        }
    }

    @Test(
        arguments: [
            // Each of these can be read either way; the school's bells tell which.
            ([(620, 735)], ["10:20–12:15"]), ([(845, 955)], ["14:05–15:55"]), ([(750, 840)], ["07:50–08:40"]),
            ([(840, 930), (845, 1020)], ["08:40–09:30", "08:45–10:20"]), ([(845, 930)], ["08:45–09:30"]),
            ([(520, 570)], ["08:40–09:30"]), ([(1125, 1215)], ["11:25–12:15"]),
        ] as [([(Int64, Int64)], [String])]
    )
    func `times of absences are read as the whole list and the bells say`(times: [(Int64, Int64)], read: [String])
        async throws
    {
        let school = try ScriptedSchool()
        let absences = times.enumerated().map { index, time -> Value in
            [
                "id": .int(Int64(index + 1)), "startDate": 20_261_110, "endDate": 20_261_110,
                "startTime": .int(time.0), "endTime": .int(time.1), "isExcused": false,
            ]
        }
        await school.answer("absences/students", ["data": ["absences": .list(absences)]])
        var source = try Household(school).source(WebUntisPlugins.absences)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.map { $0.fields["time"]?.string } == read)
    }

    @Test func `an entry that comes twice is one, and what is gone from beside it is told`() async throws {
        let school = try ScriptedSchool()
        let entry = { (id: Int64) -> Value in
            ["id": .int(id), "startDate": 20_261_110, "endDate": 20_261_110, "startTime": 750, "endTime": 840]
        }
        await school.answer("absences/students", ["data": ["absences": [entry(1), entry(1), entry(2)]]])
        var source = try Household(school).source(WebUntisPlugins.absences)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.count == 2 && source.lastSnapshot?.unreadable == 0)
        await school.answer("absences/students", ["data": ["absences": [entry(1), entry(1)]]])
        #expect(try await source.poll().map(\.kind) == ["absence.removed"])
    }
}
