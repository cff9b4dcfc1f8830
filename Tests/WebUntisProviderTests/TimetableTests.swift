import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

@Suite struct TimetableTests {
    private func timetable(_ school: ScriptedSchool, _ values: ValueMap = [:]) throws -> Source {
        var settings: ValueMap = ["look_ahead": .duration(.days(5)), "trust_import": .duration(.zero)]
        for (key, value) in values { settings[key] = value }
        return try Household(school).source(WebUntisPlugins.timetable, settings)
    }

    @Test func `a changed week tells one cancellation, one withdrawal and one room`() async throws {
        let school = try ScriptedSchool()
        var source = try timetable(school)
        try await school.answer("timetable/entries", "untis_timetable_week")
        #expect(try await source.poll().isEmpty)
        try await school.answer("timetable/entries", "untis_timetable_week_after")
        let told = try await source.poll()
        #expect(
            told.map(\.line) == [
                "lesson.cancelled MAT 07:50–08:40", "lesson.restored INF 07:50–09:30",
                "lesson.room_changed MAT 07:50–08:40",
            ]
        )
        let room = try #require(told.last)
        #expect(room.oldText("room") == "T101" && room.text("room") == "T205" && room.text("old_room") == "T101")
        #expect(room.old?.key == "4711/2026-12-03/500401" && room.record.key == "4711/2026-12-03/500499")
        #expect(try await source.poll().isEmpty)
    }

    @Test func `a week that was seen as planned shows all its kinds`() async throws {
        let school = try ScriptedSchool()
        var source = try timetable(school)
        try await school.answer("timetable/entries", "untis_timetable_week")
        _ = try await source.poll()
        let records = try #require(source.lastSnapshot?.records)
        let lines = records.sorted { $0.key < $1.key }.map { record in
            ["subject", "state", "room", "old_teacher", "new_subject"].map { record.fields[$0]?.string ?? "?" }.joined(
                separator: ","
            )
        }
        #expect(
            lines == [
                "MAT,planned,T101,,", "DEU,changed,T101,MUS,", "ITA,changed,T205,,", "INF,cancelled,INF1,,",
                "DEU,planned,T102,,",
                "DEU,planned,T102,,", "ENG,cancelled,T101,,MAT", "MAT,additional,T101,,",
                "Lehrausgang: Museo di Prova, Treffpunkt 8:00,planned,,,", "MAT,planned,T101,,", "DEU,planned,T101,,",
                "ENG,planned,T102,,", "INF,moved,INF1,,", "ITA,additional,T101,,",
            ]
        )
        let exam = try #require(records.first { $0.key.hasSuffix("500202") })
        #expect(exam.fields["kind"] == "exam" && exam.fields["exam"] == "1. Schularbeit")
        #expect(exam.fields["exam_text"] == "Erörterung; Kapitel 1, 2\nund 3" && exam.fields["period"] == "4")
        #expect(exam.date == CalendarDate("2026-12-01") && exam.worldKey == "lbs-brixen/2026-12-01/500202")
    }

    @Test func `what deviates in days that enter the window is told, and nothing else`() async throws {
        let school = try ScriptedSchool()
        var source = try timetable(school, ["look_ahead": .duration(.zero)])
        try await school.answer("timetable/entries", "untis_timetable_week")
        _ = try await source.poll()
        source = Source(
            provider: try timetable(school).provider,
            memory: source.memory,
            schema: source.schema,
            lastSnapshot: nil
        )
        let told = try await source.poll()
        #expect(
            told.map(\.line) == [
                "lesson.cancelled INF 07:50–09:30", "lesson.replaced ENG 11:25–12:15", "lesson.moved INF 14:05–14:55",
                "lesson.added ITA 07:50–08:40",
            ]
        )
        #expect(told[1].text("new_subject") == "MAT")
        #expect(
            told[2].record.fields["old_start"] == .timestamp(try #require(Timestamp(rfc3339: "2026-12-03T08:30:00Z")))
        )
    }

    @Test(arguments: ["untis_timetable_not_allowed", "untis_timetable_block_week_empty"])
    func `a week that is not shown removes nothing, an empty block week only once it is confirmed`(fixture: String)
        async throws
    {
        let school = try ScriptedSchool()
        var source = try timetable(school)
        try await school.answer("timetable/entries", "untis_timetable_week")
        _ = try await source.poll()
        try await school.answer("timetable/entries", fixture)
        #expect(try await source.poll().isEmpty)
        #expect(try await source.poll().isEmpty)
        try await school.answer("timetable/entries", "untis_timetable_week")
        #expect(try await source.poll().isEmpty)
    }

    @Test func `DIFF-01 an empty timetable counts only when it keeps coming`() async throws {
        let school = try ScriptedSchool()
        var source = try timetable(school)
        try await school.answer("timetable/entries", "untis_timetable_week")
        _ = try await source.poll()
        try await school.answer("timetable/entries", "untis_timetable_block_week_empty")
        let logins = await school.count("rpc:authenticate")
        #expect(try await source.poll().isEmpty)
        #expect(try await source.poll().isEmpty)
        #expect(await school.count("rpc:authenticate") == logins + 1)
        // The third is no longer held back, and the engine wants it to stay so for a day.
        #expect(try await source.poll().isEmpty)
        #expect(try await source.poll(at: Fixtures.monday + .hours(11)).isEmpty)
        #expect(try await !source.poll(at: Fixtures.monday + .hours(25)).isEmpty)
    }

    @Test func `an answer without days, for another student or without its list is an error`() async throws {
        let school = try ScriptedSchool()
        var source = try timetable(school)
        await school.answer("timetable/entries", ["format": 1, "days": [], "errors": []])
        await #expect(throws: PluginError.self) { try await source.poll() }
        await school.answer("timetable/entries", ["format": 1])
        await #expect(throws: PluginError.self) { try await source.poll() }
        await school.answer(
            "timetable/entries",
            ["days": [["date": "2026-11-30", "status": "REGULAR", "resource": ["id": 99], "gridEntries": []]]]
        )
        await #expect(throws: PluginError.self) { try await source.poll() }
    }

    @Test func `lessons of other formats are read by what their elements say`() async throws {
        let school = try ScriptedSchool()
        var source = try timetable(school, ["look_ahead": .duration(.zero)])
        try await school.answer("timetable/entries", "untis_timetable_other_format")
        _ = try await source.poll()
        let records = try #require(source.lastSnapshot?.records)
        #expect(records.map { $0.fields["subject"] } == ["MAT", "DEU", "ITA"])
        #expect(records.map { $0.fields["teacher"] } == ["ROS", "BEI", "ROS"])
    }

    @Test func `a row that cannot be read is counted and keeps its state`() async throws {
        let school = try ScriptedSchool()
        var source = try timetable(school)
        try await school.answer("timetable/entries", "untis_timetable_week")
        _ = try await source.poll()
        try await school.answer("timetable/entries", "untis_timetable_sparse")
        let told = try await source.poll()
        #expect(source.lastSnapshot?.unreadable == 1)
        #expect(source.lastSnapshot?.unreadableKeys == ["4711/2026-11-30/500102"])
        #expect(source.memory.stored["4711/2026-11-30/500102"] != nil)
        #expect(told.map(\.line).filter { $0.contains("removed") } == [])
    }
}
