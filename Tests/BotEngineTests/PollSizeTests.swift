import BotCore
import BotTestKit
import Foundation
import Testing
import Values

@testable import BotEngine
@testable import BotState

/// What one poll costs does not depend on how much else is remembered.
@Suite struct PollSizeTests {
    private static let day = CalendarDate(dayNumber: 20_787)
    private static let lessonsEach = 50

    /// A fortnight of one student, five lessons on each of its ten school days.
    private static func fortnight(of student: Int) -> [Record] {
        (0..<lessonsEach).map { index in
            let week = index / 25
            return Record(
                key: "\(student)/\(index)",
                type: "lesson",
                date: day.adding(days: week * 7 + index / 5 % 5),
                fields: ["subject": "MAT", "text": "planned", "start": .timestamp(start), "rooms": ["T101"]]
            )
        }
    }

    private static func remember(students: Int, in store: SQLiteStore) async throws {
        for first in stride(from: 0, to: students, by: 100) {
            var commit = Commit(at: start)
            for student in first..<first + 100 {
                var state = SourceState()
                state.isLearnt = true
                state.window = DateWindow(day, through: day.adding(days: 13))
                state.learntDates = Set(state.window?.dates ?? [])
                let put = fortnight(of: student).map { StoredRecord($0, revision: 1) }
                commit.sources.append(SourceUpdate(source: "s\(student)", state: state, put: put))
            }
            try await store.commit(commit)
        }
    }

    /// As many lessons as a source answers first with this text.
    private static func answer(cancelled: Int, _ text: String) -> ScriptedProvider.Answer {
        var records = fortnight(of: 1234)
        for place in 0..<cancelled { records[place].fields["text"] = .string(text) }
        return .snapshot(Snapshot(records: records, window: DateWindow(day, through: day.adding(days: 13))))
    }

    @Test func `of 100,000 lessons of 2,000 students, a poll reads and writes those of its own student alone`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pokyh-bot-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await SQLiteStore.open(folder: folder, at: start)
        try await Self.remember(students: 2000, in: store)
        let provider = ScriptedProvider([
            Self.answer(cancelled: 0, ""), Self.answer(cancelled: 1, "a"), Self.answer(cancelled: 10, "b"),
        ])
        let chat = RecordingSink()
        let house = House(
            store,
            sources: [source("s1234", provider)],
            sinks: [SinkSetup(name: "chat", sink: chat)],
            rules: PlainRules([.init("lessons", to: "chat") { !isHealth($0) }])
        )
        let engine = try await house.started()
        await engine.setDue("s1234", start + .hours(1))
        try await house.settle(engine)

        for told in [0, 1, 10] {
            let (before, earlier) = (await store.work, chat.arrived.count)
            try await house.poll(engine, "s1234")
            let after = await store.work
            #expect(chat.arrived.count - earlier == told)
            let read = after.rowsGiven - before.rowsGiven
            let written = after.rowsWritten - before.rowsWritten
            // The keys and the rows of its fortnight, and some twenty looks for each message at what is due; the source, and for each change
            // its row, event, note and payload with what becomes of that one.
            #expect((Self.lessonsEach...Self.lessonsEach * 2 + 40 * (told + 1)).contains(read), "\(read) rows read")
            #expect((1...5 + 10 * told).contains(written), "\(written) rows written")
            // A scan of the table would take millions of steps.
            #expect(after.machineSteps - before.machineSteps < 20_000 + 5000 * told)
            #expect(after.scanSteps == before.scanSteps)
        }
        await store.close()
    }
}

extension SQLiteStore {
    fileprivate var work: Connection.Work { connection.work }
}
