import Dispatch
import Glibc
import Synchronization

/// Signals as a stream of what they ask for. None is lost that comes after `init`, whatever else the machine has to do: its number waits
/// in a pipe until it is read. (A signal source of Dispatch is there only some time after it was made, and what comes before is gone.)
struct SignalWatch: Sendable {
    enum Wish: Sendable {
        case stop, reload
    }

    let stream: AsyncStream<Wish>

    /// The end of the pipe that the signals' handler writes to.
    private static let writeEnd = Atomic<Int32>(-1)

    /// A wish that came before there was a pipe.
    private static let reloadIsDue = Atomic<Bool>(false)

    /// While the program starts, a wish to read its files again must not end it. It may have read them already: the wish is heard by the
    /// first `SignalWatch`.
    static func keepReload() {
        // Made here: a handler may not be the first to touch it.
        reloadIsDue.store(false, ordering: .sequentiallyConsistent)
        signal(SIGHUP) { _ in SignalWatch.reloadIsDue.store(true, ordering: .sequentiallyConsistent) }
    }

    /// Without a descriptor left for the pipe the standard actions stay: a signal then ends the program as a crash would.
    init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            stream = AsyncStream { _ in }
            return
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        let readEnd = ends[0]
        stream = AsyncStream { continuation in
            let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: .global())
            source.setEventHandler {
                var number: UInt8 = 0
                while read(readEnd, &number, 1) == 1 {
                    continuation.yield(Int32(number) == SIGHUP ? .reload : .stop)
                }
            }
            // Safe: dispatch sources may be used from any thread; Dispatch has not declared so yet.
            nonisolated(unsafe) let watched = source
            continuation.onTermination = { _ in watched.cancel() }
            source.resume()
        }
        // The standard actions would end the process before anything could be settled.
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, Self.note) }
        if Self.reloadIsDue.exchange(false, ordering: .sequentiallyConsistent) { Self.note(SIGHUP) }
    }

    /// Only what a handler may do (signal-safety(7)): it writes one byte and leaves `errno` as it was.
    private static let note: @convention(c) (Int32) -> Void = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = before
    }
}
