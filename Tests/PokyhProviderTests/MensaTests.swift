import BotCore
import BotTestKit
import PokyhProvider
import Testing
import Values

@Suite struct MensaTests {
    private func mensa(_ backend: ScriptedBackend) throws -> Source {
        try Household(backend).source(PokyhPlugins.mensa, withAccount: false)
    }

    @Test func `today's menu is read without an account, unknown prices are missing`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer("GET /dishes", "backend_dishes")
        var source = try mensa(backend)
        #expect(try await source.poll().isEmpty)
        let today = try source.query("mensa.today")
        #expect(today["text"] == "Gemüselasagne, Apfelstrudel" && today["allergens"] == ["Gluten", "Milch"])
        let dishes = try #require(today["dishes"]?.list)
        #expect(
            dishes[0]["price"] == 4.5 && dishes[0]["price_text"] == "4,50 €"
                && dishes[0]["name_it"] == "Lasagne alle verdure"
        )
        #expect(dishes[1]["price"].isNull && dishes[1]["price_text"] == "" && dishes[1]["calories"].isNull)
        #expect(dishes[0]["image"] == "https://api.pokyh.com/dishes/c0ffee00-0000-4000-8000-000000000002/image")
        #expect(await backend.log.allSatisfy { entry in entry.request.headers.allSatisfy { $0.name != "X-API-Key" } })
    }

    @Test func `a menu under a wrong content type is read, a page under a right one is not`() async throws {
        let backend = try ScriptedBackend()
        var menu = try Fixtures.response("backend_dishes")
        menu.headers = [("Content-Type", "text/html")]
        await backend.answer("GET /dishes", menu)
        var source = try mensa(backend)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.isEmpty == false)
        var page = HTTPResponse.page()
        page.headers = [("Content-Type", "application/json")]
        await backend.answer("GET /dishes", page)
        await #expect(throws: PluginError.self) { try await source.poll() }
    }

    @Test func `a renamed dish and a newly published day are told`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer("GET /dishes", "backend_dishes")
        var source = try mensa(backend)
        _ = try await source.poll()
        try await backend.answer("GET /dishes", "backend_dishes_after")
        let told = try await source.poll()
        #expect(told.map(\.kind) == ["dish.changed", "menu.published"])
        #expect(told[0].old?.fields["name"] == "Gemüselasagne" && told[0].text("name") == "Kürbisrisotto")
        #expect(told[1].text("date") == "2026-12-02" && told[1].text("text") == "Forelle")
        #expect(try await source.poll().isEmpty)
    }

    @Test func `a newer backend, whose ids repeat, says the same menu`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer("GET /dishes", "backend_dishes")
        var source = try mensa(backend)
        _ = try await source.poll()
        try await backend.answer("GET /dishes", "backend_dishes_newer")
        #expect(try await source.poll().isEmpty)
    }

    @Test(
        arguments: [("2026-11-02", 0), ("2027-11-02", 0), ("2026-11-30", 1), ("soon", 1)] as [(String, Int)]
    )
    func `a broken entry counts only where it may belong to a day that is asked for`(date: String, count: Int)
        async throws
    {
        func dish(_ id: String) -> Value {
            ["id": .string(id), "date": "2026-12-01", "name": .string("Gericht \(id)")]
        }
        let broken: Value = ["date": .string(date), "name": "Ohne Kennung"]
        let backend = try ScriptedBackend()
        await backend.answer("GET /dishes", .json(["dishes": [dish("a"), dish("b"), broken]]))
        var source = try mensa(backend)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.unreadable == count)
        await backend.answer("GET /dishes", .json(["dishes": [dish("a"), broken]]))
        #expect(try await source.poll().map(\.kind) == (count == 0 ? ["dish.removed"] : []))
    }

    @Test func `dishes that roll into the window with the days are not news`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer("GET /dishes", "backend_dishes_newer")
        var source = try Household(backend).source(
            PokyhPlugins.mensa,
            ["look_ahead": .duration(.days(41))],
            withAccount: false
        )
        _ = try await source.poll()
        #expect(try await source.poll(at: Fixtures.monday + .days(1)).isEmpty)
        #expect(source.lastSnapshot?.records?.contains { $0.date == CalendarDate("2027-01-11") } == true)
    }

    @Test func `PROV-09 a menu of another day is never shown as today's`() async throws {
        let backend = try ScriptedBackend()
        let stale: Value = ["id": "x", "name": "Gulasch", "date": "2026-11-23", "weekday": "Montag"]
        await backend.answer("GET /dishes", .json(["menu": ["dishes": [stale]]]))
        var source = try mensa(backend)
        _ = try await source.poll()
        #expect(try source.query("mensa.today")["is_empty"] == true)
        #expect(try source.query("mensa.week")["is_empty"] == true)
    }

    @Test func `PROV-24 dishes of one category stay apart, and a dish without a name stays without one`() async throws {
        let backend = try ScriptedBackend()
        let dishes: [Value] = [
            ["id": "1", "name": "Knödel", "category": "Primo", "date": "2026-11-30"],
            ["id": "1", "name": "Pasta", "category": "Primo", "date": "2026-11-30"],
            ["id": "3", "name": "", "category": "Tagestipp", "date": "2026-11-30"], ["name": "ohne Tag"], 7,
        ]
        await backend.answer("GET /dishes", .json(["menu": ["dishes": .list(dishes)]]))
        var source = try mensa(backend)
        _ = try await source.poll()
        let today = try #require(try source.query("mensa.today")["dishes"]?.list)
        #expect(today.map { $0["name"] } == ["Knödel", "Pasta", ""] && today.last?["category"] == "Tagestipp")
        #expect(source.lastSnapshot?.unreadable == 2)
    }

    @Test(arguments: ["1e300", "-5", "\"x\"", "null", "9223372036854775807"])
    func `numbers that nothing costs are unknown`(number: String) async throws {
        let backend = try ScriptedBackend()
        let dish =
            "{\"id\":\"1\",\"name\":\"x\",\"date\":\"2026-11-30\",\"price\":\(number),\"calories\":\(number),\"fat\":\(number)}"
        await backend.answer(
            "GET /dishes",
            HTTPResponse(status: 200, body: Array("{\"menu\":{\"dishes\":[\(dish)]}}".utf8))
        )
        var source = try mensa(backend)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.first?.fields["price_text"] == "")
    }

    @Test func `names may be plain texts`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer("GET /dishes", "backend_dishes_string_names")
        var source = try mensa(backend)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.first?.fields["name_it"] == "Gulasch mit Polenta")
    }

    @Test func `ratings are means without people, asked for in hundreds`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer("GET /dishes", "backend_dishes")
        try await backend.answer("POST /dish-ratings/batch", "backend_dish_ratings_batch")
        var source = try Household(backend).source(PokyhPlugins.mensa, ["ratings": true])
        _ = try await source.poll()
        let rated = try #require(source.lastSnapshot?.records?.first { $0.key.hasSuffix("000002") })
        #expect(rated.fields["rating"] == 4.5 && rated.fields["rating_count"] == 2)
        #expect(source.lastSnapshot.map { "\($0)".contains("9f1c2d3e") } == false)
        let many = (0..<250).map { Value.map(["id": .string("d\($0)"), "name": "x", "date": "2026-11-30"]) }
        await backend.answer("GET /dishes", .json(["menu": ["dishes": .list(many)]]))
        let before = await backend.count("POST /dish-ratings/batch")
        _ = try await source.poll()
        #expect(await backend.count("POST /dish-ratings/batch") == before + 3)
        #expect(throws: SettingsError.self) {
            try Household(backend).source(PokyhPlugins.mensa, ["ratings": true], withAccount: false)
        }
    }

    @Test(arguments: ["<html>", "{\"menu\":", "[]", "", "{\"menu\":{}}"])
    func `an answer that is no menu changes nothing`(body: String) async throws {
        let backend = try ScriptedBackend()
        try await backend.answer("GET /dishes", "backend_dishes")
        var source = try mensa(backend)
        _ = try await source.poll()
        await backend.answer("GET /dishes", HTTPResponse(status: 200, body: Array(body.utf8)))
        #expect(await failure { _ = try await source.poll() } != nil)
    }
}
