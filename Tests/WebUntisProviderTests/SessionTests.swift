import BotCore
import BotTestKit
import Digests
import Testing
import Values
import WebUntisProvider

@Suite struct SessionTests {
    private func failure(_ body: () async throws -> Void) async -> PluginError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? PluginError
        }
    }

    @Test func `PROV-04 a wrong password is tried once, however many sources and polls share it`() async throws {
        let school = try ScriptedSchool()
        let home = try Household(school, password: "falsch")
        var sources = [
            try home.source(WebUntisPlugins.timetable), try home.source(WebUntisPlugins.grades),
            try home.source(WebUntisPlugins.messages),
        ]
        for poll in 0..<144 {
            for index in sources.indices {
                let error = await failure {
                    _ = try await sources[index].poll(at: Fixtures.monday + .minutes(Int64(poll) * 10))
                }
                #expect(error?.disposition == .unauthorized && error?.message.contains("kind-a") == true)
                #expect(error?.message.contains("testina") == false && error?.message.contains("falsch") == false)
            }
        }
        #expect(await school.count("rpc:authenticate") == 1)
        // Until a person asks for another try.
        await home.account.forgetRefusal()
        for index in sources.indices { _ = await failure { _ = try await sources[index].poll() } }
        #expect(await school.count("rpc:authenticate") == 2)
    }

    @Test(
        arguments: [
            (-8998, "Benutzer ist vorübergehend gesperrt", PluginError.Disposition.unauthorized),
            (-8511, "locked", .unauthorized),
            (-8998, "java.lang.NullPointerException", .transient(retryAfter: .minutes(15))),
            (-8509, "no right", .unavailable),
            (-8500, "invalid schoolname", .permanent), (-8519, "second factor", .unauthorized),
            (-8524, "client time", .permanent),
        ] as [(Int64, String, PluginError.Disposition)]
    )
    func `a refused login says what to do next`(code: Int64, text: String, disposition: PluginError.Disposition)
        async throws
    {
        let school = try ScriptedSchool()
        let words = text + ": Testina Musterhofer"
        await school.answer("rpc:authenticate", ["id": nil, "error": ["code": .int(code), "message": .string(words)]])
        var source = try Household(school).source(WebUntisPlugins.timetable)
        let error = await failure { _ = try await source.poll() }
        #expect(error?.disposition == disposition)
        #expect(error?.message.contains("kind-a") == true && error?.message.contains(String(code)) == true)
        #expect(error?.message.contains("Musterhofer") == false && error?.evidence == words)
    }

    @Test func `PROV-15 a token that ran out is renewed with the live cookie in the same poll`() async throws {
        let school = try ScriptedSchool()
        await school.show([Row(1, at: "07:50-08:40", "MAT")])
        var source = try Household(school).source(WebUntisPlugins.timetable, ["trust_import": .duration(.zero)])
        _ = try await source.poll()
        await school.expireTokens()
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.count == 1)
        #expect(await school.count("rpc:authenticate") == 1)
        #expect(await school.count("token/new") == 2)
        await school.expireSessions()
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.count == 1)
        #expect(await school.count("rpc:authenticate") == 2)
    }

    @Test func `PROV-15 a token route that sends its login page costs one login and is an error`() async throws {
        let school = try ScriptedSchool()
        await school.show([Row(1, at: "07:50-08:40", "MAT")])
        var source = try Household(school).source(WebUntisPlugins.timetable, ["trust_import": .duration(.zero)])
        _ = try await source.poll()
        await school.expireTokens()
        try await school.answer("token/new", "untis_token_new_html")
        let error = await failure { _ = try await source.poll() }
        #expect(error?.disposition == .transient(retryAfter: nil))
        #expect(await school.count("rpc:authenticate") == 2)
    }

    @Test func `a bearer is renewed before its quarter of an hour is over`() async throws {
        let school = try ScriptedSchool()
        await school.show([])
        var source = try Household(school).source(WebUntisPlugins.timetable, ["trust_import": .duration(.zero)])
        for minutes in [0, 10, 15, 40] as [Int64] { _ = try await source.poll(at: Fixtures.monday + .minutes(minutes)) }
        #expect(await school.count("token/new") == 3)
        #expect(await school.count("rpc:authenticate") == 1)
        #expect(await !school.requests("timetable/entries").isEmpty)
    }

    @Test func `sources that start together share one login`() async throws {
        let school = try ScriptedSchool()
        await school.show([Row(1, at: "07:50-08:40", "MAT")])
        let home = try Household(school)
        let sources = try (0..<8).map { _ in try home.source(WebUntisPlugins.timetable) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for source in sources {
                group.addTask {
                    var source = source
                    _ = try await source.poll()
                }
            }
            try await group.waitForAll()
        }
        #expect(await school.count("rpc:authenticate") == 1)
        #expect(await school.count("app/data") == 1)
    }

    @Test func `a 403 sleeps the source and never logs in again`() async throws {
        let school = try ScriptedSchool()
        await school.answer(
            "grading/list",
            ["errors": [["code": "FORBIDDEN", "title": "Unerlaubter Zugriff"]]],
            status: 403
        )
        var source = try Household(school).source(WebUntisPlugins.grades)
        for _ in 0..<3 {
            let error = await failure { _ = try await source.poll() }
            #expect(error?.disposition == .unavailable)
        }
        #expect(await school.count("rpc:authenticate") == 1)
    }

    @Test(arguments: [
        (503, PluginError.Disposition.transient(retryAfter: .seconds(120))),
        (502, .transient(retryAfter: .seconds(120))),
        (429, .transient(retryAfter: .seconds(120))), (400, .permanent), (404, .unavailable),
    ])
    func `every status has its verdict`(status: Int, disposition: PluginError.Disposition) async throws {
        for wish in ["120", "Mon, 30 Nov 2026 05:02:00 GMT"] {
            let school = try ScriptedSchool()
            await school.answer("timetable/entries") { _ in
                HTTPResponse(status: status, headers: [("Retry-After", wish)], body: Array("oops".utf8))
            }
            var source = try Household(school).source(WebUntisPlugins.timetable)
            #expect(await failure { _ = try await source.poll() }?.disposition == disposition)
        }
    }

    @Test func `PROV-03 a page instead of data fails the poll and leaves all as it was`() async throws {
        let school = try ScriptedSchool()
        await school.show([Row(1, at: "07:50-08:40", "MAT")])
        var source = try Household(school).source(WebUntisPlugins.timetable, ["trust_import": .duration(.zero)])
        _ = try await source.poll()
        for answer in [HTTPResponse.page(), try Fixtures.response("untis_html_login_page"), .page(status: 503)] {
            await school.answer("timetable/entries") { _ in answer }
            let error = await failure { _ = try await source.poll() }
            #expect(error.map { if case .transient = $0.disposition { true } else { false } } == true)
        }
        await school.show([Row(1, at: "07:50-08:40", "MAT")])
        #expect(try await source.poll().isEmpty)
    }

    @Test(arguments: [
        "{\"days\": [", "[1,2]", "", "null", "{\"days\": 7}", "\u{0}\u{1}", String(repeating: "[", count: 100_000),
    ])
    func `broken documents are errors, never empty timetables`(body: String) async throws {
        let school = try ScriptedSchool()
        await school.answer("timetable/entries") { _ in
            HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
        }
        var source = try Household(school).source(WebUntisPlugins.timetable)
        let error = await failure { _ = try await source.poll() }
        #expect(error != nil && error?.evidence?.contains("MAT") != true)
    }

    @Test func `half a login's answer is an outage, no WebUntis at all is a wrong address`() async throws {
        for (response, disposition) in [
            (
                HTTPResponse(status: 200, body: Array("{\"jsonrpc\":\"2.0\",\"re".utf8)),
                PluginError.Disposition.transient(retryAfter: nil)
            ),
            (.page(status: 404), .permanent), (.page(), .transient(retryAfter: nil)),
            (HTTPResponse(status: 200, body: Array("hello".utf8)), .permanent),
        ] {
            let school = try ScriptedSchool()
            await school.answer("rpc:authenticate") { _ in response }
            var source = try Household(school).source(WebUntisPlugins.timetable)
            #expect(await failure { _ = try await source.poll() }?.disposition == disposition)
        }
    }

    @Test func `closing logs out, once`() async throws {
        let school = try ScriptedSchool()
        await school.show([])
        let home = try Household(school)
        await home.account.close(at: Fixtures.monday)
        #expect(await school.count("rpc:logout") == 0)
        var source = try home.source(WebUntisPlugins.timetable)
        _ = try await source.poll()
        await home.account.close(at: Fixtures.monday)
        await home.account.close(at: Fixtures.monday)
        #expect(await school.count("rpc:logout") == 1)
    }

    @Test func `an app secret logs in with a one-time password that is a number`() async throws {
        let school = try ScriptedSchool()
        await school.answer("rpc:getUserData2017", ["result": ["userData": ["elemType": "STUDENT", "elemId": 4711]]])
        await school.show([Row(1, at: "07:50-08:40", "MAT")])
        let settings = Settings(
            name: "kind-a",
            values: ["user": "testina.musterhofer"],
            secrets: ["app_secret": Secret("untis://setschool?url=x&school=y&key=ABCDEFGHIJKLMNOP&schoolNumber=1")]
        )
        let place = School(name: "lbs", server: "lbs-brixen.webuntis.com", school: "lbs-brixen", zone: Fixtures.rome)
        let account = try WebUntisPlugins.account.make(settings, place, Household.tools(school))
        let provider = try WebUntisPlugins.timetable.make(
            Settings(name: "t", values: ["look_ahead": .duration(.days(3))]),
            account,
            Household.tools(school)
        )
        let snapshot = try await provider.fetch(FetchRequest(now: Fixtures.monday, zone: Fixtures.rome))
        #expect(snapshot.records?.count == 1)
        let call = try #require(await school.requests("rpc:getUserData2017").first)
        let code = try #require(OneTimePassword(secret: "ABCDEFGHIJKLMNOP")).code(at: Fixtures.monday)
        #expect(call.body["params"][0]["auth"]["otp"] == .int(Int64(code)))
        #expect(call.body["params"][0]["auth"]["clientTime"] == .int(Fixtures.monday.milliseconds))
        #expect(call.path == "/WebUntis/jsonrpc_intern.do" && call.query["m"] == "getUserData2017")
    }
}
