import BotCore
import BotTestKit
import PokyhProvider
import Synchronization
import Testing
import Values

@Suite struct AccountTests {
    private static let list = "GET /classes/5a6b7c8d9e0f1a2b3c4d5e6f/reminders"

    private func backend() async throws -> ScriptedBackend {
        let backend = try ScriptedBackend()
        try await backend.answer(Self.list, "backend_reminders")
        return backend
    }

    @Test func `a day of polls logs in once and refreshes after that`() async throws {
        let backend = try await backend()
        var source = try Household(backend).source(PokyhPlugins.reminders)
        for minutes in stride(from: Int64(0), through: 110, by: 10) {
            _ = try await source.poll(at: Fixtures.monday + .minutes(minutes))
        }
        #expect(await backend.count("POST /auth/login") == 2)
        #expect(
            await backend.log.allSatisfy { entry in
                entry.request.headers.allSatisfy { $0.name.lowercased() != "origin" }
            }
        )
    }

    @Test func `a token that ended early is refreshed in the same poll`() async throws {
        let backend = try await backend()
        var source = try Household(backend).source(PokyhPlugins.reminders)
        _ = try await source.poll()
        await backend.expireTokens()
        _ = try await source.poll(at: Fixtures.monday + .minutes(5))
        #expect(await backend.count("POST /auth/login") == 1 && source.lastSnapshot?.records?.count == 2)
    }

    @Test func `a login elsewhere ends the session, and the bot waits its fifty minutes`() async throws {
        let backend = try await backend()
        var source = try Household(backend).source(PokyhPlugins.reminders)
        _ = try await source.poll()
        await backend.endSessions()
        let error = await failure { _ = try await source.poll(at: Fixtures.monday + .minutes(10)) }
        #expect(error?.disposition == .transient(retryAfter: .minutes(40)))
        _ = try await source.poll(at: Fixtures.monday + .minutes(50))
        #expect(await backend.count("POST /auth/login") == 2)
    }

    @Test func `PROV-04 a wrong password is tried once, and again when a person asks for it`() async throws {
        let backend = try await backend()
        await backend.answer("POST /auth/login", .json(["error": "Invalid credentials"], status: 401))
        let home = try Household(backend)
        var source = try home.source(PokyhPlugins.reminders)
        for minutes in [0, 60, 120] as [Int64] {
            let error = await failure { _ = try await source.poll(at: Fixtures.monday + .minutes(minutes)) }
            #expect(error?.disposition == .unauthorized)
        }
        #expect(await backend.count("POST /auth/login") == 1)
        await backend.forget("POST /auth/login")
        await home.account.forgetRefusal()
        _ = try await source.poll(at: Fixtures.monday + .minutes(121))
        #expect(source.lastSnapshot?.records?.count == 2)
    }

    @Test func `a login that fails for the server's sake does not count as one`() async throws {
        let backend = try await backend()
        await backend.answer("POST /auth/login", .json(["error": "Internal server error"], status: 503))
        var source = try Household(backend).source(PokyhPlugins.reminders)
        #expect(await failure { _ = try await source.poll() }?.disposition == .transient(retryAfter: nil))
        await backend.forget("POST /auth/login")
        _ = try await source.poll(at: Fixtures.monday + .minutes(1))
        #expect(source.lastSnapshot?.records?.count == 2)
    }

    @Test func `a wrong password is tried once`() async throws {
        let backend = try await backend()
        let home = try Household(backend, password: "falsch")
        var sources = [try home.source(PokyhPlugins.reminders), try home.source(PokyhPlugins.todos)]
        for index in [0, 1, 0, 1] {
            let error = await failure { _ = try await sources[index].poll() }
            #expect(error?.disposition == .unauthorized && error?.message.contains("anna") == true)
        }
        #expect(await backend.count("POST /auth/login") == 1)
    }

    @Test func `a wrong key is said to be the key`() async throws {
        let backend = try await backend()
        var source = try Household(backend, key: "other").source(PokyhPlugins.reminders)
        let error = await failure { _ = try await source.poll() }
        #expect(error?.disposition == .unauthorized && error?.message.contains("api_key") == true)
    }

    @Test(
        arguments: [
            (
                "backend_error_403_parent", 403, PluginError.Disposition.unavailable,
                "not available to guardian accounts"
            ),
            ("backend_error_403_member", 403, .unavailable, "no right to reminders"),
            ("backend_error_422_validation", 422, .permanent, "422"),
            ("backend_error_429_read", 429, .transient(retryAfter: .minutes(1)), "less often"),
            ("backend_error_500", 500, .transient(retryAfter: nil), "out of order"),
            ("backend_error_400_database", 400, .permanent, "400"),
            ("backend_error_404_route", 404, .unavailable, "404"),
        ] as [(String, Int, PluginError.Disposition, String)]
    )
    func `every refusal has its verdict`(
        fixture: String,
        status: Int,
        disposition: PluginError.Disposition,
        words: String
    ) async throws {
        let backend = try await backend()
        try await backend.answer(Self.list, fixture, status: status)
        var source = try Household(backend).source(PokyhPlugins.reminders)
        let error = await failure { _ = try await source.poll() }
        #expect(error?.disposition == disposition && error?.message.contains(words) == true)
    }

    @Test(arguments: [401, 403, 409, 422, 429, 500])
    func `what the server says of a user is evidence and never shown`(status: Int) async throws {
        let words = "Testina Musterhofer hat keinen Zugriff"
        let refusal = HTTPResponse.json(["error": .string(words)], status: status)
        for route in ["POST /auth/login", Self.list] {
            let backend = try await backend()
            await backend.answer(route, refusal)
            var source = try Household(backend).source(PokyhPlugins.reminders)
            let error = await failure { _ = try await source.poll() }
            #expect(error?.message.contains("Musterhofer") == false && error?.evidence == words)
            #expect(error?.message.contains(String(status)) == true)
        }
    }

    @Test(arguments: ["900", "Mon, 30 Nov 2026 05:15:00 GMT"])
    func `a 429 at the login says when to come back`(wish: String) async throws {
        let backend = try await backend()
        var response = try Fixtures.response("backend_error_429_auth")
        (response.status, response.headers) = (429, [("Retry-After", wish)])
        await backend.answer("POST /auth/login", response)
        var source = try Household(backend).source(PokyhPlugins.reminders)
        #expect(await failure { _ = try await source.poll() }?.disposition == .transient(retryAfter: .seconds(900)))
    }

    @Test func `a guardian is told that reminders are not for guardians, without asking for them`() async throws {
        let backend = try ScriptedBackend(user: "backend_auth_login_untis_parent_newer")
        let user = try Fixtures.json("backend_auth_login_untis_parent_newer")["user"]
        await backend.answer("GET /auth/me", .json(user))
        var source = try Household(backend).source(PokyhPlugins.reminders)
        let error = await failure { _ = try await source.poll() }
        #expect(
            error?.disposition == .unavailable && error?.message.contains("not available to guardian accounts") == true
        )
    }

    @Test func `an account that was deleted in August is refused, not taken for an empty list`() async throws {
        let backend = try ScriptedBackend()
        await backend.answer("GET /users/testina.musterhofer/todos", .json([]))
        try await backend.answer("GET /auth/me", "backend_error_401_user_gone", status: 401)
        var source = try Household(backend).source(PokyhPlugins.todos)
        #expect(await failure { _ = try await source.poll() }?.disposition == .unauthorized)
    }

    @Test func `the login by server key is an opt-in that warns and sends no password`() async throws {
        let backend = try await backend()
        let lines = Mutex<[String]>([])
        let log = Log { _, line in lines.withLock { $0.append(line) } }
        let settings = Settings(
            name: "anna",
            values: [
                "user": "anna", "login": "server_key", "class_id": 287, "class_name": "2.TST-A", "role": "student",
            ],
            secrets: ["api_key": Secret("key"), "server_key": Secret("server")]
        )
        let account = try PokyhPlugins.account.make(settings, nil, Household.tools(backend, log: log))
        let provider = try PokyhPlugins.reminders.make(
            Settings(name: "r", values: [:]),
            account,
            Household.tools(backend)
        )
        let snapshot = try await provider.fetch(FetchRequest(now: Fixtures.monday, zone: Fixtures.rome))
        #expect(snapshot.records?.count == 2)
        #expect(lines.withLock { $0 }.contains { $0.contains("every account") && !$0.contains("server\"") })
        let login = try #require(await backend.log.first { $0.route == "POST /auth/login" }).request
        #expect(
            try Value(json: login.body ?? []) == [
                "username": "anna", "klasseId": 287, "klasseName": "2.TST-A", "role": "student",
            ]
        )
    }

    @Test(
        arguments: [
            (["login": "password"], ["api_key"]), (["login": "server_key"], ["api_key", "password"]),
            (["login": "password"], ["api_key", "password", "server_key"]),
        ] as [(ValueMap, [String])]
    )
    func `settings that do not fit together are refused`(values: ValueMap, secrets: [String]) throws {
        let settings = Settings(
            name: "a",
            values: values,
            secrets: Dictionary(uniqueKeysWithValues: secrets.map { ($0, Secret("x")) })
        )
        #expect(throws: SettingsError.self) {
            try PokyhPlugins.account.make(settings, nil, Household.tools(try ScriptedBackend()))
        }
    }
}
