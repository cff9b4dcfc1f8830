import BotCore
import BotTestKit
import Testing
import Values

@testable import BotEngine

/// What becomes of things that are taken out of the files.
@Suite struct RetentionStoryTests {
    @Test func `a source and a rule that were taken out of the files are forgotten after thirty days`() async throws {
        let store = MemoryStore()
        let house = { (names: [String], rule: String) in
            House(
                store,
                sources: names.map { source($0, ScriptedProvider([.list([lesson("1")])])) },
                sinks: [],
                rules: PlainRules([.init(rule, to: "")]),
                inactive: [InactiveRule(id: "broken", reason: "line 4")]
            )
        }
        let both = house(["timetable", "grades"], "old")
        try await both.settle(try await both.started())
        var commit = Commit(at: start)
        commit.rules = ["old": Health(failures: 1)]
        try await store.commit(commit)

        let one = house(["timetable"], "new")
        let engine = try await one.started()
        try await one.run(engine, for: .days(29))
        #expect(await store.sources().keys.sorted() == ["grades", "timetable"])
        #expect(await store.rules().keys.sorted() == ["broken"])
        try await one.run(engine, for: .days(2))
        #expect(await store.sources().keys.sorted() == ["timetable"])
        #expect(await store.keys(of: "grades") == [])
        #expect(await store.keys(of: "timetable") == ["1"])
    }
}
