import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

/// Answers that were damaged on the way, or made to hurt.
@Suite struct HostileAnswerTests {
    private func damaged(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
        case 1:
            for _ in 0..<20 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 32...126,
                    using: &generator
                )
            }
        case 2:
            let words: [String] = ["null", "-1", "1e300", "[]", "{}", "\"\"", "true", "9223372036854775807", "\"x\""]
            let text = String(decoding: bytes, as: UTF8.self)
            let values = ["4711", "\"REGULAR\"", "20261127", "\"2026-11-30T07:50\"", "500101", "7.0", "false", "[ ]"]
            guard let value = values.randomElement(using: &generator), let word = words.randomElement(using: &generator)
            else { return bytes }
            return Array(text.replacing(value, with: word).utf8)
        default: bytes.removeSubrange(0..<min(bytes.count, 7))
        }
        return bytes
    }

    @Test(arguments: [
        ("webuntis.timetable", "timetable/entries", "untis_timetable_week"),
        ("webuntis.grades", "grading/lesson", "untis_grades_lesson_61001"),
        ("webuntis.messages", "v1/messages", "untis_messages_inbox"),
        ("webuntis.absences", "absences/students", "untis_absences_after"),
        ("webuntis.exams", "api/exams", "untis_exams"), ("webuntis.homework", "homeworks/lessons", "untis_homeworks"),
        ("webuntis.class_events", "classregevents", "untis_classregevents"),
        ("webuntis.news", "newsWidgetData", "untis_newswidget"),
        ("webuntis.timetable", "app/data", "untis_app_data_guardian"),
    ])
    func `damaged answers are errors or counted, and nothing crashes`(name: String, place: String, fixture: String)
        async throws
    {
        let plugin = try #require(WebUntisPlugins.sources.first { $0.name == name })
        let bytes = try Fixtures.bytes(fixture)
        var generator = SeededGenerator(seed: 20_261_130)
        for _ in 0..<40 {
            let school = try ScriptedSchool()
            try await school.answer("grading/list", "untis_grades_list")
            try await school.answer("timetable/entries", "untis_timetable_week")
            let body = damaged(bytes, &generator)
            await school.answer(place) { _ in
                HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: body)
            }
            var source = try Household(school).source(plugin, ["student": place == "app/data" ? "4711" : .null])
            do {
                _ = try await source.poll()
                _ = try await source.poll(at: Fixtures.monday + .days(1))
            } catch let error as PluginError {
                #expect(!error.message.contains("Musterhofer") && !error.message.contains("Esempio"))
                #expect(error.evidence?.contains("Musterhofer") != true)
            }
        }
    }

    @Test func `a day with more entries than a school can have is refused`() async throws {
        let school = try ScriptedSchool()
        let row = Row(1, at: "07:50-08:40", "MAT").json
        await school.answer(
            "timetable/entries",
            [
                "days": [
                    [
                        "date": "2026-11-30", "status": "REGULAR",
                        "gridEntries": .list(Array(repeating: row, count: 20_000)),
                    ]
                ]
            ]
        )
        var source = try Household(school).source(WebUntisPlugins.timetable)
        await #expect(throws: PluginError.self) { try await source.poll() }
    }

    @Test func `one id that comes twice on a day stays two lessons`() async throws {
        let school = try ScriptedSchool()
        await school.show([Row(1, at: "07:50-08:40", "MAT"), Row(1, at: "08:40-09:30", "MAT")])
        var source = try Household(school).source(WebUntisPlugins.timetable)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.map(\.key) == ["4711/2026-11-30/1", "4711/2026-11-30/1#2"])
    }
}
