import BotCore
import BotTestKit
import Testing
import Values

@testable import BotState

/// A poll touches its own rows, however many others there are.
@Suite struct SizeTests {
    @Test func `a poll among 100,000 stored lessons reads and writes its own alone`() async throws {
        let folders = TemporaryFolders()
        defer { folders.remove() }
        let now = Timestamp(seconds: 1_796_000_000)
        let day = CalendarDate(dayNumber: 20_787)
        let store = try await SQLiteStore.open(folder: folders.next(), at: now)
        for block in 0..<20 {
            var commit = Commit(at: now)
            for student in block * 100..<block * 100 + 100 {
                let records = (0..<50).map { index in
                    let fields: ValueMap = ["subject": "MAT", "start": .timestamp(now), "rooms": ["T101"]]
                    let date = day.adding(days: index / 5)
                    return StoredRecord(
                        Record(key: "\(student)/\(index)", type: "lesson", date: date, fields: fields),
                        revision: 1
                    )
                }
                var state = SourceState()
                state.isLearnt = true
                state.window = DateWindow(day, through: day.adding(days: 13))
                commit.sources.append(SourceUpdate(source: "s\(student)", state: state, put: records))
            }
            try await store.commit(commit)
        }
        let steps = try await store.countingSteps {
            let stored = try await store.records(of: "s1234", from: day, keys: ["1234/0"])
            #expect(stored.present.count == 50)
            var state = SourceState()
            state.isLearnt = true
            var commit = Commit(at: now)
            commit.sources = [SourceUpdate(source: "s1234", state: state, put: [stored.present[0]])]
            try await store.commit(commit)
        }
        // 50 rows in about 20 steps of SQLite's machine each; a scan of the table would take millions.
        #expect(steps < 20_000)
        await store.close()
    }
}

extension SQLiteStore {
    /// How many full-scan steps and machine steps the statements took.
    fileprivate func countingSteps(_ work: () async throws -> Void) async throws -> Int {
        let before = connection.machineSteps
        try await work()
        return connection.machineSteps - before
    }
}
