import SchoolSimulator
import Synchronization
import Testing
import Values

/// A school that serves on a free port, with a clock that stands until it is moved; it stops when it is no longer used.
final class RunningSchool: Sendable {
    let server: SimulatorServer
    private let clock: StandingClock

    /// A Monday morning before the first bell: 06:45 in Brixen.
    static let monday = Timestamp(rfc3339: "2026-11-30T05:45:00Z") ?? Timestamp(seconds: 0)

    /// Planning a year takes a while; most tests begin with a copy of this one.
    private static let usual = School(startingAt: monday, classmates: 2)

    init(at start: Timestamp = monday, classmates: Int = 2) throws {
        let clock = StandingClock(start)
        self.clock = clock
        let isUsual = start == Self.monday && classmates == 2
        let school = isUsual ? Self.usual : School(startingAt: start, classmates: classmates)
        server = SimulatorServer(now: { clock.now }, school: school)
        try server.start()
    }

    deinit { server.stop() }

    var client: LoopbackClient { LoopbackClient(url: server.url) }

    func advance(_ span: TimeSpan) { clock.advance(span) }

    @discardableResult
    func command(_ line: String) throws -> String { try server.perform(SimulatorCommand.parse(line)) }

    // MARK: WebUntis

    func rpc(_ method: String, _ params: Value = [:], _ headers: [(String, String)] = []) throws -> Value {
        let call: Value = ["id": "7", "method": .string(method), "params": params, "jsonrpc": "2.0"]
        let answer = try client.post("/WebUntis/jsonrpc.do?school=\(School.loginName)", headers, call.json)
        return try #require(answer.json)
    }

    /// The headers of somebody who logged in and fetched a token.
    func visitor(_ login: School.Login) throws -> [(String, String)] {
        let cookies = try cookies(login)
        let token = try client.get("/WebUntis/api/token/new", cookies).text
        return cookies + [("Authorization", "Bearer \(token)")]
    }

    func cookies(_ login: School.Login) throws -> [(String, String)] {
        let params: Value = ["user": .string(login.userName), "password": .string(login.password), "client": "test"]
        let session = try #require(rpc("authenticate", params)["result"]["sessionId"].string)
        return [("Cookie", "JSESSIONID=\(session); schoolname=\"_bXVzdGVyc2NodWxl\"")]
    }

    /// The entries of a student's timetable, from Monday to Saturday of the next week.
    func entries(_ visitor: [(String, String)], _ query: String = "resourceType=STUDENT&resources=4711") throws
        -> [Value]
    {
        let path = "/WebUntis/api/rest/view/v1/timetable/entries?start=2026-11-30&end=2026-12-12&format=1&" + query
        let days = try #require(try client.get(path, visitor).json?["days"].list)
        return days.flatMap { $0["gridEntries"].list ?? [] }
    }

    // MARK: POKYH

    static let apiKey = ("X-API-Key", School.apiKey)

    func member(_ login: School.Login) throws -> [(String, String)] {
        let body: Value = ["username": .string(login.userName), "password": .string(login.password)]
        let answer = try client.post("/auth/login", [Self.apiKey], body.json)
        let token = try #require(answer.json?["token"].string)
        return [Self.apiKey, ("Authorization", "Bearer \(token)")]
    }

    func classID(_ member: [(String, String)]) throws -> String {
        try #require(try client.get("/auth/me", member).json?["classId"].string)
    }
}

/// A clock that moves only when it is told to.
final class StandingClock: Sendable {
    private let instant: Mutex<Timestamp>

    init(_ start: Timestamp) { instant = Mutex(start) }

    var now: Timestamp { instant.withLock { $0 } }
    func advance(_ span: TimeSpan) { instant.withLock { $0 = $0 + span } }
}
