import BotCore
import BotTestKit
import Testing
import Values

@testable import BotEngine

/// Answers that come while a step is being written.
@Suite struct ArrivalTests {
    private let memory = MemoryStore()
    private let rules = PlainRules([.init("lessons", to: "chat") { !isHealth($0) }])

    private func desk(_ sources: [SourceSetup], on store: any StateStore) async throws -> Desk {
        let setup = EngineSetup(sources: sources, sinks: [SinkSetup(name: "chat", sink: RecordingSink())], rules: rules)
        let desk = Desk(setup, store: store, jitter: Jitter(SeededGenerator(seed: 1)), log: .silent)
        try await desk.begin(at: start)
        return desk
    }

    private func sources(_ count: Int, account: String? = nil, world: String = "") -> [SourceSetup] {
        (0..<count).map { source("s\($0)", ScriptedProvider([]), account: account ?? "a\($0)", world: world) }
    }

    /// Lets all sources answer this at once.
    private func absorb(
        _ records: [Record],
        from sources: [SourceSetup],
        at now: Timestamp,
        by desk: Desk
    ) async -> [Result<Bool, StateError>] {
        await desk.turnstile.enter()
        let tasks = sources.map { source in
            Task { () -> Result<Bool, StateError> in
                do throws(StateError) {
                    let answer = Result<Snapshot, PluginError>.success(Snapshot(records: records))
                    return .success(try await desk.absorb(answer, of: source, askedAt: now, at: now))
                } catch {
                    return .failure(error)
                }
            }
        }
        #expect(await eventually { await desk.arrivals.count == sources.count })
        desk.turnstile.leave()
        var results: [Result<Bool, StateError>] = []
        for task in tasks { results.append(await task.value) }
        return results
    }

    @Test func `are written in one transaction, and each is told once`() async throws {
        let store = FaultyStore(memory)
        let sources = sources(10)
        let desk = try await desk(sources, on: store)
        for text in ["planned", "cancelled", "cancelled"] {
            let before = store.steps
            let results = await absorb([lesson("1", text)], from: sources, at: start, by: desk)
            #expect(results.allSatisfy { $0 == .success(true) })
            #expect(store.steps == before + 1)
        }
        let told = await memory.deliveries(in: [.queued], limit: 100).map(\.payload.text)
        #expect(told == Array(repeating: "lesson.changed 1", count: 10))
        #expect(Set(await memory.events(since: start, limit: 100).map(\.source)).count == 10)
    }

    @Test func `know of each other what the school's world has become`() async throws {
        let sources = sources(5, world: "school")
        let desk = try await desk(sources, on: memory)
        for text in ["planned", "cancelled"] {
            _ = await absorb([lesson("1", text, world: "lesson 1")], from: sources, at: start, by: desk)
        }
        let events = await memory.events(since: start, limit: 100)
        #expect(events.count == 5 && Set(events.map(\.worldID)).count == 1)
        #expect(await memory.worlds(["school\u{1F}lesson 1"]).values.map(\.revision) == [1])
    }

    @Test func `of one account are written one after the other`() async throws {
        let store = FaultyStore(memory)
        let sources = sources(3, account: "anna")
        let desk = try await desk(sources, on: store)
        let before = store.steps
        _ = await absorb([lesson("1")], from: sources, at: start, by: desk)
        #expect(store.steps == before + 3)
    }

    @Test func `are all forgotten where the disk is full, and told once when they come again`() async throws {
        let store = FaultyStore(memory)
        let sources = sources(4)
        let desk = try await desk(sources, on: store)
        _ = await absorb([lesson("1")], from: sources, at: start, by: desk)
        let states = await desk.states
        store.setFull(true)
        for result in await absorb([lesson("1", "cancelled")], from: sources, at: start + .hours(1), by: desk) {
            guard case .failure(.diskFull) = result else {
                Issue.record("\(result) although the disk is full")
                continue
            }
        }
        #expect(await desk.states == states)
        #expect(await memory.events(since: start, limit: 100).isEmpty)
        store.setFull(false)
        let results = await absorb([lesson("1", "cancelled")], from: sources, at: start + .hours(2), by: desk)
        #expect(results.allSatisfy { $0 == .success(true) })
        #expect(await memory.deliveries(in: [.queued], limit: 100).count == 4)
    }
}
