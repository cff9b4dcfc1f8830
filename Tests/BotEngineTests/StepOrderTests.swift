import BotCore
import BotTestKit
import Synchronization
import Testing
import Values

@testable import BotEngine

/// Steps that meet: what one has begun, another must neither take for done nor undo.
@Suite struct StepOrderTests {
    private let chat = RecordingSink()
    private let admin = RecordingSink()

    private func slot(_ rule: String, needs: [String] = ["mensa"]) -> Slot {
        let due = start + .minutes(120)
        return Slot(rule: rule, key: String(due.rfc3339.prefix(16)), due: due, grace: .minutes(30), needs: needs)
    }

    private func house(
        _ sources: [SourceSetup],
        on store: any StateStore = MemoryStore(),
        accounts: [AccountSetup] = [],
        rules: any Rules = usualRules
    ) -> House {
        House(
            store,
            sources: sources,
            sinks: [SinkSetup(name: "chat", sink: chat), SinkSetup(name: "admin", sink: admin)],
            accounts: accounts,
            rules: rules
        )
    }

    private func menu(_ schedule: [Slot]) -> PlainRules {
        PlainRules([], schedule: schedule, scheduleSink: "chat", readSources: ["mensa"])
    }

    // MARK: Rules that need a source

    @Test func `two rules that need the same source at the same moment both wait for its answer`() async throws {
        let gate = Gate()
        let provider = GatedProvider([.success(Snapshot(records: []))], gate)
        let setup = source("mensa", provider)
        let engine = try await house([setup]).started()
        let ended = Mutex(0)
        await engine.refreshTwice(setup) { ended.withLock { $0 += 1 } }
        #expect(await eventually { provider.count == 1 })
        for _ in 0..<1000 { await Task.yield() }
        #expect(ended.withLock(\.self) == 0)
        gate.open()
        #expect(await eventually { ended.withLock(\.self) == 2 })
        #expect(provider.count == 1)
    }

    @Test func `a rule waits for the poll that has just begun for other reasons`() async throws {
        let gate = Gate()
        let answers = [[lesson("1")], [lesson("1"), lesson("2")]].map { Snapshot(records: $0) }
        let provider = GatedProvider(answers.map { .success($0) }, gate, at: 1)
        let setup = source("mensa", provider, every: .minutes(120))
        let house = house([setup], rules: menu([slot("post"), slot("too")]))
        let engine = try await house.started()
        try await house.settle(engine)
        house.clock.advance(by: .minutes(120))
        _ = try await engine.turn()
        for _ in 0..<1000 { await Task.yield() }
        #expect(try await house.store.fired([slot("post"), slot("too")]).isEmpty)
        gate.open()
        try await house.settle(engine)
        #expect(chat.arrived.map(\.content) == ["2 records", "2 records"])
    }

    @Test func `a rule whose source was being asked when the bot was stopped fires at the next start, with its answer`()
        async throws
    {
        let provider = ScriptedProvider([.list([lesson("1")]), .wait])
        let house = house([source("mensa", provider, every: .hours(1))], rules: menu([slot("post")]))
        let engine = house.engine()
        let running = Task { try await engine.run() }
        #expect(await eventually { (try? await house.store.sources()["mensa"]?.isLearnt) == true })
        await engine.setDue("mensa", start + .days(9))
        house.clock.advance(by: .minutes(120))
        engine.waker.wake()
        #expect(await eventually { provider.requests.count == 2 })
        await engine.stop()
        try await running.value
        #expect(try await house.store.fired([slot("post")]).isEmpty)
        provider.then(.list([lesson("1"), lesson("2")]))
        try await house.settle(try await house.started())
        #expect(chat.arrived.map(\.content) == ["2 records"])
    }

    @Test func `a list that was read before a newer answer came does not take its place`() async throws {
        let (gate, isHeld) = (Gate(), Switch(false))
        let reads = Mutex(0)
        let store = FaultyStore(
            MemoryStore(),
            afterView: { _ in
                guard isHeld.isOn else { return }
                isHeld.set(false)
                reads.withLock { $0 += 1 }
                await gate.wait()
            }
        )
        let provider = ScriptedProvider([.list([lesson("1")]), .list([lesson("1"), lesson("2")])])
        let house = house([source("mensa", provider)], on: store, rules: menu([slot("post", needs: [])]))
        let engine = try await house.started()
        try await house.poll(engine, "mensa")
        // As after a small command: nothing is in the copies.
        _ = try await engine.desk.forgetCopies(at: house.clock.now)
        isHeld.set(true)
        let planning = Task { try await engine.desk.nextSlot(after: house.clock.now) }
        #expect(await eventually { reads.withLock(\.self) == 1 })
        try await house.poll(engine, "mensa")
        gate.open()
        _ = try await planning.value
        #expect(await engine.desk.views["mensa"]?.records.count == 2)
    }

    // MARK: Other processes

    @Test func `what a command writes while the bot starts is noticed`() async throws {
        let memory = MemoryStore()
        let refused = house([source("timetable", ScriptedProvider([.list([]), .list([lesson("1")])]))], on: memory)
        chat.then(.refused(.unauthorized("401")))
        let first = try await refused.started()
        for _ in 0..<2 { try await refused.poll(first) }
        #expect(await memory.sinks()["chat"]?.restFingerprint != nil)
        // 'pokyh-bot retry chat', when all that rests has been read.
        await memory.reopen()
        let second = try await refused.started()
        var retry = Commit(at: start)
        retry.endedSinkRests = ["chat"]
        try await memory.commit(retry)
        await memory.touch()
        try await refused.settle(second)
        #expect(chat.arrived.map(\.text) == ["lesson.added 1"])
    }

    @Test func `what a command writes is not forgotten by a turn that a full disk ends`() async throws {
        let memory = MemoryStore()
        let store = FaultyStore(memory)
        let asked = AskedRules()
        let house = house([], on: store, rules: asked)
        let engine = try await house.started()
        try await house.settle(engine)
        try await memory.commit(queueing("by hand"))
        await memory.touch()
        // The policies' own step is the first to find no room.
        house.clock.advance(by: AskedRules.wait)
        store.setFull(true)
        _ = try await engine.turn()
        #expect(await engine.heldUntil != nil)
        store.setFull(false)
        house.clock.advance(by: Engine.hold)
        try await house.settle(engine)
        #expect(chat.arrived.map(\.text) == ["by hand"])
    }

    @Test func `a login and a sink that are to be tried again hear that their refusal is forgotten`() async throws {
        let refused = PluginError.unauthorized("401")
        let (login, hook) = (Latch(), Latch())
        let house = House(
            sources: [
                source("marks", login, account: "rossi", every: .hours(1)),
                source("list", ScriptedProvider([.list([]), .list([lesson("1")])]), every: .hours(1)),
            ],
            sinks: [SinkSetup(name: "chat", sink: hook), SinkSetup(name: "admin", sink: admin)],
            accounts: [AccountSetup(name: "rossi", account: login, credentials: [Secret("p")])],
            rules: usualRules
        )
        for latch in [login, hook] { latch.setAnswer(refused) }
        let engine = try await house.started()
        try await house.settle(engine)
        try await house.poll(engine, "list")
        for latch in [login, hook] { latch.setAnswer(nil) }
        try await house.run(engine, for: .hours(5))
        #expect(login.tries == 1 && hook.tries == 1)
        var retry = Commit(at: house.clock.now)
        (retry.endedRests, retry.endedSinkRests) = (["rossi"], ["chat"])
        try await house.store.commit(retry)
        await (house.store as? MemoryStore)?.touch()
        try await house.settle(engine)
        #expect(login.tries == 2 && hook.tries == 2)
        #expect(try await house.store.rests().isEmpty)
        #expect(try await house.store.sources()["marks"]?.isLearnt == true)
        #expect(try await house.store.counts()[.queued] == nil)
    }

    // MARK: The end

    @Test func `what is under way when an error ends the bot does not go on`() async throws {
        let provider = ScriptedProvider([.wait])
        let store = FaultyStore(MemoryStore(), .diesBefore(2))
        let house = house([source("timetable", provider)], on: store)
        let engine = house.engine()
        await #expect(throws: StateError.self) { try await engine.run() }
        #expect(await engine.isStopping)
        #expect(await eventually { await engine.tasks.isEmpty })
    }
}

extension Engine {
    /// Two rules that fire in one turn: both tasks are there before the first of them runs.
    fileprivate func refreshTwice(_ source: SourceSetup, whenDone: @escaping @Sendable () -> Void) {
        for _ in 0..<2 {
            Task {
                await refresh(source)
                whenDone()
            }
        }
    }
}

/// A far end and what is remembered of its refusal until somebody asks for another try, as in the plugins that share a login.
private final class Latch: Account, Sink, Provider {
    private struct State {
        var answer: PluginError?
        var refusal: PluginError?
        var tries = 0
    }
    private let state = Mutex(State())

    /// What the far end says of a login.
    func setAnswer(_ answer: PluginError?) { state.withLock { $0.answer = answer } }
    /// How often the far end was asked.
    var tries: Int { state.withLock(\.tries) }

    private func ask() throws(PluginError) {
        let refusal = state.withLock { state in
            if state.refusal == nil {
                state.tries += 1
                state.refusal = state.answer
            }
            return state.refusal
        }
        if let refusal { throw refusal }
    }

    func forgetRefusal() async { state.withLock { $0.refusal = nil } }
    func close(at now: Timestamp) async {}

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        try ask()
        return Snapshot(records: [])
    }
    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] { [] }

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        try RecordingSink().prepare(message, at: now)
    }
    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        try ask()
        return Receipt()
    }
}
