import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

@Suite struct ExamTests {
    private func exam(_ subject: String, _ day: Int64, students: [Int64], room: String = "T1") -> Value {
        [
            "id": 0, "examType": "Schularbeit", "name": .string("1. \(subject)"), "examDate": .int(20_261_200 + day),
            "startTime": 840,
            "endTime": 930, "subject": .string(subject), "rooms": [.string(room)],
            "assignedStudents": .list(students.map { ["id": .int($0)] }),
        ]
    }

    private func show(_ exams: [Value], in school: ScriptedSchool) async {
        await school.answer("api/exams", ["data": ["exams": .list(exams)]])
    }

    @Test func `PROV-01 a child gets the exams that name it, anywhere in their list`() async throws {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_guardian", appData: "untis_app_data_guardian")
        await school.show([])
        await show(
            [exam("MAT", 3, students: [4711, 4712]), exam("ENG", 4, students: [4712]), exam("ITA", 7, students: [])],
            in: school
        )
        let home = try Household(school)
        for (child, unassigned, subjects) in [
            ("4711", false, ["MAT"]), ("4712", false, ["MAT", "ENG"]), ("4711", true, ["MAT", "ITA"]),
        ] {
            var source = try home.source(
                WebUntisPlugins.exams,
                ["student": .string(child), "unassigned": .bool(unassigned)]
            )
            _ = try await source.poll()
            #expect(source.lastSnapshot?.records?.map { $0.fields["subject"]?.string } == subjects)
        }
    }

    @Test func `an exam in the list and in the timetable is one exam`() async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.exams, ["look_ahead": .duration(.days(5))])
        try await school.answer("api/exams", "untis_exams")
        try await school.answer("timetable/entries", "untis_timetable_week")
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.count == 1)
        let fields = try #require(source.lastSnapshot?.records?.first).fields
        #expect(fields["name"] == "1. Schularbeit" && fields["time"] == "10:35–11:25" && fields["text"] == "Erörterung")
        await school.answer("api/exams", [:], status: 403)
        #expect(try await source.poll().isEmpty)
        #expect(try source.query("exams.next")["tomorrow"]?.list?.count == 1)
    }

    @Test func `a list that is empty for one poll takes no exam away, however full the timetable is`() async throws {
        let school = try ScriptedSchool()
        await school.show([Row(5, on: "2026-12-03", at: "08:40-09:30", "DEU").with { $0.type = "EXAM" }])
        let listed = [exam("DEU", 3, students: [4711]), exam("MAT", 14, students: [4711])]
        await show(listed, in: school)
        var source = try Household(school).source(WebUntisPlugins.exams, ["look_ahead": .duration(.days(5))])
        _ = try await source.poll()
        for _ in 0..<2 {
            await show([], in: school)
            #expect(try await source.poll().isEmpty)
            await show(listed, in: school)
            #expect(try await source.poll().isEmpty)
        }
        // One that stays empty is believed at the third poll.
        await show([], in: school)
        for _ in 0..<2 { #expect(try await source.poll().isEmpty) }
        let told = try await source.poll().map(\.line)
        #expect(told == ["exam.changed DEU 08:40–09:30", "exam.removed MAT 08:40–09:30"])
    }

    @Test func `exams that a newly granted place shows are no news, what comes after is`() async throws {
        let school = try ScriptedSchool()
        let lesson = Row(5, on: "2026-12-03", at: "08:40-09:30", "DEU").with { $0.type = "EXAM" }
        await school.show([lesson])
        await school.answer("api/exams", [:], status: 403)
        var source = try Household(school).source(WebUntisPlugins.exams, ["look_ahead": .duration(.days(5))])
        for _ in 0..<2 { #expect(try await source.poll().isEmpty) }
        let listed = [exam("DEU", 3, students: [4711]), exam("MAT", 9, students: [4711])]
        await show(listed, in: school)
        #expect(try await source.poll().isEmpty)
        #expect(source.memory.stored.count == 2)
        await show(listed + [exam("ITA", 10, students: [4711])], in: school)
        #expect(try await source.poll().map(\.line) == ["exam.added ITA 08:40–09:30"])
        await school.answer("api/exams", [:], status: 403)
        #expect(try await source.poll().isEmpty)
        await show(listed + [exam("ENG", 11, students: [4711])], in: school)
        #expect(try await source.poll().map(\.kind) == ["exam.added", "exam.removed"])
    }

    @Test func `exams that come, move, change rooms and go are told; past ones just end`() async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.exams, ["look_ahead": .duration(.zero)])
        await school.show([])
        await show([exam("DEU", 1, students: [4711])], in: school)
        _ = try await source.poll()
        await show([exam("DEU", 1, students: [4711]), exam("MAT", 9, students: [4711])], in: school)
        #expect(try await source.poll().map(\.line) == ["exam.added MAT 08:40–09:30"])
        await show([exam("DEU", 1, students: [4711]), exam("MAT", 9, students: [4711], room: "T2")], in: school)
        #expect(try await source.poll().first?.changes.map(\.field) == ["rooms"])
        await show([exam("DEU", 1, students: [4711]), exam("MAT", 14, students: [4711], room: "T2")], in: school)
        let moved = try await source.poll()
        #expect(moved.map(\.kind) == ["exam.changed"] && moved.first?.oldText("date") == "2026-12-09")
        await show([exam("MAT", 14, students: [4711], room: "T2")], in: school)
        #expect(try await source.poll(at: Fixtures.monday + .days(3)).isEmpty)
        await show([exam("ITA", 20, students: [4711])], in: school)
        #expect(try await source.poll(at: Fixtures.monday + .days(3)).map(\.kind) == ["exam.added", "exam.removed"])
    }

    @Test func `DIFF-13 a cancelled lesson takes its exam along, and the exam is uncertain`() async throws {
        let school = try ScriptedSchool()
        let home = try Household(school)
        await show([exam("DEU", 3, students: [4711])], in: school)
        let lesson = Row(5, on: "2026-12-03", at: "08:40-09:30", "DEU")
        await school.show([lesson])
        var exams = try home.source(WebUntisPlugins.exams, ["look_ahead": .duration(.days(5))])
        var timetable = try home.source(WebUntisPlugins.timetable, ["trust_import": .duration(.zero)])
        _ = try await exams.poll()
        _ = try await timetable.poll()
        #expect(exams.lastSnapshot?.records?.first?.fields["uncertain"] == false)
        await school.show([lesson.cancelled])
        let told = try await timetable.poll(others: exams.memory.stored.values.map(\.record))
        #expect(told.map(\.kind) == ["lesson.cancelled"] && told.first?.text("exam") == "1. DEU")
        #expect(try await exams.poll().isEmpty)
        #expect(try exams.query("exams.next")["exams"]?.list?.first?["uncertain"] == true)
    }

    @Test func `a lesson that becomes an exam is told by the exams, where there is such a source`() async throws {
        let school = try ScriptedSchool()
        let home = try Household(school)
        let lesson = Row(5, on: "2026-12-03", at: "08:40-09:30", "DEU")
        let exam = lesson.with { $0.type = "EXAM" }
        for others in [[], [Record(key: "x", type: "exam", fields: [:])]] {
            var timetable = try home.source(WebUntisPlugins.timetable, ["trust_import": .duration(.zero)])
            await school.show([lesson])
            _ = try await timetable.poll()
            await school.show([exam])
            #expect(
                try await timetable.poll(others: others).map(\.kind) == (others.isEmpty ? ["lesson.text_changed"] : [])
            )
        }
    }
}
