import BotCore
import BotTestKit
import Synchronization
import Testing
import Values

@testable import BotEngine

/// One sleeper for all that an engine waits for.
struct AlarmsTests {
    private static let start = Timestamp(seconds: 1_780_000_000)

    /// Which alarms have rung, and waiting for it.
    private final class Bells: Sendable {
        private let rung = Mutex<[String]>([])
        let names: AsyncStream<String>
        private let door: AsyncStream<String>.Continuation

        init() { (names, door) = AsyncStream.makeStream(of: String.self) }

        func ring(_ name: String) {
            rung.withLock { $0.append(name) }
            door.yield(name)
        }

        var all: [String] { rung.withLock { $0 } }

        /// The next so many, in the order in which they rang.
        func next(_ count: Int) async -> [String] {
            var found: [String] = []
            for await name in names {
                found.append(name)
                if found.count == count { break }
            }
            return found
        }
    }

    @Test func `alarms ring in the order of their deadlines, whenever they were set`() async {
        let clock = ManualClock(Self.start)
        let alarms = Alarms(clock)
        let bells = Bells()
        for (name, seconds) in [("late", 30), ("early", 10), ("middle", 20)] {
            _ = alarms.set(at: Self.start + .seconds(Int64(seconds))) { bells.ring(name) }
        }
        clock.advance(by: .seconds(25))
        #expect(await bells.next(2) == ["early", "middle"])
        clock.advance(by: .seconds(5))
        #expect(await bells.next(1) == ["late"])
    }

    @Test func `an alarm that was taken back does not ring, and others still do`() async {
        let clock = ManualClock(Self.start)
        let alarms = Alarms(clock)
        let bells = Bells()
        let first = alarms.set(at: Self.start + .seconds(10)) { bells.ring("taken back") }
        _ = alarms.set(at: Self.start + .seconds(20)) { bells.ring("left") }
        alarms.takeBack(first)
        clock.advance(by: .seconds(20))
        #expect(await bells.next(1) == ["left"])
        #expect(bells.all == ["left"])
    }

    @Test func `an alarm can be set after all others have rung or were taken back`() async {
        let clock = ManualClock(Self.start)
        let alarms = Alarms(clock)
        let bells = Bells()
        alarms.takeBack(alarms.set(at: Self.start + .seconds(5)) { bells.ring("taken back") })
        for round in 1...3 {
            _ = alarms.set(at: clock.now + .seconds(10)) { bells.ring("round \(round)") }
            clock.advance(by: .seconds(10))
            #expect(await bells.next(1) == ["round \(round)"])
        }
    }

    @Test func `an alarm whose moment has passed rings at once`() async {
        let alarms = Alarms(ManualClock(Self.start))
        let bells = Bells()
        _ = alarms.set(at: Self.start - .seconds(1)) { bells.ring("passed") }
        #expect(await bells.next(1) == ["passed"])
    }

    @Test func `a clock that is set back keeps time-outs as long as they were, and wakes who plans by it`() async {
        let clock = ManualClock(Self.start)
        let alarms = Alarms(clock)
        let bells = Bells()
        _ = alarms.set(at: Self.start + .seconds(60)) { bells.ring("time-out") }
        _ = alarms.set(at: Self.start + .hours(10), ringsWhenSetBack: true) { bells.ring("planner") }
        // The sleeper has to be asleep to notice.
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.set(to: Self.start - .hours(2))
        #expect(await bells.next(1) == ["planner"])
        clock.advance(by: .seconds(59))
        #expect(bells.all == ["planner"])
        clock.advance(by: .seconds(1))
        #expect(await bells.next(1) == ["time-out"])
    }

    @Test func `five hundred alarms take one sleeper`() async {
        let clock = ManualClock(Self.start)
        let alarms = Alarms(clock)
        let bells = Bells()
        for number in 1...500 {
            _ = alarms.set(at: Self.start + .seconds(60 + Int64(number))) { bells.ring("\(number)") }
        }
        while clock.sleeperCount == 0 { await Task.yield() }
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(560))
        #expect(await bells.next(500) == (1...500).map { "\($0)" })
    }
}
