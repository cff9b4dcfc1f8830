import BotCore
import BotTestKit
import Testing
import Values

@testable import BotEngine

/// A policy that waits is asked at its time, whatever else happens around it.
@Suite struct PolicyDeadlineTests {
    let sink = RecordingSink()

    /// A house whose rules tell every event five minutes after it was seen.
    func house(_ store: any StateStore, _ answers: [ScriptedProvider.Answer], schedule: [Slot] = []) -> House {
        House(
            store,
            sources: [source("timetable", ScriptedProvider(answers), every: .days(30))],
            sinks: [SinkSetup(name: "chat", sink: sink)],
            rules: WaitingRules(wait: .minutes(5), schedule: schedule)
        )
    }

    @Test func `what was collected before the disk was full is told when there is room again`() async throws {
        let store = FaultyStore(MemoryStore())
        let house = house(store, [.list([]), .list([lesson("1")])])
        let engine = try await house.started()
        for _ in 0..<2 { try await house.poll(engine) }
        try await house.run(engine, for: .minutes(4))
        store.setFull(true)
        try await house.poll(engine)
        try await house.run(engine, for: .minutes(3))
        #expect(sink.arrived.isEmpty)
        store.setFull(false)
        try await house.run(engine, for: .minutes(2))
        #expect(sink.arrived.map(\.text) == ["lesson.added 1"])
    }

    @Test func `what was collected before the machine slept is told beside a scheduled time that was missed`()
        async throws
    {
        let missed = Slot(rule: "daily", key: "2026-11-30T08:10", due: start + .minutes(10), grace: .zero)
        let house = house(MemoryStore(), [.list([]), .list([lesson("1")])], schedule: [missed])
        let engine = try await house.started()
        for _ in 0..<2 { try await house.poll(engine) }
        house.clock.advance(by: .hours(1))
        try await house.run(engine, for: .minutes(1))
        #expect(sink.arrived.map(\.text) == ["lesson.added 1"])
    }
}

/// Tells every event of a lesson some time after it was seen, as a group of rules would.
private struct WaitingRules: Rules {
    var wait: TimeSpan
    var schedule: [Slot]

    func decide(on events: [Event], in context: RuleContext) -> Decision {
        var decision = Decision()
        let plain = PlainRules([.init("a", to: "chat")])
        var waiting = (context.memory["a"] ?? .null).list ?? []
        let due = waiting.filter { ($0[1].timestamp ?? context.now) <= context.now }
        waiting.removeAll { ($0[1].timestamp ?? context.now) <= context.now }
        for event in events where !isHealth(event) {
            let message = plain.decide(on: [event], in: context).messages[0]
            waiting.append([.string(message.id), .timestamp(context.now + wait), .string(message.title.plain)])
        }
        decision.messages = due.map { entry in
            let title = TemplatedText(value: entry[2].string ?? "")
            return Message(id: entry[0].string ?? "", rule: "a", sink: "chat", title: title, body: title)
        }
        decision.memory = ["a": waiting.isEmpty ? .null : .list(waiting)]
        decision.deadline = waiting.compactMap { $0[1].timestamp }.min()
        return decision
    }

    func slots(after start: Timestamp, through end: Timestamp, in context: RuleContext) -> [Slot] {
        schedule.filter { $0.due > start && $0.due <= end }
    }
    func nextSlot(after instant: Timestamp, in context: RuleContext) -> Timestamp? {
        schedule.map(\.due).filter { $0 > instant }.min()
    }
    func fire(_ slot: Slot, in context: RuleContext) -> Decision { Decision() }
    var readSources: Set<String> { [] }
    var ids: Set<String> { ["a"] }
}
