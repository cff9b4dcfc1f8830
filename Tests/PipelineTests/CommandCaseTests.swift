import BotCore
import BotRules
import BotState
import Foundation
import Glibc
import Testing
import Values

@testable import pokyh_bot

/// What goes wrong with the command line of notifiers, and must not here.
@Suite(.serialized) struct CommandCaseTests {
    @Test func `CLI-01 a dry run shows what would be sent, sends nothing, and leaves the state as it is, byte by byte`()
        throws
    {
        let town = try CommandTown()
        // Before there is a state, none is made.
        #expect(try town.run("once", "--dry-run").status == 0)
        #expect(!FileManager.default.fileExists(atPath: town.state))
        try town.run("once")
        try town.happen("grade anna MAT 8.5")
        let before = try town.stateBytes()
        let dry = try town.run("once", "--dry-run")
        #expect(dry.status == 0)
        #expect(dry.output.contains("would be sent through hook by the rule told") && dry.output.contains("Mathematik"))
        #expect(dry.output.contains("1 would be delivered"))
        #expect(try town.stateBytes() == before)
        #expect(town.received.isEmpty)
        #expect(try town.run("once").status == 0)
        #expect(town.received.count == 1)
    }

    @Test func `CLI-01 a dry run beside a running bot disturbs neither`() throws {
        let town = try CommandTown()
        try town.run("once")
        let bot = try town.start("run")
        #expect(bot.line(with: "started") != nil)
        #expect(try town.run("once", "--dry-run").status == 0)
        bot.signal(SIGTERM)
        #expect(bot.wait().status == 0)
    }

    @Test func `CLI-02 status names what fails with times and what waits, and its exit status is for monitors`() throws
    {
        let configuration = try QuestionedConfiguration.load()
        let now = Timestamp(seconds: 1_796_014_800)
        var good = SourceState()
        good.takenAt = now - .minutes(5)
        good.attemptedAt = now - .minutes(5)
        var failing = good
        failing.takenAt = now - .hours(27)
        failing.health = Health(failures: 30, since: now - .hours(26), error: "no answer")
        var sources = Dictionary(uniqueKeysWithValues: configuration.installation.sources.map { ($0.name, good) })
        func lines(_ sources: [String: SourceState], _ tallies: [String: SinkTally], _ sinks: [String: SinkState])
            -> [StatusLine]
        {
            StatusReport(sources: sources, rests: [:], sinks: sinks, rules: [:], tallies: tallies)
                .lines(configuration, .nobody, at: now)
        }
        let healthy = lines(sources, [:], [:])
        #expect(healthy.allSatisfy { $0.isFine })

        sources["mensa"] = failing
        var tally = SinkTally()
        tally.waiting = 3
        tally.oldestWaiting = now - .hours(3)
        tally.lastDelivered = now - .hours(4)
        let health = Health(failures: 4, since: now - .hours(3), error: "the server is down")
        let found = lines(sources, ["mail-rossi": tally], ["mail-rossi": SinkState(memo: .null, health: health)])
        let mensa = try #require(found.first { $0.name == "mensa" })
        #expect(!mensa.isFine && mensa.text.contains("for 26 h") && mensa.text.contains("last good answer 27 h ago"))
        #expect(mensa.lastSuccess == failing.takenAt && mensa.failingSince == failing.health.since)
        let mail = try #require(found.first { $0.name == "mail-rossi" })
        #expect(!mail.isFine && mail.text.contains("3 waiting, the oldest for 3 h"))
        #expect(mail.text.contains("last delivery 4 h ago") && mail.value["pending"] == 3)
        #expect(mail.value["last_success"].string == (now - .hours(4)).rfc3339)

        // Silence of a bot that does not run is no good news.
        var old = good
        old.attemptedAt = now - .days(3)
        sources["mensa"] = old
        let silent = try #require(lines(sources, [:], [:]).first { $0.name == "mensa" })
        #expect(!silent.isFine && silent.text.contains("not asked for 3 d; does the bot run?"))
    }

    @Test func `CLI-02 status ends with 1 while a sink has messages that it was refused, with 0 when all is well`()
        throws
    {
        let town = try CommandTown()
        try town.run("once")
        #expect(try town.run("status").status == 0)
        town.hookAnswers(400)
        try town.happen("grade anna MAT 8.5")
        try town.run("once")
        let status = try town.run("status", "--json")
        #expect(status.status == 1)
        let entries = try Value(json: status.output).list ?? []
        #expect(entries.contains { $0["kind"] == "outbox" && $0["ok"] == false })
        #expect(entries.first { $0["name"] == "anna-grades" }?["last_success"].string != nil)
    }

    @Test
    func
        `CLI-03 once says of each message that failed the rule, the sink and why, delivers the others, and ends with 1`()
        throws
    {
        let town = try CommandTown()
        try town.run("once")
        for mark in ["8", "7", "6"] { try town.happen("grade anna MAT \(mark)") }
        town.hookAnswers(200, 400, 200)
        let run = try town.run("once")
        #expect(run.status == 1)
        #expect(run.output.contains("2 delivered, 0 waiting, 1 given up"))
        let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("message ") }
        #expect(
            lines.count == 1 && lines[0].contains("of the rule told through hook is dead: ") && lines[0].contains("400")
        )
        #expect(!run.errors.contains("Anna"))
        #expect(try town.run("once").status == 0)
    }

    @Test
    func
        `CLI-04 a sample goes through the real sinks, longer than they take and marked as a test, and leaves no trace`()
        throws
    {
        let town = try CommandTown(
            sources: "  anna-messages: {provider: webuntis.messages, account: paola, student: \"4711\", every: 10s}",
            rules: """
                version: 1
                rules:
                  - id: told
                    when: {event: message.received}
                    message: {title: "{{ message.subject }}", body: "{{ message.preview }}"}
                    send: [chat]

                """,
            sinks: "  chat: {kind: webhook, flavour: discord, url: \"http://127.0.0.1:1/in\"}"
        )
        try town.run("once")
        let before = try town.stateBytes()
        let shown = try town.run("preview", "told", "--sample", "long")
        #expect(shown.status == 0 && shown.output.contains("part 2 of"), "\(shown.all)")
        #expect(shown.output.contains("TEST: "))
        let refused = try town.run("preview", "told", "--sample", "long", "--send")
        #expect(refused.status == 1 && refused.errors.contains("not sent through 'chat'"))

        let text = try String(contentsOfFile: town.config, encoding: .utf8)
        let hook = try #require(text.firstMatch(of: /127\.0\.0\.1:(\d+)\/in/).map { String($0.output.1) })
        try town.write("bot.yaml", text.replacingOccurrences(of: "127.0.0.1:1/in", with: "127.0.0.1:\(hook)/in"))
        let sent = try town.run("preview", "told", "--sample", "long", "--send")
        #expect(sent.status == 0 && sent.errors.contains("sent through 'chat', part 1 of"), "\(sent.all)")
        #expect(town.received.count > 1 && town.received[0].contains("TEST: "))
        #expect(try town.stateBytes() == before)
        for words in [
            ["preview", "told", "--send"], ["preview", "told", "--event", "x", "--send"],
            ["preview", "told", "--sample", "huge"],
        ] {
            let run = try ProgramRun(words + ["--config", town.config], environment: CommandTown.environment)
            #expect(run.status == 64)
        }
    }

    @Test func `CLI-05 a reader that goes away ends a command quietly, and what it did not take is not delivered`()
        async throws
    {
        let town = try CommandTown(rules: CommandTown.rules(of: "grade.added", to: "printed"))
        try town.run("once")
        try town.happen("grade anna MAT 8.5")
        let run = try ProgramRun(
            ["once", "--config", town.config],
            environment: CommandTown.environment,
            output: try ProgramRun.closedPipe()
        )
        #expect(!run.errors.contains("Fatal") && !run.errors.contains("Stack"))
        let counts = try await town.store { try await $0.counts() }
        #expect(counts[.delivered] == nil && counts[.queued] == 1)
    }

    @Test(arguments: [["help"], ["history"], ["schema"], ["state", "list"], ["status"]])
    func `CLI-05 output into a closed pipe is no error`(words: [String]) throws {
        let town = try CommandTown()
        try town.run("once")
        let run = try ProgramRun(
            words + ["--config", town.config],
            environment: CommandTown.environment,
            output: try ProgramRun.closedPipe()
        )
        #expect(run.status == 0 && run.errors.isEmpty)
    }

    @Test func `CLI-06 what is printed is there at once, so that a kill loses nothing of it`() throws {
        let town = try CommandTown(rules: CommandTown.rules(of: "grade.added", to: "printed"))
        try town.run("once")
        let process = Process()
        process.executableURL = ProgramRun.program
        process.arguments = ["run", "--config", town.config]
        process.environment = BotProcess.surroundings.merging(CommandTown.environment) { _, own in own }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try town.happen("grade anna MAT 8.5")
        // The program still runs: nothing but its own writing can have brought this.
        let bytes = output.fileHandleForReading.availableData
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(String(decoding: bytes, as: UTF8.self).contains("Mathematik"))
    }

    @Test func `CLI-08 state list shows what is remembered of each source, by ids alone`() throws {
        let town = try CommandTown()
        try town.run("once")
        let list = try town.run("state", "list")
        #expect(list.status == 0 && list.output.contains("anna-grades: ") && list.output.contains("student 4711"))
        #expect(!list.output.contains("Anna"))
    }

    /// Monitoring wakes people at 1; a rule without matches has been told of and can wait for the morning.
    @Test func `RULE-09 a rule that matches nothing is a warning in status, and no failure`() throws {
        let now = Timestamp(seconds: 1_796_014_800)
        let health = Health(failures: 2, since: now - .days(30), error: "It has matched none of the 30 latest events.")
        let report = StatusReport(
            sources: [:],
            rests: [:],
            sinks: [:],
            rules: ["unmatched/maths": health, "broken": health],
            tallies: [:]
        )
        let lines = report.lines(try QuestionedConfiguration.load(), .nobody, at: now).filter { $0.kind == "rule" }
        let maths = try #require(lines.first { $0.name == "maths" })
        #expect(maths.isFine && maths.isWarning && maths.value["warning"] == true && maths.text == health.error)
        let broken = try #require(lines.first { $0.name == "broken" })
        #expect(!broken.isFine && !broken.isWarning)
    }

    @Test func `status and next list what a digest holds, until when and for whom`() throws {
        let town = try CommandTown(rules: CommandTown.rules(of: "grade.added", "digest: {at: \"23:59\"}"))
        try town.run("once")
        #expect(try !town.run("status").output.contains("held told"))
        try town.happen("grade anna MAT 8.5")
        try town.run("once")
        let status = try town.run("status")
        let line = status.output.split(separator: "\n").first { $0.contains("held told:") }.map(String.init) ?? ""
        #expect(
            status.status == 0 && line.hasPrefix("ok      held told: 1 notice collected for the digest until 20"),
            "\(status.all)"
        )
        #expect(line.hasSuffix("23:59, for hook") && !status.output.contains(CommandTown.anna))
        let entries = try Value(json: try town.run("status", "--json").output).list ?? []
        let entry = entries.first { $0["kind"] == "held" }
        #expect(entry?["name"] == "told" && entry?["pending"] == 1 && entry?["until"].string != nil)
        #expect(try town.run("next").output.contains("23:59  told  1 notice collected for the digest, for hook"))
        #expect(try town.run("explain", "told").output.contains("1 notice collected for the digest, for hook"))
        #expect(try town.run("replay").output.contains("1 event: "))
    }
}
