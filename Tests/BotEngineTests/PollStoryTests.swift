import BotCore
import BotEngine
import BotTestKit
import Testing
import Values

/// Polls and what is told of them.
@Suite struct PollStoryTests {
    let chat = RecordingSink()
    let admin = RecordingSink()

    func house(_ provider: ScriptedProvider, account: String = "", _ accounts: [AccountSetup] = []) -> House {
        House(
            sources: [source("timetable", provider, account: account)],
            sinks: [SinkSetup(name: "chat", sink: chat), SinkSetup(name: "admin", sink: admin)],
            accounts: accounts,
            rules: usualRules
        )
    }

    var told: [String] { chat.arrived.map(\.text) }
    var adminTold: [String] { admin.arrived.map(\.text) }

    @Test func `the first poll is silent, a change is told once, a second identical poll is silent`() async throws {
        let provider = ScriptedProvider([.list([lesson("1")]), .list([lesson("1", "cancelled"), lesson("2")])])
        let house = house(provider)
        let engine = try await house.started()
        try await house.settle(engine)
        #expect(told == [])
        for _ in 0..<3 { try await house.poll(engine) }
        #expect(told == ["lesson.changed 1", "lesson.added 2"])
        #expect(try await house.store.events(since: start, limit: 10).count == 2)
    }

    @Test func `a restart repeats nothing and forgets nothing`() async throws {
        let provider = ScriptedProvider([.list([lesson("1")]), .list([lesson("1", "a")]), .list([lesson("1", "b")])])
        let house = house(provider)
        for _ in 0..<3 {
            let engine = try await house.started()
            try await house.poll(engine)
        }
        #expect(told == ["lesson.changed 1", "lesson.changed 1"])
        #expect(Set(chat.arrived.map(\.id)).count == 2)
    }

    /// A refused request is no empty list, and an empty list is not believed at once.
    @Test func `failures and a sudden emptiness between good answers send nothing`() async throws {
        let good = ScriptedProvider.Answer.list((1...40).map { lesson("\($0)") })
        let provider = ScriptedProvider([good, .failure(.transient("503")), good, .list([]), good])
        let house = house(provider)
        let engine = try await house.started()
        for _ in 0..<5 { try await house.poll(engine) }
        #expect(provider.requests.count == 5)
        #expect(told == [])
        #expect(adminTold == [])
    }

    /// Thirty failures, three refused logins, then good again: three notices.
    @Test func `RULE-06 an outage is told once at its start, once when it becomes another one, and once at its end`()
        async throws
    {
        let failing = [ScriptedProvider.Answer](repeating: .failure(.transient("502 from the school")), count: 30)
        let provider = ScriptedProvider([.list([])] + failing + [.failure(.unauthorized("login refused"))])
        let secrets = { (text: String) in
            [AccountSetup(name: "rossi", account: NoAccount(), credentials: [Secret(text)])]
        }
        let house = house(provider, account: "rossi", secrets("wrong"))
        let engine = try await house.started()
        for _ in 0..<34 { try await house.poll(engine) }
        #expect(adminTold == ["source.failing timetable", "source.unauthorized timetable"])
        #expect(provider.requests.count == 32)

        // The same password is not tried again by another start, nor by `once`.
        let again = house.engine()
        _ = try await again.runOnce()
        #expect(provider.requests.count == 32)

        provider.then(.list([]))
        let mended = House(
            house.store,
            sources: house.setup.sources,
            sinks: house.setup.sinks,
            accounts: secrets("right"),
            rules: usualRules
        )
        house.clock.advance(by: .hours(2))
        mended.clock.set(to: house.clock.now)
        let next = try await mended.started()
        try await mended.poll(next)
        #expect(adminTold.last == "source.recovered timetable")
        #expect(adminTold.count == 3)
        #expect(told == [])
        let recovered = try #require(try await house.store.events(since: start, limit: 1).first)
        #expect(recovered.record.fields["duration"] == .duration(.hours(2)))
    }

    @Test func `RULE-05 faults are told to the admin, who sees no trace, and to nobody else`() async throws {
        let answer = HTTPResponse(
            status: 500,
            body: Array("NullPointerException at net.school.Login(Login.java:7)".utf8)
        )
        let error = try #require(HTTPVerdict.error(for: answer, from: "source 'timetable'", at: start))
        let provider = ScriptedProvider([.list([lesson("1")]), .failure(error)])
        let house = house(provider)
        let engine = try await house.started()
        for _ in 0..<9 { try await house.poll(engine) }
        #expect(told == [])
        #expect(adminTold == ["source.failing timetable"])
        let event = try #require(try await house.store.events(since: start, limit: 1).first)
        #expect(event.record.fields["error"] == "source 'timetable': the far end has a fault (HTTP 500)")
    }

    @Test func `RULE-07 what one child's timetable says is told to that child's rule alone, though the ids are equal`()
        async throws
    {
        func provider(_ id: String, _ states: String...) -> ScriptedProvider {
            ScriptedProvider(
                states.map { state in
                    .snapshot(Snapshot(records: [lesson("4711", state)], student: Student(id: id, name: "child \(id)")))
                }
            )
        }
        let rules = PlainRules([
            .init("a", to: "chat") { $0.student.id == "11" }, .init("b", to: "admin") { $0.student.id == "12" },
        ])
        let house = House(
            sources: [
                source("one", provider("11", "planned", "cancelled")),
                source("two", provider("12", "planned", "planned", "cancelled")),
            ],
            sinks: [SinkSetup(name: "chat", sink: chat), SinkSetup(name: "admin", sink: admin)],
            rules: rules
        )
        let engine = try await house.started()
        try await house.settle(engine)
        for name in ["one", "two"] { try await house.poll(engine, name) }
        #expect(told == ["lesson.changed 4711"])
        #expect(adminTold == [])
        try await house.poll(engine, "two")
        #expect(adminTold == ["lesson.changed 4711"])
        #expect(Set(try await house.store.events(since: start, limit: 9).map(\.id)).count == 2)
    }

    @Test func `a refused login rests the account, so that its other sources do not try it either`() async throws {
        let refused = ScriptedProvider([.failure(.unauthorized("login refused"))])
        let other = ScriptedProvider([.list([])])
        let house = House(
            sources: [source("grades", refused, account: "rossi"), source("timetable", other, account: "rossi")],
            sinks: [SinkSetup(name: "admin", sink: admin)],
            accounts: [AccountSetup(name: "rossi", account: NoAccount(), credentials: [Secret("x")])],
            rules: PlainRules([.init("admin", to: "admin")])
        )
        let engine = try await house.started()
        await engine.setDue("timetable", start + .hours(1))
        try await house.settle(engine)
        try await house.run(engine, for: .hours(3))
        #expect(other.requests.isEmpty)
        #expect(adminTold == ["source.unauthorized grades"])
    }

    @Test func `what is not granted sleeps a day and is told once`() async throws {
        let provider = ScriptedProvider([.failure(.unavailable("not available to guardian accounts"))])
        let house = house(provider)
        let engine = try await house.started()
        try await house.run(engine, for: .days(3) - .minutes(1))
        #expect(provider.requests.count == 3)
        #expect(adminTold == ["source.unavailable timetable"])
    }

    @Test func `a server that asks for time gets it`() async throws {
        let wish = ScriptedProvider.Answer.failure(.transient("429", retryAfter: .hours(3)))
        let provider = ScriptedProvider([wish, .list([])])
        let house = house(provider)
        let engine = try await house.started()
        try await house.run(engine, for: .hours(3) - .seconds(1))
        #expect(provider.requests.count == 1)
        try await house.run(engine, for: .seconds(1))
        #expect(provider.requests.count == 2)
        // Also over a restart, and for `once`.
        provider.then(wish)
        try await house.poll(engine)
        try await house.poll(engine)
        let count = provider.requests.count
        _ = try await house.engine().runOnce()
        #expect(provider.requests.count == count)
    }

    @Test func `an answer of an unexpected form leaves the memory as it is and is kept for a report`() async throws {
        let maintenance = PluginError.permanent("An HTML page came instead of JSON.", evidence: "<!DOCTYPE html>")
        let good = ScriptedProvider.Answer.list([lesson("1"), lesson("2")])
        let house = house(ScriptedProvider([good, .failure(maintenance), good]))
        let engine = try await house.started()
        try await house.settle(engine)
        try await house.poll(engine)
        #expect(try await house.store.sources()["timetable"]?.health.evidence == "<!DOCTYPE html>")
        #expect(try await house.store.keys(of: "timetable") == ["1", "2"])
        try await house.poll(engine)
        #expect(told == [])
    }

    @Test func `one message that cannot be put into form is a dead letter and stops no other`() async throws {
        let picky = RecordingSink(refusal: { $0.title.plain.hasSuffix(" 2") ? .permanent("no teacher") : nil })
        let provider = ScriptedProvider([.list([]), .list([lesson("1"), lesson("2"), lesson("3")])])
        let house = House(
            sources: [source("timetable", provider)],
            sinks: [SinkSetup(name: "chat", sink: picky), SinkSetup(name: "admin", sink: admin)],
            rules: usualRules
        )
        let engine = try await house.started()
        for _ in 0..<4 { try await house.poll(engine) }
        #expect(picky.arrived.map(\.text) == ["lesson.added 1", "lesson.added 3"])
        #expect(try await house.store.counts()[.dead] == 1)
        #expect(adminTold == ["sink.dead_letter chat"])
    }

    @Test func `classmates' accounts make one message for each rule and sink, and every account's event is kept`()
        async throws
    {
        let answers: [ScriptedProvider.Answer] = ["planned", "cancelled", "planned", "cancelled"].map {
            .list([lesson("1", $0, world: "lesson 1")])
        }
        let house = House(
            sources: (1...5).map { source("s\($0)", ScriptedProvider(answers), world: "school") },
            sinks: [SinkSetup(name: "chat", sink: chat)],
            rules: PlainRules([.init("a", to: "chat"), .init("b", to: "chat")])
        )
        let engine = try await house.started()
        try await house.settle(engine)
        for _ in 0..<3 {
            for number in 1...5 { try await house.poll(engine, "s\(number)") }
        }
        #expect(chat.arrived.count == 6)
        #expect(Set(chat.arrived.map(\.id)).count == 6)
        #expect(try await house.store.events(since: start, limit: 99).count == 15)
    }

    @Test func `a lost memory is told to the admin, learnt anew in silence, and told once`() async throws {
        let provider = ScriptedProvider([.list([lesson("1")]), .list([lesson("1"), lesson("2")])])
        let house = House(
            MemoryStore(memoryLoss: "The state was damaged."),
            sources: [source("timetable", provider)],
            sinks: [SinkSetup(name: "chat", sink: chat), SinkSetup(name: "admin", sink: admin)],
            rules: usualRules
        )
        for _ in 0..<2 {
            let engine = try await house.started()
            try await house.poll(engine)
        }
        #expect(adminTold == ["source.memory_lost "])
        #expect(told == ["lesson.added 2"])
    }
}

struct NoAccount: Account {
    func close(at now: Timestamp) async {}
    func forgetRefusal() async {}
}
