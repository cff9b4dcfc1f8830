import BotCore
import BotState
import Foundation
import Values

@testable import pokyh_bot

/// An installation in a folder of its own, with two lessons cancelled an hour ago, one of them told.
struct QuestionedInstallation {
    let folder: URL
    let now = LiveClock().now
    var config: String { folder.appending(path: "bot.yaml").path }

    static let told = "aaaaaaaa1111"
    static let other = "bbbbbbbb2222"

    static let rules = """
        version: 1
        rules:
          - id: cancelled
            when: {event: lesson.cancelled}
            match: {lesson.subject: MAT}
            if: lesson.state == "cancelled"
            message: {title: "Entfällt: {{ lesson.subject }}", body: "**{{ student.name }}** hat frei."}
            send: [told]
          - id: lunch
            when: {at: "10:30", days: [mon-fri]}
            message: {title: "Mahlzeit"}
            send: [told]
        tests:
          - name: mathematics
            now: 2026-11-30T07:00
            events:
              - {event: lesson.cancelled, lesson: {subject: MAT, state: cancelled}}
            expect:
              - {rule: cancelled, sink: told, title: "Entfällt: MAT"}

        """

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pokyh-bot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let botFile = """
            version: 1
            timezone: Europe/Rome
            rules: rules.yaml
            schools: {lbs: {server: lbs.example.org, school: lbs-brixen}}
            accounts: {anna: {kind: webuntis, school: lbs, user: anna, password: {secret: PASSWORD}}}
            sources: {lessons: {provider: webuntis.timetable, account: anna}}
            sinks: {told: {kind: stdout}}
            """
        try write("bot.yaml", botFile)
        try write("rules.yaml", Self.rules)
        try await happen(Self.told, subject: "MAT", at: now - .hours(1), isTold: true)
        try await happen(Self.other, subject: "DEU", at: now - .hours(1))
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// Puts a cancelled lesson of tomorrow into the memory.
    func happen(_ id: String, subject: Value, at instant: Timestamp, isTold: Bool = false) async throws {
        let start = instant + .days(1)
        let record = Record(
            key: "4711/\(id)",
            type: "lesson",
            fields: [
                "subject": subject, "state": "cancelled", "date": .string(Zone.utc.date(at: start).description),
                "start": .timestamp(start), "end": .timestamp(start + .minutes(50)),
            ]
        )
        let event = Event(
            id: id,
            worldID: "world-" + id,
            kind: "lesson.cancelled",
            at: instant,
            source: "lessons",
            account: "anna",
            student: Student(id: "4711", name: "Muster Anna"),
            record: record,
            old: nil,
            changes: [FieldChange(field: "state", old: "normal", new: "cancelled")],
            revision: 1
        )
        var commit = Commit(at: instant)
        commit.events = [event]
        if isTold {
            let payload = Payload(
                id: "delivery-" + id,
                message: "message-" + id,
                rule: "cancelled",
                sink: "told",
                recipient: "",
                orderKey: "lessons/\(record.key)",
                createdAt: instant,
                text: "Entfällt: MAT\n\nMuster Anna hat frei.",
                content: .null
            )
            commit.payloads = [OutgoingPayload(payload)]
            commit.notes = [RuleNote(rule: "cancelled", about: id, outcome: .told, reason: "told through told")]
        }
        let store = try await SQLiteStore.open(folder: folder.appending(path: "state").path, at: instant)
        try await store.commit(commit)
        await store.close()
    }

    /// Runs the program that was built together with the tests.
    func run(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
        try run(words + ["--config", config])
    }

    func run(_ words: [String]) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "pokyh-bot")
        process.arguments = words
        process.environment = BotProcess.surroundings.merging(["PASSWORD": "geheim"]) { _, own in own }
        let errorFile = folder.appending(path: "errors-\(UUID().uuidString)")
        try Data().write(to: errorFile)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let errors = try Data(contentsOf: errorFile)
        return (
            process.terminationStatus, String(decoding: bytes, as: UTF8.self),
            String(decoding: errors, as: UTF8.self)
        )
    }

    /// As before the first start.
    func forgetEverything() { try? FileManager.default.removeItem(at: folder.appending(path: "state")) }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
