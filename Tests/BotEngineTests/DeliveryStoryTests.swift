import BotCore
import BotTestKit
import Testing
import Values

@testable import BotEngine

/// Deliveries: what fails, what is repeated, what holds up what.
@Suite struct DeliveryStoryTests {
    let admin = RecordingSink()

    func house(_ chat: SinkSetup, _ answers: [ScriptedProvider.Answer]? = nil, rules: PlainRules = usualRules) -> House
    {
        let three = [ScriptedProvider.Answer.list([]), .list([lesson("1"), lesson("2"), lesson("3")])]
        return House(
            sources: [source("timetable", ScriptedProvider(answers ?? three), every: .days(30))],
            sinks: [chat, SinkSetup(name: "admin", sink: admin)],
            rules: rules
        )
    }

    /// A house whose second poll has queued its messages and tried each once.
    func polledTwice(_ house: House) async throws -> Engine {
        let engine = try await house.started()
        try await house.settle(engine)
        try await house.poll(engine)
        return engine
    }

    var adminTold: [String] { admin.arrived.map(\.text) }

    /// A bot that runs, and has just asked for the answer after the one that it learnt.
    private func runningWithNews(_ house: House) async -> (Engine, Task<Void, any Error>) {
        let engine = house.engine()
        let running = Task { try await engine.run() }
        #expect(await eventually { (try? await house.store.sources()["timetable"]?.isLearnt) == true })
        await engine.setDue("timetable", house.clock.now)
        engine.waker.wake()
        return (engine, running)
    }

    @Test func `SINK-01 a refusal for good ends one message after one try, and the others arrive`() async throws {
        let chat = RecordingSink([.refused(.permanent("400 message is too long"))])
        let house = house(SinkSetup(name: "chat", sink: chat))
        let engine = try await polledTwice(house)
        try await house.run(engine, for: .hours(5))
        #expect(chat.arrived.map(\.text) == ["lesson.added 2", "lesson.added 3"])
        #expect(chat.tried.count == 3)
        let dead = try await house.store.deliveries(in: [.dead], limit: 5)
        #expect(dead.map(\.attempts.count) == [1])
        #expect(dead.first?.attempts.first?.answer == "400 message is too long")
        #expect(adminTold == ["sink.dead_letter chat"])
    }

    @Test func `a passing failure is tried again with the same id, and told once`() async throws {
        let chat = RecordingSink([.refused(.transient("no connection")), .refused(.transient("no connection"))])
        let house = house(SinkSetup(name: "chat", sink: chat), [.list([]), .list([lesson("1")])])
        let engine = try await polledTwice(house)
        #expect(chat.arrived.isEmpty)
        try await house.run(engine, for: .minutes(1))
        #expect(chat.tried.count == 3)
        #expect(Set(chat.tried.map(\.id)).count == 1)
        #expect(chat.arrived.count == 1)
        #expect(chat.tried.allSatisfy { !$0.isRepeat })
    }

    @Test func `a sink that is down for a day delivers all of it afterwards in order, while another works`()
        async throws
    {
        let chat = RecordingSink()
        let isDown = Switch(true)
        let setup = SinkSetup(name: "chat", sink: SwitchedSink(chat, isDown))
        let other = RecordingSink()
        let provider = ScriptedProvider([.list([lesson("1")])] + (1...10).map { .list([lesson("1", "\($0)")]) })
        let house = House(
            sources: [source("timetable", provider)],
            sinks: [setup, SinkSetup(name: "other", sink: other), SinkSetup(name: "admin", sink: admin)],
            rules: PlainRules([
                .init("a", to: "chat") { !isHealth($0) }, .init("b", to: "other") { !isHealth($0) },
                .init("admin", to: "admin", wants: isHealth), .init("self", to: "chat", wants: isHealth),
            ])
        )
        let engine = try await house.started()
        try await house.run(engine, for: .hours(24))
        #expect(other.arrived.count == 10)
        #expect(chat.arrived.isEmpty)
        #expect(adminTold == ["sink.failing chat"])
        isDown.set(false)
        try await house.run(engine, for: .hours(3))
        let lessons = chat.arrived.filter { $0.rule == "a" }
        #expect(lessons.map(\.content) == (1...10).map { .string("\($0)") })
        #expect(adminTold == ["sink.failing chat", "sink.recovered chat"])
        // What failed is not told through what failed; that it works again may be.
        #expect(chat.arrived.filter { $0.rule == "self" }.map(\.text) == ["sink.recovered chat"])
    }

    @Test(arguments: [
        (UncertainPolicy.resend, false, 2, [false, true], DeliveryState.delivered),
        (.hold, false, 1, [false], .held),
        (.drop, false, 1, [false], .dropped),
        (.hold, true, 2, [false, false], .delivered),
    ])
    func `SINK-02 what may have arrived is treated as its sink says`(
        policy: UncertainPolicy,
        recognises: Bool,
        tries: Int,
        marks: [Bool],
        state: DeliveryState
    ) async throws {
        let chat = RecordingSink([.arrivedWithoutAnswer])
        let setup = SinkSetup(name: "chat", sink: chat, uncertain: policy, recognisesRepeats: recognises)
        let house = house(setup, [.list([]), .list([lesson("1")])])
        let engine = try await polledTwice(house)
        try await house.run(engine, for: .hours(2))
        #expect(chat.tried.map(\.isRepeat) == marks)
        #expect(chat.tried.count == tries)
        #expect(Set(chat.tried.map(\.id)).count == 1)
        #expect(try await house.store.counts()[state] ?? 0 >= 1)
    }

    @Test func `a doubtful repeat is not repeated again but left to a person`() async throws {
        let chat = RecordingSink([.arrivedWithoutAnswer, .arrivedWithoutAnswer])
        let house = house(SinkSetup(name: "chat", sink: chat), [.list([]), .list([lesson("1")])])
        let engine = try await polledTwice(house)
        try await house.run(engine, for: .days(2))
        #expect(chat.tried.count == 2)
        #expect(try await house.store.counts()[.held] == 1)
        #expect(adminTold == ["sink.dead_letter chat"])
    }

    @Test func `SINK-06 a message in parts goes on with the first part that is missing`() async throws {
        let chat = RecordingSink([.taken, .refused(.transient("500"))], parts: 3)
        let house = house(SinkSetup(name: "chat", sink: chat, parallel: 4), [.list([]), .list([lesson("1")])])
        let engine = try await polledTwice(house)
        try await house.run(engine, for: .minutes(1))
        #expect(chat.tried.map(\.part) == [1, 2, 2, 3])
        #expect(chat.arrived.map(\.part) == [1, 2, 3])
    }

    @Test func `SINK-11 one recipient's refusal is nobody else's`() async throws {
        let chat = RecordingSink(
            [.taken, .refused(.permanent("403 bot was blocked by the user"))],
            recipients: ["anna", "luca", "mia"]
        )
        let house = house(SinkSetup(name: "chat", sink: chat), [.list([]), .list([lesson("1")])])
        _ = try await polledTwice(house)
        #expect(chat.arrived.map(\.recipient) == ["anna", "mia"])
    }

    @Test func `SINK-12 a sink that hangs holds up no other, and counts as doubtful at its time-out`() async throws {
        let mail = RecordingSink([.wait])
        let chat = RecordingSink()
        let provider = ScriptedProvider([.list([]), .list([lesson("1")])])
        let house = House(
            sources: [source("timetable", provider, every: .days(30))],
            sinks: [
                SinkSetup(name: "mail", sink: mail, uncertain: .hold, timeout: .minutes(2)),
                SinkSetup(name: "chat", sink: chat),
            ],
            rules: PlainRules([.init("a", to: "mail") { !isHealth($0) }, .init("b", to: "chat") { !isHealth($0) }])
        )
        let (engine, running) = await runningWithNews(house)
        #expect(await eventually { chat.arrived.count == 1 })
        #expect(mail.tried.count == 1)
        house.clock.advance(by: .minutes(2))
        #expect(await eventually { (try? await house.store.counts()[.held]) == 1 })
        await engine.stop()
        try await running.value
    }

    @Test(arguments: [
        (PluginError.transient("cancelled before it was sent"), false), (.uncertain("broken off in the middle"), true),
    ])
    func `SINK-12 a delivery that is broken off at its time-out says itself whether it may have arrived`(
        lastWords: PluginError,
        mayHaveArrived: Bool
    ) async throws {
        let mail = RecordingSink([.waitThenRefuse(lastWords)])
        let house = house(
            SinkSetup(name: "chat", sink: mail, timeout: .minutes(16)),
            [.list([]), .list([lesson("1")])]
        )
        let (engine, running) = await runningWithNews(house)
        #expect(await eventually { mail.tried.count == 1 })
        house.clock.advance(by: .minutes(16))
        #expect(await eventually { (try? await house.store.counts()[.queued]) == 1 })
        let waiting = try await house.store.deliveries(in: [.queued], limit: 9)
        #expect(waiting.map(\.payload.isRepeat) == [mayHaveArrived])
        #expect(waiting[0].attempts.map(\.answer) == ["The sink did not answer within 960 s."])
        await engine.stop()
        try await running.value
    }

    @Test func `what may have arrived is sent again for five days at most, even where repeats are recognised`()
        async throws
    {
        let chat = RecordingSink(Array(repeating: .arrivedWithoutAnswer, count: 500))
        let house = house(
            SinkSetup(name: "chat", sink: chat, recognisesRepeats: true),
            [.list([]), .list([lesson("1")])]
        )
        let engine = try await polledTwice(house)
        try await house.run(engine, for: .days(6))
        #expect(try await house.store.counts()[.dead] == 1)
        #expect(adminTold.contains("sink.dead_letter chat"))
        let tries = chat.tried.count
        try await house.run(engine, for: .days(2))
        #expect(chat.tried.count == tries)
    }

    @Test func `a message that is refused for five days on end is given up, whatever lay before`() async throws {
        let down = RecordingSink.Answer.refused(.transient("503"))
        let chat = RecordingSink(Array(repeating: down, count: 500))
        let house = house(SinkSetup(name: "chat", sink: chat), [.list([]), .list([lesson("1")])])
        let engine = try await polledTwice(house)
        try await engine.end()
        house.clock.advance(by: .days(30))
        let next = try await house.started()
        try await house.run(next, for: .days(4))
        #expect(try await house.store.counts()[.queued] == 1)
        try await house.run(next, for: .days(2))
        #expect(try await house.store.counts()[.dead] == 1)
    }

    @Test func `no more are on their way at once than a sink allows, and each lane keeps its order`() async throws {
        let chat = RecordingSink(beforeAnswer: { _ in for _ in 0..<50 { await Task.yield() } })
        let answers: [ScriptedProvider.Answer] =
            [.list([])] + (0..<5).map { step in .list((0..<8).map { lesson("\($0)", "\(step)") }) }
        let house = house(SinkSetup(name: "chat", sink: chat, parallel: 3), answers)
        let engine = try await house.started()
        for _ in 0..<6 { try await house.poll(engine) }
        #expect(chat.arrived.count == 40)
        #expect(chat.mostRunning <= 3)
        #expect(chat.mostRunning > 1)
        for key in 0..<8 {
            let lane = chat.arrived.filter { $0.text.hasSuffix(" \(key)") }
            #expect(lane.map(\.content) == (0..<5).map { .string("\($0)") })
        }
    }

    @Test func `what is stale is dropped and recorded`() async throws {
        let chat = RecordingSink([.refused(.transient("busy", retryAfter: .hours(2)))])
        var rules = usualRules
        rules.expires = .hours(1)
        let house = house(SinkSetup(name: "chat", sink: chat), [.list([]), .list([lesson("1")])], rules: rules)
        let engine = try await polledTwice(house)
        try await house.run(engine, for: .hours(3))
        #expect(chat.tried.count == 1)
        #expect(try await house.store.deliveries(in: [.dropped], limit: 5).map(\.payload.rule) == ["lessons"])
    }

    @Test func `a refused token rests the sink until its settings change, and nothing is lost`() async throws {
        let chat = RecordingSink([.refused(.unauthorized("401 token revoked"))])
        let setup = { (token: String) in SinkSetup(name: "chat", sink: chat, credentials: [Secret(token)]) }
        let house = house(setup("old"))
        let engine = try await polledTwice(house)
        try await house.run(engine, for: .days(1))
        #expect(chat.tried.count == 1)
        #expect(adminTold == ["sink.failing chat"])
        try await house.settle(try await house.started())
        #expect(chat.tried.count == 1)

        let mended = House(
            house.store,
            sources: house.setup.sources,
            sinks: [setup("new"), SinkSetup(name: "admin", sink: admin)],
            rules: usualRules
        )
        mended.clock.set(to: house.clock.now)
        try await mended.settle(try await mended.started())
        #expect(chat.arrived.count == 3)
        #expect(adminTold == ["sink.failing chat", "sink.recovered chat"])
    }

    @Test func `what a sink wants remembered is remembered`() async throws {
        let chat = RecordingSink([.takenRemembering(["chat": -100])])
        let house = house(SinkSetup(name: "chat", sink: chat))
        _ = try await polledTwice(house)
        #expect(try await house.store.sinks()["chat"]?.memo == ["chat": -100])
    }

    @Test func `dead letters about dead letters do not go round in circles`() async throws {
        let broken = RecordingSink([RecordingSink.Answer](repeating: .refused(.permanent("no")), count: 1000))
        let house = House(
            sources: [source("timetable", ScriptedProvider([.list([]), .list([lesson("1")])]), every: .days(30))],
            sinks: [SinkSetup(name: "a", sink: broken), SinkSetup(name: "b", sink: broken)],
            rules: PlainRules([.init("a", to: "a"), .init("b", to: "b")])
        )
        let engine = try await house.started()
        for _ in 0..<3 { try await house.poll(engine) }
        // The lesson through both, then each death through both; no deaths of deaths.
        #expect(broken.tried.count == 6)
    }

    /// Each delivery takes three seconds, five wait, and the service is stopped after one.
    @Test func `STATE-14 on a stop what is on its way ends and is recorded, the rest waits for the next start`()
        async throws
    {
        let gate = Switch(false)
        let chat = RecordingSink(beforeAnswer: { _ in while !gate.isOn { await Task.yield() } })
        let five = (1...5).map { lesson("\($0)") }
        let house = house(SinkSetup(name: "chat", sink: chat, timeout: .minutes(2)), [.list([]), .list(five)])
        let (engine, running) = await runningWithNews(house)
        #expect(await eventually { chat.tried.count == 1 })
        await engine.stop()
        gate.set(true)
        try await running.value
        #expect(chat.arrived.count == 1)
        #expect(try await house.store.counts() == [.delivered: 1, .queued: 4])
        try await house.settle(try await house.started())
        #expect(chat.arrived.map(\.text) == (1...5).map { "lesson.added \($0)" })
        #expect(chat.arrived.allSatisfy { !$0.isRepeat })
    }

    @Test func `a delivery that does not end within the farewell is doubtful at the next start`() async throws {
        let chat = RecordingSink([.wait])
        let house = house(SinkSetup(name: "chat", sink: chat, timeout: .minutes(2)), [.list([]), .list([lesson("1")])])
        let (engine, running) = await runningWithNews(house)
        #expect(await eventually { chat.tried.count == 1 })
        await engine.stop()
        let isOver = Switch(false)
        let watcher = Task {
            try await running.value
            isOver.set(true)
        }
        #expect(
            await eventually {
                house.clock.advance(by: .seconds(1)); return isOver.isOn
            }
        )
        try await watcher.value
        #expect(try await house.store.counts() == [.sending: 1])
        try await house.settle(try await house.started())
        #expect(chat.tried.map(\.isRepeat) == [false, true])
        #expect(Set(chat.tried.map(\.id)).count == 1)
    }

    @Test func `a mail server that names its waiting time is asked three times at most`() async throws {
        let grey = RecordingSink.Answer.refused(.transient("451 try later", retryAfter: .minutes(5)))
        let mail = RecordingSink([grey, grey])
        let house = house(SinkSetup(name: "chat", sink: mail), [.list([]), .list([lesson("1")])])
        let engine = try await polledTwice(house)
        try await house.run(engine, for: .minutes(15))
        #expect(mail.tried.count == 3)
        #expect(mail.arrived.count == 1)
    }
}
