import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

/// Which class a student is in, and where a school is.
@Suite struct ClassTests {
    private func polled(_ school: ScriptedSchool, of student: String? = nil) async throws -> Source {
        var source = try Household(school).source(
            WebUntisPlugins.schoolClass,
            student.map { ["student": .string($0)] } ?? [:]
        )
        _ = try await source.poll()
        return source
    }

    /// State, name and id as last stored: `found 2.TST-A 287`.
    private func line(_ source: Source) -> String {
        let fields = source.memory.stored.values.first?.record.fields ?? [:]
        return ["state", "name", "id"].map { fields[.string($0)]?.string ?? "?" }.filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    @Test func `the login's class is taken where it is told`() async throws {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_student_with_class")
        #expect(line(try await polled(school)) == "found 2.TST-A 287")
        #expect(await school.count("timetable/entries") == 0)
    }

    @Test func `a guardian's child is found in the list of students`() async throws {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_guardian", appData: "untis_app_data_guardian")
        await school.answer("rpc:getStudents", try Fixtures.json("untis_rpc_getStudents_two_children"))
        #expect(line(try await polled(school, of: "Luca")) == "found 1.TST-A 285")
    }

    /// A guardian's child without a class but in its timetable of 16 February.
    private func blockSchool() async throws -> ScriptedSchool {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_guardian", appData: "untis_app_data_guardian")
        await school.answer("rpc:getStudents", try Fixtures.json("untis_rpc_getStudents_guardian_empty"))
        await school.show([Row(1, on: "2027-02-16", at: "07:50-08:40", "MAT")])
        return school
    }

    @Test func `else its timetable tells, sampled through the year; 2.TST-A never becomes 12.TST-A`() async throws {
        let school = try await blockSchool()
        #expect(line(try await polled(school, of: "4711")) == "found 2.TST-A 287")
        #expect(await school.count("timetable/entries") <= 11)
        await school.answer(
            "rpc:getKlassen",
            ["result": [["id": 288, "name": "12.TST-A", "longName": "Klasse 12 Testfach A"]]]
        )
        #expect(line(try await polled(school, of: "4711")) == "found 2.TST-A")
    }

    @Test
    func `a class is looked for once, remembered over restarts, and anew after a week and in another school year`()
        async throws
    {
        let school = try await blockSchool()
        var source = try await polled(school, of: "4711")
        let asked = await school.count("timetable/entries")
        for hour in 1...24 {
            // Another account knows nothing but what the memory holds.
            let restarted = try Household(school).source(WebUntisPlugins.schoolClass, ["student": "4711"])
            source = Source(provider: restarted.provider, memory: source.memory, schema: source.schema)
            #expect(try await source.poll(at: Fixtures.monday + .hours(Int64(hour))).isEmpty)
        }
        #expect(await school.count("timetable/entries") == asked)
        #expect(line(source) == "found 2.TST-A 287")

        await school.show([Row(1, on: "2026-12-08", at: "07:50-08:40", "MAT").with { $0.classes = ["1.TST-A"] }])
        let told = try await source.poll(at: Fixtures.monday + .days(8))
        #expect(told.map(\.kind) == ["school_class.changed"])
        #expect(told.first?.text("name") == "1.TST-A" && told.first?.oldText("name") == "2.TST-A")

        // The next school year: learnt, not told.
        let app = try Fixtures.json("untis_app_data_guardian")
        await school.answer("app/data", app)
        await school.answer(
            "rpc:getSchoolyears",
            ["result": [["id": 18, "name": "2027/2028", "startDate": 20270906, "endDate": 20280616]]]
        )
        await school.show([Row(1, on: "2027-09-07", at: "07:50-08:40", "MAT").with { $0.classes = ["3.TST-A"] }])
        let autumn = try #require(Timestamp(rfc3339: "2027-09-06T05:00:00Z"))
        #expect(try await source.poll(at: autumn).isEmpty)
        #expect(line(source) == "found 3.TST-A")
    }

    @Test func `a year of empty block weeks has no class, which is asked for again the next day and breaks nothing`()
        async throws
    {
        let school = try ScriptedSchool()
        await school.show([])
        var source = try await polled(school)
        #expect(line(source) == "noClass")
        let asked = await school.count("timetable/entries")
        #expect(asked <= 11)
        _ = try await source.poll(at: Fixtures.monday + .hours(23))
        #expect(await school.count("timetable/entries") == asked)
        await school.show([Row(1, on: "2026-12-01", at: "07:50-08:40", "MAT")])
        #expect(try await source.poll(at: Fixtures.monday + .hours(25)).map(\.kind) == ["school_class.changed"])
        #expect(line(source) == "found 2.TST-A 287")
        #expect(try source.query("class.current")["name"] == "2.TST-A")
    }

    @Test func `a teacher is no student, and the login that is refused is an error`() async throws {
        let staff = try ScriptedSchool(login: "untis_rpc_authenticate_teacher")
        await staff.answer("app/data", ["user": ["roles": ["TEACHER"]]])
        var source = try await polled(staff)
        #expect(line(source) == "notStudent")
        #expect(try await source.poll(at: Fixtures.monday + .days(1)).isEmpty)
        #expect(await staff.count("rpc:authenticate") == 1)
        let stranger = try ScriptedSchool()
        var refused = try Household(stranger, password: "falsch").source(WebUntisPlugins.schoolClass)
        await #expect(throws: PluginError.self) { _ = try await refused.poll() }
    }

    private struct Directory: HTTPClient {
        let answer: Value
        func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
            #expect(request.url == "https://schoolsearch.webuntis.com/schoolquery2" && request.method == "POST")
            return .json(answer)
        }
    }

    @Test func `schools are found by name`() async throws {
        let answer: Value = [
            "id": "x",
            "result": [
                "size": 0,
                "schools": [
                    [
                        "server": "lbs.webuntis.com", "loginName": "lbs-brixen", "displayName": "LBS",
                        "address": "Brixen",
                    ]
                ],
            ],
        ]
        let found = try await SchoolSearch.find("lbs", through: Directory(answer: answer))
        #expect(found.map(\.school) == ["lbs-brixen"] && found.map(\.server) == ["lbs.webuntis.com"])
        let error: Value = ["id": "x", "error": ["code": -6003, "message": "too many results"]]
        await #expect(throws: PluginError.self) { try await SchoolSearch.find("a", through: Directory(answer: error)) }
    }
}
