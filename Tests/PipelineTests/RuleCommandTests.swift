import BotCore
import Foundation
import Testing
import Values

@testable import pokyh_bot

/// The commands that answer questions about rules, as people run them: the program, an installation and its memory.
@Suite struct RuleCommandTests {
    // MARK: Time

    @Test func `next lists the coming times of a rule, as many as are wanted`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let all = try bot.run("next", "lunch", "-n", "3")
        #expect(all.status == 0)
        let lines = all.output.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains(" 10:30") && $0.hasSuffix("  lunch") })
        #expect(lines == lines.sorted())

        let events = try bot.run("next", "cancelled")
        #expect(events.status == 0 && events.output.contains("nothing is scheduled: 'cancelled' fires on lesson"))
        let wrong = try bot.run("next", "lunhc")
        #expect(wrong.status == 64 && wrong.errors.contains("did you mean 'lunch'?"))
    }

    // MARK: Why

    @Test func `explain says of an event what decided in each rule, and what came of it`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let told = try bot.run("explain", String(QuestionedInstallation.told.prefix(8)))
        #expect(told.status == 0)
        for text in [
            "state: normal → cancelled", "cancelled: matches", "if: true",
            "not asked about lesson.cancelled, or off: lunch", "told through told",
            "delivery-\(QuestionedInstallation.told) queued by cancelled through told",
        ] { #expect(told.output.contains(text), "\(text) is missing in \(told.output)") }

        let other = try bot.run("explain", QuestionedInstallation.other)
        #expect(other.output.contains("match lesson.subject: DEU, wanted MAT"))
        #expect(other.output.contains("deliveries: none"))
    }

    @Test func `explain says of a delivery how it went, and of which event it told`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let delivery = try bot.run("explain", "delivery-" + QuestionedInstallation.told)
        #expect(delivery.status == 0)
        for text in [
            "Entfällt: MAT", "queued by cancelled through told", QuestionedInstallation.told, "cancelled: matches now",
        ] {
            #expect(delivery.output.contains(text), "\(text) is missing in \(delivery.output)")
        }
    }

    @Test func `explain says of a rule what it made of the latest events, and when it comes next`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let rule = try bot.run("explain", "cancelled")
        #expect(rule.status == 0)
        #expect(
            rule.output.contains(QuestionedInstallation.told)
                && rule.output.contains("journal: told: told through told")
        )
        #expect(rule.output.contains("does not match: match lesson.subject: DEU, wanted MAT"))
        #expect(try bot.run("explain", "lunch").output.contains("comes next"))
        let wrong = try bot.run("explain", "cancelledd")
        #expect(wrong.status == 64 && wrong.errors.contains("did you mean 'cancelled'?"))
    }

    @Test func `replay shows what edited rules tell more and less, and sends nothing`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let day = Zone.utc.date(at: bot.now - .days(2)).description
        let plain = try bot.run("replay", "--since", day)
        #expect(plain.output.contains("cancelled through told: Entfällt: MAT"))
        #expect(plain.output.contains("2 events: 1 message"))

        try bot.write(
            "edited.yaml",
            QuestionedInstallation.rules.replacing("lesson.subject: MAT", with: "lesson.subject: DEU")
        )
        let edited = bot.folder.appending(path: "edited.yaml").path
        let compared = try bot.run("replay", "--since", day, "--rules", edited)
        let marks = compared.output.split(separator: "\n").map { "\($0.prefix(1))\($0.suffix(3))" }
        #expect(marks.contains("+DEU") && marks.contains("-MAT"))
        #expect(compared.output.contains("1 message more, 1 less, 0 as before"))

        #expect(try bot.run("replay", "--since", "tomorrow").status == 64)
        try bot.write("edited.yaml", "version: 1\nrules: [{id: broken}]\n")
        #expect(try bot.run("replay", "--rules", edited).status == 78)
    }

    @Test func `a recorded event makes a test that passes, and names nobody where that is asked`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let recorded = try bot.run("record", QuestionedInstallation.told)
        #expect(recorded.status == 0 && recorded.output.contains("Muster Anna") && recorded.errors.isEmpty)
        #expect(recorded.output.contains("{rule: cancelled, sink: \"told\", title: \"Entfällt: MAT\"}"))
        let silent = try bot.run("record", QuestionedInstallation.other, "--anonymous")
        #expect(silent.output.contains("expect: []") && !silent.output.contains("Anna"))

        try bot.write("rules.yaml", QuestionedInstallation.rules + recorded.output + silent.output)
        let tested = try bot.run("test")
        #expect(tested.status == 0 && tested.output.contains("3 passed, 0 failed"), "\(tested)")
        #expect(try bot.run("record", "cccccccc").status == 64)
    }

    @Test func `preview shows what a rule sends about an event, or why it sends nothing`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let shown = try bot.run("preview", "cancelled", "--event", QuestionedInstallation.told)
        #expect(shown.status == 0 && shown.output.contains("── told"))
        #expect(shown.output.contains("Entfällt: MAT") && shown.output.contains("Muster Anna hat frei."))
        #expect(shown.output.contains("ansi:"))
        let nothing = try bot.run("preview", "cancelled", "--event", QuestionedInstallation.other)
        #expect(nothing.status == 1 && nothing.output.contains("match lesson.subject: DEU, wanted MAT"))
        #expect(
            try bot.run("preview", "cancelled", "--event", QuestionedInstallation.told, "--sink", "tolb").status == 64
        )
    }

    @Test func `preview takes an event from a file, a rule's next time, or the latest event it tells of`() async throws
    {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        try bot.write("event.yaml", "{event: lesson.cancelled, student: Mia, lesson: {subject: MAT, state: cancelled}}")
        try bot.write(
            "event.json",
            #"{"event": "lesson.cancelled", "lesson": {"subject": "DEU", "state": "cancelled"}}"#
        )
        try bot.write("wrong.yaml", "{event: lesson.cancelled, lesson: {subjekt: MAT}}")
        let path = { (name: String) in bot.folder.appending(path: name).path }
        let shown = try bot.run("preview", "cancelled", "--event", path("event.yaml"))
        #expect(shown.status == 0 && shown.output.contains("Mia hat frei.") && shown.output.contains("ansi:"))
        let nothing = try bot.run("preview", "cancelled", "--event", path("event.json"))
        #expect(nothing.status == 1 && nothing.output.contains("DEU"))
        let wrong = try bot.run("preview", "cancelled", "--event", path("wrong.yaml"))
        #expect(wrong.status == 78 && wrong.errors.contains("did you mean 'lesson.subject'?"))
        #expect(try bot.run("preview", "cancelled", "--event", path("none.yaml")).status == 78)
        let latest = try bot.run("preview", "cancelled")
        #expect(latest.status == 0 && latest.output.contains("Muster Anna hat frei."))
        let lunch = try bot.run("preview", "lunch")
        #expect(lunch.status == 0 && lunch.output.contains("Mahlzeit"))
        bot.forgetEverything()
        #expect(try bot.run("preview", "cancelled", "--event", path("event.yaml")).status == 0)
    }

    @Test func `a silence keeps a rule quiet until it is removed`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        #expect(try bot.run("silence", "list").output.contains("nothing is silenced"))
        let added = try bot.run(
            "silence",
            "add",
            "--rule",
            "cancelled",
            "--match",
            "lesson.subject=MAT",
            "--match",
            "student.name=Muster Anna",
            "--for",
            "3d",
            "--comment",
            "Anna is ill"
        )
        #expect(added.status == 0, "\(added.errors)")
        let listed = try bot.run("silence", "list").output
        #expect(
            listed.contains("1  rule cancelled lesson.subject=MAT student.name=Muster Anna until")
                && listed.contains("Anna is ill")
        )
        try await bot.happen("dddddddd", subject: "MAT", at: LiveClock().now)
        #expect(try bot.run("explain", "dddddddd").output.contains("silenced by 1 (Anna is ill)"))

        #expect(try bot.run("silence", "remove", "2").status == 64)
        #expect(try bot.run("silence", "remove", "1").status == 0)
        #expect(!(try bot.run("explain", "dddddddd").output.contains("silenced")))
    }

    @Test func `a silence that fits nothing that ever happened says so`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        try await bot.happen("dddddddd", subject: "MAT", at: LiveClock().now)
        let wrong = try bot.run("silence", "add", "--match", "student=Anna", "--for", "3d")
        #expect(wrong.status == 0 && wrong.errors.contains("no recorded event fits it"), "\(wrong.errors)")
        let right = try bot.run("silence", "add", "--match", "student=Muster Anna", "--for", "3d")
        #expect(right.status == 0 && right.errors == "", "\(right.errors)")
    }

    @Test func `the list of commands fits a terminal`() {
        let longest = HelpCommand.overview.split(separator: "\n").map(\.count).max() ?? 0
        #expect(longest <= 100)
    }

    @Test(arguments: [
        ["--for", "3"], ["--for", "0s"], [], ["--for", "3d", "--match", "lesson.subjet=MAT"],
        ["--for", "3d", "--match", "MAT"], ["--for", "3d", "--rule", "canceled"],
    ])
    func `a silence that would not do what is meant is refused`(words: [String]) async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let options = SilenceCommand.command.options
        let arguments = try Arguments(["add", "--config", bot.config] + words, options: options)
        do throws(CommandFailure) {
            _ = try await SilenceCommand.run(arguments, World(environment: [:]))
            Issue.record("\(words) was taken")
        } catch {
            #expect(error.code == .usage)
        }
        #expect(try bot.run("silence", "list").output.contains("nothing is silenced"))
    }

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

    @Test func `schema, reference and plugins name what this build and this installation have`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let schema = try Value(json: Array(try bot.run("schema").output.utf8))
        #expect(schema["$schema"] == "http://json-schema.org/draft-07/schema#")
        #expect(schema.json.contains("\"lessons\"") && schema.json.contains("\"told\""))
        let reference = try bot.run("reference").output
        #expect(reference.contains("| `lesson.cancelled` | `lesson` |") && reference.contains("## pokyh.mensa"))
        let plugins = try bot.run("plugins").output
        for text in ["account kind webuntis: ", "source webuntis.timetable: ", "sink kind email: ", "required"] {
            #expect(plugins.contains(text))
        }
        #expect(plugins.contains("polled every 1h unless") && plugins.contains("standard: 14d"))
        let one = try bot.run("plugins", "stdout")
        #expect(one.status == 0 && one.output.contains("prefix (text)") && !one.output.contains("email"))
        #expect(try bot.run("plugins", "stdot").errors.contains("did you mean 'stdout'?"))
    }

    @Test func `bash completes commands and options`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        try bot.write("completions", try bot.run("completions", "bash").output)
        let script = """
            source "$1"
            COMP_WORDS=(pokyh-bot expl) COMP_CWORD=1; _pokyh_bot; echo "${COMPREPLY[*]}"
            COMP_WORDS=(pokyh-bot silence --ma) COMP_CWORD=2; _pokyh_bot; echo "${COMPREPLY[*]}"
            COMP_WORDS=(pokyh-bot plugins --co) COMP_CWORD=2; _pokyh_bot; echo "${COMPREPLY[*]}"
            """
        let bash = Process()
        bash.executableURL = URL(filePath: "/bin/bash")
        bash.arguments = ["-c", script, "bash", bot.folder.appending(path: "completions").path]
        let output = Pipe()
        bash.standardOutput = output
        try bash.run()
        let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        bash.waitUntilExit()
        #expect(words == "explain\n--match\n--config\n")
    }

    @Test(arguments: ["zsh", "fish"])
    func `completions of a shell name every command and option`(shell: String) async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        let script = try bot.run("completions", shell).output
        for command in CommandList.all {
            #expect(script.contains(command.name))
            for option in command.options { #expect(script.contains(option.name.dropFirst(2))) }
        }
        #expect(try bot.run("completions", "tcsh").status == 64)
    }
}
