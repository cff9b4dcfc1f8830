import BotCore
import BotPlugins
import BotRules
import Foundation
import Glibc
import Testing
import Values

@testable import pokyh_bot

/// What goes wrong with the settings of notifiers, and must not here.
@Suite struct ConfigurationCaseTests {
    /// An installation's files in a folder of their own.
    private final class Files {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pokyh-bot-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: folder) }

        func write(_ name: String, _ bytes: Data) throws {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try bytes.write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }

        func write(_ name: String, _ text: String) throws { try write(name, Data(text.utf8)) }

        /// A bot file with these sections in place of the usual ones, and a rule file.
        func installation(
            schools: String = "{lbs: {server: lbs.example.org, school: lbs-brixen}}",
            sources: String = "{lessons: {provider: webuntis.timetable, account: anna}}",
            sinks: String = "{told: {kind: stdout}}",
            rules: String = rule()
        ) throws {
            try write(
                "bot.yaml",
                """
                version: 1
                timezone: Europe/Rome
                rules: rules
                schools: \(schools)
                accounts: {anna: {kind: webuntis, school: lbs, user: anna, password: {secret: PASSWORD}}}
                sources: \(sources)
                sinks: \(sinks)
                """
            )
            try write("rules/all.yaml", rules)
        }

        func reading() throws -> ConfigurationReading {
            let world = World(environment: ["PASSWORD": "123456789:" + String(repeating: "Ab", count: 18)])
            return try ConfigurationReading(folder.appending(path: "bot.yaml").path, in: world, secrets: .real)
        }

        /// Everything that is wrong, as `check` shows it.
        func complaints() throws -> String {
            try reading().complaints.filter { !$0.complaints.isEmpty }.map(\.text).joined(separator: "\n")
        }
    }

    private static func rule(_ lines: String..., match: String = "{lesson.subject: MAT}") -> String {
        """
        version: 1
        rules:
          - id: r1
            when: {event: lesson.cancelled}
            match: \(match)
            message: {title: "{{ lesson.subject }}"}
            send: [told]
        \(lines.map { "    " + $0 }.joined(separator: "\n"))

        """
    }

    // MARK: YAML

    @Test(arguments: ["NO", "ON", "off", "yes", "y", "010", "1e3"])
    func `CONF-01 a short code without quotes is the text that stands there`(code: String) throws {
        let files = try Files()
        try files.installation(rules: Self.rule(match: "{lesson.subject: \(code)}"))
        let reading = try files.reading()
        #expect(try files.complaints().isEmpty)
        let book = try #require(reading.configuration?.rules.book)
        let matching = book.decide(on: [event(subject: code)], in: RuleContext(now: Self.now))
        #expect(matching.messages.map(\.title.plain) == [code])
        let other = book.decide(on: [event(subject: "false")], in: RuleContext(now: Self.now))
        #expect(other.messages.isEmpty)
    }

    @Test
    func `CONF-01 a key that is no key of the language is refused with its line, also one that looks like a flag`()
        throws
    {
        let files = try Files()
        try files.installation(rules: Self.rule("on: [cancelled]"))
        let text = try files.complaints()
        #expect(text.contains("all.yaml:8:5: error: unknown key 'on'"), "\(text)")
    }

    @Test func `CONF-02 a key or an id that stands twice is an error that names both places`() throws {
        let files = try Files()
        try files.installation(rules: Self.rule("send: [told]"))
        let key = try files.complaints()
        #expect(key.contains("all.yaml:8:5") && key.contains("all.yaml:7:5"), "\(key)")
        try files.installation()
        try files.write("rules/more.yaml", Self.rule())
        let id = try files.complaints()
        #expect(
            id.contains("more.yaml:3:9: error: the rule id 'r1' is used twice") && id.contains("all.yaml:3:9"),
            "\(id)"
        )
    }

    @Test
    func
        `CONF-08 a byte order mark and line ends of Windows are read over, a no-break space is an error with its place`()
        throws
    {
        let files = try Files()
        try files.installation()
        let windows = Self.rule().replacingOccurrences(of: "\n", with: "\r\n")
        try files.write("rules/all.yaml", Data([0xEF, 0xBB, 0xBF]) + Data(windows.utf8))
        #expect(try files.complaints().isEmpty)
        #expect(try files.reading().configuration?.rules.ruleCount == 1)
        let spaced = Self.rule().replacingOccurrences(of: "    match", with: "  \u{A0} match")
        try files.write("rules/all.yaml", spaced)
        let text = try files.complaints()
        #expect(text.contains("all.yaml:5:3: error: ") && text.contains("no-break space"), "\(text)")
        try files.write("rules/all.yaml", Self.rule().replacingOccurrences(of: "    match", with: "\tmatch"))
        #expect(try files.complaints().contains("all.yaml:5:1: error: "))
    }

    // MARK: Secrets

    @Test
    func
        `CONF-04 a secret is taken as it stands, one line end of its file aside, and check shows how long it is alone`()
        throws
    {
        let files = try Files()
        let odd = "ab$C#d%e&f:g\"h\\\\i "
        try files.write("secrets/FILED", odd + "\n")
        let lookup = SecretLookup(environment: ["PLAIN": "a$$b${HOME}"], botFolder: files.folder.path)
        guard case .found(let filed) = lookup.find("FILED"), case .found(let plain) = lookup.find("PLAIN") else {
            Issue.record("a secret was not found")
            return
        }
        #expect(filed.reveal() == odd && plain.reveal() == "a$$b${HOME}")
        try files.installation()
        let config = files.folder.appending(path: "bot.yaml").path
        let check = try ProgramRun(["check", "--config", config], environment: ["PASSWORD": odd])
        #expect(check.status == 0 && check.output.contains("secret PASSWORD: \(odd.count) characters"))
        #expect(!check.all.contains("ab$C"))
    }

    // MARK: Schools

    @Test(
        arguments: [
            ("{lbs: {server: \"https://tipo.webuntis.example/WebUntis/?school=afs+engen#/basic/login\"}}", ""),
            ("{lbs: {server: \"https://tipo.webuntis.example/WebUntis/?school=afs+engen\", school: afs engen}}", ""),
            (
                "{lbs: {server: \"https://tipo.webuntis.example/?school=afs+engen\", school: other}}",
                "the address in 'server:' is that of the school 'afs engen'"
            ),
            ("{lbs: {server: tipo.webuntis.example}}", "'lbs' lacks the key 'school'"),
            ("{lbs: {server: \"my school\", school: x}}", "'my school' is not the address of a WebUntis server"),
            ("{lbs: {server: \"http://tipo.webuntis.example\", school: x}}", "must begin with https://"),
            ("{lbs: {server: tipo.webuntis.example, school: \" \"}}", "school"),
        ]
    )
    func
        `CONF-07 the address of the login page is taken as it is, and what cannot be one is complained of at the school`(
            schools: String,
            complaint: String
        ) throws
    {
        let files = try Files()
        try files.installation(schools: schools)
        let text = try files.complaints()
        if complaint.isEmpty {
            #expect(text.isEmpty, "\(text)")
        } else {
            #expect(text.contains(complaint) && text.contains("bot.yaml:4:"), "\(text)")
        }
    }

    @Test func `a wrong school is complained of once, however many accounts it has, and an unknown one at the account`()
        throws
    {
        let files = try Files()
        try files.installation(schools: "{lbs: {server: \"a b\", school: x}}")
        var text = try String(contentsOf: files.folder.appending(path: "bot.yaml"), encoding: .utf8)
        text = text.replacingOccurrences(
            of: "accounts: {anna",
            with: "accounts: {luca: {kind: webuntis, school: lbz, user: luca, password: {secret: PASSWORD}}, anna"
        )
        text = text.replacingOccurrences(
            of: ", anna",
            with: ", paul: {kind: webuntis, school: lbs, user: p, password: {secret: PASSWORD}}, anna"
        )
        try files.write("bot.yaml", text)
        let complaints = try files.complaints()
        #expect(complaints.components(separatedBy: "is not the address").count == 2, "\(complaints)")
        #expect(complaints.contains("there is no school 'lbz'") && complaints.contains("did you mean 'lbs'?"))
    }

    // MARK: All in one go

    @Test func `an error in the bot file hides none of the rule files, and blames no rule for it`() throws {
        let files = try Files()
        try files.installation(
            sources:
                "{lessons: {provider: webuntis.timetable, account: anna, look_ahead: soon}, odd: {provider: webuntis.nonsense}}",
            sinks: "{told: {kind: carrier-pigeon}, mail: {kind: email}}",
            rules: Self.rule("color: red")
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
        #expect(text.contains("more.yaml:5") == text.contains("grade.value"), "\(text)")
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
        let files = try Files()
        try files.installation(rules: Self.rule("color: red"))
        let path = files.folder.appending(path: "bot.yaml").path
        let missing = try ProgramRun(["check", "--config", path])
        #expect(missing.status == 78 && missing.errors.contains("nowhere to be found"))
        #expect(missing.errors.contains("unknown key 'color'"))
        try files.write("bot.yaml", "version: [1\n")
        let broken = try ProgramRun(["check", "--config", path])
        #expect(broken.status == 78 && broken.errors.contains("the rule files are read when the bot file can be read"))
    }

    @Test func `rule files that are no files are one complaint each, and the others are read`() throws {
        let files = try Files()
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

    // MARK: Which file

    @Test func `CONF-09 the start names the file it uses, needs no HOME, and says where another could have been meant`()
        throws
    {
        let town = try CommandTown()
        let bot = try BotProcess(["run", "--config", town.config], environment: CommandTown.environment)
        let line = try #require(bot.line(with: "started"))
        #expect(line.contains(town.config) && line.contains("state in \(town.state)"))
        bot.signal(SIGTERM)
        bot.wait()
        let files = try Files()
        try files.write("a.yaml", "")
        try files.write("b.yaml", "")
        let both = ["a.yaml", "b.yaml"].map { files.folder.appending(path: $0).path }
        let none = try Arguments([], options: [CommandList.config])
        let notice = try #require(Configuration.choiceNotice(none, standard: both))
        #expect(notice.contains(both[0] + " is used") && notice.contains(both[1]))
        #expect(Configuration.choiceNotice(none, standard: [both[0], "/nowhere"]) == nil)
        let named = try Arguments(["--config", both[1]], options: [CommandList.config])
        #expect(Configuration.choiceNotice(named, standard: both) == nil)
        let lost = try ProgramRun(["check"], in: files.folder)
        if !FileManager.default.fileExists(atPath: Configuration.standardPaths[1]) {
            #expect(lost.status == 78 && lost.errors.contains("there is no bot file"))
        }
    }

    @Test func `CONF-10 what a plugin does not call required can be left out`() throws {
        let catalogue = BuiltInPlugins.catalogue
        var sinks: [String] = []
        for plugin in catalogue.sinks {
            // Of a token and a password a room needs one, as its documentation says.
            let either = plugin.kind == "matrix" ? ["token: {secret: PASSWORD}"] : []
            let pairs = either + plugin.settings.filter(\.isRequired).map { "\($0.key): \(Self.example(of: $0))" }
            sinks.append("\(plugin.kind): {\((["kind: \(plugin.kind)"] + pairs).joined(separator: ", "))}")
        }
        var sources: [String] = []
        for plugin in catalogue.providers where plugin.accountKind == nil || plugin.accountKind == "webuntis" {
            let account = plugin.accountKind.map { _ in ["account: anna"] } ?? []
            let pairs = plugin.settings.filter(\.isRequired).map { "\($0.key): \(Self.example(of: $0))" }
            sources.append(
                "\(plugin.name): {\((["provider: \(plugin.name)"] + account + pairs).joined(separator: ", "))}"
            )
        }
        let files = try Files()
        try files.installation(
            sources: "{\(sources.joined(separator: ", "))}",
            sinks: "{told: {kind: stdout}, \(sinks.joined(separator: ", "))}"
        )
        let complaints = try files.complaints()
        #expect(complaints.isEmpty, "\(complaints)")
    }

    private static func example(of setting: SettingDeclaration) -> String {
        switch setting.key {
        case "room": "\"#3a:example.org\""
        case "chat": "\"-1001234\""
        case "smtp": "smtps://mail.example.org"
        default: example(of: setting.kind)
        }
    }

    private static func example(of kind: SettingDeclaration.Kind) -> String {
        switch kind {
        case .secret: "{secret: PASSWORD}"
        case .url: "\"https://example.org/x\""
        case .mailAddress: "a@example.org"
        case .flag: "true"
        case .integer(let range): String(range.lowerBound)
        case .number: "1"
        case .duration: "1h"
        case .choice(let words): words[0]
        case .list(let element): "[\(example(of: element))]"
        case .map(let element): "{a: \(example(of: element))}"
        case .text, .any: "id"
        }
    }

    @Test func `CONF-10 the example of the bot file and each shipped rule are right as they stand`() throws {
        #expect(try QuestionedConfiguration.load().complaintTexts == [])
    }

    // MARK: Events

    private static let now = Timestamp(seconds: 1_796_014_800)

    private func event(subject: String) -> Event {
        let record = Record(
            key: "k",
            type: "lesson",
            fields: ["subject": .string(subject), "end": .timestamp(Self.now + .days(1))]
        )
        return Event(
            id: "e",
            worldID: "e",
            kind: "lesson.cancelled",
            at: Self.now,
            source: "lessons",
            account: "anna",
            student: .nobody,
            record: record,
            old: nil,
            changes: [],
            revision: 1
        )
    }
}
