import Synchronization
public import Values

/// The embedded school as a server on 127.0.0.1: WebUntis and the POKYH backend over real HTTP.
///
/// Requests are answered one after the other on a thread of libmicrohttpd. The clock is the caller's; commands may set the
/// school's present apart from it. Addresses of the simulator's own lie below `/__simulator/`: `POST command` takes one command as
/// plain text, `GET commands`, `log` and `state` tell.
public final class SimulatorServer: Sendable {
    private let wantedPort: UInt16
    private let now: @Sendable () -> Timestamp
    private let state: SharedState
    private let waiting = WaitingConnections()
    private let port = Mutex<UInt16>(0)
    private let server: LoopbackServer

    /// - Parameters:
    ///   - port: 0 for a free one.
    ///   - now: the present, read once for every request.
    ///   - school: what is served; changes stay inside.
    public init(port: UInt16 = 0, now: @escaping @Sendable () -> Timestamp, school: School) {
        wantedPort = port
        self.now = now
        let state = SharedState(SimulatorState(school: school))
        let waiting = self.waiting
        self.state = state
        server = LoopbackServer(waiting: waiting) { request in
            let answer = state.locked.withLock { $0.answer(request, clock: now()) }
            Self.releaseIfFaultsEnded(state, waiting)
            return answer
        }
    }

    /// Connections that a fault kept waiting are closed when it is switched off.
    private static func releaseIfFaultsEnded(_ state: SharedState, _ waiting: WaitingConnections) {
        let ended = state.locked.withLock { state in
            defer { state.faultsEnded = false }
            return state.faultsEnded
        }
        if ended { waiting.releaseAll() }
    }

    /// Binds the port and serves until `stop`.
    ///
    /// - Throws: where the port is taken or the server runs already.
    public func start() throws(SimulatorServerError) {
        guard let taken = server.start(port: wantedPort) else { throw SimulatorServerError(port: wantedPort) }
        port.withLock { $0 = taken }
    }

    /// Closes all connections; returns when the last answer has ended. A stopped server may be started again.
    public func stop() { server.stop() }

    /// `http://127.0.0.1:49152`, without a slash at its end; the port is 0 before the first start.
    public var url: String { "http://127.0.0.1:\(port.withLock { $0 })" }

    /// Makes something happen, without going through HTTP.
    ///
    /// - Returns: what was done, in one line.
    /// - Throws: why it cannot be done; nothing has changed then.
    public func perform(_ command: SimulatorCommand) throws(CommandError) -> String {
        let clock = now()
        let outcome = state.locked.withLock { state -> Result<String, CommandError> in
            do throws(CommandError) {
                return .success(try state.perform(command, clock: clock))
            } catch {
                return .failure(error)
            }
        }
        Self.releaseIfFaultsEnded(state, waiting)
        return try outcome.get()
    }

    /// At least the last 10,000 requests that the school answered, oldest first; those to `/__simulator/` are left out.
    public var log: [ServedLogEntry] { state.locked.withLock { $0.log } }
}

/// The state, shared by the server's thread and its owner's.
private final class SharedState: Sendable {
    let locked: Mutex<SimulatorState>

    init(_ state: SimulatorState) { locked = Mutex(state) }
}

/// Why the simulator does not serve.
public struct SimulatorServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The port that was asked for; 0 for any.
    public let port: UInt16

    /// What happened and how to mend it, in one line.
    public var description: String {
        port == 0
            ? "the simulator cannot listen on 127.0.0.1 (is it running already?)"
            : "the simulator cannot listen on 127.0.0.1:\(port): the port is taken; choose another with --port"
    }
}
