import BotCore
import BotPlugins
import BotRules
import Foundation
import Testing
import Values

@testable import pokyh_bot

/// The committed reference and schemas are those of the program, and what they show works.
@Suite struct ReferenceDocumentTests {
    private static let docs = URL(filePath: #filePath).appending(path: "../../../docs").standardizedFileURL

    private func committed(_ path: String) -> String {
        FileManager.default.contents(atPath: Self.docs.appending(path: path).path()).map {
            String(decoding: $0, as: UTF8.self)
        } ?? ""
    }

    @Test(arguments: ReferenceCommand.pages.map(\.name))
    func `the committed reference is what the program prints`(name: String) throws {
        let page = try #require(ReferenceCommand.pages.first { $0.name == name })
        let isSame = committed("reference/\(name).md") == page.text
        #expect(isSame, "docs/reference/\(name).md is older than the program; scripts/document writes it anew")
    }

    @Test func `no page of the reference is left over`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.docs.appending(path: "reference").path())
        #expect(Set(names) == Set(ReferenceCommand.pages.map { "\($0.name).md" }), "scripts/document writes all pages")
    }

    @Test(arguments: ["rules", "bot"])
    func `the committed schema is what the program prints`(file: String) {
        let isSame = committed("schema/\(file).schema.json") == SchemaCommand.generic(file).prettyJSON + "\n"
        #expect(isSame, "docs/schema/\(file).schema.json is older than the program; scripts/document writes it anew")
    }

    // MARK: What is shown works

    /// One source of every provider.
    private static let everything = """
        version: 1
        timezone: Europe/Rome
        schools: {lbs: {server: lbs.example.org, school: lbs}}
        accounts:
          anna: {kind: webuntis, school: lbs, user: anna, password: {secret: A}}
          pokyh: {kind: pokyh, api_key: {secret: A}, user: anna, password: {secret: A}}
        sinks: {terminal: {kind: stdout}}
        sources:

        """
        + BuiltInPlugins.catalogue.providers.map { plugin in
            let accounts = ["webuntis": ", account: anna", "pokyh": ", account: pokyh"]
            let account = plugin.accountKind.flatMap { accounts[$0] } ?? ""
            let required = plugin.settings.filter(\.isRequired).map {
                ", \($0.key): \($0.kind == .url ? "https://a.example" : "a")"
            }
            return "  s-\(plugin.name): {provider: \(plugin.name)\(account)\(required.joined())}\n"
        }.joined()

    private func installation(_ botFile: String) throws -> Installation {
        let file = BotFile.read(
            SourceFile(path: "bot.yaml", bytes: Array(botFile.utf8)),
            catalogue: BuiltInPlugins.catalogue,
            lookUpSecret: { _ in .found(Secret("https://localhost/")) }
        )
        return try #require(file.installation, "\(file.complaints.text)")
    }

    private static func blocks(_ kind: String, of text: String) -> [String] {
        text.split(separator: "```\(kind)\n").dropFirst().compactMap { $0.split(separator: "\n```").first }.map {
            "\($0)\n"
        }
    }

    @Test(arguments: ReferenceCommand.pages.map(\.name))
    func `every rule on the reference pages is right`(name: String) throws {
        let page = try #require(ReferenceCommand.pages.first { $0.name == name })
        if name == "bot-file" {
            for block in Self.blocks("yaml", of: page.text) { _ = try installation(block) }
            return
        }
        let installation = try installation(Self.everything)
        for (number, block) in Self.blocks("yaml", of: page.text).enumerated() {
            let file = SourceFile(path: "\(name), rule \(number + 1)", bytes: Array(block.utf8))
            let set = RuleFiles.load([file], in: installation, previous: nil)
            #expect(set.complaints.isEmpty, "\(set.complaints.map(\.text).joined())")
            let report = RuleTests.run(
                [file],
                in: installation,
                interpret: { _, _, _, _, _ in [] },
                judge: TestCommand.judge
            )
            #expect(report.failed == 0, "\(report.results.flatMap(\.failures).joined(separator: "\n"))")
        }
        if name == "queries" { #expect(Self.blocks("yaml", of: page.text).count > 10) }
    }

    @Test(arguments: ["rules/README.md", "rules/README.en.md"])
    func `every example of the handbook works with the simulated school`(path: String) throws {
        let introduction = SimulatedInstallation.introduction(url: "http://127.0.0.1:8090")
        let start = try #require(introduction.firstRange(of: "version: 1")?.lowerBound)
        let end = try #require(introduction.firstRange(of: "\nIts secrets")?.lowerBound)
        let installation = try installation(String(introduction[start..<end]))
        let text = try String(contentsOf: Self.docs.appending(path: "../\(path)"), encoding: .utf8)
        let examples = Self.blocks("yaml", of: text)
        #expect(examples.count > 6)
        for block in examples {
            let set = RuleFiles.load(
                [SourceFile(path: path, bytes: Array(block.utf8))],
                in: installation,
                previous: nil
            )
            #expect(set.complaints.isEmpty, "\(set.complaints.map(\.text).joined())")
        }
    }

    // MARK: Keys of the bot file

    @Test(
        arguments: [
            ("", "zzz: 1"), ("state", "state: {zzz: 1}"), ("school", "schools: {a: {zzz: 1}}"),
            ("grade_scale", "schools: {a: {server: a, school: a, grade_scale: {zzz: 1}}}"),
            ("family", "families: {a: {zzz: 1}}"), ("host", "hosts: {\"*\": {zzz: 1}}"),
            ("secret", "accounts: {a: {kind: pokyh, api_key: {zzz: 1}}}"),
        ] as [(String, String)]
    )
    func `the schema of the bot file knows the same keys as the reader`(definition: String, text: String) throws {
        let schema = SchemaCommand.generic("bot")
        let object = definition.isEmpty ? schema : schema["definitions"][definition]
        #expect(Set(object["properties"].map?.keys.compactMap(\.string) ?? []) == (try known(in: text)))
    }

    @Test(
        arguments: BuiltInPlugins.catalogue.accounts.map { ("account", "kind", $0.kind) }
            + BuiltInPlugins.catalogue.providers.map { ("source", "provider", $0.name) }
            + BuiltInPlugins.catalogue.sinks.map { ("sink", "kind", $0.kind) }
    )
    func `the schema knows the same keys of every plugin as the reader`(
        definition: String,
        key: String,
        name: String
    ) throws {
        let cases = SchemaCommand.generic("bot")["definitions"][definition]["allOf"].list ?? []
        let own = try #require(cases.first { $0["if"]["properties"][key]["const"].string == name })
        let keys = Set(own["then"]["properties"].map?.keys.compactMap(\.string) ?? [])
        let school = definition == "account" ? ", school: lbs" : ""
        #expect(
            keys
                == (try known(
                    in: "\(definition)s: {a: {\(key): \(name)\(keys.contains("school") ? school : ""), zzz: 1}}"
                ))
        )
    }

    /// The keys that the reader names when it is given one that it does not know.
    private func known(in text: String) throws -> Set<String> {
        let file = BotFile.read(
            SourceFile(path: "bot.yaml", bytes: Array("version: 1\ntimezone: Europe/Rome\n\(text)\n".utf8)),
            catalogue: BuiltInPlugins.catalogue,
            lookUpSecret: { _ in .missing(places: []) }
        )
        let complaint = file.complaints.text.firstMatch(of: /'zzz'[^']*?Known keys: ([^\n]+)/)
        let list = try #require(complaint?.output.1, "\(file.complaints.text)")
        return Set(list.split(separator: ", ").map(String.init))
    }
}
