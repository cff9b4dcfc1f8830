import BotCore
import BotTestKit
import Synchronization
import Testing
import Values

@testable import BotEngine

/// Recipients of one sink are independent: one who asks for patience waits alone, one who is gone is left alone.
@Suite struct RecipientStoryTests {
    let admin = RecordingSink()

    static let blocked = RecordingSink.Answer.refused(
        PluginError(.permanent, "403 bot was blocked by the user", about: .recipient)
    )

    static func busy(_ wish: TimeSpan?) -> RecordingSink.Answer {
        .refused(PluginError(.transient(retryAfter: wish), "429 later", about: .recipient))
    }

    /// One lesson a poll, each told to every recipient.
    func house(_ chat: RecordingSink, token: String = "t", on store: any StateStore = MemoryStore(), lessons: Int = 3)
        -> House
    {
        let answers = (0...lessons).map { count in
            ScriptedProvider.Answer.list((0..<count).map { lesson("\($0 + 1)") })
        }
        return House(
            store,
            sources: [source("timetable", ScriptedProvider(answers), every: .days(30))],
            sinks: [
                SinkSetup(name: "chat", sink: chat, credentials: [Secret(token)]),
                SinkSetup(name: "admin", sink: admin),
            ],
            rules: usualRules
        )
    }

    func tries(_ chat: RecordingSink, _ recipient: String) -> Int { chat.tried.count { $0.recipient == recipient } }

    @Test func `SINK-11 who blocked the bot is told of once and not tried again, while the others get everything`()
        async throws
    {
        let chat = RecordingSink([.taken, Self.blocked], recipients: ["1", "2", "3"])
        let house = house(chat)
        let engine = try await house.started()
        for _ in 0..<4 { try await house.poll(engine) }
        try await house.run(engine, for: .hours(5))
        #expect(chat.arrived.count { $0.recipient == "1" } == 3 && chat.arrived.count { $0.recipient == "3" } == 3)
        #expect(tries(chat, "2") == 1)
        #expect(admin.arrived.map(\.text) == ["sink.dead_letter chat"])
        let dead = try await house.store.deliveries(in: [.dead], limit: 10)
        #expect(dead.count == 3 && dead.allSatisfy { $0.payload.recipient == "2" })
        // Nor after a restart.
        let later = self.house(chat, on: house.store, lessons: 4)
        later.clock.set(to: house.clock.now)
        let restarted = try await later.started()
        for _ in 0..<5 { try await later.poll(restarted) }
        #expect(tries(chat, "2") == 1 && chat.arrived.count { $0.recipient == "1" } > 3)
        #expect(!house.lines.withLock { $0 }.contains { $0.contains("recipient 2") })
    }

    @Test func `SINK-11 other settings, a retry by command and a letter sent by hand try a gone recipient again`()
        async throws
    {
        let chat = RecordingSink([Self.blocked], recipients: ["2"])
        let house = house(chat)
        let engine = try await house.started()
        for _ in 0..<3 { try await house.poll(engine) }
        #expect(tries(chat, "2") == 1)
        // By hand, and refused again: that is not told once more.
        chat.then(Self.blocked)
        let dead = try await house.store.deliveries(in: [.dead], limit: 10).map(\.payload.id)
        house.clock.advance(by: .minutes(1))
        #expect(try await house.store.requeue([dead[1]], at: house.clock.now) == 1)
        try await house.settle(engine)
        #expect(tries(chat, "2") == 2 && admin.arrived.count == 1)
        // As 'pokyh-bot retry chat' does it.
        #expect(try await house.store.sinks()["chat"]?.goneRecipients == 1)
        var commit = Commit(at: house.clock.now)
        commit.endedSinkRests = ["chat"]
        try await house.store.commit(commit)
        await (house.store as? MemoryStore)?.touch()
        try await house.poll(engine)
        #expect(chat.arrived.count == 1)
        // And with another token.
        chat.then(Self.blocked)
        let other = self.house(chat, token: "new", on: house.store, lessons: 5)
        other.clock.set(to: house.clock.now)
        let second = try await other.started()
        for _ in 0..<5 { try await other.poll(second) }
        #expect(tries(chat, "2") == 4)
        let third = self.house(chat, token: "newer", on: house.store, lessons: 6)
        third.clock.set(to: house.clock.now)
        let last = try await third.started()
        for _ in 0..<7 { try await third.poll(last) }
        #expect(tries(chat, "2") > 4)
        #expect(try await house.store.sinks()["chat"]?.goneRecipients == 0)
    }

    @Test
    func `SINK-11 after a start with other settings nothing says any more that a recipient is gone or the sink rests`()
        async throws
    {
        let chat = RecordingSink([Self.blocked], recipients: ["2"])
        let house = house(chat)
        let engine = try await house.started()
        for _ in 0..<3 { try await house.poll(engine) }
        #expect(try await house.store.sinks()["chat"]?.goneRecipients == 1)
        _ = try await self.house(chat, token: "new", on: house.store).started()
        #expect(try await house.store.sinks()["chat"]?.goneRecipients == 0)

        chat.then(.refused(.unauthorized("401 token revoked")))
        let other = self.house(chat, on: MemoryStore())
        let refused = try await other.started()
        for _ in 0..<2 { try await other.poll(refused) }
        #expect(try await other.store.sinks()["chat"]?.restFingerprint != nil)
        // With the same settings it stays.
        _ = try await self.house(chat, on: other.store).started()
        #expect(try await other.store.sinks()["chat"]?.restFingerprint != nil)
        _ = try await self.house(chat, token: "new", on: other.store).started()
        #expect(try await other.store.sinks()["chat"]?.restFingerprint == nil)
    }

    @Test func `SINK-09 a chat that asks for patience waits alone, also after a restart, and gets each message once`()
        async throws
    {
        let chat = RecordingSink([Self.busy(.seconds(38))], recipients: ["1", "2"])
        let house = house(chat)
        let engine = try await house.started()
        for _ in 0..<3 { try await house.poll(engine) }
        try await house.run(engine, for: .seconds(20))
        #expect(tries(chat, "1") == 1 && chat.arrived.map(\.recipient) == ["2", "2"])
        // The process ends and begins anew within the 38 seconds.
        let restarted = try await house.started()
        try await house.settle(restarted)
        try await house.run(restarted, for: .seconds(17))
        #expect(tries(chat, "1") == 1)
        try await house.run(restarted, for: .seconds(2))
        #expect(chat.arrived.filter { $0.recipient == "1" }.map(\.text) == ["lesson.added 1", "lesson.added 2"])
        #expect(chat.tried.count == 5 && admin.arrived.isEmpty)
    }

    @Test func `SINK-08 a room that limits the rate gets a burst of forty in order, without a hole`() async throws {
        let wish = TimeSpan.milliseconds(1120)
        let room = RecordingSink([.taken, Self.busy(wish), .taken, .taken, Self.busy(wish)])
        let forty = (1...40).map { lesson("\($0)") }
        let house = House(
            sources: [source("timetable", ScriptedProvider([.list([]), .list(forty)]), every: .days(30))],
            sinks: [SinkSetup(name: "chat", sink: room), SinkSetup(name: "admin", sink: admin)],
            rules: usualRules
        )
        let engine = try await house.started()
        try await house.settle(engine)
        try await house.poll(engine)
        #expect(room.tried.count == 2)
        try await house.run(engine, for: .milliseconds(1119))
        #expect(room.tried.count == 2)
        try await house.run(engine, for: .seconds(10))
        #expect(room.arrived.map(\.text) == (1...40).map { "lesson.added \($0)" })
        #expect(room.tried.count == 42 && Set(room.tried.map(\.id)).count == 40)
    }

    @Test func `many busy recipients do not make the sink a failing one`() async throws {
        let chat = RecordingSink(
            Array(repeating: Self.busy(.minutes(1)), count: 5),
            recipients: ["1", "2", "3", "4", "5"]
        )
        let house = house(chat, lessons: 1)
        let engine = try await house.started()
        for _ in 0..<2 { try await house.poll(engine) }
        #expect(chat.tried.count == 5)
        try await house.run(engine, for: .minutes(2))
        #expect(chat.arrived.count == 5 && admin.arrived.isEmpty)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `SINK-16 mail that is greylisted for ten minutes arrives within fifteen and at the third try`(seed: UInt64)
        async throws
    {
        let mail = RecordingSink([Self.busy(nil), Self.busy(nil)])
        let house = House(
            sources: [source("timetable", ScriptedProvider([.list([]), .list([lesson("1")])]), every: .days(30))],
            sinks: [SinkSetup(name: "chat", sink: mail), SinkSetup(name: "admin", sink: admin)],
            rules: usualRules,
            seed: seed
        )
        let engine = try await house.started()
        try await house.settle(engine)
        try await house.poll(engine)
        // The third try, which is taken, comes after the tenth minute: the server would have taken it then.
        try await house.run(engine, for: .minutes(10))
        #expect(mail.tried.count == 2 && mail.arrived.isEmpty)
        try await house.run(engine, for: .minutes(5))
        #expect(mail.tried.count == 3 && mail.arrived.count == 1 && admin.arrived.isEmpty)
    }

    @Test func `SINK-16 what stays refused for now is not asked every minute, and given up after days`() async throws {
        let mail = RecordingSink(Array(repeating: Self.busy(nil), count: 1000))
        let house = house(mail, lessons: 1)
        let engine = try await house.started()
        for _ in 0..<2 { try await house.poll(engine) }
        try await house.run(engine, for: .days(6))
        #expect(mail.tried.count < 160 && mail.arrived.isEmpty)
        #expect(try await house.store.counts()[.dead] == 1)
        #expect(admin.arrived.map(\.text) == ["sink.dead_letter chat"])
    }
}
