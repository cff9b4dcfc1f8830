import BotCore
import BotState
import BotTestKit
import Foundation
import Testing
import Values

@testable import BotEngine

/// The same house on the real store.
@Suite struct DiskStoryTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("pokyh-bot-\(UUID())").path

    /// What the process of a bot leaves behind when it dies: the file, and no lock.
    private func withStore<T>(_ work: (SQLiteStore) async throws -> T) async throws -> T {
        let store = try await SQLiteStore.open(folder: root, at: start)
        do {
            let outcome = try await work(store)
            await store.close()
            return outcome
        } catch {
            await store.close()
            throw error
        }
    }

    @Test(arguments: [2, 5, 8, 11, 14, 17, 20])
    func `a process that dies at a step is followed by one that loses and doubles nothing`(step: Int) async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let chat = RecordingSink()
        let provider = ScriptedProvider([
            .list([lesson("1")]), .list([lesson("1", "a")]), .list([lesson("1", "b"), lesson("2")]),
        ])
        let setup = { (store: any StateStore) in
            House(
                store,
                sources: [source("timetable", provider)],
                sinks: [SinkSetup(name: "chat", sink: chat, recognisesRepeats: true)],
                rules: PlainRules([.init("a", to: "chat")])
            )
        }
        try await withStore { store in
            let faulty = FaultyStore(store, .diesAfter(step))
            let house = setup(faulty)
            do {
                let engine = try await house.started()
                for _ in 0..<3 { try await house.poll(engine) }
            } catch {
                #expect(faulty.isDead)
            }
        }
        try await withStore { store in
            let house = setup(store)
            let engine = try await house.started()
            for _ in 0..<3 { try await house.poll(engine) }
            #expect(try await store.counts()[.queued] == nil)
            #expect(try await store.counts()[.sending] == nil)
        }
        let ids = Set(chat.arrived.map(\.id))
        // Changes that came and went while nobody looked are one; the last state and the new lesson are always told.
        #expect((2...3).contains(ids.count))
        #expect(chat.arrived.count <= ids.count + 1)
        #expect(chat.arrived.contains { $0.content == "b" })
        #expect(chat.arrived.contains { $0.text == "lesson.added 2" })
    }

    @Test func `STATE-04 a state that was damaged is told to the admin and floods nobody`() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let (chat, admin) = (RecordingSink(), RecordingSink())
        let forty = (1...40).map { lesson("\($0)") }
        let setup = { (store: any StateStore, provider: ScriptedProvider) in
            House(
                store,
                sources: [source("timetable", provider)],
                sinks: [SinkSetup(name: "chat", sink: chat), SinkSetup(name: "admin", sink: admin)],
                rules: usualRules
            )
        }
        try await withStore { store in
            let house = setup(store, ScriptedProvider([.list(Array(forty.prefix(37)))]))
            try await house.poll(try await house.started())
        }
        try Data("broken".utf8).write(to: URL(fileURLWithPath: root + "/state.sqlite"))
        try await withStore { store in
            let house = setup(store, ScriptedProvider([.list(forty), .list(forty + [lesson("41")])]))
            let engine = try await house.started()
            try await house.settle(engine)
            #expect(chat.arrived.isEmpty)
            try await house.poll(engine)
            #expect(chat.arrived.map(\.text) == ["lesson.added 41"])
        }
        #expect(admin.arrived.map(\.text) == ["source.memory_lost "])
    }
}
