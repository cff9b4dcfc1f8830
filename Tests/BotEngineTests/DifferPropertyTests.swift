import BotCore
import BotTestKit
import Testing
import Values

/// What holds for all pairs of answers.
@Suite struct DifferPropertyTests {
    /// A few keys, days, rooms and likenesses, so that all cases of meeting come about.
    private func records(_ generator: inout SeededGenerator) -> [Record] {
        var seen: Set<Int> = []
        return (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in
            let key = Int.random(in: 0..<12, using: &generator)
            guard seen.insert(key).inserted else { return nil }
            let likeness = Int.random(in: 0..<4, using: &generator)
            return period(
                "\(key)",
                day: Int.random(in: 0..<4, using: &generator),
                room: "R\(Int.random(in: 0..<3, using: &generator))",
                rating: Double(Int.random(in: 0..<2, using: &generator)),
                likeness: likeness == 0 ? nil : "L\(likeness)"
            )
        }
    }

    /// Changes applied to records, by key.
    private func apply(_ changes: [Change], to records: [Record]) -> [String: Record] {
        var byKey = Dictionary(records.map { ($0.key, $0) }) { first, _ in first }
        for change in changes { if let old = change.old { byKey[old.key] = nil } }
        for change in changes { if let new = change.new { byKey[new.key] = new } }
        return byKey
    }

    private func compared(_ records: [String: Record]) -> [String: Record] {
        records.mapValues { record in
            var record = record
            record.fields["rating"] = nil
            record.likeness = nil
            return record
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `applying the difference to the old answer gives the new one`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var memory = Remembered()
        let (first, second) = (records(&generator), records(&generator))
        _ = memory.poll(first)
        let changes = memory.poll(second)
        // What is compared; likeness and ratings are stored beside it.
        let wanted = Dictionary(second.map { ($0.key, $0) }) { first, _ in first }
        #expect(compared(apply(changes, to: first)) == compared(wanted))
        #expect(Set(memory.stored.present.map(\.record)) == Set(second))
        #expect(memory.poll(second).isEmpty)
        #expect(
            Set(changes.flatMap { [$0.old?.key].compactMap(\.self) }).count == changes.filter { $0.old != nil }.count
        )
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `over a row of moving windows the memory follows, revisions grow, and repeats are silent`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var memory = Remembered()
        var revisions: [String: Int64] = [:]
        for step in 0..<6 {
            let days = step / 2...step / 2 + 2
            let answer = records(&generator).filter { record in
                record.date.map { days.contains(Int($0.dayNumber - monday.dayNumber)) } ?? true
            }
            let changes = memory.poll(answer, days: days)
            for change in changes where change.kind != .renumbered {
                let key = (change.new ?? change.old)?.key ?? ""
                #expect(change.revision > revisions[key] ?? 0)
                revisions[key] = change.revision
            }
            for row in memory.stored.present {
                revisions[row.record.key] = max(revisions[row.record.key] ?? 0, row.revision)
            }
            let again = memory.poll(answer, days: days)
            // An empty answer is only believed the second time.
            if !answer.isEmpty { #expect(again.isEmpty) }
        }
    }
}
