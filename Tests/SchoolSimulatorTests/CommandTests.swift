import SchoolSimulator
import Testing
import Values

@Suite struct CommandTests {
    @Test(arguments: CommandCatalogue.entries.map(\.example))
    func `the example of every command works in a school as it begins`(line: String) throws {
        let school = try RunningSchool()
        // The present of the examples is a school day at which something can still be excused.
        try school.command("absence anna today")
        #expect(try school.command(line).isEmpty == false)
    }

    @Test(arguments: [
        ("", "no command was given"), ("cancle MAT tomorrow", "there is no command 'cancle'\n  did you mean 'cancel'?"),
        ("cancel", "cancel: the subject is missing"), ("cancel MAT", "cancel: the day is missing"),
        ("cancel MAT tomorow", "'tomorow' is not a day\n  did you mean 'tomorrow'?"),
        ("cancel MAT tomorrow at 25:00", "'25:00' is not a time of day"),
        ("cancel MAT tomorrow at", "something must follow 'at'"),
        ("cancel MAT tomorrow because \"ill", "a quotation mark is not closed"),
        ("cancel MAT tomorrow now", "'now' is one word too many"),
        ("move MAT tomorrow", "'to TIME' is missing"), ("replace MAT tomorrow", "'with SUBJECT' is missing"),
        ("fault htpp 500", "there is no fault 'htpp'\n  did you mean 'http'?"),
        ("fault http 700", "is not a number from 200 to 599"),
        ("fault off htpp", "there is no fault 'htpp'"), ("clock forward 5m", "write 'set' or 'advance'"),
        ("clock advance 5x", "'5x' is not a span of time"), ("reminder soon x", "'soon' is not a number"),
        ("limits maybe", "write 'on' or 'off'"), ("menu eat", "write 'publish' or 'roll'"),
        ("dish today Soup price cheap", "'cheap' is not a price"),
        ("event today from 10:00 to 09:00 saying x", "runs backwards"),
    ])
    func `a line that is not understood is refused with a cure`(line: String, complaint: String) {
        #expect {
            _ = try SimulatorCommand.parse(line)
        } throws: { error in
            let text = String(describing: error)
            return text.contains(complaint)
        }
    }

    @Test(arguments: [
        ("cancel MATH tomorrow", "there is no subject 'MATH'\n  did you mean 'MAT'?"),
        ("cancel MAT sunday", "3A-INF has no MAT on Sunday 2026-12-06\n  the next one: Monday 2026-11-30 at"),
        ("cancel MAT 2026-02-30", "'2026-02-30' is not a day"),
        ("cancel MAT tomorrow in 3A-IMF", "did you mean '3A-INF'?"),
        ("cancel MAT tomorrow at 05:00", "MAT does not begin then\n  on that day it begins at"),
        ("room MAT tomorrow T999", "there is no room 'T999'"), ("teacher MAT tomorrow ROSS", "did you mean 'ROS'?"),
        ("grade anne MAT 8", "there is no student 'anne'\n  did you mean 'Anna'?"),
        ("grade anna MAT 11", "'11' is not a mark"),
        ("grade anna MAT 8 as oreal", "did you mean 'oral'?"),
        ("grade-delete anna SPO", "there is no mark in that subject"),
        ("message a b to paola", "there is no account 'paola'"), ("read 1", "there is no such message"),
        ("excuse anna", "there is no absence that is not excused"),
        ("todo nobody x", "there is no POKYH user 'nobody'"),
        ("todo-done anna-muster x", "there is no to-do 'x'"),
        ("dish-rename sunday a b", "nothing is on the menu of 2026-12-06"),
        ("fault locked nobody", "there is no account 'nobody'"),
    ])
    func `what the school does not have is refused with what it has, and nothing changes`(
        line: String,
        complaint: String
    ) throws {
        let school = try RunningSchool()
        let before = try school.client.get("/__simulator/state").text
        let answer = try school.client.post("/__simulator/command", [], line)
        #expect(answer.status == 400)
        #expect(answer.text.contains(complaint), "\(answer.text)")
        #expect(try school.client.get("/__simulator/state").text == before)
    }

    @Test func `commands are taken over HTTP, listed, and what was served is told`() throws {
        let school = try RunningSchool()
        let done = try school.client.post("/__simulator/command", [], "cancel MAT tomorrow\n")
        #expect(done.status == 200)
        #expect(done.text.hasPrefix("cancelled MAT of 3A-INF on Tuesday 2026-12-01 at "))
        let help = try school.client.get("/__simulator/commands").text
        for entry in CommandCatalogue.entries { #expect(help.contains(entry.usage)) }
        _ = try school.client.get("/sse/todos?token=secret&apiKey=\(School.apiKey)")
        _ = try school.cookies(School.anna)
        let log = try #require(try school.client.get("/__simulator/log").json?.list)
        #expect(log.map { $0["path"] } == ["/sse/todos", "/WebUntis/jsonrpc.do"])
        #expect(log.map { $0["status"] } == [401, 200])
        #expect(log[1]["rpc"] == "authenticate")
        #expect(!log[0].json.contains("secret") && !log[0].json.contains(School.apiKey))
        #expect(school.server.log.count == 2)
        #expect(try school.client.get("/__simulator/nothing").status == 404)
    }

    @Test func `words of a shell become a line that means the same`() throws {
        let words = ["message", #"Open "day""#, #"a \ b"#, "to", "anna.muster"]
        let command = try SimulatorCommand.parse(CommandCatalogue.line(of: words))
        #expect(command == .message(subject: #"Open "day""#, body: #"a \ b"#, to: "anna.muster", from: "Sekretariat"))
        #expect(CommandCatalogue.line(of: ["cancel", "MAT", "tomorrow"]) == "cancel MAT tomorrow")
    }

    @Test(arguments: [("8.5", "8,5"), ("8,25", "8,25"), ("10", "10"), ("7-", "7-"), ("+", "+"), ("4.05", "4,05")])
    func `marks are written as the school writes them`(typed: String, written: String) throws {
        let school = try RunningSchool()
        #expect(try school.command("grade anna MAT \(typed)") == "gave Anna a \(written) in MAT")
    }

    @Test func `the clock is set and advanced apart from the one that was handed in`() throws {
        let school = try RunningSchool()
        #expect(try school.command("clock advance 2h") == "it is Monday 2026-11-30 08:45")
        #expect(try school.command("clock set friday 12:00") == "it is Friday 2026-12-04 12:00")
        school.advance(.minutes(5))
        #expect(try school.client.get("/health").json?["timestamp"] == "2026-12-04T11:05:00.000Z")
        #expect(try school.command("cancel MAT next").contains("Monday 2026-12-07"))
    }
}
