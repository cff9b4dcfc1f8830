import BotCore
import BotEngine
import BotTestKit
import Testing
import Values

/// Long lists are compared by key: searching each entry in the whole list would take hours here, not seconds.
@Suite struct DifferSizeTests {
    @Test(.timeLimit(.minutes(2)))
    func `PERF-07 one change among 54,000 lessons of forty classes in thirty weeks is found by key`() {
        let lessons = (0..<30 * 45 * 40).map { number in
            period("\(number)", day: number / (9 * 40), state: "planned")
        }
        let window = DateWindow(monday, through: monday.adding(days: 149))
        let first = Differ(
            Snapshot(records: lessons, window: window),
            state: SourceState(),
            stored: StoredRecords(),
            schema: periodSchema
        ).compare(at: start)
        var after = lessons
        after[27_000] = period("27000", day: 27_000 / (9 * 40), state: "cancelled")
        let comparison = Differ(
            Snapshot(records: after.reversed(), window: window),
            state: first.state,
            stored: StoredRecords(present: first.put),
            schema: periodSchema
        ).compare(at: start + .hours(1))
        #expect(comparison.difference?.changes.map(\.new?.key) == ["27000"])
        #expect(comparison.put.map(\.record.key) == ["27000"])
    }
}
