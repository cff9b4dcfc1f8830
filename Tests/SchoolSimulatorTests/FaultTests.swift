import SchoolSimulator
import Testing
import Values

@Suite struct FaultTests {
    @Test func `a status is answered as often as was asked for, where it was asked for`() throws {
        let school = try RunningSchool()
        try school.command("fault http 503 on /dishes times 2 retry 60")
        #expect(try school.client.get("/health").status == 200)
        let answer = try school.client.get("/dishes")
        #expect(answer.status == 503)
        #expect(answer.header("Retry-After") == "60")
        #expect(try school.client.get("/dishes").status == 503)
        #expect(try school.client.get("/dishes").status == 200)
    }

    @Test func `a login page, empty lists and half an answer come with status 200`() throws {
        let school = try RunningSchool()
        let whole = try school.client.get("/dishes")
        try school.command("fault html")
        #expect(try school.client.get("/dishes").text.hasPrefix("\n<!DOCTYPE html>"))
        try school.command("fault off html")
        try school.command("fault empty")
        #expect(try school.client.get("/dishes").json == ["menu": ["dishes": []]])
        try school.command("fault off")
        try school.command("fault half")
        let half = try school.client.get("/dishes")
        #expect(half.status == 200)
        #expect(half.body.count == whole.body.count / 2)
        #expect(half.json == nil)
        try school.command("fault off")
        #expect(try school.client.get("/dishes").body == whole.body)
    }

    @Test func `an answer that is cut off ends before its announced length`() throws {
        let school = try RunningSchool()
        try school.command("fault cut")
        let answer = try school.client.get("/dishes")
        #expect(answer.status == 200)
        #expect(answer.isCutShort)
    }

    @Test func `slow and late answers arrive whole`() throws {
        let school = try RunningSchool()
        let whole = try school.client.get("/dishes").body
        try school.command("fault slow 1")
        try school.command("fault delay 1")
        #expect(try school.client.get("/dishes").body == whole)
    }

    @Test func `a hung request ends without an answer when the fault does, and others are served meanwhile`()
        async throws
    {
        let school = try RunningSchool()
        try school.command("fault hang on /dishes times 1")
        let client = school.client
        let hung = Task { try await client.getElsewhere("/dishes") }
        while school.server.log.isEmpty { await Task.yield() }
        #expect(try client.get("/health").status == 200)
        #expect(try client.post("/__simulator/command", [], "fault off").status == 200)
        await #expect(throws: LoopbackClient.Failure.self) { try await hung.value }
        #expect(try client.get("/dishes").status == 200)
    }

    @Test func `a hung request does not keep the server from stopping`() async throws {
        let school = try RunningSchool()
        try school.command("fault hang")
        let client = school.client
        let hung = Task { try await client.getElsewhere("/dishes") }
        while school.server.log.isEmpty { await Task.yield() }
        school.server.stop()
        await #expect(throws: LoopbackClient.Failure.self) { try await hung.value }
    }

    @Test func `a gzip bomb is small on the wire and says that it is gzip`() throws {
        let school = try RunningSchool()
        try school.command("fault bomb")
        let answer = try school.client.get("/dishes")
        #expect(answer.header("Content-Encoding") == "gzip")
        #expect(answer.body.count < 8 << 20)
    }

    @Test func `locked users, ended sessions and tokens, missing rights`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.anna)
        let inbox = "/WebUntis/api/rest/view/v1/messages?pageSize=100&start=0"
        let grades = "/WebUntis/api/classreg/grade/grading/list?studentId=4711&schoolyearId=17"
        try school.command("fault denied messages")
        #expect(try school.client.get(inbox, visitor).status == 403)
        #expect(try school.client.get(grades, visitor).status == 200)
        try school.command("fault denied grades")
        #expect(try school.client.get(grades, visitor).status == 403)
        try school.command("fault denied getHolidays")
        #expect(try school.rpc("getHolidays", [:], visitor)["error"]["code"] == -8509)
        try school.command("fault off denied")
        #expect(try school.client.get(inbox, visitor).status == 200)
        try school.command("fault expired tokens")
        #expect(try school.client.get(inbox, visitor).json?["incomingMessages"] == [])
        try school.command("fault expired sessions")
        #expect(try school.client.get(grades, visitor).header("Content-Type") == "text/html;charset=UTF-8")
        try school.command("fault locked anna.muster")
        let login: Value = ["user": .string(School.anna.userName), "password": .string(School.anna.password)]
        #expect(try school.rpc("authenticate", login)["error"]["code"] == -8998)
        try school.command("fault off")
        #expect(try school.rpc("authenticate", login)["error"].isNull)
    }
}
