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

    @Test func `what an earlier process left half sent is judged once, although the disk was full at first`()
        async throws
    {
        let store = MemoryStore()
        let setup = SinkSetup(name: "chat", sink: RecordingSink(), uncertain: .hold)
        let payload = Payload(
            id: "p",
            message: "p",
            rule: "a",
            sink: "chat",
            recipient: "",
            createdAt: start,
            text: "half",
            content: "half"
        )
        var commit = Commit(at: start)
        commit.payloads = [OutgoingPayload(payload)]
        await store.commit(commit)
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
