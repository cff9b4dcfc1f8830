import Dispatch
import Glibc
import Synchronization

/// The end of a pipe into which the handler writes the numbers of signals; -1 before there is one.
private let mailbox = Atomic<Int32>(-1)

/// Signals as a stream of what they ask for. One at a time in a process.
///
/// From the end of `init` on no signal is lost: a handler leaves its number in a pipe. (A dispatch source for signals begins to watch
/// some time after it was resumed: a SIGTERM that came in between was ignored, seen once in some hundred starts of a busy machine.)
struct SignalWatch: Sendable {
    enum Wish: Sendable {
        case stop, reload
    }

    let stream: AsyncStream<Wish>

    /// While the program starts, a wish to read its files again must not end it: it is about to read them.
    static func ignoreReload() { signal(SIGHUP, SIG_IGN) }

    init() {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
            // Without descriptors the standard actions stay: the process can at least be ended.
            stream = AsyncStream { $0.finish() }
            return
        }
        let reading = ends[0]
        mailbox.store(ends[1], ordering: .sequentiallyConsistent)
        stream = AsyncStream { continuation in
            // Safe: dispatch sources may be used from any thread; Dispatch has not declared so yet.
            nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: .global())
            source.setEventHandler {
                var number: UInt8 = 0
                while read(reading, &number, 1) == 1 {
                    continuation.yield(Int32(number) == SIGHUP ? .reload : .stop)
                }
            }
            source.resume()
            continuation.onTermination = { _ in source.cancel() }
        }
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, Self.handle) }
    }

    /// Calls nothing but what signal-safety(7) allows.
    private static let handle: @convention(c) (Int32) -> Void = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(mailbox.load(ordering: .relaxed), &byte, 1)
        errno = before
    }
}
