import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

/// Which days are asked for, and what is known of the others.
@Suite struct TimetableWindowTests {
    private func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    @Test func `PROV-06 the summer without a school year is a quiet, healthy state`() async throws {
        let school = try ScriptedSchool()
        await school.answer("rpc:getCurrentSchoolyear", ["error": ["code": -8998, "message": "schoolyear is null"]])
        await school.answer("timetable/entries", ["error": ["code": -8998, "message": "schoolyear is null"]])
        var source = try Household(school).source(WebUntisPlugins.timetable)
        for hour in 0..<3 {
            #expect(try await source.poll(at: moment("2027-07-13T21:00:00+02:00") + .hours(Int64(hour))).isEmpty)
        }
        let snapshot = try #require(source.lastSnapshot)
        #expect(snapshot.records == [] && snapshot.unknownDates == Set(snapshot.window?.dates ?? []))
        #expect(await school.count("timetable/entries") == 0)
    }

    @Test(arguments: ["schoolyear is null", "java.lang.NullPointerException: SchoolYear.getId()"])
    func `PROV-06 whatever stumbles over the missing school year changes nothing`(words: String) async throws {
        let complaint: Value = ["error": ["code": -8998, "message": .string(words)]]
        for (plugin, place) in [
            (WebUntisPlugins.grades, "grading/list"), (WebUntisPlugins.absences, "absences/students"),
            (WebUntisPlugins.homework, "app/data"),
        ] {
            let school = try ScriptedSchool()
            await school.answer(place, complaint)
            var source = try Household(school).source(plugin)
            #expect(try await source.poll(at: moment("2027-07-13T21:00:00+02:00")).isEmpty)
            #expect(source.lastSnapshot?.records == nil)
        }
        let school = try ScriptedSchool()
        await school.answer("grading/list", ["error": ["code": -8998, "message": "other"]])
        var source = try Household(school).source(WebUntisPlugins.grades)
        await #expect(throws: PluginError.self) { _ = try await source.poll() }
    }

    @Test func `a plan that the school hides for a while is read as soon as it is shown again`() async throws {
        let school = try ScriptedSchool()
        let lesson = Row(1, at: "11:25-12:15", "MAT")
        await school.show([lesson])
        var source = try Household(school).source(WebUntisPlugins.timetable)
        _ = try await source.poll()
        await school.show([lesson], limit: CalendarDate("2026-11-29"))
        #expect(try await source.poll(at: Fixtures.monday + .hours(1)).isEmpty)
        #expect(source.lastSnapshot?.remark.contains("shows 0 days ahead") == true)
        await school.show([lesson.cancelled])
        #expect(try await source.poll(at: Fixtures.monday + .hours(2)).map(\.kind) == ["lesson.cancelled"])
    }

    @Test func `PROV-07 no request crosses the end of the school year`() async throws {
        let school = try ScriptedSchool()
        await school.answer(
            "rpc:getSchoolyears",
            ["result": [["id": 17, "name": "2026/2027", "startDate": 20_260_907, "endDate": 20_270_612]]]
        )
        let border = CalendarDate("2027-06-13")
        let rows = [
            Row(5, on: "2027-06-10", at: "07:50-08:40", "MAT"), Row(6, on: "2027-06-10", at: "08:40-09:30", "DEU"),
        ]
        await school.show(rows, border: border)
        var source = try Household(school).source(WebUntisPlugins.timetable, ["trust_import": .duration(.zero)])
        let now = try moment("2027-06-08T06:00:00+02:00")
        _ = try await source.poll(at: now)
        await school.show([rows[0].cancelled, rows[1]], border: border)
        let told = try await source.poll(at: now)
        #expect(told.map(\.kind) == ["lesson.cancelled"] && told.first?.text("date") == "2027-06-10")
        let requests = await school.requests("timetable/entries")
        #expect(!requests.isEmpty && requests.allSatisfy { $0.query["end"] == "2027-06-12" })
        #expect(source.lastSnapshot?.unknownDates.contains(try #require(border)) == true)
    }

    @Test func `PROV-20 a school that shows seven days is asked for seven days, and the limit is kept for the day`()
        async throws
    {
        let school = try ScriptedSchool()
        let limit = try #require(CalendarDate("2026-12-07"))
        let lesson = Row(5, on: "2026-12-07", at: "07:50-08:40", "MAT")
        await school.show([lesson], limit: limit)
        var source = try Household(school).source(
            WebUntisPlugins.timetable,
            ["look_ahead": .duration(.days(21)), "trust_import": .duration(.zero)]
        )
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.count == 1)
        let asked = await school.count("timetable/entries")
        #expect(asked <= 7)
        await school.show([lesson.cancelled], limit: limit)
        #expect(try await source.poll(at: Fixtures.monday + .hours(1)).map(\.kind) == ["lesson.cancelled"])
        #expect(await school.count("timetable/entries") == asked + 1)
        #expect(source.lastSnapshot?.unknownDates.count == 14)
        let remark = source.lastSnapshot?.remark ?? ""
        #expect(remark.contains("7 days ahead, not the 21"))
        // The next day shows as many days: the same remark, which is logged once.
        await school.show([lesson.cancelled], limit: limit.adding(days: 1))
        _ = try await source.poll(at: Fixtures.monday + .days(1))
        #expect(source.lastSnapshot?.remark == remark)
    }

    @Test func `PROV-10 nothing but the timetable itself is needed`() async throws {
        let school = try ScriptedSchool()
        for method in ["getTeachers", "getRooms", "getSchoolyears", "getLatestImportTime"] {
            await school.answer("rpc:" + method, try Fixtures.json("untis_rpc_error_no_right"))
        }
        // The account may not see teachers either: their names are missing from the rows.
        let lesson = Row(1, at: "07:50-08:40", "MAT").with { ($0.teachers, $0.room) = ([], nil) }
        var source = try Household(school).source(WebUntisPlugins.timetable)
        await school.show([lesson])
        _ = try await source.poll()
        await school.show([lesson.cancelled])
        let told = try await source.poll()
        #expect(told.map(\.kind) == ["lesson.cancelled"])
        #expect(told.first?.record.fields["teacher"] == "" && told.first?.record.fields["room"] == "")
        #expect(await school.count("rpc:getTeachers") == 0)
    }

    @Test func `an unchanged import time spares the timetable for a while, and never for long`() async throws {
        let school = try ScriptedSchool()
        await school.show([Row(1, at: "07:50-08:40", "MAT")])
        var source = try Household(school).source(WebUntisPlugins.timetable)
        for minutes in [0, 10, 20] as [Int64] { _ = try await source.poll(at: Fixtures.monday + .minutes(minutes)) }
        #expect(await school.count("timetable/entries") == 1)
        #expect(source.lastSnapshot?.records == nil)
        await school.moveImportTime()
        _ = try await source.poll(at: Fixtures.monday + .minutes(25))
        #expect(await school.count("timetable/entries") == 2)
        _ = try await source.poll(at: Fixtures.monday + .minutes(60))
        #expect(await school.count("timetable/entries") == 3)
    }

    @Test func `days in the holidays are unknown, unless lessons are held in them`() async throws {
        let school = try ScriptedSchool()
        await school.show([Row(1, on: "2026-12-08", at: "07:50-08:40", "MAT")])
        var source = try Household(school).source(WebUntisPlugins.timetable, ["look_ahead": .duration(.days(30))])
        _ = try await source.poll()
        let unknown = try #require(source.lastSnapshot?.unknownDates)
        #expect(!unknown.contains(try #require(CalendarDate("2026-12-08"))))
        #expect(unknown.contains(try #require(CalendarDate("2026-12-24"))))
        #expect(source.lastSnapshot?.calendar?.holidays.map(\.name) == ["Mariä Empfängnis", "Weihnachten"])
        #expect(source.lastSnapshot?.era == "17")
    }

    @Test func `lessons are timed by the school's clock, in summer and in winter`() async throws {
        let school = try ScriptedSchool()
        await school.show([
            Row(1, on: "2027-03-26", at: "07:50-08:40", "MAT"), Row(2, on: "2027-03-29", at: "07:50-08:40", "MAT"),
        ])
        var source = try Household(school).source(WebUntisPlugins.timetable)
        _ = try await source.poll(at: moment("2027-03-25T12:00:00Z"))
        let starts = source.lastSnapshot?.records?.map { $0.fields["start"] }
        #expect(
            starts == [.timestamp(try moment("2027-03-26T06:50:00Z")), .timestamp(try moment("2027-03-29T05:50:00Z"))]
        )
    }

    @Test func `queries show a day, the week and the next lesson, merged rows once`() async throws {
        let school = try ScriptedSchool()
        try await school.answer("timetable/entries", "untis_timetable_week")
        var source = try Household(school).source(WebUntisPlugins.timetable, ["look_ahead": .duration(.days(5))])
        _ = try await source.poll()
        let day = try source.query("timetable.tomorrow")
        #expect(day["lessons"]?.list?.map { $0["subject"] } == ["INF", "DEU", "ENG", "MAT"])
        let start = try moment("2026-12-01T10:35:00+01:00")
        #expect(day["changes"]?.list?.count == 3 && day["start"] == .timestamp(start))
        #expect(try source.query("timetable.week")["days"]?.list?.count == 5)
        #expect(try source.query("timetable.next")["lesson"]?["subject"] == "MAT")
        #expect(try source.query("timetable.day", at: Fixtures.monday + .days(5))["is_empty"] == true)
    }
}
