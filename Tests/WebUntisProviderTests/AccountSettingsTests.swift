import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

@Suite struct AccountSettingsTests {
    private func message(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return ""
        } catch let error as PluginError {
            return error.message
        } catch let error as SettingsError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    @Test func `PROV-17 a school that moved away is named, although the answer carries a foreign id`() async throws {
        let school = try ScriptedSchool()
        await school.setSchool("another")
        var source = try Household(school).source(WebUntisPlugins.timetable)
        let text = await message { _ = try await source.poll() }
        #expect(text.contains("-8500") && text.contains("school:") && text.contains("lbs-brixen"))
    }

    @Test(arguments: [
        ("lbs brixen", "school=lbs%20brixen"), ("lbs-müller", "school=lbs-m%C3%BCller"),
        ("lbs-m%C3%BCller", "school=lbs-m%C3%BCller"),
        ("lbs+brixen", "school=lbs%20brixen"), ("a&b=c", "school=a%26b%3Dc"), ("100%", "school=100%25"),
    ])
    func `PROV-18 a school's name is encoded exactly once`(name: String, query: String) async throws {
        let school = try ScriptedSchool()
        var source = try Household(school, schoolName: name).source(WebUntisPlugins.timetable)
        _ = await message { _ = try await source.poll() }
        #expect(await school.urls.first?.hasSuffix(query) == true)
    }

    @Test func `PROV-19 user name and password go out byte by byte`() async throws {
        let school = try ScriptedSchool()
        await school.setUser("müller anna")
        await school.show([])
        var source = try Household(school, user: "müller anna").source(WebUntisPlugins.timetable)
        _ = try await source.poll()
        #expect(await school.rawBodies.first?.contains(#""user":"müller anna","password":"pä ss@#1 ""#) == true)
    }

    @Test(arguments: [
        ("lbs.webuntis.com", "s", "https://lbs.webuntis.com/WebUntis/jsonrpc.do?school=s"),
        ("https://LBS.webuntis.com/", "s", "https://lbs.webuntis.com/WebUntis/jsonrpc.do?school=s"),
        (
            "https://tipo.webuntis.example/WebUntis/?school=afs+engen#/basic/login", "",
            "https://tipo.webuntis.example/WebUntis/jsonrpc.do?school=afs%20engen"
        ),
        ("http://127.0.0.1:8080", "s", "http://127.0.0.1:8080/WebUntis/jsonrpc.do?school=s"),
        ("http://localhost:8080/WebUntis", "s", "http://localhost:8080/WebUntis/jsonrpc.do?school=s"),
        ("http://[::1]:99", "s", "http://[::1]:99/WebUntis/jsonrpc.do?school=s"),
    ])
    func `CONF-07 a server is a host name or a pasted address`(server: String, name: String, url: String) async throws {
        let school = try ScriptedSchool()
        var source = try Household(school, schoolName: name, server: server).source(WebUntisPlugins.timetable)
        _ = await message { _ = try await source.poll() }
        #expect(await school.urls.first == url)
    }

    @Test(arguments: [
        ("http://lbs.webuntis.com", "s"), ("http://127.0.0.1.example.com", "s"), ("ftp://lbs", "s"), ("", "s"),
        ("user:pass@host", "s"), ("lbs.webuntis.com", ""), ("ho st", "s"),
    ])
    func `an address that cannot be used is refused before anything is sent`(server: String, name: String) throws {
        #expect(throws: SettingsError.self) { try Household(try ScriptedSchool(), schoolName: name, server: server) }
    }

    @Test func `a teacher's account is refused by its role and never asked again`() async throws {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_teacher")
        await school.answer("app/data", ["user": ["roles": ["TEACHER"], "person": ["id": 312]]])
        var source = try Household(school).source(WebUntisPlugins.timetable)
        for _ in 0..<3 { #expect(await message { _ = try await source.poll() }.contains("teacher")) }
        #expect(await school.count("rpc:authenticate") == 1)
        #expect(await school.count("timetable/entries") == 0)
    }

    private func guardian() throws -> ScriptedSchool {
        try ScriptedSchool(login: "untis_rpc_authenticate_guardian", appData: "untis_app_data_guardian")
    }

    @Test func `a guardian with two children must name one, and is told their ids but not their names`() async throws {
        let school = try guardian()
        await school.show([])
        let home = try Household(school)
        for student in [Value.null, "Anna"] {
            var source = try home.source(WebUntisPlugins.timetable, ["student": student])
            let text = await message { _ = try await source.poll() }
            #expect(text.contains("4711, 4712") && !text.contains("Testina") && !text.contains("Luca"))
        }
        let account = try #require(home.account as? WebUntisAccount)
        #expect(
            try await account.students(at: Fixtures.monday).map(\.name) == ["Musterhofer Testina", "Musterhofer Luca"]
        )
    }

    @Test(arguments: [
        ("4712", "4712", "Musterhofer Luca"), ("Luca", "4712", "Luca"), ("TESTINA", "4711", "TESTINA"),
        ("Musterhofer Testina", "4711", "Musterhofer Testina"),
    ])
    func `a child is found by id or by name, and called as the bot file calls it`(
        wanted: String,
        id: String,
        name: String
    ) async throws {
        let school = try guardian()
        await school.show([Row(1, at: "07:50-08:40", "MAT")])
        var source = try Household(school).source(WebUntisPlugins.timetable, ["student": .string(wanted)])
        _ = try await source.poll()
        #expect(source.lastSnapshot?.student == Student(id: id, name: name))
        #expect(await school.requests("timetable/entries").first?.query["resources"] == id)
        #expect(source.lastSnapshot?.records?.first?.key == "\(id)/2026-11-30/1")
    }

    @Test func `children come from getStudents where the app's data has none`() async throws {
        let school = try guardian()
        await school.answer("app/data", ["user": ["roles": ["LEGAL_GUARDIAN"], "students": []]])
        await school.answer("rpc:getStudents", try Fixtures.json("untis_rpc_getStudents_two_children"))
        await school.show([])
        var source = try Household(school).source(WebUntisPlugins.timetable, ["student": "Luca"])
        _ = try await source.poll()
        #expect(source.lastSnapshot?.student.id == "4712")
        await school.answer("rpc:getStudents", try Fixtures.json("untis_rpc_getStudents_guardian_empty"))
        var other = try Household(school).source(WebUntisPlugins.timetable)
        #expect(await message { _ = try await other.poll() }.contains("no child"))
    }

    @Test func `SEC-10 errors name the account by its alias alone`() async throws {
        let school = try ScriptedSchool()
        await school.setUser("Nachname_Vorname_20120101")
        var source = try Household(school, user: "Nachname_Vorname_20120101").source(WebUntisPlugins.timetable)
        for answer in [
            HTTPResponse.json(["days": 1]), .page(status: 500), .json(["error": ["code": -1, "message": "x"]]),
        ] {
            await school.answer("timetable/entries") { _ in answer }
            let text = await message { _ = try await source.poll() }
            #expect(text.contains("kind-a") && !text.contains("Nachname") && !text.contains("2012"))
        }
    }
}
