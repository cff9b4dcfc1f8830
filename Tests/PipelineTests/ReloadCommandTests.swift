import BotCore
import BotState
import Foundation
import Glibc
import Testing
import Values

@testable import pokyh_bot

/// `reload`: a running bot reads its rules again and answers.
@Suite(.serialized) struct ReloadCommandTests {
    private func running(_ town: CommandTown) throws -> BotProcess {
        let bot = try town.start("run")
        #expect(bot.line(with: "started") != nil)
        return bot
    }

    @Test func `reload says which files are in force and which keep their last good rules`() throws {
        let town = try CommandTown()
        let bot = try running(town)
        let fine = try town.run("reload")
        #expect(fine.status == 0 && fine.output.contains("rules/all.yaml: in force, 1 rule"), "\(fine.all)")

        try town.write(
            "rules/more.yaml",
            CommandTown.rules(of: "grade.changed").replacingOccurrences(of: "told", with: "more")
        )
        try town.write("rules/all.yaml", CommandTown.rules(of: "grade.nonsense"))
        let broken = try town.run("reload")
        #expect(broken.status == 78)
        #expect(broken.output.contains("rules/all.yaml: has errors; 0 rules in force, as they were before: told"))
        #expect(broken.output.contains("rules/more.yaml: in force, 1 rule"))
        #expect(broken.errors.contains("rules/all.yaml:4"))

        try town.write("rules/all.yaml", "rules: [\n")
        #expect(try town.run("reload").output.contains("as they were before: told"))
        let text = try String(contentsOfFile: town.config, encoding: .utf8)
        try town.write("bot.yaml", text + "\n# other")
        let changed = try town.run("reload")
        #expect(changed.output.contains("bot.yaml has changed too, and is read when the bot is started again"))
        bot.signal(SIGTERM)
        #expect(bot.wait().status == 0)
    }

    @Test func `a dangling link among the rule files is one complaint, and the last good rules go on`() throws {
        let town = try CommandTown()
        let file = town.folder.appending(path: "rules/all.yaml").path
        let bot = try running(town)
        #expect(unlink(file) == 0 && symlink("/nowhere/rules.yaml", file) == 0)
        let broken = try town.run("reload")
        #expect(broken.status == 78 && broken.output.contains("as they were before: told"))
        #expect(broken.errors.contains("this cannot be read: it is a link to nothing"))
        bot.signal(SIGTERM)
        #expect(bot.wait().status == 0)
        // A start goes on without those rules, and says so.
        let start = try town.run("once")
        #expect(start.status == 0 && start.errors.contains("it is a link to nothing"))
        #expect(try town.run("check").status == 78)
    }

    @Test func `reload says clearly when no bot runs, and when what runs does not answer`() throws {
        let town = try CommandTown()
        let none = try town.run("reload")
        #expect(none.status == 1 && none.errors.contains("no bot is running on the state in"))
        try town.run("once")
        #expect(try town.run("reload").status == 1)
    }

    @Test func `a rule that is taken out drops what it had collected, with a line in history`() async throws {
        let rules =
            CommandTown.rules(of: "grade.added") + """
                  - id: evening
                    when: {event: grade.added}
                    digest: {at: "23:59"}
                    message: {title: "{{ grade.subject }}", body: "Am Abend"}
                    send: [hook]

                """
        let town = try CommandTown(rules: rules)
        try town.run("once")
        try town.happen("grade anna MAT 8.5")
        try town.run("once")
        #expect(try await town.store { try await $0.policyMemory()["evening"] } != nil)
        let bot = try running(town)
        try town.write("rules/all.yaml", CommandTown.rules(of: "grade.added"))
        let reload = try town.run("reload")
        #expect(reload.status == 0 && reload.output.contains("no longer there: evening"))
        bot.signal(SIGTERM)
        #expect(bot.wait().status == 0)
        #expect(
            try town.run("history").output.contains("rule evening: the rule is gone: 1 collected notice is dropped")
        )
        #expect(try await town.store { try await $0.policyMemory()["evening"] } == nil)
    }

    @Test func `a file that cannot be read at the start drops nothing that its rules had collected`() async throws {
        let digest = CommandTown.rules(of: "grade.added", "digest: {at: \"23:59\"}")
        let town = try CommandTown(rules: digest)
        try town.run("once")
        try town.happen("grade anna MAT 8.5")
        try town.run("once")
        try town.write("rules/all.yaml", "rules: [\n")
        try town.run("once")
        #expect(try await town.store { try await $0.policyMemory()["told"] } != nil)
        #expect(try !town.run("history").output.contains("the rule is gone"))
    }

    @Test func `a new file with a known id is complained of, and the good rule goes on, over reload and restart`()
        throws
    {
        let town = try CommandTown()
        // At the first start no file had the id before.
        let bot = try running(town)
        let stranger = CommandTown.rules(of: "grade.added").replacingOccurrences(of: "\"Neu\"", with: "\"Fremd\"")
        try town.write("rules/a-new.yaml", stranger)
        let reload = try town.run("reload")
        #expect(reload.status == 78, "\(reload.all)")
        #expect(reload.output.contains("rules/all.yaml: in force, 1 rule"))
        #expect(reload.output.contains("rules/a-new.yaml: has errors; 0 rules in force"))
        #expect(reload.errors.contains("a-new.yaml:3:9: error: the rule id 'told' is used twice"))
        bot.signal(SIGTERM)
        #expect(bot.wait().status == 0)

        let check = try town.run("check")
        #expect(check.status == 78 && check.errors.contains("a-new.yaml:3:9"), "\(check.all)")
        try town.happen("grade anna MAT 8.5")
        let restarted = try town.run("once")
        #expect(restarted.status == 0 && restarted.errors.contains("a-new.yaml:3:9"))
        try town.happen("grade anna ENG 7")
        try town.run("once")
        #expect(!town.received.isEmpty && town.received.allSatisfy { $0.contains("Neu") && !$0.contains("Fremd") })
        // The same from a folder in which the paths read otherwise.
        let elsewhere = try ProgramRun(
            ["check", "--config", "bot.yaml"],
            environment: CommandTown.environment,
            in: town.folder
        )
        #expect(elsewhere.errors.contains("a-new.yaml:3:9"), "\(elsewhere.all)")
    }
}
