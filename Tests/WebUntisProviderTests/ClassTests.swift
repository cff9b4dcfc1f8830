import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

/// Which class a student is in, and where a school is.
@Suite struct ClassTests {
    private func membership(_ school: ScriptedSchool, of student: String? = nil) async throws -> ClassMembership {
        let account = try #require(try Household(school).account as? WebUntisAccount)
        return try await account.classMembership(of: student, at: Fixtures.monday, in: Fixtures.rome)
    }

    @Test func `the login's class is taken where it is told`() async throws {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_student_with_class")
        #expect(try await membership(school) == .found(id: 287, name: "2.TST-A"))
        #expect(await school.count("timetable/entries") == 0)
    }

    @Test func `a guardian's child is found in the list of students`() async throws {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_guardian", appData: "untis_app_data_guardian")
        await school.answer("rpc:getStudents", try Fixtures.json("untis_rpc_getStudents_two_children"))
        #expect(try await membership(school, of: "Luca") == .found(id: 285, name: "1.TST-A"))
    }

    @Test func `else its timetable tells, sampled through the year and asked once; 2.TST-A never becomes 12.TST-A`()
        async throws
    {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_guardian", appData: "untis_app_data_guardian")
        await school.answer("rpc:getStudents", try Fixtures.json("untis_rpc_getStudents_guardian_empty"))
        await school.show([Row(1, on: "2027-02-16", at: "07:50-08:40", "MAT")])
        let account = try #require(try Household(school).account as? WebUntisAccount)
        for _ in 0..<3 {
            #expect(
                try await account.classMembership(of: "4711", at: Fixtures.monday, in: Fixtures.rome)
                    == .found(id: 287, name: "2.TST-A")
            )
        }
        #expect(await school.count("timetable/entries") <= 11)
        await school.answer(
            "rpc:getKlassen",
            ["result": [["id": 288, "name": "12.TST-A", "longName": "Klasse 12 Testfach A"]]]
        )
        #expect(try await membership(school, of: "4711") == .found(id: nil, name: "2.TST-A"))
    }

    @Test func `a year of empty block weeks has no class, a teacher is no student`() async throws {
        let school = try ScriptedSchool()
        await school.show([])
        #expect(try await membership(school) == .noClass)
        #expect(await school.count("timetable/entries") <= 11)
        let staff = try ScriptedSchool(login: "untis_rpc_authenticate_teacher")
        await staff.answer("app/data", ["user": ["roles": ["TEACHER"]]])
        #expect(try await membership(staff) == .notStudent)
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
