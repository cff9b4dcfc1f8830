import SchoolSimulator
import Testing
import Values

@Suite struct SchoolTests {
    private func week(of school: School, at now: Timestamp) throws -> Value {
        let server = SimulatorServer(now: { now }, school: school)
        try server.start()
        defer { server.stop() }
        let client = LoopbackClient(url: server.url)
        let login = #"{"id":"1","method":"authenticate","params":{"user":"rita.rossi","password":"rita-geheim"}}"#
        let address = "/WebUntis/jsonrpc.do?school=musterschule"
        let session = try client.post(address, [], login).json?["result"]["sessionId"].string ?? ""
        let call =
            #"{"id":"2","method":"getTimetable","params":{"id":287,"type":1,"startDate":20261130,"endDate":20261204}}"#
        return try #require(try client.post(address, [("Cookie", "JSESSIONID=\(session)")], call).json?["result"])
    }

    @Test func `the same seed makes the same school, another seed another`() throws {
        let now = RunningSchool.monday
        let first = try week(of: School(startingAt: now, seed: 5), at: now)
        #expect(try week(of: School(startingAt: now, seed: 5), at: now) == first)
        #expect(try week(of: School(startingAt: now, seed: 6), at: now) != first)
        // Thirty bells a week, double lessons in their parts.
        #expect(first.list?.count == 30)
    }

    @Test(arguments: ["2026-09-14", "2026-11-30", "2027-02-01", "2027-06-15", "2027-07-20", "2028-02-29"])
    func `a school can begin on any day of the year`(date: String) throws {
        let start = try #require(Timestamp(rfc3339: "\(date)T06:00:00Z"))
        let school = try RunningSchool(at: start, classmates: 20)
        let cookies = try school.cookies(School.anna)
        let year = try school.rpc("getCurrentSchoolyear", [:], cookies)
        #expect(year["error"].isNull)
        #expect(try school.client.get("/dishes").status == 200)
    }

    @Test func `holidays and weekends have no lessons, and days outside the year no data`() throws {
        let school = try RunningSchool()
        try school.command("horizon 400")
        let path = "/WebUntis/api/rest/view/v1/timetable/entries?start=2026-12-05&end=2027-06-20&format=1"
        let answer = try school.client.get(path + "&resourceType=STUDENT&resources=4711", school.visitor(School.anna))
        let days = try #require(answer.json?["days"].list)
        func entries(_ date: String) -> Int? { days.first { $0["date"] == .string(date) }?["gridEntries"].list?.count }
        for date in ["2026-12-05", "2026-12-08", "2026-12-24", "2027-01-06"] { #expect(entries(date) == 0) }
        #expect(entries("2027-01-07") ?? 0 > 0)
        #expect(days.last?["status"] == "NO_DATA")
    }

    @Test func `twenty classmates see one cancellation, the brother in another class does not`() throws {
        let school = try RunningSchool(classmates: 20)
        try school.command("limits off")
        try school.command("cancel MAT tomorrow")
        for index in 1...20 {
            let names = ["mia", "noah", "lea", "jan", "emma", "tim", "sara", "paul", "eva", "max"]
            let user = "\(names[(index - 1) % 10]).probe\(index)"
            let visitor = try school.visitor(School.classmate(user))
            let entries = try school.entries(visitor, "resourceType=STUDENT&resources=\(4800 + index)")
            #expect(entries.count { $0["status"] == "CANCELLED" } == 1)
        }
        let luca = try school.entries(school.visitor(School.luca), "resourceType=STUDENT&resources=4712")
        #expect(!luca.contains { $0["status"] == "CANCELLED" })
    }

    @Test func `positions stand where the format puts them`() throws {
        let school = try RunningSchool()
        let path =
            "/WebUntis/api/rest/view/v1/timetable/entries?start=2026-12-01&end=2026-12-01&resourceType=STUDENT&resources=4711"
        for (format, types) in [
            (1, ["TEACHER", "SUBJECT", "ROOM", "CLASS"]), (2, ["SUBJECT", "ROOM", "TEACHER", "CLASS"]),
        ] {
            let answer = try school.client.get(path + "&format=\(format)", school.visitor(School.anna)).json
            let entry = try #require(answer?["days"][0]["gridEntries"][0])
            let found = (1...4).map { entry["position\($0)"][0]["current"]["type"].plainText }
            #expect(found == types)
        }
    }

    @Test func `gzip is sent to those who take it, others get the same plainly`() throws {
        let school = try RunningSchool()
        let plain = try school.client.get("/dishes")
        let packed = try school.client.get("/dishes", [("Accept-Encoding", "gzip, deflate")])
        #expect(plain.header("Content-Encoding") == nil)
        #expect(packed.header("Content-Encoding") == "gzip")
        #expect(packed.body.starts(with: [0x1F, 0x8B, 8]))
        // What is stored lies in the packed bytes as it is.
        #expect(packed.text.contains(plain.text.prefix(400)))
    }

    @Test(arguments: 0..<14)
    func `the story of the demo can be told from any school day on, each step in its turn`(offset: Int) throws {
        let start = RunningSchool.monday + .days(Int64(offset))
        let story = Story.demo(startingAt: start)
        #expect(story.steps.count == 8)
        #expect(story.steps.map(\.offset) == story.steps.map(\.offset).sorted())
        #expect(story.steps.allSatisfy { $0.offset <= story.length })
        var school = School(startingAt: start)
        for step in story.steps {
            guard let command = step.command else { continue }
            _ = try school.perform(command, at: start + step.offset)
        }
    }

    @Test func `on a slow machine the story of the demo begins later, and its steps keep their distance`() {
        let story = Story.demo(startingAt: RunningSchool.monday)
        #expect(story.beginning(onceReadyAt: RunningSchool.monday + .minutes(5)) == RunningSchool.monday)
        #expect(story.beginning(onceReadyAt: RunningSchool.monday + .minutes(20)) == RunningSchool.monday)
        let late = story.beginning(onceReadyAt: RunningSchool.monday + .minutes(92))
        #expect(late == RunningSchool.monday + .minutes(72))
    }

    @Test func `a school is found by its name, by three letters and not by less`() throws {
        let school = try RunningSchool()
        func search(_ term: String) throws -> Value? {
            let body: Value = [
                "id": "1", "method": "searchSchool", "params": [["search": .string(term)]], "jsonrpc": "2.0",
            ]
            return try school.client.post("/ms/schoolquery2", [], body.json).json
        }
        #expect(try search("beispiel")?["result"]["schools"][0]["loginName"] == "musterschule")
        #expect(try search("elsewhere")?["result"]["schools"] == [])
        #expect(try search("be")?["error"]["code"] == -6003)
    }
}
