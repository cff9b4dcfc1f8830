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

    /// Sleeps in stretches of at most a minute, so that a clock that is set forwards is noticed.
    func sleep(until deadline: Timestamp) async {
        while !Task.isCancelled {
            let left = deadline - now
            if left <= .zero { return }
            let stretch = min(left, .minutes(1))
            do {
                try await Task.sleep(for: .milliseconds(max(1, stretch.milliseconds)))
            } catch {
                return  // Cancelled: the caller looks at that itself.
            }
        }
    }
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
