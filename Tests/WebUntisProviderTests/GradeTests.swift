import BotCore
import BotTestKit
import Synchronization
import Testing
import Values
import WebUntisProvider

@Suite struct GradeTests {
    private func school() async throws -> ScriptedSchool {
        let school = try ScriptedSchool()
        try await school.answer("grading/list", "untis_grades_list")
        try await show(school, mathematics: "untis_grades_lesson_61001")
        return school
    }

    private func show(_ school: ScriptedSchool, mathematics: String) async throws {
        let lessons = [
            "61001": try Fixtures.response(mathematics), "61002": try Fixtures.response("untis_grades_lesson_61002"),
            "61003": try Fixtures.response("untis_grades_lesson_61003"),
        ]
        await school.answer("grading/lesson") { lessons[$0.query["lessonId"] ?? ""] ?? .page(status: 404) }
    }

    @Test func `one new grade and one edited grade are told, then nothing`() async throws {
        let school = try await school()
        var source = try Household(school).source(WebUntisPlugins.grades)
        #expect(try await source.poll().isEmpty)
        try await show(school, mathematics: "untis_grades_lesson_61001_after")
        let told = try await source.poll()
        #expect(told.map(\.kind) == ["grade.changed", "grade.added"])
        #expect(told[0].oldText("mark") == "8,5" && told[0].text("mark") == "9")
        let new = told[1].record.fields
        #expect(new["value"] == 5.5 && new["negative"] == true && new["text"] == "Wahrscheinlichkeit & Statistik")
        #expect(new["subject"] == "Mathematik" && new["kind"] == "Schularbeit" && new["date"] == "2026-11-27")
        #expect(new["subject_average"] == "7,17" && new["average"] == "6,88")
        #expect(try await source.poll().isEmpty)
    }

    @Test func `a mark without a number is no bad mark and counts in no average`() async throws {
        var source = try Household(try await school()).source(WebUntisPlugins.grades)
        _ = try await source.poll()
        let plus = try #require(source.lastSnapshot?.records?.first { $0.fields["mark"] == "+" })
        #expect(
            plus.fields["value"] == nil && plus.fields["negative"] == false && plus.fields["subject_average"] == "6"
        )
        let averages = try source.query("grades.averages")
        #expect(averages["average"] == "7,17" && averages["count"] == 3)
        #expect(averages["subjects"]?.list?.map { $0["average"] } == ["6", "7,75"])
        #expect(try source.query("grades.recent")["grades"]?.list?.first?["id"] == "81011")
    }

    @Test func `a mark without a number for display falls back to its value`() async throws {
        let school = try await school()
        try await show(school, mathematics: "untis_grades_lesson_no_display")
        var source = try Household(school).source(WebUntisPlugins.grades, ["goal": "7,5"])
        _ = try await source.poll()
        let grade = try #require(source.lastSnapshot?.records?.first { $0.key == "4711/61001/81090" })
        #expect(grade.fields["value"] == 6.0 && grade.fields["mark"] == "6+" && grade.fields["kind"] == "")
        let mathematics = try #require(try source.query("grades.averages")["subjects"]?.list?.last)
        #expect(mathematics["goal"] == "reachable" && mathematics["goal_count"] == 1 && mathematics["goal_mark"] == "9")
    }

    @Test(arguments: [400, 403, 404]) func `a lesson whose grades are refused loses none of them`(status: Int)
        async throws
    {
        let school = try await school()
        var source = try Household(school).source(WebUntisPlugins.grades)
        _ = try await source.poll()
        let others = try Fixtures.response("untis_grades_lesson_61002")
        await school.answer("grading/lesson") { request in
            request.query["lessonId"] == "61001" ? .page(status: status) : others
        }
        #expect(try await source.poll().allSatisfy { $0.kind != "grade.removed" })
        #expect(source.memory.stored["4711/61001/81001"] != nil)
        #expect(source.lastSnapshot?.unreadableKeys.contains("4711/61001/81001") == true)
        await school.answer("grading/lesson") { _ in .page(status: status) }
        await #expect(throws: PluginError.self) { try await source.poll() }
    }

    @Test(arguments: [500, 503, 429]) func `without the grades of one lesson the others are not taken for all`(
        status: Int
    ) async throws {
        let school = try await school()
        let others = try Fixtures.response("untis_grades_lesson_61002")
        await school.answer("grading/lesson") { request in
            request.query["lessonId"] == "61001" ? .page(status: status) : others
        }
        var source = try Household(school).source(WebUntisPlugins.grades)
        await #expect(throws: PluginError.self) { try await source.poll() }
        try await show(school, mathematics: "untis_grades_lesson_61001")
        #expect(try await source.poll().isEmpty)
        try await show(school, mathematics: "untis_grades_lesson_61001_after")
        #expect(try await source.poll().map(\.kind) == ["grade.changed", "grade.added"])
    }

    @Test(arguments: [HTTPResponse.page(status: 403), .page(status: 400), .json(["data": 1])])
    func `what a lesson shows when it is granted is no news, what comes after is`(refusal: HTTPResponse) async throws {
        let school = try await school()
        let lessons = [
            "61002": try Fixtures.response("untis_grades_lesson_61002"),
            "61003": try Fixtures.response("untis_grades_lesson_61003"),
        ]
        await school.answer("grading/lesson") { lessons[$0.query["lessonId"] ?? ""] ?? refusal }
        var source = try Household(school).source(WebUntisPlugins.grades)
        for _ in 0..<2 { #expect(try await source.poll().isEmpty) }
        try await show(school, mathematics: "untis_grades_lesson_61001")
        #expect(try await source.poll().isEmpty)
        #expect(source.memory.stored["4711/61001/81001"] != nil)
        await school.answer("grading/lesson") { lessons[$0.query["lessonId"] ?? ""] ?? refusal }
        #expect(try await source.poll().isEmpty)
        try await show(school, mathematics: "untis_grades_lesson_61001_after")
        #expect(try await source.poll().map(\.kind) == ["grade.changed", "grade.added"])
    }

    @Test func `a lesson that stays refused keeps no deleted grade of another`() async throws {
        let school = try await school()
        let grade: Value = ["id": 500, "date": 20_261_110, "mark": ["name": "6", "markDisplayValue": 6]]
        let other: Value = ["id": 501, "date": 20_261_111, "mark": ["name": "7", "markDisplayValue": 7]]
        func show(_ grades: [Value]) async {
            await school.answer("grading/lesson") { request in
                switch request.query["lessonId"] {
                case "61001": .page(status: 403)
                case "61002": .json(["data": ["grades": .list(grades)]])
                default: .json(["data": ["grades": []]])
                }
            }
        }
        await show([grade, other])
        var source = try Household(school).source(WebUntisPlugins.grades)
        _ = try await source.poll()
        await show([grade])
        #expect(try await source.poll().map(\.kind) == ["grade.removed"])
    }

    @Test func `a session that dies in the middle of a poll loses no grades`() async throws {
        let school = try await school()
        var source = try Household(school).source(WebUntisPlugins.grades)
        _ = try await source.poll()
        let full = try Fixtures.response("untis_grades_lesson_61001")
        let others = [
            "61002": try Fixtures.response("untis_grades_lesson_61002"),
            "61003": try Fixtures.response("untis_grades_lesson_61003"),
        ]
        let logins = await school.count("rpc:authenticate")
        let calls = Mutex(0)
        await school.answer("grading/lesson") { request in
            if let other = others[request.query["lessonId"] ?? ""] { return other }
            let call = calls.withLock { count -> Int in
                count += 1
                return count
            }
            return call == 1 ? .json(["data": ["grades": []]]) : full
        }
        #expect(try await source.poll().isEmpty)
        #expect(await school.count("rpc:authenticate") == logins + 1)
    }

    @Test func `DIFF-01 an outage or a sudden empty list tells nothing`() async throws {
        let school = try await school()
        var source = try Household(school).source(WebUntisPlugins.grades)
        _ = try await source.poll()
        await school.answer("grading/list") { _ in .page(status: 503) }
        await #expect(throws: PluginError.self) { try await source.poll() }
        await school.answer("grading/list", ["data": ["lessons": []]])
        #expect(try await source.poll().isEmpty)
        try await school.answer("grading/list", "untis_grades_list")
        #expect(try await source.poll().isEmpty)
    }

    @Test func `DIFF-01 forty marks survive an outage and an empty answer`() async throws {
        let school = try await school()
        await school.answer("grading/list", ["data": ["lessons": [["id": 1, "subjects": "MAT"]]]])
        let grades = (1...40).map { number -> Value in
            ["id": .int(number), "date": 20_261_110, "mark": ["name": "8", "markDisplayValue": 8]]
        }
        let all: Value = ["data": ["grades": .list(grades)]]
        await school.answer("grading/lesson", all)
        var source = try Household(school).source(WebUntisPlugins.grades)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.count == 40)
        await school.answer("grading/lesson", ["errorCode": "UNAVAILABLE"], status: 503)
        await #expect(throws: PluginError.self) { try await source.poll() }
        await school.answer("grading/lesson", all)
        #expect(try await source.poll().isEmpty)
        await school.answer("grading/lesson", ["data": ["grades": []]])
        #expect(try await source.poll().isEmpty)
        await school.answer("grading/lesson", all)
        #expect(try await source.poll().isEmpty)
        #expect(source.memory.stored.count == 40)
    }

    @Test func `PROV-15 a mark that comes while the token runs out is told in the same poll`() async throws {
        let school = try await school()
        await school.answer("grading/list", ["data": ["lessons": [["id": 1, "subjects": "MAT"]]]])
        await school.answer("grading/lesson", ["data": ["grades": []]])
        var source = try Household(school).source(WebUntisPlugins.grades)
        _ = try await source.poll()
        let grade: Value = ["id": 501, "date": 20_261_110, "mark": ["name": "8", "markDisplayValue": 8]]
        await school.answer("grading/lesson", ["data": ["grades": [grade]]])
        await school.expireTokens()
        #expect(try await source.poll().map(\.kind) == ["grade.added"])
        #expect(await school.count("rpc:authenticate") == 1)
    }

    @Test func `DIFF-08 a grade edited and then deleted is told as such`() async throws {
        let school = try await school()
        await school.answer("grading/list", ["data": ["lessons": [["id": 1, "subjects": "MAT"]]]])
        func show(_ marks: [(Int64, String, Double)]) async {
            let grades = marks.map { id, name, value -> Value in
                [
                    "id": .int(id), "date": 20_261_110, "text": "Test",
                    "mark": ["name": .string(name), "markDisplayValue": .double(value)],
                ]
            }
            await school.answer("grading/lesson", ["data": ["grades": .list(grades)]])
        }
        var source = try Household(school).source(WebUntisPlugins.grades)
        await show([(500, "6", 6)])
        _ = try await source.poll()
        await show([(500, "6", 6), (501, "5", 5)])
        #expect(try await source.poll().map(\.kind) == ["grade.added"])
        await show([(501, "7.5", 7.5), (500, "6", 6)])
        let edited = try await source.poll()
        #expect(
            edited.map(\.kind) == ["grade.changed"]
                && edited.first?.changes.map(\.field) == ["mark", "value", "negative"]
        )
        await show([(500, "6", 6)])
        #expect(try await source.poll().map(\.kind) == ["grade.removed"])
    }

    @Test func `grades without an id are known by what they say`() async throws {
        let school = try await school()
        let grade: Value = ["date": 20_261_110, "text": "Test", "mark": ["name": "6", "markValue": 6]]
        await school.answer("grading/lesson", ["data": ["grades": [grade, "junk"]]])
        var source = try Household(school).source(WebUntisPlugins.grades)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.unreadable == 3)
        #expect(try await source.poll().isEmpty)
    }

    // MARK: The arithmetic

    @Test func `averages, marks and goals are those of the apps`() throws {
        let vectors = try Fixtures.json("vectors_grademath")
        for vector in vectors["averageOf"].list ?? [] {
            #expect(GradeMath.average((vector["values"].list ?? []).compactMap(\.number)) == vector["expected"].number)
        }
        for vector in vectors["parseGradeInput"].list ?? [] {
            #expect(GradeMath.mark(vector["input"].string ?? "") == vector["expected"].number, "\(vector.json)")
        }
        for vector in vectors["formatMark"].list ?? [] {
            #expect(vector["value"].number.map(GradeMath.text) == vector["expected"].string, "\(vector.json)")
        }
        for vector in vectors["target"].list ?? [] {
            let goal = GradeMath.mark(vector["input"].string ?? "")
            let path = goal.flatMap { GradeMath.path(from: (vector["values"].list ?? []).compactMap(\.number), to: $0) }
            #expect(path == expected(vector["expected"]), "\(vector.json)")
        }
        #expect((vectors["target"].list ?? []).count == 11)
    }

    private func expected(_ vector: Value) -> GradeMath.Path? {
        switch vector["status"].string {
        case "reached": .reached
        case "impossible": .impossible
        case "reachable": .reachable(count: Int(vector["count"].integer ?? 0), mark: vector["needed"].number ?? 0)
        default: nil
        }
    }
}
