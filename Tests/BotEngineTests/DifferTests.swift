import BotCore
import BotEngine
import BotTestKit
import Testing
import Values

@Suite struct DifferTests {
    @Test func `a first poll is learnt in silence, and the first change after it is told`() {
        var memory = Remembered()
        #expect(memory.poll(Snapshot(records: [period("1")])).outcome == .learnt)
        let changes = memory.poll([period("1"), period("2")])
        #expect(changes.map(\.kind) == [.added])
    }

    @Test func `a first poll that sees nothing is learnt too, and the first entry after it is told`() {
        var memory = Remembered()
        let comparison = memory.poll(Snapshot(records: []))
        #expect(comparison.outcome == .learnt)
        #expect(comparison.state.isLearnt)
        #expect(memory.poll([period("1")]).map(\.kind) == [.added])
    }

    @Test func `the same answer twice is no change, and writes nothing`() {
        var memory = Remembered()
        _ = memory.poll([period("1"), period("2")])
        let comparison = memory.poll(Snapshot(records: [period("2"), period("1")]))
        #expect(comparison.difference?.changes == [])
        #expect(comparison.put == [])
        #expect(comparison.gone == [:])
    }

    @Test func `the window that moves each day adds and removes nothing by moving`() {
        var memory = Remembered()
        let week = (0...7).map { (day: Int) in period("\(day)", day: day) }
        _ = memory.poll(Array(week[0...6]), days: 0...6)
        let moved = memory.poll(Array(week[1...7]), days: 1...7)
        #expect(moved.map(\.kind) == [.entered])
        #expect(moved.first?.new?.key == "7")
        let real = memory.poll(
            Array(week[1...3]) + [period("new", day: 3)] + Array(week[5...7]),
            days: 1...7
        )
        #expect(real.map(\.kind) == [.added, .removed])
        #expect(real.map { ($0.new ?? $0.old)?.key } == ["new", "4"])
    }

    @Test func `a day that is not published is neither learnt nor compared`() {
        var memory = Remembered()
        _ = memory.poll([period("1", day: 0)], days: 0...1, unknown: [1])
        #expect(memory.poll([period("1", day: 0), period("2", day: 1)], days: 0...1).map(\.kind) == [.entered])
        #expect(memory.poll([period("1", day: 0)], days: 0...1, unknown: [1]).isEmpty)
        #expect(memory.poll([period("1", day: 0), period("2", day: 1)], days: 0...1).isEmpty)
    }

    @Test func `an emptiness that an unchanged answer has ended is no proof weeks later`() {
        var memory = Remembered()
        _ = memory.poll([period("1"), period("2")])
        #expect(memory.poll(Snapshot(records: [])).outcome == .suspicious)
        #expect(memory.poll(Snapshot(records: nil)).outcome == .unchanged)
        memory.pause = .days(40)
        #expect(memory.poll(Snapshot(records: nil)).outcome == .unchanged)
        #expect(memory.poll(Snapshot(records: [])).outcome == .suspicious)
    }

    @Test func `an emptiness that a clock that was ahead has noted is believed a day after the clock was set right`() {
        var memory = Remembered()
        _ = memory.poll([period("1"), period("2")])
        memory.now = memory.now + .days(365)
        #expect(memory.poll(Snapshot(records: [])).outcome == .suspicious)
        memory.now = memory.now - .days(366)
        #expect(memory.poll(Snapshot(records: [])).outcome == .suspicious)
        #expect(memory.poll(Snapshot(records: [])).outcome == .compared)
    }

    @Test func `cancelled, restored and cancelled again are three changes with growing revisions`() {
        var memory = Remembered()
        _ = memory.poll([period("1")])
        let states = ["cancelled", "planned", "cancelled"]
        let changes = states.flatMap { memory.poll([period("1", state: $0)]) }
        #expect(changes.map(\.revision) == [2, 3, 4])
        #expect(changes.first?.fields == [FieldChange(field: "state", old: "planned", new: "cancelled")])
    }

    @Test func `what returns after a removal goes on counting`() {
        var memory = Remembered()
        _ = memory.poll([period("1"), period("2")])
        #expect(memory.poll([period("2")]).map(\.revision) == [2])
        let back = memory.poll([period("1"), period("2")])
        #expect(back.map(\.kind) == [.added])
        #expect(back.map(\.revision) == [3])
    }

    @Test func `a record under a new key is the same one if it is alike`() {
        var memory = Remembered()
        _ = memory.poll([period("1", likeness: "Thu MAT"), period("2", likeness: "Fri MAT")])
        let changes = memory.poll([period("8", room: "R2", likeness: "Thu MAT"), period("9", likeness: "Fri MAT")])
        #expect(changes.map(\.kind) == [.changed, .renumbered])
        #expect(changes[0].fields.map(\.field) == ["room"])
        #expect(changes[0].revision == 2)
        #expect(memory.poll([period("8", room: "R2", likeness: "Thu MAT"), period("9", likeness: "Fri MAT")]).isEmpty)
    }

    @Test func `of several that are alike the equal ones belong together`() {
        var memory = Remembered()
        _ = memory.poll([period("1", room: "R1", likeness: "MAT"), period("2", room: "R2", likeness: "MAT")])
        let changes = memory.poll([period("8", room: "R2", likeness: "MAT"), period("9", room: "R3", likeness: "MAT")])
        #expect(changes.map(\.kind) == [.renumbered, .changed])
        #expect(changes.map { $0.old?.key } == ["2", "1"])
    }

    @Test func `a list that is suddenly empty is believed only when it has stayed so for a day`() {
        var memory = Remembered()
        memory.pause = .hours(11)
        _ = memory.poll([period("1"), period("2")])
        #expect(memory.poll(Snapshot(records: [])).outcome == .suspicious)
        #expect(memory.poll(Snapshot(records: [])).outcome == .suspicious)
        #expect(memory.poll([period("1"), period("2")]).isEmpty)
        for _ in 0..<3 { #expect(memory.poll(Snapshot(records: [])).outcome == .suspicious) }
        #expect(memory.poll([]).map(\.kind) == [.removed, .removed])
    }

    @Test func `an entry that cannot be read keeps its state`() {
        var memory = Remembered()
        _ = memory.poll([period("1"), period("2")])
        let named = Snapshot(records: [period("1")], unreadableKeys: ["2"], unreadable: 1)
        #expect(memory.poll(named).difference?.changes == [])
        let nameless = Snapshot(records: [period("1", room: "R2")], unreadable: 1)
        #expect(memory.poll(nameless).difference?.changes.map(\.kind) == [.changed])
        #expect(memory.poll([period("1", room: "R2"), period("2")]).isEmpty)
    }

    @Test func `an answer that says nothing has changed changes nothing but the memo`() {
        var memory = Remembered()
        let early = memory.poll(Snapshot(records: nil, memo: "etag"))
        #expect(early.state.memo == .null)
        #expect(!early.state.isLearnt)
        _ = memory.poll(Snapshot(records: [period("1")], memo: "a"))
        let comparison = memory.poll(Snapshot(records: nil, memo: "b"))
        #expect(comparison.outcome == .unchanged)
        #expect(comparison.state.memo == "b")
        #expect(comparison.put.isEmpty && comparison.gone.isEmpty)
    }

    @Test func `a new era is learnt in silence and its revisions go on`() {
        var memory = Remembered()
        _ = memory.poll(Snapshot(records: [period("1"), period("2")], era: "2026"))
        let comparison = memory.poll(Snapshot(records: [period("1", room: "R9")], era: "2027"))
        #expect(comparison.outcome == .learnt)
        #expect(comparison.difference == nil)
        #expect(comparison.put.map(\.revision) == [2])
        #expect(comparison.gone == ["2": 1])
    }

    @Test func `a source that is pointed at another child begins anew in silence`() {
        var memory = Remembered()
        let of = { (id: String, records: [Record]) in Snapshot(records: records, student: Student(id: id, name: "")) }
        _ = memory.poll(of("11", [period("11/1", likeness: "MAT")]))
        let comparison = memory.poll(of("12", [period("12/1", room: "R2", likeness: "MAT")]))
        #expect(comparison.outcome == .learnt)
        #expect(memory.stored.present.map(\.record.key) == ["12/1"])
    }

    @Test func `fields that do not count make no change but are stored`() {
        var memory = Remembered()
        _ = memory.poll([period("1", rating: 1)])
        let comparison = memory.poll(Snapshot(records: [period("1", rating: 5)]))
        #expect(comparison.difference?.changes == [])
        #expect(comparison.put.map { $0.record.fields["rating"] } == [5.0])
        #expect(comparison.put.map(\.revision) == [1])
    }

    @Test func `a record that moves to a day outside the old window is changed, not added`() {
        var memory = Remembered()
        _ = memory.poll([period("exam", day: 2)], days: 0...6)
        let changes = memory.poll([period("exam", day: 9, room: "R2")], days: 3...9)
        #expect(changes.map(\.kind) == [.changed])
    }

    @Test func `comparing 54,000 lessons looks at each once`() {
        // 30 weeks of 45 lessons for 40 classes. A quadratic comparison would not end within the test run.
        var memory = Remembered()
        let lessons = (0..<54_000).map { period("\($0)", day: nil) }
        memory.state.isLearnt = true
        memory.stored = StoredRecords(present: lessons.map { StoredRecord($0, revision: 1) })
        var changed = lessons
        changed[40_000] = period("40000", day: nil, room: "R2")
        let differ = Differ(
            Snapshot(records: changed),
            state: memory.state,
            stored: memory.stored,
            schema: periodSchema
        )
        let comparison = differ.compare(at: start)
        #expect(comparison.difference?.changes.count == 1)
        #expect(comparison.put.count == 1)
    }
}
