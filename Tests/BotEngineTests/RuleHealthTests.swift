import BotCore
import BotTestKit
import Testing
import Values

@testable import BotEngine

/// How rules are doing: those that fail at work, and those that have errors in their files.
@Suite struct RuleHealthTests {
    let admin = RecordingSink()
    let adminRules = PlainRules([.init("admin", to: "admin", wants: isHealth)])

    func house(_ rules: any Rules, texts: [String]) -> House {
        let answers = [.list([])] + texts.map { ScriptedProvider.Answer.list([lesson("1", $0)]) }
        return House(
            sources: [source("timetable", ScriptedProvider(answers))],
            sinks: [SinkSetup(name: "admin", sink: admin)],
            rules: rules
        )
    }

    var adminTold: [String] { admin.arrived.map(\.text) }

    @Test func `a rule that fails is told of once a day, and what fails in telling it goes no further`() async throws {
        let house = house(FailingRules(base: adminRules), texts: ["1", "2", "3", "4", "5"])
        let engine = try await house.started()
        for _ in 0..<4 { try await house.poll(engine) }
        #expect(adminTold == ["rule.failing broken"])
        house.clock.advance(by: .hours(25))
        try await house.poll(engine)
        #expect(adminTold == ["rule.failing broken", "rule.failing broken"])
        #expect(admin.arrived.allSatisfy { !"\($0.content)".contains("secret name") })
        let error = try #require(try await house.store.rules()["broken"]?.error)
        #expect(error.hasSuffix("'pokyh-bot explain broken' shows why."), "\(error)")
    }

    /// Of a lesson that is renamed each day.
    @Test func `RULE-09 a rule that matches nothing for four weeks is told of once a week, until it matches`()
        async throws
    {
        let house = house(UnmatchingRules(base: adminRules), texts: (1...30).map { "\($0)" })
        let engine = try await house.started()
        for _ in 0..<30 { try await house.poll(engine) }
        for _ in 0..<27 { try await house.run(engine, for: .days(1)) }
        #expect(adminTold == [])
        for _ in 0..<16 { try await house.run(engine, for: .days(1)) }
        #expect(adminTold == ["rule.unmatched maths", "rule.unmatched maths", "rule.unmatched maths"])
        let health = try #require(try await house.store.rules()["unmatched/maths"])
        #expect(health.failures == 3)
        #expect(health.error.contains("matched none of the 30 latest events"))
        try await engine.reload(rules: adminRules)
        for _ in 0..<9 { try await house.run(engine, for: .days(1)) }
        #expect(adminTold.count == 3)
    }

    @Test func `RULE-09 a rule that matches nothing is told of although the clock was a year ahead before`()
        async throws
    {
        let house = house(UnmatchingRules(base: adminRules), texts: (1...30).map { "\($0)" })
        house.clock.advance(by: .days(365))
        let ahead = try await house.started()
        for _ in 0..<30 { try await house.poll(ahead) }
        for _ in 0..<30 { try await house.run(ahead, for: .days(1)) }
        #expect(adminTold == ["rule.unmatched maths"])
        house.clock.set(to: start)
        let engine = try await house.started()
        for _ in 0..<30 { try await house.run(engine, for: .days(1)) }
        #expect(adminTold == ["rule.unmatched maths", "rule.unmatched maths"])
    }

    @Test func `a rule that works again is well again, and is still told of once a day at most`() async throws {
        let rules = FailingRules(base: adminRules) { event in
            if isHealth(event) { nil } else { event.record.fields["text"] == "bad" ? .failed : .told }
        }
        let house = house(rules, texts: ["bad", "good", "bad"])
        let engine = try await house.started()
        for _ in 0..<2 { try await house.poll(engine) }
        #expect(try await house.store.rules()["broken"]?.failures == 1)
        try await house.poll(engine)
        let health = try #require(try await house.store.rules()["broken"])
        #expect(health.failures == 0)
        #expect(health.error == "")
        try await house.poll(engine)
        #expect(try await house.store.rules()["broken"]?.failures == 1)
        #expect(adminTold == ["rule.failing broken"])
    }

    @Test func `a rule with errors in its file is told of once, over restarts, until it has other errors`() async throws
    {
        let store = MemoryStore()
        let house = { (reason: String?) in
            House(
                store,
                sources: [source("timetable", ScriptedProvider([.list([])]))],
                sinks: [SinkSetup(name: "admin", sink: admin)],
                rules: adminRules,
                inactive: reason.map { [InactiveRule(id: "mensa", reason: $0)] } ?? []
            )
        }
        for reason in ["line 4: no such field", "line 4: no such field", "line 5: no such sink"] {
            let house = house(reason)
            try await house.settle(try await house.started())
        }
        #expect(adminTold == ["rule.failing mensa", "rule.failing mensa"])
        let errors = await store.events(since: start, limit: 9).map { $0.record.fields["error"]?.string }
        #expect(errors == ["line 5: no such sink", "line 4: no such field"])
        #expect(await store.rules()["mensa"]?.failures == 1)
        // Mended.
        let mended = house(nil)
        try await mended.settle(try await mended.started())
        #expect(await store.rules()["mensa"]?.failures ?? 0 == 0)
        #expect(adminTold.count == 2)
    }

    @Test func `a rule that is broken while the bot runs is told of, although its last good version works on`()
        async throws
    {
        let rules = FailingRules(base: adminRules) { isHealth($0) ? nil : .told }
        let house = house(rules, texts: ["1", "2", "3"])
        let engine = try await house.started()
        for _ in 0..<2 { try await house.poll(engine) }
        #expect(adminTold.isEmpty)
        let inactive = [InactiveRule(id: "broken", reason: "line 4: no such field")]
        for _ in 0..<2 {
            try await engine.reload(rules: rules, inactive: inactive)
            try await house.poll(engine)
        }
        #expect(adminTold == ["rule.failing broken"])
        #expect(try await house.store.rules()["broken"]?.error == "line 4: no such field")
        try await engine.reload(rules: rules)
        #expect(try await house.store.rules()["broken"]?.failures == 0)
    }
}

/// One rule more, which fails on every event unless said otherwise.
private struct FailingRules: Rules {
    var base: PlainRules
    /// What it makes of an event; nil if it has nothing to say about it.
    var outcome: @Sendable (Event) -> RuleNote.Outcome? = { _ in .failed }

    func decide(on events: [Event], in context: RuleContext) -> Decision {
        var decision = base.decide(on: events, in: context)
        decision.notes += events.compactMap { event in
            outcome(event).map { RuleNote(rule: "broken", about: event.id, outcome: $0, reason: "secret name") }
        }
        return decision
    }
    func slots(after start: Timestamp, through end: Timestamp, in context: RuleContext) -> [Slot] { [] }
    func nextSlot(after instant: Timestamp, in context: RuleContext) -> Timestamp? { nil }
    func fire(_ slot: Slot, in context: RuleContext) -> Decision { Decision() }
    var readSources: Set<String> { [] }
    var ids: Set<String> { ["broken"] }
}

/// Rules one of which never matches.
private struct UnmatchingRules: Rules {
    let base: PlainRules

    var ids: Set<String> { base.ids.union(["maths"]) }
    var readSources: Set<String> { base.readSources }
    func unmatched(by events: [Event], in context: RuleContext) -> [String: Int] { ["maths": 30] }
    func decide(on events: [Event], in context: RuleContext) -> Decision { base.decide(on: events, in: context) }
    func slots(after start: Timestamp, through end: Timestamp, in context: RuleContext) -> [Slot] { [] }
    func nextSlot(after instant: Timestamp, in context: RuleContext) -> Timestamp? { nil }
    func fire(_ slot: Slot, in context: RuleContext) -> Decision { Decision() }
}
