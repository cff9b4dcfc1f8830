import BotCore
import Glibc
import Values

/// The machine's clock: the one place where the program reads the time.
struct LiveClock: WallClock {
    var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }

    /// Sleeps in short stretches, and returns early when the clock was set back: what was planned by it must be planned anew.
    func sleep(until deadline: Timestamp) async {
        while !Task.isCancelled {
            let before = now
            let left = deadline - before
            if left <= .zero { return }
            do {
                try await Task.sleep(for: .milliseconds(max(1, min(left, Self.stretch).milliseconds)))
            } catch {
                return  // Cancelled: the caller looks at that itself.
            }
            if now < before { return }
        }
    }

    /// How soon a clock that was set is noticed.
    private static let stretch = TimeSpan.seconds(5)
}

/// A clock that runs faster than the machine's, for the demo: the story's days pass in seconds.
struct CompressedClock: WallClock {
    let live = LiveClock()
    let realStart: Timestamp
    let storyStart: Timestamp
    let factor: Double

    init(storyStart: Timestamp, factor: Double) {
        realStart = live.now
        self.storyStart = storyStart
        self.factor = factor
    }

    var now: Timestamp { storyStart + (live.now - realStart) * factor }

    func sleep(until deadline: Timestamp) async {
        await live.sleep(until: realStart + (deadline - storyStart) * (1 / factor))
    }
}
