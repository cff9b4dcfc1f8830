import BotCore
import BotRules
import Testing
import Values

/// Wall-clock times over both changes of the clock, with restarts at any instant.
@Suite struct SlotOnceTests {
    static let book = TestSchool.load(
        """
        version: 1
        rules:
          - id: daily
            when: {at: ["02:30", "06:45"], grace: 45m}
            message: {title: Hallo}
            send: [terminal]
        """
    ).book

    @Test func `each local date fires once, whatever restarts happen between`() throws {
        for seed in 0..<1000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let start = TestSchool.instant(seed.isMultiple(of: 2) ? "2026-03-27T12:00" : "2026-10-23T12:00")
            let end = start + .days(4)
            var clock = start
            var checked = start
            var fired: Set<String> = []
            var firedTwice: [String] = []
            while clock < end {
                // What is on disk: the keys that have fired, and up to when was looked, at times an older one.
                if random.next() % 5 == 0 { checked = checked - .seconds(Int64(random.next() % 7200)) }
                for slot in Self.book.slots(after: checked, through: clock, in: RuleContext(now: clock)) {
                    guard clock - slot.due <= slot.grace, !fired.contains(slot.key) else { continue }
                    let told = Self.book.fire(slot, in: RuleContext(now: clock)).messages.count == 1
                    if !told || !fired.insert(slot.key).inserted { firedTwice.append(slot.key) }
                }
                checked = clock
                let next = Self.book.nextSlot(after: clock, in: RuleContext(now: clock)) ?? end
                // Now and then the bot is away for up to 40 minutes, which its grace covers.
                clock = random.next() % 3 == 0 ? next + .seconds(Int64(random.next() % 2400)) : next
            }
            let dates = (0..<4).map { TestSchool.rome.date(at: start).adding(days: $0 + 1) }
            let expected = Set(dates.flatMap { ["\($0)T02:30", "\($0)T06:45"] })
            let missing = expected.filter { !fired.contains($0) && !$0.hasPrefix("\(dates[3])T06") }
            #expect(firedTwice.isEmpty && missing.isEmpty, "seed \(seed): \(firedTwice) \(missing)")
        }
    }
}
