import BotCore
import BotPlugins
import BotRules
import Foundation
import Testing
import Values

@testable import pokyh_bot

/// What people are told in files is what the program does.
@Suite struct DocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: Self.root.appending(path: name)), as: UTF8.self)
    }

    private func exampleConfiguration() throws -> Configuration {
        let path = Self.root.appending(path: "Config/bot.example.yaml").path
        return try Configuration.load(path, in: World(environment: [:]), secrets: .standIns)
    }

    @Test func `the example of a bot file is right, and so are all shipped rules with it`() throws {
        let configuration = try exampleConfiguration()
        #expect(configuration.complaintTexts == [])
        #expect(configuration.rules.inactive == [] && configuration.rules.ruleCount > 5)
    }

    @Test func `the tests in the shipped rules pass`() async throws {
        let code = try await TestCommand.run(
            try Arguments(
                ["--config", Self.root.appending(path: "Config/bot.example.yaml").path],
                options: [CommandList.config]
            ),
            World(environment: [:])
        )
        #expect(code == .fine)
    }

    @Test func `every rule file that is shipped is built into the program, as it is`() throws {
        let folder = Self.root.appending(path: "rules")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
        #expect(ShippedRules.files.map(\.name).sorted() == names.sorted())
        for file in ShippedRules.files {
            #expect(Array(try Data(contentsOf: folder.appending(path: file.name))) == file.bytes)
        }
    }

    @Test func `the example of a bot file names every key that a plugin or the bot reads`() throws {
        let example = try text("Config/bot.example.yaml")
        let words = Set(example.split { !($0.isLetter || $0.isNumber || "_.".contains($0)) }.map(String.init))
        let catalogue = BuiltInPlugins.catalogue
        let plugins =
            catalogue.accounts.map { ($0.kind, $0.settings) } + catalogue.providers.map { ($0.name, $0.settings) }
            + catalogue.sinks.map { ($0.kind, $0.settings) }
        for (plugin, settings) in plugins {
            #expect(words.contains(plugin), "\(plugin) is not in the example")
            for setting in settings {
                #expect(words.contains(setting.key), "the key \(setting.key) of \(plugin) is not in the example")
            }
        }
    }

    @Test func `names of plugins are unique`() {
        let catalogue = BuiltInPlugins.catalogue
        for names in [catalogue.accounts.map(\.kind), catalogue.providers.map(\.name), catalogue.sinks.map(\.kind)] {
            #expect(Set(names).count == names.count)
        }
    }

    @Test(
        arguments: [
            "README.md", "CONTRIBUTING.md", "rules/README.md", "rules/README.en.md", "docs/README.md",
            "Config/pokyh-bot.service",
        ]
    )
    func `every command and script that a document names exists`(name: String) throws {
        let document = try text(name)
        let commands = Set(CommandList.all.map(\.name))
        // After the program's name in the middle of a sentence a verb follows, not a command.
        let verbs: Set = ["polls", "is", "says"]
        let named = document.split(separator: "\n").flatMap { line in
            line.matches(of: /(?:pokyh-bot|^    bot) ([a-z]+)/).map { String($0.output.1) }
        }
        for command in named where !verbs.contains(command) {
            #expect(commands.contains(command), "\(name) names the command '\(command)'")
        }
        for match in document.matches(of: /scripts\/[a-z-]+/).map({ String($0.output) }) {
            #expect(
                FileManager.default.fileExists(atPath: Self.root.appending(path: match).path),
                "\(name) names \(match)"
            )
        }
    }

    @Test func `the README has a row for every command, and for nothing else`() throws {
        let rows = try text("README.md").matches(of: /\n\| `pokyh-bot ([a-z]+)[^|]*\|/).map { String($0.output.1) }
        #expect(Set(rows).sorted() == CommandList.all.map(\.name).sorted())
    }

    @Test(arguments: ["README.md", "docs/README.md", "rules/README.md", "rules/README.en.md"])
    func `every file that a document links to is there`(name: String) throws {
        let folder = Self.root.appending(path: name).deletingLastPathComponent()
        for match in try text(name).matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
            let path = folder.appending(path: String(match.output.1)).standardizedFileURL.path()
            #expect(FileManager.default.fileExists(atPath: path), "\(name) links to \(match.output.1)")
        }
    }

    @Test func `the help names every command with its exit statuses`() {
        for command in CommandList.all {
            #expect(HelpCommand.overview.contains("  " + command.name))
            #expect(HelpCommand.text(of: command).contains("78  the bot file"))
        }
    }
}
