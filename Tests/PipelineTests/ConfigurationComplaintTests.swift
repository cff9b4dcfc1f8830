import BotCore
import BotRules
import Foundation
import Glibc
import Testing
import Values

@testable import pokyh_bot

/// Everything that is wrong with an installation is said in one go.
@Suite struct ConfigurationComplaintTests {
    @Test func `a school that cannot be read is complained of, and not its accounts for having none`() throws {
        for mark in ["&s", "!s"] {
            let files = try ConfigurationFiles()
            try files.installation(schools: "{lbs: \(mark) {server: lbs.example.org, school: lbs}}")
            let text = try files.complaints()
            #expect(text.contains("bot.yaml:4:") && !text.contains("bot.yaml:5:"), "\(text)")
        }
    }

    @Test func `an error in the bot file hides none of the rule files, and blames no rule for it`() throws {
        let files = try ConfigurationFiles()
        try files.installation(
            sources:
                "{lessons: {provider: webuntis.timetable, account: anna, look_ahead: soon}, odd: {provider: webuntis.nonsense}}",
            sinks: "{told: {kind: carrier-pigeon}, mail: {kind: email}}",
            rules: ConfigurationFiles.rule("color: red")
        )
        try files.write(
            "rules/more.yaml",
            """
            version: 1
            rules:
              - id: r2
                when: {event: grade.added, source: odd}
                if: grade.value < 6.0
                message: {title: "{{ grade.subject }}"}
                send: [{sink: told, to: [a@example.org]}, mail]
            """
        )
        let text = try files.complaints()
        for words in [
            "look_ahead", "webuntis.nonsense", "carrier-pigeon", "'mail' lacks the key", "unknown key 'color'",
        ] {
            #expect(text.contains(words), "\(words) is missing in \(text)")
        }
        // The condition's own fault is told, although its source is broken.
        #expect(text.contains("more.yaml:5:9: error: 'grade.value' may be missing"), "\(text)")
        #expect(
            !text.contains("there is no event") && !text.contains("there is no sink 'told'")
                && !text.contains("no field")
        )
        let path = files.folder.appending(path: "bot.yaml").path
        let check = try ProgramRun(["check", "--config", path], environment: ["PASSWORD": "x"])
        #expect(check.status == 78 && check.errors.contains("unknown key 'color'"))
        let json = try ProgramRun(["check", "--format", "json", "--config", path], environment: ["PASSWORD": "x"])
        let named = Set(try Value(json: json.output).list?.compactMap { $0["file"].string } ?? [])
        #expect(json.status == 78 && named.count >= 2)
        #expect(
            try ProgramRun(["once", "--config", path], environment: ["PASSWORD": "x"]).errors.contains(
                "unknown key 'color'"
            )
        )
    }

    @Test func `a bot file that is no YAML says that the rules were not read, a missing secret hides nothing`() throws {
        let files = try ConfigurationFiles()
        try files.installation(rules: ConfigurationFiles.rule("color: red"))
        let path = files.folder.appending(path: "bot.yaml").path
        let missing = try ProgramRun(["check", "--config", path])
        #expect(missing.status == 78 && missing.errors.contains("nowhere to be found"))
        #expect(missing.errors.contains("unknown key 'color'"))
        try files.write("bot.yaml", "version: [1\n")
        let broken = try ProgramRun(["check", "--config", path])
        #expect(broken.status == 78 && broken.errors.contains("the rule files are read when the bot file can be read"))
    }

    @Test func `rule files that are no files are one complaint each, and the others are read`() throws {
        let files = try ConfigurationFiles()
        try files.installation()
        let folder = files.folder.appending(path: "rules").path
        #expect(symlink("/nowhere", folder + "/dangling.yaml") == 0)
        #expect(mkfifo(folder + "/pipe.yaml", 0o600) == 0)
        #expect(symlink("loop.yaml", folder + "/loop.yaml") == 0)
        let text = try files.complaints()
        #expect(text.contains("dangling.yaml:1:1: error: this cannot be read: it is a link to nothing"), "\(text)")
        #expect(text.contains("pipe.yaml:1:1: error: this cannot be read: it is no file"))
        #expect(text.contains("loop.yaml:1:1: error: this cannot be read: "))
        #expect(try files.reading().configuration?.rules.book.ids == ["r1"])
    }
}
