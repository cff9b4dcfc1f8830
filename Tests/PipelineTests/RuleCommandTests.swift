import BotCore
import Foundation
import Testing
import Values

@testable import pokyh_bot

/// The commands that answer questions about rules, as people run them: the program, an installation and its memory.
@Suite struct RuleCommandTests {
    // MARK: Reports and references

    @Test func `test reports for machines, and says what no test reached`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let tap = try bot.run("test", "--format", "tap")
        #expect(tap.status == 0 && tap.output.hasPrefix("TAP version 13\n1..1\nok 1 - "))
        let junit = try bot.run("test", "--format", "junit", "--coverage")
        #expect(junit.output.hasSuffix("</testsuites>\n"))
        #expect(junit.errors.contains("lunch: nothing was ever told"))
        #expect(try bot.run("test", "--coverage").output.contains("0 of 2 rules reached whole"))
        #expect(try bot.run("test", "--format", "xml").status == 64)
    }

    @Test func `check says for machines where what is wrong`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        #expect(try bot.run("check", "--format", "json").output == "[]\n")
        try bot.write("rules.yaml", QuestionedInstallation.rules.replacing("lesson.state ==", with: "lesson.stat =="))
        let found = try bot.run("check", "--format", "json")
        #expect(found.status == 78)
        let complaint = try #require(try Value(json: Array(found.output.utf8)).list?.first)
        #expect(complaint["line"] == 6 && complaint["severity"] == "error")
        #expect(complaint["file"].string?.hasSuffix("rules.yaml") == true)
        let annotated = try bot.run("check", "--format", "github")
        #expect(annotated.status == 78 && annotated.output.hasPrefix("::error file="))
        #expect(annotated.output.contains("rules.yaml,line=6,col=") && annotated.output.contains("%0A"))

        let roundabout = bot.folder.path + "/../" + bot.folder.lastPathComponent + "/./bot.yaml"
        let direct = try bot.run(["check", "--format", "github", "--config", roundabout])
        #expect(direct.output.hasPrefix("::error file=\(bot.folder.path)/rules.yaml,"))

        try bot.write("bot.yaml", "version: 1\ntimezone: Europe/Rom\n")
        let broken = try bot.run("check", "--format", "github")
        #expect(broken.status == 78 && broken.output.contains("bot.yaml,line=2,"))
    }
}
