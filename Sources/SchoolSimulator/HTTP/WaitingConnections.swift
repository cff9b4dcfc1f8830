import CMicroHTTPD
import Dispatch
import Synchronization
import Values

/// Connections that are kept waiting, for a time or until the server stops.
final class WaitingConnections: Sendable {
    private struct State {
        var isOpen = false
        /// Addresses of suspended connections, and which wait of theirs it is.
        var held: [UInt: UInt64] = [:]
        var count: UInt64 = 0
        /// How often all were let go.
        var releases: UInt64 = 0
    }
    private let state = Mutex(State())

    func open() { state.withLock { $0.isOpen = true } }

    /// How often all were let go: what `hold` is told, so that a release on another thread is not missed.
    var releases: UInt64 { state.withLock { $0.releases } }

    /// Suspends a connection; false where the server is stopping, or where all were let go since `releases` was read.
    func hold(_ connection: OpaquePointer, for time: TimeSpan?, since releases: UInt64) -> Bool {
        let address = UInt(bitPattern: connection)
        let ticket = state.withLock { state -> UInt64? in
            guard state.isOpen, state.releases == releases else { return nil }
            MHD_suspend_connection(connection)
            state.count += 1
            state.held[address] = state.count
            return state.count
        }
        guard let ticket else { return false }
        if let time {
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(time.milliseconds))) { [weak self] in
                self?.resume(address, ticket)
            }
        }
        return true
    }

    private func resume(_ address: UInt, _ ticket: UInt64) {
        state.withLock { state in
            guard state.held[address] == ticket else { return }
            state.held[address] = nil
            MHD_resume_connection(OpaquePointer(bitPattern: address))
        }
    }

    /// Lets all go that are waiting now.
    func releaseAll() {
        state.withLock { state in
            for address in state.held.keys { MHD_resume_connection(OpaquePointer(bitPattern: address)) }
            state.held = [:]
            state.releases += 1
        }
    }

    /// Lets all go and takes no more.
    func close() {
        state.withLock { $0.isOpen = false }
        releaseAll()
    }
}
