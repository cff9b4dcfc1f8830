import BotCore
import BotTestKit
import Synchronization
import Testing
import Values

@testable import BotEngine

/// What a person asks for while something else is under way, and steps that meet.
@Suite struct InterferenceTests {
    let admin = RecordingSink()
    let refused = PluginError.unauthorized("401 token revoked")
    let fromNowOn = PlainRules([.init("other", to: "chat") { !isHealth($0) }])

    func house(
        _ chat: SinkSetup,
        _ answers: [ScriptedProvider.Answer],
        on store: any StateStore = MemoryStore(),
        rules: any Rules = usualRules
    ) -> House {
        House(
            store,
            sources: [source("timetable", ScriptedProvider(answers), every: .days(30))],
            sinks: [chat, SinkSetup(name: "admin", sink: admin)],
            rules: rules
        )
    }

    /// Refuses two letters; the second refusal comes when the gate is opened.
    func sink(behind gate: Gate) -> RecordingSink {
        RecordingSink(
            [.refused(refused), .refused(refused)],
            beforeAnswer: { payload in
                if payload.text.hasSuffix(" 2") { await gate.wait() }
            }
        )
    }

    /// As another process writes it: the engine notices at its next turn.
    func write(_ house: House, _ change: (inout Commit) -> Void) async throws {
        var commit = Commit(at: house.clock.now)
        change(&commit)
        try await house.store.commit(commit)
        await (house.store as? MemoryStore)?.touch()
    }

    /// Turns the engine until a sink has these texts and no others.
    func turns(of engine: Engine, until sink: RecordingSink, has texts: [String]) async -> Bool {
        await eventually {
            _ = try? await engine.turn()
            return sink.arrived.map(\.text) == texts
        }
    }

    /// An engine whose timetable has learnt and then brought news, the first letter of which was refused and told of.
    func startedWithRefusal(_ house: House) async throws -> Engine {
        let engine = try await house.started()
        try await house.poll(engine)
        await engine.setDue("timetable", house.clock.now)
        #expect(await turns(of: engine, until: admin, has: ["sink.failing chat"]))
        return engine
    }

    // MARK: A reload on a full disk

    @Test func `rules that could not be exchanged on a full disk are the old ones, and stay so`() async throws {
        let chat = RecordingSink()
        let store = FaultyStore(MemoryStore())
        let house = house(
            SinkSetup(name: "chat", sink: chat),
            [.list([]), .list([lesson("1")]), .list([lesson("1"), lesson("2")])],
            on: store
        )
        let engine = try await house.started()
        try await house.poll(engine)
        store.setFull(true)
        let slot = Slot(rule: "late", key: "k", due: house.clock.now + .minutes(1), grace: .hours(1))
        let broken = InactiveRule(id: "lessons", reason: "line 3")
        await #expect(throws: StateError.diskFull("no room in this test")) {
            try await engine.reload(rules: PlainRules([], schedule: [slot], scheduleSink: "chat"), inactive: [broken])
        }
        store.setFull(false)
        try await house.run(engine, for: .minutes(5))
        try await house.poll(engine)
        #expect(chat.arrived.map(\.rule) == ["lessons"])
        #expect(admin.arrived.isEmpty)
        #expect(try await store.rules().isEmpty)
        #expect(try await store.fired([slot]).isEmpty)
        // And with room again it works.
        try await engine.reload(rules: fromNowOn)
        try await house.poll(engine)
        #expect(chat.arrived.map(\.rule) == ["lessons", "other"])
    }

    // MARK: A clock that is set back while a step is under way

    @Test func `a step that began before the clock was set back does not keep the policies from being asked`()
        async throws
    {
        let asked = AskedRules()
        let house = house(SinkSetup(name: "chat", sink: RecordingSink()), [.list([])], rules: asked)
        let desk = try await house.started().desk
        let (late, early) = (start + .hours(3), start + .hours(1))
        await desk.turnstile.enter()
        var step = Draft(at: late)
        step.asksPolicies = true
        let decided = try await desk.decide(step)
        await desk.clockWasSetBack()
        await desk.keep(decided)
        desk.turnstile.leave()
        try await desk.askPolicies(at: early)
        #expect(asked.moments.last == early)
        #expect(await desk.deadline == early + AskedRules.wait)
        try await desk.askPolicies(at: early)
        #expect(asked.moments.count { $0 == early } == 1)
    }

    // MARK: A retry while tries are under way

    @Test func `a retry is not undone by the settling of what was sent before it`() async throws {
        let gate = Gate()
        let chat = sink(behind: gate)
        let house = house(
            SinkSetup(name: "chat", sink: chat, parallel: 2),
            [.list([]), .list([lesson("1"), lesson("2")])]
        )
        let engine = try await startedWithRefusal(house)
        #expect(chat.tried.count == 2)
        // 'pokyh-bot retry chat'; in the same moment the second try is refused as well, and settled before the retry is noticed.
        house.clock.advance(by: .seconds(1))
        var retry = Commit(at: house.clock.now)
        retry.endedSinkRests = ["chat"]
        try await house.store.commit(retry)
        gate.open()
        try await house.settle(engine)
        #expect(try await house.store.sinks()["chat"]?.restFingerprint == nil)
        await (house.store as? MemoryStore)?.touch()
        try await house.settle(engine)
        #expect(chat.arrived.map(\.text).sorted() == ["lesson.added 1", "lesson.added 2"])
        #expect(admin.arrived.map(\.text) == ["sink.failing chat", "sink.recovered chat"])
    }

    @Test func `a refusal of what was sent before a retry puts the sink to rest no second time`() async throws {
        let gate = Gate()
        let chat = sink(behind: gate)
        let house = house(
            SinkSetup(name: "chat", sink: chat, parallel: 2),
            [.list([]), .list([lesson("1"), lesson("2")])]
        )
        let engine = try await startedWithRefusal(house)
        house.clock.advance(by: .seconds(1))
        try await write(house) { $0.endedSinkRests = ["chat"] }
        #expect(await turns(of: engine, until: chat, has: ["lesson.added 1"]))
        gate.open()
        try await house.settle(engine)
        #expect(chat.arrived.map(\.text) == ["lesson.added 1", "lesson.added 2"])
        #expect(admin.arrived.map(\.text) == ["sink.failing chat", "sink.recovered chat"])
        #expect(try await house.store.counts() == [.delivered: 4])
    }

    @Test func `a clock that is set back after a retry does not have a refused login tried again and again`()
        async throws
    {
        let provider = GatedProvider([.failure(refused), .success(Snapshot(records: [])), .failure(refused)])
        let house = House(
            MemoryStore(),
            sources: [source("a", provider, account: "rossi", every: .minutes(10))],
            sinks: [SinkSetup(name: "chat", sink: RecordingSink()), SinkSetup(name: "admin", sink: admin)],
            accounts: [AccountSetup(name: "rossi", account: NoAccount(), credentials: [Secret("p")])],
            rules: usualRules
        )
        let engine = try await house.started()
        #expect(await turns(of: engine, until: admin, has: ["source.unauthorized a"]))
        house.clock.advance(by: .seconds(1))
        try await write(house) { $0.endedRests = ["rossi"] }
        try await house.settle(engine)
        #expect(provider.count == 2)
        house.clock.set(to: house.clock.now - .hours(1))
        try await house.settle(engine)
        house.clock.advance(by: .minutes(10))
        try await house.settle(engine)
        #expect(try await house.store.rests().keys.sorted() == ["rossi"])
        house.clock.advance(by: .minutes(30))
        try await house.settle(engine)
        #expect(provider.count == 3)
    }

    @Test func `a login that was refused before a retry ends no second time what the retry has begun`() async throws {
        let gate = Gate()
        let first = GatedProvider([.failure(refused), .success(Snapshot(records: []))])
        let second = GatedProvider([.failure(refused), .success(Snapshot(records: []))], gate)
        let house = House(
            MemoryStore(),
            sources: [
                source("a", first, account: "rossi", every: .days(30)),
                source("b", second, account: "rossi", every: .days(30)),
            ],
            sinks: [SinkSetup(name: "chat", sink: RecordingSink()), SinkSetup(name: "admin", sink: admin)],
            accounts: [AccountSetup(name: "rossi", account: NoAccount(), credentials: [Secret("p")])],
            rules: usualRules
        )
        let engine = try await house.started()
        #expect(await turns(of: engine, until: admin, has: ["source.unauthorized a"]))
        house.clock.advance(by: .seconds(1))
        try await write(house) { $0.endedRests = ["rossi"] }
        #expect(await turns(of: engine, until: admin, has: ["source.unauthorized a", "source.recovered a"]))
        gate.open()
        try await house.settle(engine)
        // The other source is asked once more by itself, long before its interval has passed.
        #expect(first.count == 2 && second.count == 2)
        #expect(try await house.store.rests().isEmpty)
        #expect(try await house.store.sources()["b"]?.isLearnt == true)
        #expect(admin.arrived.map(\.text) == ["source.unauthorized a", "source.recovered a"])
    }
}

/// Remembers when it was asked, and wants to be asked again after a while.
final class AskedRules: Rules {
    static let wait = TimeSpan.hours(6)
    private let asked = Mutex<[Timestamp]>([])

    var moments: [Timestamp] { asked.withLock { $0 } }

    func decide(on events: [Event], in context: RuleContext) -> Decision {
        asked.withLock { $0.append(context.now) }
        return Decision(deadline: context.now + Self.wait)
    }
    func slots(after start: Timestamp, through end: Timestamp, in context: RuleContext) -> [Slot] { [] }
    func nextSlot(after instant: Timestamp, in context: RuleContext) -> Timestamp? { nil }
    func fire(_ slot: Slot, in context: RuleContext) -> Decision { Decision() }
    var readSources: Set<String> { [] }
    var ids: Set<String> { [] }
}

/// Closed until it is opened, once.
final class Gate: Sendable {
    private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Answers in order, one of them behind a gate if there is one.
final class GatedProvider: Provider {
    private let answers: [Result<Snapshot, PluginError>]
    private let gate: Gate?
    private let gated: Int
    private let asked = Mutex(0)

    /// - Parameter gated: which answer waits for the gate; 0 is the first.
    init(_ answers: [Result<Snapshot, PluginError>], _ gate: Gate? = nil, at gated: Int = 0) {
        self.answers = answers
        self.gate = gate
        self.gated = gated
    }

    var count: Int { asked.withLock { $0 } }

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let number = asked.withLock { count in
            defer { count += 1 }
            return count
        }
        if number == gated { await gate?.wait() }
        return try answers[min(number, answers.count - 1)].get()
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] { [] }
}
