import BotCore
import BotTestKit
import Testing
import Values

@testable import BotEngine

/// Times: slots, restarts, clocks that jump, sources that hang.
@Suite struct ScheduleStoryTests {
    let sink = RecordingSink()

    func slot(_ rule: String, _ minutes: Int64, grace: TimeSpan = .minutes(30), needs: [String] = []) -> Slot {
        let due = start + .minutes(minutes)
        let key = String(due.rfc3339.prefix(16))
        return Slot(rule: rule, key: key, due: due, grace: grace, needs: needs)
    }

    func house(_ schedule: [Slot], _ sources: [SourceSetup] = [], reads: Set<String> = []) -> House {
        House(
            sources: sources,
            sinks: [SinkSetup(name: "chat", sink: sink)],
            rules: PlainRules(
                [.init("a", to: "chat") { !isHealth($0) }],
                schedule: schedule,
                scheduleSink: "chat",
                readSources: reads
            )
        )
    }

    var told: [String] { sink.arrived.map { String($0.text.prefix { $0 != " " }) } }

    @Test func `a scheduled rule fires once at its time, whatever restarts lie around it`() async throws {
        let house = house([slot("mensa", 10)])
        var engine = try await house.started()
        try await house.run(engine, for: .minutes(9))
        #expect(told == [])
        engine = try await house.started()
        try await house.run(engine, for: .minutes(1))
        #expect(told == ["mensa"])
        engine = try await house.started()
        try await house.run(engine, for: .hours(1))
        #expect(told == ["mensa"])
    }

    @Test func `times before the first start are nobody's`() async throws {
        let house = house([slot("mensa", -10)])
        try await house.run(try await house.started(), for: .hours(1))
        #expect(told == [])
    }

    @Test func `what was missed while the bot was off runs once if its grace allows, else it is noted`() async throws {
        let house = house([slot("late", 10), slot("missed", 10, grace: .minutes(5))])
        try await house.run(try await house.started(), for: .minutes(1))
        house.clock.advance(by: .minutes(20))
        try await house.settle(try await house.started())
        #expect(told == ["late"])
        let notes = try await house.store.notes(about: slot("missed", 10).key)
        #expect(notes.filter { $0.outcome == .skipped }.map(\.rule) == ["missed"])
    }

    @Test func `SCHED-02 many missed times of one rule become one run, those inside records each their own`()
        async throws
    {
        let often = (1...48).map { slot("often", Int64($0) * 10, grace: .hours(24)) }
        let records = (1...3).map {
            Slot(rule: "lesson", key: "timetable/\($0)/x", due: start + .minutes(60), grace: .hours(24))
        }
        let house = house(often + records)
        let engine = try await house.started()
        try await house.settle(engine)
        house.clock.advance(by: .hours(8))
        try await house.settle(engine)
        #expect(told.filter { $0 == "often" }.count == 1)
        #expect(told.filter { $0 == "lesson" }.count == 3)
    }

    @Test func `a rule's sources are asked before it fires, unless they were asked within their interval`() async throws
    {
        let provider = ScriptedProvider([.list([lesson("1")]), .list([lesson("1"), lesson("2")])])
        let mensa = source("mensa", provider, every: .hours(6))
        let house = house(
            [slot("post", 30, needs: ["mensa"]), slot("post", 400, needs: ["mensa"])],
            [mensa],
            reads: ["mensa"]
        )
        let engine = try await house.started()
        await engine.setDue("mensa", start + .days(9))
        try await house.run(engine, for: .minutes(31))
        #expect(provider.requests.count == 1)
        #expect(sink.arrived.map(\.content) == ["1 records"])
        await engine.setDue("mensa", start + .days(9))
        try await house.run(engine, for: .minutes(400))
        #expect(provider.requests.count == 2)
        #expect(sink.arrived.filter { $0.rule == "post" }.map(\.content) == ["1 records", "2 records"])
    }

    @Test func `a rule whose source cannot be asked fires all the same, with what is known`() async throws {
        let provider = ScriptedProvider([.list([lesson("1")]), .failure(.transient("down"))])
        let house = house([slot("post", 120, needs: ["mensa"])], [source("mensa", provider)], reads: ["mensa"])
        try await house.run(try await house.started(), for: .minutes(125))
        #expect(sink.arrived.map(\.content) == ["1 records"])
    }

    @Test func `SCHED-02 a machine that slept eight hours polls once, not 48 times`() async throws {
        let provider = ScriptedProvider([.list([])])
        let house = house([], [source("timetable", provider, every: .minutes(10))])
        let engine = try await house.started()
        try await house.settle(engine)
        house.clock.advance(by: .hours(8))
        try await house.settle(engine)
        #expect(provider.requests.count == 2)
    }

    @Test func `SCHED-07 a clock that is set back neither repeats a slot nor stops the polls`() async throws {
        let provider = ScriptedProvider([.list([])])
        let house = house([slot("daily", 10)], [source("timetable", provider, every: .minutes(10))])
        let engine = try await house.started()
        try await house.run(engine, for: .minutes(11))
        let count = provider.requests.count
        house.clock.set(to: start - .minutes(50))
        try await house.run(engine, for: .minutes(60))
        #expect(told == ["daily"])
        #expect((count + 5...count + 7).contains(provider.requests.count))
    }

    @Test func `SCHED-07 a clock that jumps a year ahead and back delays nothing by a year`() async throws {
        let provider = ScriptedProvider([.list([]), .failure(.transient("x"))])
        let house = house([slot("daily", 60)], [source("timetable", provider, every: .minutes(10))])
        let engine = try await house.started()
        try await house.run(engine, for: .minutes(5))
        house.clock.set(to: start + .days(365))
        try await house.settle(engine)
        let count = provider.requests.count
        house.clock.set(to: start + .minutes(6))
        try await house.run(engine, for: .minutes(60))
        #expect(provider.requests.count > count)
        #expect(told == ["daily"])
    }

    @Test
    func `PERF-01 SCHED-11 a source that hangs is given up at its time-out, never asked twice at once, and holds up no other`()
        async throws
    {
        let hanging = ScriptedProvider([.hang])
        let other = ScriptedProvider([.list([]), .list([lesson("1")]), .list([lesson("1"), lesson("2")])])
        let house = house(
            [],
            [source("stuck", hanging, every: .minutes(10)), source("timetable", other, every: .minutes(10))]
        )
        let engine = house.engine()
        let running = Task { try await engine.run() }
        #expect(await eventually { hanging.requests.count == 1 })
        for _ in 0..<3 {
            let count = other.requests.count
            #expect(
                await eventually {
                    house.clock.advance(by: .seconds(10)); return other.requests.count > count
                }
            )
        }
        #expect(await eventually { sink.arrived.count == 2 })
        #expect(hanging.requests.count == 1)
        #expect(hanging.mostRunning == 1)
        let health = try await house.store.sources()["stuck"]?.health
        #expect(health?.failures ?? 0 >= 2)
        hanging.release()
        #expect(
            await eventually {
                house.clock.advance(by: .seconds(10)); return hanging.requests.count > 1
            }
        )
        hanging.release()
        await engine.stop()
        // The farewell waits for what hangs, but not for ever.
        #expect(
            await eventually {
                house.clock.advance(by: .seconds(1)); return running.isCancelled || hanging.requests.count > 1
            }
        )
        try await running.value
    }

    @Test func `at a start the sources that are due do not all begin at once`() async throws {
        let providers = (0..<4).map { _ in ScriptedProvider([.list([])]) }
        let house = house([], providers.enumerated().map { source("s\($0.offset)", $0.element) })
        let engine = house.engine()
        let running = Task { try await engine.run() }
        #expect(await eventually { providers[0].requests.count == 1 })
        #expect(providers.dropFirst().allSatisfy { $0.requests.isEmpty })
        #expect(
            await eventually {
                house.clock.advance(by: .milliseconds(50)); return providers[3].requests.count == 1
            }
        )
        let first = providers.flatMap(\.requests).map(\.now)
        #expect(first == first.sorted())
        #expect(Set(first).count == 4)
        await engine.stop()
        try await running.value
    }

    @Test func `once polls everything, fires what is due, waits for near retries and ends`() async throws {
        sink.then(.refused(.transient("busy")), .refused(.transient("busy", retryAfter: .hours(1))))
        let provider = ScriptedProvider([.list([]), .list([lesson("1")]), .list([lesson("1", "x")])])
        let house = house([slot("mensa", 10)], [source("timetable", provider)])
        _ = try await house.engine().runOnce()
        house.clock.advance(by: .minutes(15))
        let once = Task { try await house.engine().runOnce() }
        #expect(
            await eventually {
                house.clock.advance(by: .milliseconds(500)); return sink.tried.count >= 3
            }
        )
        let report = try await once.value
        #expect(report.polls.good == 1)
        #expect(report.deliveries.delivered == 1)
        #expect(report.waiting == 1)
        #expect(sink.tried.count == 3)
    }

    @Test func `other rules hold from the moment they are handed over`() async throws {
        let provider = ScriptedProvider([.list([]), .list([lesson("1")]), .list([lesson("1"), lesson("2")])])
        let house = house([], [source("timetable", provider)])
        let engine = try await house.started()
        try await house.settle(engine)
        try await house.poll(engine)
        try await engine.reload(rules: PlainRules([.init("b", to: "chat")]))
        try await house.poll(engine)
        #expect(sink.arrived.map(\.rule) == ["a", "b"])
    }

    @Test func `RULE-02 a filter that is edited makes no news of what is unchanged`() async throws {
        let plan = [lesson("MAT"), lesson("REL")]
        let provider = ScriptedProvider([.list(plan), .list(plan), .list([lesson("MAT"), lesson("REL", "cancelled")])])
        let house = house([], [source("timetable", provider)])
        let engine = try await house.started()
        try await engine.reload(rules: PlainRules([.init("a", to: "chat") { $0.record.key != "REL" }]))
        try await house.settle(engine)
        try await engine.reload(rules: PlainRules([.init("a", to: "chat")]))
        try await house.poll(engine)
        #expect(told == [])
        try await house.poll(engine)
        #expect(sink.arrived.map(\.text) == ["lesson.changed REL"])
    }

    @Test func `rules that read a source again see it as it is, not as it was when rules last read it`() async throws {
        let provider = ScriptedProvider([.list([lesson("1")]), .list([lesson("1"), lesson("2")])])
        let reading = house([slot("before", 10), slot("after", 90)], [source("mensa", provider)], reads: ["mensa"])
        let engine = try await reading.started()
        try await reading.run(engine, for: .minutes(20))
        try await engine.reload(rules: PlainRules([]))
        try await reading.run(engine, for: .minutes(60))
        #expect(provider.requests.count == 2)
        try await engine.reload(rules: reading.setup.rules)
        try await reading.run(engine, for: .minutes(30))
        #expect(
            sink.arrived.filter { ["before", "after"].contains($0.rule) }.map(\.content) == ["1 records", "2 records"]
        )
    }
}
