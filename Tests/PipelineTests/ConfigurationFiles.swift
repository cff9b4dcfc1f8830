import BotRules
import Foundation
import Values

@testable import pokyh_bot

/// An installation's files in a folder of their own.
final class ConfigurationFiles {
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
        rules: String = ConfigurationFiles.rule()
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

    /// A rule file with one rule, and these lines more in it.
    static func rule(_ lines: String..., match: String = "{lesson.subject: MAT}") -> String {
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
}
