import BotCore
import BotState
import BotTestKit
import Foundation
import Glibc
import Testing
import Values

@testable import pokyh_bot

/// `state`, as people run it.
@Suite(.serialized) struct StateCommandTests {
    // MARK: Beginning anew

    @Test
    func
        `CLI-08 after a baseline the next answer is known and not told, a forgotten record is told, other sources are untouched`()
        async throws
    {
        let town = try CommandTown()
        #expect(try town.run("once").status == 0)
        try town.happen("grade anna MAT 8.5")
        try town.happen("grade luca DEU 7")
        let begun = try town.run("state", "baseline", "anna-grades")
        #expect(begun.status == 0 && begun.output.contains("nothing of it is told: anna-grades"))
        let early = try town.run("state", "forget", "anna-grades", "--item", "1")
        #expect(early.status == 1 && early.errors.contains("run the bot once"))

        #expect(try town.run("once").status == 0)
        #expect(town.received.count == 1 && town.received[0].contains("Luca"))

        let shown = try town.run("show", "grades", "--source", "anna-grades", "--json")
        let keys = try Value(json: shown.output)[0]["keys"].list?.compactMap(\.string) ?? []
        let key = try #require(keys.last)
        #expect(try town.run("state", "forget", "anna-grades", "--item", key).status == 0)
        #expect(try town.run("once").status == 0)
        #expect(town.received.count == 2 && town.received[1].contains("Anna"))
        #expect(try town.run("once").status == 0)
        #expect(town.received.count == 2)
    }

    @Test func `CLI-08 a baseline of a student is one of all sources about the student`() throws {
        let town = try CommandTown()
        try town.run("once")
        let theirs = try town.run("state", "baseline", "--student", "4711")
        #expect(theirs.status == 0 && theirs.output.contains("anna-grades") && !theirs.output.contains("luca-grades"))
        #expect(try town.run("state", "baseline", "--student", "4799").status == 64)
        let all = try town.run("state", "baseline")
        #expect(all.output.contains("anna-grades, luca-grades"))
        #expect(try town.run("state", "list").output.contains("begins anew with the next answer"))
        let wrong = try town.run("state", "baseline", "anna-grade")
        #expect(wrong.status == 64 && wrong.errors.contains("did you mean 'anna-grades'?"))
    }

    // MARK: Forgetting a student

    @Test func `CLI-08 a forgotten student is in no file of the state any more, and others are as they were`()
        async throws
    {
        let rules =
            CommandTown.rules(of: "grade.added") + """
                  - id: evening
                    when: {event: grade.added}
                    digest: {at: "23:59"}
                    message: {title: "{{ student.name }} {{ grade.subject }}", body: "Am Abend"}
                    send: [hook]

                """
        let town = try CommandTown(rules: rules)
        try town.run("once")
        try town.happen("grade anna MAT 8.5 for \"Annas Arbeit\"")
        try town.happen("grade luca DEU 7 for \"Lucas Arbeit\"")
        town.hookAnswers(500)
        try town.run("once")
        try town.run("silence", "add", "--match", "student.name=\(CommandTown.anna)", "--for", "3d")
        #expect(try town.stateHolds("Anna") && town.stateHolds("Annas Arbeit"))
        let before = try await town.store {
            try await $0.records(of: "luca-grades", from: nil, answer: []).present.count
        }

        let dry = try town.run("state", "forget", "4711", "--dry-run")
        #expect(dry.status == 0 && dry.output.hasPrefix("would be forgotten:"))
        #expect(try town.stateHolds("Annas Arbeit"))

        let done = try town.run("state", "forget", "4711")
        #expect(done.status == 0, "\(done.all)")
        #expect(done.output == dry.output.replacingOccurrences(of: "would be forgotten:", with: "forgotten:"))
        #expect(!done.all.contains("Anna") && !done.all.contains("Muster"))
        #expect(done.output.contains("sources: anna-grades") && done.output.contains("not delivered: 1"))
        #expect(done.errors.contains("the bot file still has the student: source anna-grades"))
        for text in ["Anna", "Annas Arbeit", "4711"] { #expect(try !town.stateHolds(text), "\(text) is left") }

        #expect(try town.stateHolds("Lucas Arbeit"))
        let after = try await town.store {
            try await $0.records(of: "luca-grades", from: nil, answer: []).present.count
        }
        #expect(after == before && after > 0)
        let memory = try await town.store { try await $0.policyMemory() }
        #expect(memory["evening"]?["held"].list?.count == 1 && memory["silences/"] == nil)
        let again = try town.run("state", "forget", "4711")
        #expect(again.status == 1 && again.output == "nothing is stored of this student\n")
    }

    @Test
    func `a student who shares a name is asked for by id, one without sources in the bot file is forgotten by name`()
        throws
    {
        let town = try CommandTown()
        try town.run("once")
        let kept = try String(contentsOfFile: town.config, encoding: .utf8)
        let without = kept.split(separator: "\n", omittingEmptySubsequences: false).filter {
            !$0.contains("anna-grades:")
        }
        try town.write("bot.yaml", without.joined(separator: "\n"))
        let gone = try town.run("state", "forget", "4711")
        #expect(gone.status == 0 && !gone.errors.contains("still has the student"))
        #expect(try !town.stateHolds("4711"))
    }

    @Test(arguments: [["state", "baseline"], ["state", "forget", "4711"], ["state", "purge"]])
    func `what a running bot would write over is refused while it runs`(words: [String]) throws {
        let town = try CommandTown()
        try town.run("once")
        let bot = try town.start("run")
        #expect(bot.line(with: "started") != nil)
        let refused = try ProgramRun(words + ["--config", town.config], environment: CommandTown.environment)
        #expect(refused.status == 74 && refused.errors.contains("process \(bot.pid)"))
        #expect(try town.run("state", "check").output.contains("a bot is running on it: process \(bot.pid)"))
        #expect([0, 1].contains(try town.run("state", "purge", "--dry-run").status))
        bot.signal(SIGTERM)
        #expect(bot.wait().status == 0)
    }

    // MARK: Purging

    @Test func `purge takes out what is old and what no file names, and says so before when asked`() async throws {
        let town = try CommandTown()
        try town.run("once")
        try town.happen("grade anna MAT 8.5")
        try town.run("once")
        let text = try String(contentsOfFile: town.config, encoding: .utf8)
        try town.write("bot.yaml", text.replacingOccurrences(of: "luca-grades:", with: "renamed:"))
        let old = "\(town.state)/state.sqlite.damaged-20200101T000000Z"
        try Data("Muster Anna".utf8).write(to: URL(filePath: old))
        var times = [timeval(tv_sec: 1_577_836_800, tv_usec: 0), timeval(tv_sec: 1_577_836_800, tv_usec: 0)]
        #expect(utimes(old, &times) == 0)

        let dry = try town.run("state", "purge", "--dry-run")
        #expect(dry.status == 0 && dry.output.hasPrefix("would go"))
        #expect(dry.output.contains("records of the source 'luca-grades', which is in no file"))
        #expect(dry.output.contains("damaged-20200101T000000Z, which was set aside as damaged"))
        #expect(!dry.output.contains("anna-grades") && !dry.output.contains("old events"))
        #expect(try await town.store { try await $0.sources() }.count == 2)

        let done = try town.run("state", "purge")
        #expect(done.output.split(separator: "\n").dropFirst() == dry.output.split(separator: "\n").dropFirst())
        #expect(try await town.store { try await $0.sources() }.keys.sorted() == ["anna-grades"])
        #expect(!FileManager.default.fileExists(atPath: old))

        // A span of its own leaves what is young, whatever the files name.
        let aged = try town.run("state", "purge", "--older-than", "0.001s")
        #expect(
            aged.output.contains("old events: 1")
                && aged.output.contains("old messages that are not on their way any more: 1")
        )
        #expect(try town.run("history").output == "nothing has happened yet\n")
        #expect(try town.run("state", "purge", "--older-than", "lang").status == 64)
        #expect(try town.run("state", "purge").output.hasPrefix("nothing is older than"))
    }

    // MARK: Checking

    @Test func `check finds a sound state fine, and says how to mend one that is not`() async throws {
        let town = try CommandTown()
        let missing = try town.run("state", "check")
        #expect(missing.status == 74 && missing.output.contains("there is no state in"))
        town.hookAnswers(500)
        try town.run("once")
        try town.happen("grade anna MAT 8.5")
        try town.run("once")
        let sound = try town.run("state", "check")
        #expect(sound.status == 0 && !sound.output.contains("WRONG") && !sound.output.contains("Anna"))

        chmod(town.state + "/state.sqlite", 0o644)
        let text = try String(contentsOfFile: town.config, encoding: .utf8)
        let renamed = text.replacingOccurrences(of: "luca-grades:", with: "renamed:")
            .replacingOccurrences(of: "  hook:", with: "  other:")
        try town.write("bot.yaml", renamed)
        try town.write("rules/all.yaml", CommandTown.rules(of: "grade.added", to: "other"))
        let wrong = try town.run("state", "check")
        #expect(wrong.status == 1)
        for words in [
            "chmod 600 \(town.state)/state.sqlite", "the source 'luca-grades' is in no file",
            "1 message waits for the sink 'hook', which is in no file", "pokyh-bot outbox drop --sink hook",
        ] { #expect(wrong.output.contains(words), "\(words) is missing in \(wrong.output)") }
    }

    @Test func `check says what a damaged database means and leaves it as it is`() throws {
        let town = try CommandTown()
        try town.run("once")
        let file = URL(filePath: town.state + "/state.sqlite")
        var bytes = try Data(contentsOf: file)
        let middle = bytes.count / 2 / 4096 * 4096
        bytes.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0x5A, count: 4096))
        try bytes.write(to: file)
        let damaged = try town.run("state", "check")
        #expect(damaged.status == 74 && damaged.output.contains("BROKEN the database is damaged"))
        #expect(damaged.output.contains("pokyh-bot state recover"))
        #expect(try Data(contentsOf: file) == bytes)
        // The next start sets it aside, and the check speaks of that file.
        #expect(try town.run("once").errors.contains("pokyh-bot state recover state.sqlite.damaged-"))
        let after = try town.run("state", "check")
        #expect(after.status == 1 && after.output.contains("was set aside as damaged"))
        let forget = try town.run("state", "forget", "4711")
        #expect(forget.status == 1 && forget.errors.contains("may hold the student's data; delete it"))
    }

    @Test func `messages that waited in a damaged state are taken over, and sent once`() throws {
        let town = try CommandTown()
        town.hookAnswers(500)
        try town.run("once")
        try town.happen("grade anna MAT 8.5")
        try town.run("once")
        let tries = town.received.count
        let file = URL(filePath: town.state + "/state.sqlite")
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(bytes.count - 4096 * 4..<bytes.count, with: Data(repeating: 0x5A, count: 4096 * 4))
        try bytes.write(to: file)
        town.hookAnswers(200)
        #expect(try town.run("once").errors.contains("It holds 1 message not delivered"))
        #expect(town.received.count == tries)
        let names = try FileManager.default.contentsOfDirectory(atPath: town.state)
        let name = try #require(
            names.first { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        )
        #expect(try town.run("state", "recover", "nonsense").status == 64)
        let recovered = try town.run("state", "recover", name)
        #expect(recovered.status == 0 && recovered.output.contains("taken over: 1 message"), "\(recovered.all)")
        #expect(try town.run("state", "recover", name).status == 1)
        #expect(try town.run("once").status == 0)
        #expect(town.received.count == tries + 1)
        try town.run("once")
        #expect(town.received.count == tries + 1)
    }

    @Test func `check judges a clock that is behind the last entry, a full disk and a later format`() throws {
        let configuration = try QuestionedConfiguration.load()
        var facts = StateFacts()
        let now = Timestamp(seconds: 1_796_014_800)
        facts.folder = StateFacts.Entry(name: "", mode: 0o700, isOwn: true, size: 4096)
        facts.database = .sound
        facts.holder = .nobody
        facts.freeBytes = 1 << 20
        facts.contents.latest = now + .days(2)
        facts.contents.claimed = 2
        facts.contents.unreadable = ["event": 1]
        let verdict = StateVerdict(facts, configuration, at: now)
        let texts = verdict.findings.map { "\($0.grade.word) \($0.text)" }.joined(separator: "\n")
        #expect(verdict.code == .state)
        #expect(texts.contains("WRONG  the clock shows 2026-11-30 06:00, and the last entry is of 2026-12-02 06:00"))
        #expect(texts.contains("WRONG  only 1 MiB are free"))
        #expect(texts.contains("2 messages were being sent when the bot ended"))
        #expect(texts.contains("BROKEN 1 stored value of the table 'event' cannot be read"))
        facts.database = .newer(99)
        #expect(StateVerdict(facts, configuration, at: now).code == .state)
    }

    @Test(
        arguments: [
            ["state"], ["state", "nonsense"], ["state", "forget"], ["state", "list", "more"],
            ["state", "check", "--dry-run"],
            ["state", "baseline", "--dry-run"], ["state", "forget", "4711", "--older-than", "3d"],
            ["state", "purge", "x"],
            ["state", "forget", "a", "b"],
        ]
    )
    func `a state command that makes no sense is a usage error, before anything is touched`(words: [String]) throws {
        let town = try CommandTown()
        #expect(try ProgramRun(words + ["--config", town.config]).status == 64)
    }

    @Test(arguments: [
        ["state", "forget", "4711"], ["state", "purge"], ["state", "baseline"], ["state", "list"], ["outbox", "list"],
    ])
    func `without a state each says that there is none yet, and makes none`(words: [String]) throws {
        let town = try CommandTown()
        let run = try ProgramRun(words + ["--config", town.config])
        #expect(run.status == 74 && run.errors.contains("there is no state in"))
        #expect(!FileManager.default.fileExists(atPath: town.state))
    }
}

/// An installation without a school to ask, for what is judged without one.
enum QuestionedConfiguration {
    static func load() throws -> Configuration {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = root.appending(path: "Config/bot.example.yaml").path
        return try Configuration.load(path, in: World(environment: [:]), secrets: .standIns)
    }
}
