import BotCore
import BotEngine
import BotRules
import BotState
import BotTestKit
import Foundation
import Testing
import Values

@testable import pokyh_bot

/// The whole way, from recorded answers of a school to what is told: real providers, differ, rules, store and sink.
@Suite struct PipelineTests {
    /// Monday, 30 November 2026, 06:00 in Rome.
    private static let monday = Timestamp(seconds: 1_796_014_800)

    /// An installation in a folder of its own that tells of everything, polled by hand.
    private struct Bot {
        let folder: URL
        let school: RecordedSchool
        let sink = RecordingSink()
        let world = World(environment: [:])

        init(source: String, events: String, _ answers: [String: String]) throws {
            school = RecordedSchool(answers)
            folder = FileManager.default.temporaryDirectory.appending(path: "pokyh-bot-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder.appending(path: "secrets"),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let botFile = """
                version: 1
                timezone: Europe/Rome
                rules: rules.yaml
                schools: {lbs: {server: lbs.example.org, school: lbs-brixen}}
                accounts: {anna: {kind: webuntis, school: lbs, user: anna, password: {secret: PASSWORD}}}
                sources: {polled: {account: anna, \(source)}}
                sinks: {told: {kind: stdout}}
                """
            let rules = """
                version: 1
                rules:
                  - id: everything
                    when: {event: "\(events)"}
                    message: {title: "{{ event.kind }}"}
                    send: [told]
                """
            try Data(botFile.utf8).write(to: folder.appending(path: "bot.yaml"))
            try Data(rules.utf8).write(to: folder.appending(path: "rules.yaml"))
            let secret = folder.appending(path: "secrets/PASSWORD")
            try Data("geheim\n".utf8).write(to: secret)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret.path)
        }

        /// Starts the bot, polls once, delivers, and ends.
        /// - Returns: the events that are new since `now`, and the titles of all that was told so far.
        func poll(at now: Timestamp) async throws -> (events: [Event], told: [String]) {
            let configuration = try Configuration.load(folder.appending(path: "bot.yaml").path, in: world)
            #expect(configuration.complaintTexts.isEmpty)
            let materials = House.Materials(http: school, mail: Silence(), log: .silent, terminal: world.terminal)
            var setup = try House.build(configuration, with: materials).engineSetup(rules: configuration.rules.book)
            setup.sinks = setup.sinks.map { SinkSetup(name: $0.name, sink: sink) }
            let store = try await SQLiteStore.open(folder: configuration.stateFolder, at: now)
            let engine = Engine(
                setup,
                store: store,
                clock: ManualClock(now),
                jitter: SeededGenerator(seed: 1),
                log: .silent
            )
            let report = try await engine.runOnce()
            #expect(report.polls.failed == 0 && report.waiting == 0 && report.deliveries.dead == 0)
            let events = try await store.events(since: now, limit: 1000).sorted { $0.record.key < $1.record.key }
            await store.close()
            return (events, sink.arrived.map(\.text))
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    @Test func `a timetable week and the week after: one cancellation, one withdrawn, one room`() async throws {
        let bot = try Bot(
            source: "provider: webuntis.timetable",
            events: "lesson.*",
            ["timetable/entries": "untis_timetable_week"]
        )
        defer { bot.remove() }
        let first = try await bot.poll(at: Self.monday)
        #expect(first.events.isEmpty && first.told.isEmpty)

        bot.school.answer("timetable/entries", "untis_timetable_week_after")
        let second = try await bot.poll(at: Self.monday + .hours(1))
        let found = Dictionary(second.events.map { ($0.kind, $0) }) { first, _ in first }
        #expect(second.events.map(\.kind).sorted() == ["lesson.cancelled", "lesson.restored", "lesson.room_changed"])
        #expect(found["lesson.cancelled"]?.record.fields["subject"] == "MAT")
        #expect(found["lesson.cancelled"]?.record.fields["date"] == "2026-11-30")
        #expect(found["lesson.restored"]?.record.fields["subject"] == "INF")
        #expect(found["lesson.restored"]?.record.fields["date"] == "2026-12-01")
        #expect(found["lesson.room_changed"]?.record.fields["room"] == "T205")
        #expect(found["lesson.room_changed"]?.changes.contains { $0.old == "T101" || $0.old == ["T101"] } == true)
        #expect(second.told.count == 3)

        let third = try await bot.poll(at: Self.monday + .hours(2))
        #expect(third.events.isEmpty && third.told.count == 3)
    }

    @Test func `a new mark and a changed one are told once each`() async throws {
        let bot = try Bot(
            source: "provider: webuntis.grades",
            events: "grade.*",
            [
                "grading/list": "untis_grades_list",
                "grading/lesson?lessonId=61001": "untis_grades_lesson_61001",
                "grading/lesson?lessonId=61002": "untis_grades_lesson_61002",
                "grading/lesson?lessonId=61003": "untis_grades_lesson_61003",
            ]
        )
        defer { bot.remove() }
        #expect(try await bot.poll(at: Self.monday).events.isEmpty)
        bot.school.answer("grading/lesson?lessonId=61001", "untis_grades_lesson_61001_after")
        let second = try await bot.poll(at: Self.monday + .hours(1))
        #expect(Set(second.events.map(\.kind)) == ["grade.added", "grade.changed"])
        #expect(try await bot.poll(at: Self.monday + .hours(2)).events.isEmpty)
    }

    @Test func `a new message is told, and reading an old one elsewhere is not`() async throws {
        let bot = try Bot(
            source: "provider: webuntis.messages",
            events: "message.*",
            ["v1/messages": "untis_messages_inbox"]
        )
        defer { bot.remove() }
        #expect(try await bot.poll(at: Self.monday).events.isEmpty)
        bot.school.answer("v1/messages", "untis_messages_inbox_after")
        let second = try await bot.poll(at: Self.monday + .hours(1))
        #expect(second.events.map(\.kind) == ["message.received"])
        #expect(second.events.first?.record.key.contains("70012") == true)
        #expect(try await bot.poll(at: Self.monday + .hours(2)).events.isEmpty)
    }

    @Test func `the state folder holds no password, cookie or token`() async throws {
        let bot = try Bot(
            source: "provider: webuntis.timetable",
            events: "lesson.*",
            ["timetable/entries": "untis_timetable_week"]
        )
        defer { bot.remove() }
        _ = try await bot.poll(at: Self.monday)
        let state = bot.folder.appending(path: "state")
        for name in try FileManager.default.contentsOfDirectory(atPath: state.path) {
            let path = state.appending(path: name)
            let mode = try FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions] as? Int
            #expect(mode.map { $0 & 0o077 } == 0)
            let bytes = try Data(contentsOf: path)
            for secret in ["geheim", "JSESSIONID", "header.claims.signature", "S1;"] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil)
            }
        }
    }
}
