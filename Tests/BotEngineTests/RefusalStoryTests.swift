import BotCore
import BotTestKit
import Testing
import Values

@testable import BotEngine

/// Refusals that come again after somebody has done something about the first.
@Suite struct RefusalStoryTests {
    let admin = RecordingSink()
    let refused = RecordingSink.Answer.refused(.unauthorized("401 token revoked"))

    func house(
        _ chat: SinkSetup,
        on store: any StateStore = MemoryStore(),
        _ provider: ScriptedProvider = ScriptedProvider([.list([]), .list([lesson("1")])]),
        password: String = "",
        rules: any Rules = usualRules
    ) -> House {
        House(
            store,
            sources: [source("timetable", provider, account: password.isEmpty ? "" : "rossi", every: .days(30))],
            sinks: [chat, SinkSetup(name: "admin", sink: admin)],
            accounts: [AccountSetup(name: "rossi", account: NoAccount(), credentials: [Secret(password)])],
            rules: rules
        )
    }

    var adminTold: [String] { admin.arrived.map(\.text) }

    @Test func `another token that is refused as well is told as well`() async throws {
        let chat = RecordingSink([refused, refused])
        let setup = { (token: String) in SinkSetup(name: "chat", sink: chat, credentials: [Secret(token)]) }
        let first = house(setup("old"))
        let engine = try await first.started()
        for _ in 0..<2 { try await first.poll(engine) }
        #expect(adminTold == ["sink.failing chat"])
        let second = house(setup("also wrong"), on: first.store)
        try await second.settle(try await second.started())
        #expect(chat.tried.count == 2)
        #expect(adminTold == ["sink.failing chat", "sink.failing chat"])
        let third = house(setup("right"), on: first.store)
        try await third.settle(try await third.started())
        #expect(adminTold.last == "sink.recovered chat")
        #expect(adminTold.count == 3)
    }

    @Test func `several messages that one refusal meets at once are told once`() async throws {
        let chat = RecordingSink([refused, refused, refused])
        let three = ScriptedProvider([.list([]), .list([lesson("1"), lesson("2"), lesson("3")])])
        let house = house(SinkSetup(name: "chat", sink: chat, parallel: 3), three)
        let engine = try await house.started()
        for _ in 0..<2 { try await house.poll(engine) }
        #expect(chat.tried.count == 3)
        #expect(adminTold == ["sink.failing chat"])
    }

    @Test func `another password that is refused as well is told as well`() async throws {
        let provider = ScriptedProvider([.failure(.unauthorized("login refused"))])
        let chat = SinkSetup(name: "chat", sink: RecordingSink())
        let first = house(chat, provider, password: "wrong")
        try await first.poll(try await first.started())
        let second = house(chat, on: first.store, provider, password: "also wrong")
        for _ in 0..<2 { try await second.poll(try await second.started()) }
        #expect(provider.requests.count == 2)
        #expect(adminTold == ["source.unauthorized timetable", "source.unauthorized timetable"])
        provider.then(.list([]))
        let third = house(chat, on: first.store, provider, password: "right")
        try await third.poll(try await third.started())
        #expect(adminTold.last == "source.recovered timetable")
    }

    @Test(arguments: ["", "secret"])
    func `PROV-04 a login whose rest is ended by command is tried again by the bot that runs`(password: String)
        async throws
    {
        let provider = ScriptedProvider([.failure(.unauthorized("login refused")), .list([])])
        let house = house(SinkSetup(name: "chat", sink: RecordingSink()), provider, password: password)
        let engine = try await house.started()
        try await house.settle(engine)
        try await house.run(engine, for: .days(1))
        #expect(provider.requests.count == 1)
        // As 'pokyh-bot retry' does it.
        var commit = Commit(at: house.clock.now)
        commit.endedRests = Set(try await house.store.rests().keys)
        #expect(commit.endedRests == [password.isEmpty ? "source timetable" : "rossi"])
        try await house.store.commit(commit)
        await (house.store as? MemoryStore)?.touch()
        try await house.run(engine, for: .minutes(1))
        #expect(provider.requests.count == 2)
        #expect(adminTold.last == "source.recovered timetable")
    }

    @Test(arguments: [true, false])
    func `what waited while nobody could try it is not given up at the first failure after that`(isRefused: Bool)
        async throws
    {
        let down = RecordingSink.Answer.refused(.transient("503"))
        let chat = RecordingSink([isRefused ? refused : down])
        let house = house(SinkSetup(name: "chat", sink: chat))
        let engine = try await house.started()
        for _ in 0..<2 { try await house.poll(engine) }
        if !isRefused { try await engine.end() }
        // A rest that is ended after a week, or a bot that was off for a week.
        if isRefused { try await house.run(engine, for: .days(6)) } else { house.clock.advance(by: .days(6)) }
        chat.then(down, down)
        if isRefused {
            var retry = Commit(at: house.clock.now)
            retry.endedSinkRests = ["chat"]
            try await house.store.commit(retry)
            await (house.store as? MemoryStore)?.touch()
        }
        let next = isRefused ? engine : try await house.started()
        try await house.run(next, for: .hours(2))
        #expect(chat.tried.count == 4 && chat.arrived.map(\.text) == ["lesson.added 1"])
        #expect(try await house.store.counts()[.dead] == nil)
    }

    @Test func `what is queued by hand is tried at once, although its sink waits after failures`() async throws {
        let down = PluginError.transient("503", retryAfter: .minutes(15))
        let chat = RecordingSink([.refused(.permanent("400"))] + Array(repeating: .refused(down), count: 3))
        let answers = (0...4).map { count in ScriptedProvider.Answer.list((0..<count).map { lesson("\($0)") }) }
        let house = house(SinkSetup(name: "chat", sink: chat, parallel: 4), ScriptedProvider(answers))
        let engine = try await house.started()
        for _ in answers { try await house.poll(engine) }
        #expect(try await house.store.counts()[.dead] == 1)
        #expect(try await house.store.sinks()["chat"]?.health.notBefore ?? start > house.clock.now)
        #expect(try await house.store.requeue(nil, at: house.clock.now) == 1)
        try await house.settle(engine)
        #expect(chat.arrived.contains { $0.text == "lesson.added 0" })
    }

    /// As a command does it that asks a school with the settings of the files as they are now.
    func rest(_ password: String, in house: House) async throws -> AccountRest {
        let key = try await house.store.fingerprintKey()
        let fingerprint = Fingerprint.of([Secret(password)], key: key)
        let rest = AccountRest(fingerprint: fingerprint, since: house.clock.now, error: "login refused")
        var commit = Commit(at: house.clock.now)
        commit.rests["rossi"] = rest
        try await house.store.commit(commit)
        await (house.store as? MemoryStore)?.touch()
        return rest
    }

    @Test
    func
        `PROV-04 another password that a command was refused neither stops a bot that works nor awakens one that rests`()
        async throws
    {
        let provider = ScriptedProvider([.list([]), .list([]), .failure(.unauthorized("login refused")), .list([])])
        let house = house(SinkSetup(name: "chat", sink: RecordingSink()), provider, password: "old")
        let engine = try await house.started()
        try await house.poll(engine)
        _ = try await rest("new", in: house)
        try await house.poll(engine)
        #expect(provider.requests.count == 2 && adminTold.isEmpty)
        // Now its own password is refused, which the command's note then replaces.
        try await house.poll(engine)
        #expect(adminTold == ["source.unauthorized timetable"])
        _ = try await rest("new", in: house)
        try await house.run(engine, for: .days(40))
        #expect(provider.requests.count == 3)
    }

    @Test func `PROV-04 a password that a command was refused is tried by no bot again, and the admin is told once`()
        async throws
    {
        let provider = ScriptedProvider([.list([]), .list([])])
        let house = house(SinkSetup(name: "chat", sink: RecordingSink()), provider, password: "secret")
        let engine = try await house.started()
        try await house.poll(engine)
        let written = try await rest("secret", in: house)
        try await house.run(engine, for: .minutes(1))
        try await house.poll(engine)
        await (house.store as? MemoryStore)?.touch()
        try await house.run(engine, for: .days(40))
        try await house.poll(try await house.started())
        #expect(provider.requests.count == 1)
        #expect(adminTold == ["source.unauthorized timetable"])
        #expect(try await house.store.rests() == ["rossi": written])
    }

    @Test func `PROV-04 a bot that starts with a password that a command was refused asks nobody and tells the admin`()
        async throws
    {
        let provider = ScriptedProvider([.list([])])
        let house = house(SinkSetup(name: "chat", sink: RecordingSink()), provider, password: "secret")
        _ = try await rest("secret", in: house)
        for _ in 0..<2 { try await house.settle(try await house.started()) }
        #expect(provider.requests.isEmpty)
        #expect(adminTold == ["source.unauthorized timetable"])
    }

    @Test func `a message that is queued by hand and refused for good once more is told once more`() async throws {
        let chat = RecordingSink([.refused(.permanent("no such chat")), .refused(.permanent("no such chat"))])
        let house = house(SinkSetup(name: "chat", sink: chat))
        let engine = try await house.started()
        for _ in 0..<2 { try await house.poll(engine) }
        #expect(adminTold == ["sink.dead_letter chat"])
        #expect(try await house.store.requeue(nil, at: house.clock.now) == 1)
        try await house.settle(engine)
        #expect(chat.tried.count == 2)
        #expect(adminTold == ["sink.dead_letter chat", "sink.dead_letter chat"])
    }

    @Test func `a message that is queued by hand is tried for five days again, however old it is`() async throws {
        let chat = RecordingSink([.refused(.permanent("no such chat")), .refused(.transient("busy"))])
        let house = house(SinkSetup(name: "chat", sink: chat))
        let engine = try await house.started()
        for _ in 0..<2 { try await house.poll(engine) }
        house.clock.advance(by: .days(20))
        #expect(try await house.store.requeue(nil, at: house.clock.now) == 1)
        try await house.run(engine, for: .hours(2))
        #expect(chat.arrived.map(\.text) == ["lesson.added 1"])
        #expect(chat.tried.count == 3)
        #expect(Set(chat.tried.map(\.createdAt)).count == 1)
    }

    @Test func `what an earlier process left half sent is judged once, although the disk was full at first`()
        async throws
    {
        let store = MemoryStore()
        let setup = SinkSetup(name: "chat", sink: RecordingSink(), uncertain: .hold)
        try await store.commit(queueing("half"))
        _ = await store.claim(ClaimRequest(now: start, places: ["chat": 1]))
        let house = house(setup, on: store)
        // The desk's own commit is the first step.
        let engine = house.engine(on: FaultyStore(store, .diskFull(2...3)))
        for _ in 0..<2 {
            await #expect(throws: StateError.diskFull("no room in this test")) { try await engine.begin() }
            house.clock.advance(by: Engine.hold)
        }
        try await engine.begin()
        try await house.settle(engine)
        #expect(await engine.courier.tally.dead == 1)
        let told = await store.events(since: start, limit: 9)
        #expect(told.map { $0.record.fields["failures"] } == [1])
        #expect(await store.deliveries(in: [.held], limit: 9).map(\.attempts.count) == [1])
    }
}
