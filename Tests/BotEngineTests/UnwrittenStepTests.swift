import BotCore
import BotTestKit
import Synchronization
import Testing
import Values

@testable import BotEngine

/// Answers that come together are decided before they are written. Meanwhile others look at the copies and at the disk.
@Suite struct UnwrittenStepTests {
    private let chat = RecordingSink()
    private let admin = RecordingSink()
    private let door = Door()
    private let store: FaultyStore

    init() {
        store = FaultyStore(MemoryStore()) { [door] step in
            if step == "before commit" { await door.pass() }
        }
    }

    private func house(_ sources: [SourceSetup], accounts: [AccountSetup] = []) -> House {
        House(
            store,
            sources: sources,
            sinks: [SinkSetup(name: "chat", sink: chat), SinkSetup(name: "admin", sink: admin)],
            accounts: accounts,
            rules: usualRules
        )
    }

    @Test func `a message is sent at once although the outbox was looked at just before it was written`() async throws {
        let house = house([source("timetable", ScriptedProvider([.list([]), .list([lesson("1")])]))])
        let engine = try await house.started()
        try await house.poll(engine)
        let now = house.clock.now
        door.close()
        await engine.setDue("timetable", now)
        _ = try await engine.turn()
        #expect(await eventually { door.someoneWaits })
        // As a turn does that was under way when the answer came.
        #expect(try await engine.courier.pump(at: now, afterOthers: false) == nil)
        door.open()
        try await house.settle(engine)
        #expect(chat.arrived.map(\.text) == ["lesson.added 1"])
    }

    @Test func `a refused login that could not be written puts no other source of the account to rest`() async throws {
        let refused = PluginError.unauthorized("401")
        let house = house(
            [
                source("a", ScriptedProvider([.failure(refused), .list([])]), account: "rossi"),
                source("b", ScriptedProvider([.list([])]), account: "rossi"),
            ],
            accounts: [AccountSetup(name: "rossi", account: NoAccount(), credentials: [Secret("p")])]
        )
        let engine = try await house.started()
        await engine.setDue("b", house.clock.now + .days(1))
        door.close()
        _ = try await engine.turn()
        #expect(await eventually { door.someoneWaits })
        let b = try #require(house.setup.sources.last)
        await engine.refresh(b)
        store.setFull(true)
        door.open()
        try await house.settle(engine)
        store.setFull(false)
        try await house.run(engine, for: .minutes(5))
        let sources = try await store.sources()
        #expect(sources["a"]?.isLearnt == true && sources["b"]?.isLearnt == true)
        #expect(admin.arrived.isEmpty)
    }
}

/// Open at first; while it is closed, whoever comes waits.
private final class Door: Sendable {
    private let gate = Mutex<Gate?>(nil)
    private let waits = Mutex(false)

    var someoneWaits: Bool { waits.withLock(\.self) }

    func close() { gate.withLock { $0 = Gate() } }

    func open() {
        gate.withLock { gate in
            gate?.open()
            gate = nil
        }
    }

    func pass() async {
        guard let gate = gate.withLock(\.self) else { return }
        waits.withLock { $0 = true }
        await gate.wait()
    }
}
