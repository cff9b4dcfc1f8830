import BotCore
import BotPlugins
import BotRules
import BotState
import Foundation
import Glibc
import Testing
import Values

@testable import pokyh_bot

/// What goes wrong with the settings of notifiers, and must not here.
@Suite struct ConfigurationCaseTests {
    // MARK: YAML

    @Test(arguments: ["NO", "ON", "off", "yes", "y", "010", "1e3"])
    func `CONF-01 a short code without quotes is the text that stands there`(code: String) throws {
        let files = try ConfigurationFiles()
        try files.installation(rules: ConfigurationFiles.rule(match: "{lesson.subject: \(code)}"))
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
        let files = try ConfigurationFiles()
        try files.installation(rules: ConfigurationFiles.rule("on: [cancelled]"))
        let text = try files.complaints()
        #expect(text.contains("all.yaml:8:5: error: unknown key 'on'"), "\(text)")
    }

    @Test(
        arguments: [
            ("9s", "all", "bot.yaml:6:73: error: webuntis.timetable is not polled that often"),
            ("{default: 60m, \"05:30-08:00\": 9s}", "all", "error: webuntis.timetable is not polled that often"),
            ("1m", "all", "bot.yaml:6:73: warning: polled that often, the school's server may block the account"),
            ("{default: 60m, \"05:30-08:00\": 4m}", "all", "may block the account"), ("5m", "all", ""),
            ("1m", "this", ""),
        ]
    )
    func `PROV-26 an interval shorter than allowed is refused, one that servers do not bear is warned of`(
        every: String,
        whose: String,
        said: String
    ) throws {
        let files = try ConfigurationFiles()
        let server = whose == "all" ? "lbs.example.org" : "\"http://127.0.0.1:8080\""
        try files.installation(
            schools: "{lbs: {server: \(server), school: lbs-brixen}}",
            sources: "{lessons: {provider: webuntis.timetable, account: anna, every: \(every)}}"
        )
        let complaints = try files.complaints()
        #expect(said.isEmpty ? complaints.isEmpty : complaints.contains(said), "\(complaints)")
        #expect(said.contains("not polled") == complaints.contains("the shortest interval is 10s"))
    }

    @Test func `PROV-26 unless it is said otherwise a school is asked once an hour`() throws {
        let files = try ConfigurationFiles()
        try files.installation()
        let source = try #require(try files.reading().configuration?.installation.sources.first)
        #expect(source.interval == .minutes(60))
    }

    @Test func `CONF-02 a key or an id that stands twice is an error that names both places`() throws {
        let files = try ConfigurationFiles()
        try files.installation(rules: ConfigurationFiles.rule("send: [told]"))
        let key = try files.complaints()
        #expect(key.contains("all.yaml:8:5") && key.contains("all.yaml:7:5"), "\(key)")
        try files.installation()
        try files.write("rules/more.yaml", ConfigurationFiles.rule())
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
        let files = try ConfigurationFiles()
        try files.installation()
        let windows = ConfigurationFiles.rule().replacingOccurrences(of: "\n", with: "\r\n")
        try files.write("rules/all.yaml", Data([0xEF, 0xBB, 0xBF]) + Data(windows.utf8))
        #expect(try files.complaints().isEmpty)
        #expect(try files.reading().configuration?.rules.ruleCount == 1)
        let spaced = ConfigurationFiles.rule().replacingOccurrences(of: "    match", with: "  \u{A0} match")
        try files.write("rules/all.yaml", spaced)
        let text = try files.complaints()
        #expect(text.contains("all.yaml:5:3: error: ") && text.contains("no-break space"), "\(text)")
        try files.write(
            "rules/all.yaml",
            ConfigurationFiles.rule().replacingOccurrences(of: "    match", with: "\tmatch")
        )
        #expect(try files.complaints().contains("all.yaml:5:1: error: "))
    }

    @Test func `a rule file that several paths lead to is read once`() throws {
        let files = try ConfigurationFiles()
        try files.installation()
        try files.write("rules/extra/more.yaml", ConfigurationFiles.rule().replacingOccurrences(of: "r1", with: "r2"))
        let folder = files.folder.path
        let paths = ["rules/", "rules/extra", "./rules/all.yaml", folder + "/rules//all.yaml", "rules/../rules"]
        let read = try Configuration.readRules(paths, from: folder)
        #expect(read.map(\.path) == ["\(folder)/rules/all.yaml", "\(folder)/rules/extra/more.yaml"])
    }

    @Test func `a slash after the rules' folder changes nothing about which file an id belongs to`() async throws {
        let files = try ConfigurationFiles()
        try files.installation()
        let configuration = try #require(try files.reading().configuration)
        let (folder, state) = (configuration.folder, configuration.stateFolder)
        var installation = configuration.installation
        installation.rulePaths = ["rules/../rules/"]
        let read = try Configuration.readRules(installation.rulePaths, from: folder)
        let homes = RuleFiles.load(read, in: installation).homes
        let store = try await SQLiteStore.open(folder: state, at: Self.now)
        try await RuleHomes(of: installation, from: folder).note(homes, in: store)
        await store.close()
        installation.rulePaths = ["rules"]
        #expect(RuleHomes(of: installation, from: folder).read() == ["r1": "\(folder)/rules/all.yaml"])
    }

    // MARK: Secrets

    @Test
    func
        `CONF-04 a secret is taken as it stands, one line end of its file aside, and check shows how long it is alone`()
        throws
    {
        let files = try ConfigurationFiles()
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
        let files = try ConfigurationFiles()
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
        let files = try ConfigurationFiles()
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
        let files = try ConfigurationFiles()
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
        let files = try ConfigurationFiles()
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
