import BotCore
import BotRules
import Foundation
import PokyhProvider
import Testing
import Values
import WebUntisProvider

/// The rule files that come with the bot, on the sources of the real providers.
@Suite struct ShippedRulesTests {
    static let folder = URL(filePath: #filePath).appending(path: "../../../rules").standardizedFileURL

    static let files: [SourceFile] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted().compactMap { name in
            FileManager.default.contents(atPath: folder.appending(path: name).path()).map {
                SourceFile(path: "rules/\(name)", bytes: Array($0))
            }
        }
    }()

    static let installation: Installation = {
        func source(_ name: String, _ plugin: ProviderPlugin, account: String?) -> SourceEntry {
            // As the example of a bot file has it.
            let settings = Settings(name: name, values: account == "rossi" ? ["student": "Anna"] : ValueMap())
            var source = TestSchool.source(
                name,
                plugin.schema(settings),
                account: account,
                school: account == "rossi" ? TestSchool.school : nil
            )
            source.settings = settings
            return source
        }
        var installation = TestSchool.installation()
        installation.sources = [
            source("timetable-3a", WebUntisPlugins.timetable, account: "rossi"),
            source("anna-grades", WebUntisPlugins.grades, account: "rossi"),
            source("anna-messages", WebUntisPlugins.messages, account: "rossi"),
            source("mensa", PokyhPlugins.mensa, account: nil),
            source("class-reminders", PokyhPlugins.reminders, account: "pokyh"),
        ]
        installation.sinks = installation.sinks.map { sink in
            sink.name == "mail-admin" ? TestSchool.sink("mail-admin", takesRecipients: true) : sink
        }
        return installation
    }()

    static func run(_ files: [SourceFile]) -> TestReport {
        RuleTests.run(files, in: installation, interpret: { _, _, _, _, _ in [] }, judge: TestSchool.judge)
    }

    @Test func `every shipped file is without a complaint`() {
        #expect(Self.files.count == 6)
        let set = RuleFiles.load(Self.files, in: Self.installation)
        #expect(set.complaints.isEmpty, "\(set.complaints.map(\.text).joined())")
        #expect(set.ruleCount >= 10)
    }

    @Test func `the tests of every shipped file pass`() {
        let report = Self.run(Self.files)
        #expect(report.failed == 0, "\(report.results.flatMap(\.failures).joined(separator: "\n"))")
        #expect(Set(report.results.map(\.file)).count == Self.files.count)
    }

    @Test func `every text is there in all three languages`() {
        for file in Self.files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            let messages = text.split(separator: "message:\n").count - 1
            for locale in ["de", "it", "en"] {
                #expect(text.split(separator: "\n      \(locale):").count - 1 == messages, "\(file.path) \(locale)")
            }
        }
    }
}
