import SchoolSimulator
import Testing
import Values

@Suite struct ServerTests {
    @Test func `a taken port is refused in words, and free again after the stop`() throws {
        let first = try RunningSchool()
        let port = first.client.port
        let second = SimulatorServer(
            port: port,
            now: { RunningSchool.monday },
            school: School(startingAt: RunningSchool.monday)
        )
        #expect {
            try second.start()
        } throws: {
            String(describing: $0).contains("127.0.0.1:\(port): the port is taken")
        }
        first.server.stop()
        try second.start()
        #expect(try LoopbackClient(url: second.url).get("/health").status == 200)
        second.stop()
        #expect(throws: LoopbackClient.Failure.self) { try LoopbackClient(url: second.url).get("/health") }
    }

    @Test func `a server that runs is not started again, and one that stopped is`() throws {
        let school = try RunningSchool()
        #expect(throws: SimulatorServerError.self) { try school.server.start() }
        school.server.stop()
        school.server.stop()
        try school.server.start()
        #expect(try school.client.get("/health").status == 200)
    }

    @Test func `many requests side by side are all answered`() async throws {
        let school = try RunningSchool()
        let client = school.client
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<64 { group.addTask { try await client.getElsewhere("/dishes").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 64))
        #expect(school.server.log.count == 64)
    }

    @Test(arguments: [
        "GET / HTTP/1.1", "POST /WebUntis/jsonrpc.do", "BREW /dishes", "GET /WebUntis/api/rest/view/v1/messages/x/y",
    ])
    func `whatever is asked is answered with a status`(line: String) throws {
        let school = try RunningSchool()
        let words = line.split(separator: " ").map(String.init)
        let answer = try school.client.send(words[0], words[1], [], Array("\u{0}\u{1}{".utf8))
        #expect(answer.status >= 200)
    }
}
