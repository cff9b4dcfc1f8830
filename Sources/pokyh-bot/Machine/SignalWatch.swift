import Dispatch
import Glibc

/// Signals as a stream of what they ask for.
struct SignalWatch: Sendable {
    enum Wish: Sendable {
        case stop, reload
    }

    let stream: AsyncStream<Wish>

    /// While the program starts, a wish to read its files again must not end it: it is about to read them.
    static func ignoreReload() { signal(SIGHUP, SIG_IGN) }

    init() {
        // The standard actions would end the process before anything could be settled.
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        stream = AsyncStream { continuation in
            // Safe: dispatch sources may be used from any thread; Dispatch has not declared so yet.
            nonisolated(unsafe) let sources = [(SIGTERM, Wish.stop), (SIGINT, .stop), (SIGHUP, .reload)].map {
                number,
                wish in
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield(wish) }
                source.resume()
                return source
            }
            continuation.onTermination = { _ in
                for source in sources { source.cancel() }
            }
        }
    }
}
