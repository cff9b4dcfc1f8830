import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

/// Random edits of a timetable, polled through the real provider and compared by the engine's own differ.
@Suite struct TimetableEditTests {
    /// 500 timetables of three days, of which two are seen at a time; each poll shows up to four edits, and some cross midnight.
    @Test func `every edit of a timetable is told exactly once, and nothing else is`() async throws {
        var mistakes: [String] = []
        var told = 0
        for seed in 0..<500 {
            let school = try ScriptedSchool()
            var source = try Household(school).source(
                WebUntisPlugins.timetable,
                ["look_ahead": .duration(.days(1)), "trust_import": .duration(.zero)]
            )
            var story = TimetableStory(seed: UInt64(seed))
            await school.show(story.rows())
            _ = try await source.poll()
            for poll in 1...3 {
                let isNextDay = poll == 3 && seed.isMultiple(of: 2)
                let expected = story.edit(isNextDay ? [1] : [0, 1])
                await school.show(story.rows())
                let now = Fixtures.monday + (isNextDay ? .days(1) : .hours(Int64(poll)))
                let lines = try await source.poll(at: now).map(\.line)
                told += lines.count
                if lines.sorted() != expected.sorted() {
                    mistakes.append("seed \(seed), poll \(poll): \(lines.sorted()) instead of \(expected.sorted())")
                    break
                }
            }
        }
        #expect(mistakes.isEmpty, "\(mistakes.count) of 500: \(mistakes.prefix(5).joined(separator: "\n"))")
        #expect(told > 1000)
    }
}
