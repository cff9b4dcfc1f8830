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
    }
    private let state = Mutex(State())

    func open() { state.withLock { $0.isOpen = true } }

    /// Suspends a connection; false where the server is stopping and nothing may wait any more.
    func hold(_ connection: OpaquePointer, for time: TimeSpan?) -> Bool {
        let address = UInt(bitPattern: connection)
        let ticket = state.withLock { state -> UInt64? in
            guard state.isOpen else { return nil }
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
        }
    }

    /// Lets all go and takes no more.
    func close() {
        state.withLock { $0.isOpen = false }
        releaseAll()
    }
}
