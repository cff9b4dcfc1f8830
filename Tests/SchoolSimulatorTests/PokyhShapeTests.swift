import SchoolSimulator
import Testing
import Values

@Suite(.enabled(if: Fixtures.folder != nil, "the fixtures are in ../shared, which is absent"))
struct PokyhShapeTests {
    private func expectSame(_ answer: LoopbackClient.Answer, _ fixture: String, status: Int = 200) throws {
        let recorded = try Fixtures.value(fixture)
        #expect(answer.status == status, "\(fixture)")
        #expect(ShapeComparison.differences(try #require(answer.json), recorded) == [], "\(fixture)")
        if status >= 400 { #expect(answer.json == recorded) }
    }

    private static let key = RunningSchool.apiKey
    private static let serverKey = ("X-Server-Key", School.serverKey)

    @Test func `dishes and health need no key and have the recorded shape`() throws {
        let school = try RunningSchool()
        try expectSame(try school.client.get("/health"), "backend_health")
        try expectSame(try school.client.get("/dishes"), "backend_dishes")
    }

    @Test(arguments: [
        (#"{"username":"anna-muster","password":"anna-pokyh-geheim"}"#, false, "backend_auth_login_local"),
        (#"{"username":"mia.probe1","klasseId":287,"klasseName":"2.TST-A"}"#, true, "backend_auth_login_untis_student"),
        (#"{"username":"paola.muster","klasseId":287,"role":"parent"}"#, true, "backend_auth_login_untis_parent_newer"),
    ])
    func `a login has the recorded shape`(body: String, isLinked: Bool, fixture: String) throws {
        let school = try RunningSchool()
        let headers = isLinked ? [Self.key, Self.serverKey] : [Self.key]
        let answer = try school.client.post("/auth/login", headers, body)
        try expectSame(answer, fixture)
        let recorded = try Fixtures.value(fixture)
        #expect(answer.json?["user"]["isUntisUser"] == recorded["user"]["isUntisUser"])
        #expect(answer.json?["user"]["role"] == recorded["user"]["role"])
        if isLinked { #expect(answer.json?["user"]["webuntisKlasseId"] == recorded["user"]["webuntisKlasseId"]) }
    }

    @Test func `registering, refreshing and asking who one is have the recorded shapes`() throws {
        let school = try RunningSchool()
        let body = #"{"username":"nur_pokyh","password":"long enough"}"#
        let made = try school.client.post("/auth/register", [Self.key], body)
        try expectSame(made, "backend_auth_register", status: 201)
        let refresh: Value = ["refreshToken": made.json?["refreshToken"] ?? .null]
        try expectSame(try school.client.post("/auth/refresh", [Self.key], refresh.json), "backend_auth_refresh")
        let member = try school.member(School.pokyhStudent)
        try expectSame(try school.client.get("/auth/me", member), "backend_auth_me")
        try expectSame(try school.client.get("/users/me", member), "backend_users_me")
    }

    @Test func `a class, its reminders, comments and to-dos have the recorded shapes`() throws {
        let school = try RunningSchool()
        let member = try school.member(School.pokyhStudent)
        let id = try school.classID(member)
        try expectSame(try school.client.get("/classes/\(id)", member), "backend_class_by_id")
        try expectSame(try school.client.get("/classes/mine", member), "backend_classes_mine_null")
        let reminders = try school.client.get("/classes/\(id)/reminders", member)
        try expectSame(reminders, "backend_reminders")
        try expectSame(try school.client.get("/users/anna-muster/todos", member), "backend_todos")
        let reminder = try #require(reminders.json?[0]["id"].string)
        let comments = "/classes/\(id)/reminders/\(reminder)/comments"
        #expect(try school.client.post(comments, member, #"{"body":"Auch Nr. 4?"}"#).status == 201)
        try expectSame(try school.client.get(comments, member), "backend_reminder_comments")
        let body = #"{"username":"anna.muster","klasseId":287,"klasseName":"2.TST-A","role":"student"}"#
        let linked = try school.client.post("/auth/login", [Self.key, Self.serverKey], body)
        let token = try #require(linked.json?["token"].string)
        let mine = try school.client.get("/classes/mine", [Self.key, ("Authorization", "Bearer \(token)")])
        try expectSame(mine, "backend_classes_mine")
    }

    @Test func `ratings and comments of dishes have the recorded shapes`() throws {
        let school = try RunningSchool()
        let member = try school.member(School.pokyhStudent)
        let dishes = try #require(try school.client.get("/dishes").json?["menu"]["dishes"].list)
        let dish = try #require(dishes.first { $0["date"] == "2026-11-30" }?["id"].string)
        let rated = try school.client.post("/dish-ratings/\(dish)", member, #"{"stars":4}"#)
        #expect(rated.status == 200)
        let ratings = try #require(try school.client.get("/dish-ratings/\(dish)", member).json)
        #expect(ratings["ratings"].map?.count == 3)
        #expect(ratings["myRating"] == 4)
        let ids: Value = ["dishIds": [.string(dish), "unknown"]]
        let batch = try school.client.post("/dish-ratings/batch", member, ids.json).json
        #expect(batch?["unknown"] == ["ratings": [:], "myRating": .null])
        #expect(try school.client.post("/dish-comments/\(dish)", member, #"{"body":"Buono!"}"#).status == 201)
        try expectSame(try school.client.get("/dish-comments/\(dish)", member), "backend_dish_comments")
    }

    @Test func `server-sent events carry the whole list and a heartbeat`() throws {
        let school = try RunningSchool()
        let member = try school.member(School.pokyhStudent)
        let id = try school.classID(member)
        let answer = try school.client.send("GET", "/sse/reminders/\(id)", member, []) { $0.contains("heartbeat") }
        let recorded = try Fixtures.value("backend_sse_reminders")
        #expect(answer.header("Content-Type") == recorded["headers"]["Content-Type"].string)
        #expect(answer.text.contains("event: reminders\ndata: ["))
    }

    @Test func `refusals are the recorded ones, word for word`() throws {
        let school = try RunningSchool()
        let member = try school.member(School.pokyhStudent)
        let parent = try school.member(School.pokyhParent)
        let id = try school.classID(member)
        let client = school.client
        let wrongToken = [Self.key, ("Authorization", "Bearer a.b.c")]
        let cases: [(LoopbackClient.Answer, String, Int)] = [
            (try client.get("/auth/me"), "backend_error_401_missing_key", 401),
            (try client.get("/nowhere", [Self.key]), "backend_error_404_route", 404),
            (try client.get("/auth/me", [Self.key]), "backend_error_401_missing_auth", 401),
            (try client.get("/auth/me", wrongToken), "backend_error_401_token", 401),
            (try client.get("/auth/me", [("X-API-Key", "no")]), "backend_error_403_key", 403),
            (try client.get("/classes/\(id)/reminders", parent), "backend_error_403_parent", 403),
            (try client.get("/classes/000000000000000000000000", member), "backend_error_403_member", 403),
            (try client.get("/users/Anna-Muster/todos", member), "backend_error_403_todos", 403),
            (
                try client.post("/auth/refresh", [Self.key], #"{"refreshToken":"0000"}"#),
                "backend_error_401_refresh", 401
            ),
            (
                try client.post("/auth/login", [Self.key], #"{"username":"anna-muster","password":"no"}"#),
                "backend_error_401_credentials", 401
            ),
            (
                try client.post("/auth/login", [Self.key, ("X-Server-Key", "no")], #"{"username":"x"}"#),
                "backend_error_403_server_key", 403
            ),
            (
                try client.post("/classes/\(id)/reminders", member, #"{"title":"x","remindAt":"soon"}"#),
                "backend_error_422_validation", 422
            ),
            (try client.post("/auth/login", [Self.key], #"{"username"#), "backend_error_500", 500),
        ]
        for (answer, fixture, status) in cases { try expectSame(answer, fixture, status: status) }
    }

    @Test func `to-dos whose details the database cannot hold are a database error`() throws {
        let school = try RunningSchool()
        let member = try school.member(School.pokyhStudent)
        let body: Value = ["title": "x", "details": .string(String(repeating: "y", count: 6000))]
        let answer = try school.client.post("/users/anna-muster/todos", member, body.json)
        try expectSame(answer, "backend_error_400_database", status: 400)
    }

    @Test func `too many logins and too many reads are told to wait`() throws {
        let school = try RunningSchool()
        let member = try school.member(School.pokyhStudent)
        var answer = LoopbackClient.Answer()
        for _ in 0..<10 {
            answer = try school.client.post("/auth/login", [Self.key], #"{"username":"a","password":"b"}"#)
        }
        try expectSame(answer, "backend_error_429_auth", status: 429)
        #expect(answer.header("Retry-After") == "900")
        for _ in 0..<301 { answer = try school.client.get("/users/me", member) }
        try expectSame(answer, "backend_error_429_read", status: 429)
        school.advance(.minutes(1))
        #expect(try school.client.get("/users/me", member).status == 200)
    }

    @Test func `a user whom the summer took is gone, to-dos come back empty`() throws {
        let school = try RunningSchool()
        let member = try school.member(School.pokyhStudent)
        try school.command("rollover")
        try expectSame(try school.client.get("/auth/me", member), "backend_error_401_user_gone", status: 401)
        let toDos = try school.client.get("/users/anna-muster/todos", member)
        #expect(toDos.status == 200)
        #expect(toDos.json == [])
    }
}
