import Digests
import SchoolSimulator
import Testing
import Values

@Suite struct StrictnessTests {
    private static let timetable =
        "/WebUntis/api/rest/view/v1/timetable/entries?start=2026-11-30&end=2026-12-05&format=1&resourceType=STUDENT&resources="
    private static let inbox = "/WebUntis/api/rest/view/v1/messages?pageSize=100&start=0"
    private static let absences =
        "/WebUntis/api/classreg/absences/students?studentId=4711&startDate=20260901&endDate=20270630&excuseStatusId=-1"

    @Test func `the timetable needs a token and both cookies`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.anna)
        #expect(try school.client.get(Self.timetable + "4711", visitor).status == 200)
        let (cookie, token) = (visitor[0], visitor[1])
        let session = String(cookie.1.prefix { $0 != ";" })
        for headers in [
            [], [cookie], [token], [("Cookie", session), token], [cookie, ("Authorization", "Bearer x.y.z")],
        ] {
            #expect(try school.client.get(Self.timetable + "4711", headers).status == 401)
        }
    }

    @Test func `the school in the cookie is taken in each form that clients send`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.anna)
        let session = String(visitor[0].1.prefix { $0 != ";" })
        for name in ["_bXVzdGVyc2NodWxl", "\"_bXVzdGVyc2NodWxl\""] {
            let headers = [("Cookie", "\(session); schoolname=\(name)"), visitor[1]]
            #expect(try school.client.get(Self.timetable + "4711", headers).status == 200)
        }
        let other = [("Cookie", "\(session); schoolname=_b3RoZXI="), visitor[1]]
        #expect(try school.client.get(Self.timetable + "4711", other).status == 401)
    }

    @Test(arguments: [
        (School.anna, 4711, 200), (School.anna, 4712, 403), (School.paola, 4711, 200), (School.paola, 4712, 200),
        (School.karl, 4712, 403), (School.karl, 9022, 403), (School.rita, 4711, 200),
    ])
    func `one sees the timetables of oneself and one's children only`(login: School.Login, id: Int, status: Int) throws
    {
        let school = try RunningSchool()
        let answer = try school.client.get(Self.timetable + String(id), school.visitor(login))
        #expect(answer.status == status)
        if status == 403 { #expect(answer.json?["errorCode"] == "NO_TIMETABLES_AVAILABLE_FOR_YOUR_USER") }
    }

    @Test func `another student's absences are refused inside an answer with status 200`() throws {
        let school = try RunningSchool()
        let path = Self.absences.replacing("4711", with: "4712")
        let answer = try school.client.get(path, school.visitor(School.anna))
        #expect(answer.status == 200)
        #expect(answer.json?["errors"][0]["title"] == "Unerlaubter Zugriff")
    }

    @Test func `a token ends after fifteen minutes: the timetable says so, lists come back empty`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.anna)
        #expect(try school.client.get(Self.inbox, visitor).json?["incomingMessages"].list?.count == 2)
        for _ in 0..<3 {
            school.advance(.minutes(5))
            _ = try school.rpc("getLatestImportTime", [:], visitor)
        }
        #expect(try school.client.get(Self.timetable + "4711", visitor).status == 401)
        let inbox = try school.client.get(Self.inbox, visitor)
        #expect(inbox.status == 200)
        #expect(inbox.json?["incomingMessages"] == [])
        let absences = try school.client.get(Self.absences, visitor)
        #expect(absences.status == 200)
        #expect(absences.json?["data"]["absences"] == [])
        let renewed = try school.client.get("/WebUntis/api/token/new", [visitor[0]]).text
        let fresh = [visitor[0], ("Authorization", "Bearer \(renewed)")]
        #expect(try school.client.get(Self.timetable + "4711", fresh).status == 200)
    }

    @Test func `a session ends after ten idle minutes`() throws {
        let school = try RunningSchool()
        let cookies = try school.cookies(School.anna)
        school.advance(.minutes(10))
        #expect(try school.rpc("getLatestImportTime", [:], cookies)["result"].integer != nil)
        school.advance(.minutes(11))
        #expect(try school.rpc("getLatestImportTime", [:], cookies)["error"]["code"] == -8520)
    }

    @Test func `after a logout the session is gone`() throws {
        let school = try RunningSchool()
        let cookies = try school.cookies(School.anna)
        #expect(try school.rpc("logout", [:], cookies)["result"].isNull)
        #expect(try school.rpc("getKlassen", [:], cookies)["error"]["code"] == -8520)
    }

    @Test(
        arguments: [
            ("{", nil, -32700), (#"{"id":"1","method":"getKlasses","params":{}}"#, "1", -32601),
            (#"{"id":"1","method":"authenticate","params":{"password":"x"}}"#, "1", -8502),
            (#"{"id":"1","method":"authenticate","params":{"user":"nobody","password":"x"}}"#, "1", -8504),
        ] as [(String, String?, Int64)]
    )
    func `calls that cannot be answered get WebUntis' codes`(body: String, id: String?, code: Int64) throws {
        let school = try RunningSchool()
        let answer = try school.client.post("/WebUntis/jsonrpc.do?school=musterschule", [], body)
        #expect(answer.json?["error"]["code"] == .int(code))
        #expect(answer.json?["id"].string == id)
    }

    @Test func `an unknown school is told with the id error`() throws {
        let school = try RunningSchool()
        let body = #"{"id":"1","method":"authenticate","params":{"user":"anna.muster","password":"x"}}"#
        let answer = try school.client.post("/WebUntis/jsonrpc.do?school=elsewhere", [], body)
        #expect(answer.status == 404)
        #expect(answer.json?["error"]["code"] == -8500)
        #expect(answer.json?["id"] == "error")
    }

    @Test func `ten wrong passwords lock a user for an hour`() throws {
        let school = try RunningSchool()
        let wrong: Value = ["user": "anna.muster", "password": "wrong"]
        for _ in 0..<10 { #expect(try school.rpc("authenticate", wrong)["error"]["code"] == -8504) }
        let right: Value = ["user": "anna.muster", "password": .string(School.anna.password)]
        #expect(try school.rpc("authenticate", right)["error"]["code"] == -8998)
        school.advance(.hours(1))
        #expect(try school.rpc("authenticate", right)["result"]["personId"] == 4711)
    }

    @Test(
        arguments: [
            (1, 4711, "20261201", "20261205", -8509), (12, 9021, "20261201", "20261205", -7001),
            (5, 4712, "20261201", "20261205", -8509), (5, 4711, "20260601", "20261205", -8507),
            (5, 4711, "20270601", "20270605", -7004), (5, 4711, "20261201", "20261205", nil),
        ] as [(Int64, Int64, String, String, Int64?)]
    )
    func `a timetable by JSON-RPC is refused where there is no right or no such day`(
        type: Int64,
        id: Int64,
        start: String,
        end: String,
        code: Int64?
    ) throws {
        let school = try RunningSchool()
        let params: Value = ["id": .int(id), "type": .int(type), "startDate": .string(start), "endDate": .string(end)]
        let answer = try school.rpc("getTimetable", params, school.cookies(School.anna))
        #expect(answer["error"]["code"].integer == code)
        if code == nil { #expect(answer["result"].list?.isEmpty == false) }
    }

    @Test func `pages of other origins are refused, by the backend and by the simulator's own addresses`() throws {
        let school = try RunningSchool()
        let origin = ("Origin", "https://example.invalid")
        let answer = try school.client.get("/dishes", [origin])
        #expect(answer.status == 403)
        #expect(answer.json?["error"] == "CORS: origin https://example.invalid not allowed")
        #expect(try school.client.post("/__simulator/command", [origin], "reimport").status == 403)
    }

    @Test func `a body that is too long ends in the backend's generic error`() throws {
        let school = try RunningSchool()
        let body: Value = ["username": "a", "password": .string(String(repeating: "x", count: 11_000))]
        #expect(try school.client.post("/auth/login", [RunningSchool.apiKey], body.json).status == 500)
        let huge = String(repeating: " ", count: 2 << 20)
        #expect(try school.client.post("/WebUntis/jsonrpc.do?school=musterschule", [], huge).status == 413)
    }

    @Test func `the backend's token ends after an hour and is renewed until the other does too`() throws {
        let school = try RunningSchool()
        let body: Value = [
            "username": .string(School.pokyhStudent.userName), "password": .string(School.pokyhStudent.password),
        ]
        let login = try #require(try school.client.post("/auth/login", [RunningSchool.apiKey], body.json).json)
        let refresh: Value = ["refreshToken": login["refreshToken"]]
        school.advance(.minutes(59))
        #expect(try school.client.post("/auth/refresh", [RunningSchool.apiKey], refresh.json).status == 200)
        school.advance(.minutes(1))
        let token = try #require(login["token"].string)
        let headers = [RunningSchool.apiKey, ("Authorization", "Bearer \(token)")]
        #expect(try school.client.get("/auth/me", headers).json?["error"] == "Invalid or expired token")
        #expect(try school.client.post("/auth/refresh", [RunningSchool.apiKey], refresh.json).status == 401)
    }

    @Test func `a new login ends the older refresh token of the same user`() throws {
        let school = try RunningSchool()
        let body: Value = [
            "username": .string(School.pokyhStudent.userName), "password": .string(School.pokyhStudent.password),
        ]
        let first = try #require(try school.client.post("/auth/login", [RunningSchool.apiKey], body.json).json)
        _ = try school.member(School.pokyhStudent)
        let refresh: Value = ["refreshToken": first["refreshToken"]]
        #expect(try school.client.post("/auth/refresh", [RunningSchool.apiKey], refresh.json).status == 401)
    }

    @Test func `one-time passwords open a session, within three minutes of the clock`() throws {
        let school = try RunningSchool()
        let password = try #require(OneTimePassword(secret: School.paola.appSecret))
        func call(clockOff: TimeSpan, by difference: Int64 = 0) throws -> LoopbackClient.Answer {
            let time = RunningSchool.monday + clockOff
            let auth: Value = [
                "user": .string(School.paola.userName), "otp": .int(Int64(password.code(at: time)) + difference),
                "clientTime": .int(time.milliseconds),
            ]
            let body: Value = ["id": "1", "method": "getUserData2017", "params": [["auth": auth]], "jsonrpc": "2.0"]
            return try school.client.post(
                "/WebUntis/jsonrpc_intern.do?school=musterschule&m=getUserData2017",
                [],
                body.json
            )
        }
        let answer = try call(clockOff: .seconds(30))
        #expect(answer.json?["result"]["userData"]["children"].list?.count == 2)
        let session = try #require(
            answer.headers.first { $0.value.hasPrefix("JSESSIONID=") }?.value.prefix { $0 != ";" }
        )
        let cookies = [("Cookie", "\(session); schoolname=\"_bXVzdGVyc2NodWxl\"")]
        #expect(try school.client.get("/WebUntis/api/token/new", cookies).text.contains("."))
        #expect(try call(clockOff: .minutes(3)).json?["error"]["code"] == -8524)
        #expect(try call(clockOff: .zero, by: 1).json?["error"]["code"] == -8504)
    }
}
