import BotCore
import BotRules
import Foundation
import Testing
import Values

@testable import pokyh_bot

/// What commands say to people who are new to them.
@Suite(.serialized) struct CommandOutputTests {
    @Test func `a log line begins with the time of the bot's zone, its offset and milliseconds`() throws {
        let town = try CommandTown()
        let run = try town.run("once")
        let line = try #require(run.errors.split(separator: "\n").first { $0.contains("first look") })
        #expect(line.prefixMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0[12]:00 info/) != nil, "\(line)")
    }

    @Test func `check asks WebUntis when it is told to, and lists students by id where no person looks`() throws {
        let town = try CommandTown()
        let text = try String(contentsOfFile: town.config, encoding: .utf8)
        #expect(try !town.run("check").all.contains("4712"))
        let fine = try town.run("check", "--online")
        #expect(fine.status == 0 && fine.output.contains("account paola: students: 4711, 4712"))
        try town.write("bot.yaml", text.replacingOccurrences(of: "student: \"4711\", ", with: ""))
        let unnamed = try town.run("check", "--online")
        #expect(unnamed.status == 78)
        #expect(unnamed.errors.contains("source anna-grades: error: its account has several children"))
        #expect(unnamed.errors.contains("4711, 4712") && !unnamed.all.contains("Anna"))
        let refused = try ProgramRun(["check", "--online", "--config", town.config], environment: ["PAOLA": "falsch"])
        #expect(refused.status == 1 && !refused.all.contains("falsch"))
        let student = Student(id: "4711", name: "Muster Anna")
        #expect(AccountCheck.line("a", [student], named: true) == "account a: students: Muster Anna (4711)")
    }

    @Test(arguments: [
        ("corrupt", "damaged"), ("older", "older format"), ("newer", "later version"), ("empty", "no state"),
    ])
    func `PROV-04 check asks nobody while it cannot be read whose login was refused before`(
        fault: String,
        words: String
    ) async throws {
        let town = try CommandTown()
        let wrong = ["PAOLA": "falsch"]
        let file = URL(filePath: town.state + "/state.sqlite")
        #expect(try ProgramRun(["once", "--config", town.config], environment: wrong).status != 0)
        let resting = try ProgramRun(["check", "--online", "--config", town.config], environment: wrong)
        #expect(resting.status == 1 && resting.errors.contains("its login was refused before"))
        switch fault {
        case "corrupt": try Data(repeating: 0x5A, count: 9_000).write(to: file)
        case "empty": try Data().write(to: file)
        default:
            // `PRAGMA user_version` stands at byte 60 of the file, big-endian (https://www.sqlite.org/fileformat.html).
            var bytes = try Data(contentsOf: file)
            bytes[63] = fault == "older" ? 1 : 99
            try bytes.write(to: file)
        }
        // With the right password, which would be let in if it were asked for.
        let unread = try town.run("check", "--online")
        #expect(unread.status == 74, "\(unread.all)")
        #expect(unread.errors.contains("no account is asked") && unread.errors.contains(words), "\(unread.errors)")
        #expect(!unread.all.contains("students:"))
        try FileManager.default.removeItem(atPath: town.state)
        #expect(try town.run("check", "--online").output.contains("account paola: students: 4711, 4712"))
    }

    @Test func `tests that could not run are not said to have passed, and no tests at all are said to be none`() throws
    {
        let town = try CommandTown()
        let none = try town.run("test")
        #expect(none.status == 0 && none.errors.contains("no file has tests"))
        let tests = """
            tests:
              - name: nothing is told
                now: 2026-11-30T07:00
                events: []
                expect: []

            """
        try town.write("rules/all.yaml", CommandTown.rules(of: "grade.added") + tests)
        #expect(try town.run("test").output.contains("ok  "))
        try town.write("rules/all.yaml", CommandTown.rules(of: "grade.nonsense") + tests)
        let broken = try town.run("test")
        #expect(broken.status == 78 && !broken.output.contains("ok  "))
        #expect(broken.output.contains("FAILED") && broken.output.contains("not run: the file has errors"))
    }

    @Test func `a test of several polls goes as the bot would: cancelled, restored, cancelled again`() throws {
        let town = try CommandTown(
            sources: "  plan: {provider: webuntis.timetable, account: paola, student: \"4711\"}",
            rules: CommandTown.rules(of: "lesson.cancelled")
        )
        func poll(_ from: String, _ to: String) -> String {
            let states = zip(["before", "after"], [from, to]).map {
                "\($0): [{id: \"1\", subject: MAT, start: \"2026-12-03T07:50\", date: 2026-12-03, state: \($1)}]"
            }
            return "polls: [{source: plan, \(states.joined(separator: ", "))}]"
        }
        let tests = """
            tests:
              - name: off, on and off again
                now: 2026-11-30T18:00
                \(poll("planned", "cancelled"))
                expect: [{rule: told}]
                then:
                  at: 2026-11-30T20:00
                  \(poll("cancelled", "planned"))
                  expect: [{rule: told}]
                  then:
                    at: 2026-11-30T21:00
                    \(poll("planned", "cancelled"))
                    expect: [{rule: told}]

            """
        try town.write("rules/all.yaml", CommandTown.rules(of: "lesson.cancelled") + tests)
        let run = try town.run("test")
        #expect(run.status == 0, "\(run.all)")
    }

    @Test func `a full disk at the start is said to be one, with what to do`() throws {
        let town = try CommandTown()
        // A file system of a few pages; without the right to mount one there is nothing to see.
        let mount = "mkdir -p '\(town.state)' && mount -t tmpfs -o size=16k,mode=700 none '\(town.state)' || exit 99; "
        let run = "\"$0\" once --config \"$1\"; exit $?"
        let shell = Process()
        shell.executableURL = URL(filePath: "/usr/bin/unshare")
        shell.arguments = ["-m", "/bin/sh", "-c", mount + run, ProgramRun.program.path, town.config]
        shell.environment = BotProcess.surroundings.merging(CommandTown.environment) { _, own in own }
            .merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { _, own in own }
        let errors = Pipe()
        shell.standardError = errors
        shell.standardOutput = FileHandle.nullDevice
        try shell.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        guard shell.terminationStatus == 74 else {
            // 1: unshare is not allowed here; 99: mount is not.
            #expect([1, 99].contains(shell.terminationStatus), "\(said)")
            return
        }
        #expect(said.contains("the bot cannot start, since the disk with its state in \(town.state) is full"))
        #expect(said.contains("Make room there"))
    }

    @Test func `show has a table for every kind that a provider declares, and says what to ask for`() throws {
        for kind in ShownKind.all {
            for word in kind.words {
                #expect(ShownKind.all.count { $0.words.contains(word) } == 1, "\(word) is two things")
            }
        }
        let words = ShownKind.all.flatMap(\.words)
        for word in [
            "timetable", "grades", "mensa", "messages", "reminders", "absences", "exams", "homework", "class-events",
            "news",
            "todos", "items",
        ] { #expect(words.contains(word)) }
        let town = try CommandTown()
        try town.run("once")
        let grades = try town.run("show", "grades", "--source", "anna-grades")
        #expect(grades.status == 0 && grades.output.contains("date") && grades.output.contains("Mathematik"))
        #expect(try town.run("show", "absences").status == 78)
        #expect(try town.run("show", "grdaes").errors.contains("did you mean 'grades'?"))
    }

    @Test func `a table has the fields that say something, one form of each, and no row steers the terminal`() {
        let shape = RecordShape(
            "thing",
            fields: [
                FieldShape("id", .string), FieldShape("title", .string), FieldShape("date", .string),
                FieldShape("start", .timestamp), FieldShape("teacher", .string), FieldShape("teachers", .list(.string)),
                FieldShape("done", .bool), FieldShape("empty", .string), FieldShape("count", .int, optional: true),
            ]
        )
        let start = Timestamp(seconds: 1_796_014_800)
        func record(_ key: String, _ title: Value, at instant: Timestamp) -> Record {
            Record(
                key: key,
                type: "thing",
                fields: [
                    "id": .string(key), "title": title, "date": .string(Zone.utc.date(at: instant).description),
                    "start": .timestamp(instant), "teacher": "Ä", "teachers": ["Ä"], "done": true, "empty": "",
                ]
            )
        }
        let records = [
            record("b", "\u{1B}[31mrot\nzwei\u{202E}3\u{2069}", at: start + .days(1)),
            record("a", .string(String(repeating: "x", count: 500)), at: start),
        ]
        let lines = RecordTable(records, shape: shape, zone: .utc).lines
        #expect(lines.count == 3)
        #expect(lines[0].split(separator: " ") == ["start", "title", "teacher", "done"])
        #expect(lines[1].hasPrefix("2026-11-30 05:00") && lines[1].contains("xxx…"))
        #expect(lines[2].contains(" [31mrot zwei3 ") && !lines[2].contains("\u{1B}"))
        let bare = RecordShape("bare", fields: [FieldShape("id", .string)])
        let rows = RecordTable([Record(key: "k", type: "bare", fields: ["id": "1"])], shape: bare, zone: .utc).lines
        #expect(rows == ["key", "k"])
    }
}
